"""Reads the textual form of a program back (`abpress.ir.text` describes and writes it)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lark import Token

from abpress.errors import NOWHERE, Position
from abpress.ir.expr import TRUE, Addr, Const, Expr, FuncAddr
from abpress.ir.expr_reader import ExprReader
from abpress.ir.grammar import Node, misplaced, name_of, parse_tree, string_of, unquoted
from abpress.ir.program import (
    AccessKind,
    Alloc,
    Assign,
    ChooseBit,
    Copy,
    Cut,
    Edge,
    Effect,
    Enter,
    Exit,
    Fail,
    Fault,
    Finish,
    Free,
    GuardKind,
    Havoc,
    Initial,
    Join,
    Leave,
    Load,
    Location,
    MemoryObject,
    Overflow,
    Program,
    Spawn,
    Store,
    Template,
)
from abpress.ir.types import Cell, Layout, PtrType, Scalar

_NAME = r"[^\s`/]+|`(?:[^`\\]|\\.)*`"
_PLACE = re.compile(rf"\s*(?:(\d+):)?(\d+):(\d+)(?: ({_NAME}))?\s*(/|$)")


def parse_program(text: str, name: str = "<program>") -> Program:
    """The program that `text` describes.

    Raises InputError with the line and column in `name` where the text is not of the form, or
    names a register, file or number that cannot be.
    """
    return _ProgramReader(name).program(parse_tree(text, "start", name))


class _ProgramReader:
    """Builds the program from the tree, with what has been declared so far (mutable)."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._files: list[str] = []
        self._values = ExprReader(file, PtrType(4))

    # -- declarations -------------------------------------------------------------------------

    def program(self, tree: Node) -> Program:
        size, overflow, main, *rest = tree.children
        self._values = ExprReader(self._file, PtrType(self._values.integer(size)))
        functions: list[str] = []
        objects: dict[str, MemoryObject] = {}
        templates: dict[str, Template] = {}
        for node in rest:
            match node.data:
                case "file":
                    self._files.append(string_of(node.children[0]))
                case "function":
                    functions.append(name_of(node.children[0]))
                case "object":
                    self._declare(objects, node.children[0], self._object(node))
                case _:
                    self._declare(templates, node.children[0], self._template(node))
        try:
            signed_overflow = Overflow(name_of(overflow))
        except ValueError as error:
            message = f"unknown overflow rule '{name_of(overflow)}'"
            raise misplaced(self._file, overflow, message) from error
        return Program(
            templates,
            objects,
            tuple(functions),
            self._values.pointer.size,
            signed_overflow,
            name_of(main) if main else "main",
        )

    def _object(self, tree: Node) -> MemoryObject:
        name, layout, readonly, initials, position = tree.children
        values: list[Initial] = []
        for node in initials.children if initials else ():
            count, value = node.children
            initial = self._initial(value)
            values.extend([initial] * (self._values.integer(count) if count else 1))
        return MemoryObject(
            name_of(name),
            self._layout(layout),
            tuple(values),
            readonly is not None,
            self._position(position),
        )

    def _initial(self, node: Node) -> Initial:
        if isinstance(node, Token):
            return None
        value = self._values.expr(node)
        if not isinstance(value, Const | Addr | FuncAddr):
            raise misplaced(self._file, node, "an initial value is a number, an address or '?'")
        return value

    def _layout(self, tree: Node) -> Layout:
        number, *rest = tree.children
        if tree.data == "array":
            return self._layout(rest[0]).repeat(self._values.integer(number))
        cells = []
        for node in rest:
            if node is not None:
                offset, type_, path, users = node.children
                text = string_of(path) if path else ""
                at, type = self._values.integer(offset), self._values.type(type_)
                cells.append(Cell(at, type, text, users is not None))
        return Layout(self._values.integer(number), tuple(cells))

    def _template(self, tree: Node) -> Template:
        name, entry, position, *rest = tree.children
        registers: dict[str, Scalar] = {}
        self._values = replace(self._values, registers=registers)
        objects: dict[str, MemoryObject] = {}
        locations: list[Location] = []
        for node in rest:
            match node.data:
                case "register":
                    declared = self._values.type(node.children[1])
                    self._declare(registers, node.children[0], declared)
                case "local":
                    self._declare(objects, node.children[0], self._object(node))
                case _:
                    locations.append(self._location(node, len(locations)))
        return Template(
            name_of(name),
            _label(entry),
            tuple(locations),
            registers,
            objects,
            self._position(position),
        )

    def _location(self, tree: Node, index: int) -> Location:
        label, atomic, *edges = tree.children
        if _label(label) != index:
            message = f"location {label} stands where L{index} is expected"
            raise misplaced(self._file, label, message)
        return Location(tuple(map(self._edge, edges)), atomic is not None)

    def _edge(self, tree: Node) -> Edge:
        *action, _, target, access, position = tree.children
        guard: Expr = TRUE
        kind = GuardKind.BRANCH
        effects: tuple[Effect, ...] = ()
        for node in action:
            if node.data == "effects":
                effects = tuple(map(self._effect, node.children))
            else:
                guard, kind = self._values.expr(node.children[0]), GuardKind(node.data)
        return Edge(
            _label(target),
            guard,
            kind,
            effects,
            self._position(position),
            AccessKind(str(access or "")),
        )

    # -- effects ------------------------------------------------------------------------------

    def _effect(self, tree: Node) -> Effect:
        c, values = tree.children, self._values
        match tree.data:
            case "assign":
                return Assign(values.reg(c[0]), values.expr(c[1]))
            case "load":
                return Load(values.reg(c[0]), values.expr(c[1]))
            case "store":
                return Store(values.expr(c[0]), values.expr(c[1]))
            case "copy":
                moves, target, source, size = c
                its = values.expr(target), values.expr(source), values.integer(size)
                return Copy(*its, moves is not None)
            case "havoc":
                return Havoc(
                    values.reg(c[0]), string_of(c[1]), self._bound(c[2]), self._bound(c[3])
                )
            case "choose_bit":
                return ChooseBit(values.reg(c[0]), values.expr(c[1]))
            case "enter":
                return Enter(name_of(c[0]))
            case "leave":
                return Leave(name_of(c[0]))
            case "alloc":
                target, automatic, count, layout, zeroed, label = c
                return Alloc(
                    values.reg(target),
                    self._layout(layout),
                    values.expr(count),
                    zeroed is not None,
                    string_of(label),
                    automatic is not None,
                )
            case "free":
                return Free(values.expr(c[1]), c[0] is not None)
            case "spawn":
                return Spawn(values.reg(c[0]), name_of(c[1]), values.expr(c[2]))
            case "join":
                return Join(values.reg(c[0]), values.expr(c[1]))
            case "finish":
                return Finish(values.expr(c[0]))
            case "fail":
                return Fail(string_of(c[0]), string_of(c[1]))
            case "fault":
                return Fault(*map(string_of, c))
            case kind:
                texts: dict[str, Callable[[str], Effect]] = {
                    "exit": Exit,
                    "cut": Cut,
                }
                return texts[kind](string_of(c[0]))

    def _bound(self, tree: Node) -> int | None:
        if tree is None or not tree.children:
            return None
        return self._values.integer(tree.children[0])

    # -- positions and names ------------------------------------------------------------------

    def _position(self, token: Token | None) -> Position:
        if token is None:
            return NOWHERE
        places: list[Position] = []
        at, more = 1, True
        while more:
            match = _PLACE.match(token, at)
            if match is None or int(match[1] or 0) >= len(self._files):
                raise misplaced(self._file, token, "not a position (of a file in the file table)")
            function = unquoted(match[4]) if match[4] else ""
            file = self._files[int(match[1] or 0)]
            places.append(Position(file, int(match[2]), int(match[3]), function))
            at, more = match.end(), match[5] == "/"
        *stack, last = places
        return Position(last.file, last.line, last.column, last.function, tuple(stack))

    def _declare(self, table: dict[str, Any], name: Node, value: object) -> None:
        if name_of(name) in table:
            raise misplaced(self._file, name, f"'{name_of(name)}' is declared twice")
        table[name_of(name)] = value


def _label(token: Token) -> int:
    return int(token[1:])
