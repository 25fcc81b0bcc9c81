"""Reads the textual form of a program back (`abpress.ir.text` describes and writes it)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from abpress.errors import NOWHERE, InputError, Position
from abpress.ir.expr import (
    ARITHMETIC,
    TRUE,
    Addr,
    Array,
    ArrayReg,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Filled,
    FuncAddr,
    PtrAdd,
    PtrDiff,
    Reg,
    SameArray,
    Select,
    Unary,
    Update,
)
from abpress.ir.program import (
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
from abpress.ir.types import INT, Cell, IntType, Layout, PtrType, Scalar

Node = Any
"""A lark tree or token; the grammar guarantees the shapes that are taken apart here."""

_NAME = r"[^\s`/]+|`(?:[^`\\]|\\.)*`"
_PLACE = re.compile(rf"\s*(?:(\d+):)?(\d+):(\d+)(?: ({_NAME}))?\s*(/|$)")


@cache
def _parser() -> Lark:
    grammar = files("abpress.ir").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=True, start=["start", "expr"])


def parse_program(text: str, name: str = "<program>") -> Program:
    """The program that `text` describes.

    Raises InputError with the line and column in `name` where the text is not of the form, or
    names a register, file or number that cannot be.
    """
    try:
        tree = _parser().parse(text, start="start")
    except UnexpectedInput as error:
        raise _syntax_error(error, text, name) from error
    return _Reader(name).program(tree)


def parse_expr(text: str, pointer_size: int = 4) -> Expr:
    """The expression that `text` describes; each register is written with its type.

    Raises InputError where the text is not of that form.
    """
    try:
        tree = _parser().parse(text, start="expr")
    except UnexpectedInput as error:
        raise _syntax_error(error, text, "<expression>") from error
    return _Reader("<expression>", pointer_size).expr(tree)


def _syntax_error(error: UnexpectedInput, text: str, name: str) -> InputError:
    if isinstance(error, UnexpectedEOF) or (
        isinstance(error, UnexpectedToken) and error.token.type == "$END"
    ):
        lines = text.split("\n")
        position = Position(name, len(lines), len(lines[-1]) + 1)
        return InputError("unexpected end of the program text", position)
    position = Position(name, error.line, error.column)
    if isinstance(error, UnexpectedCharacters):
        return InputError(f"unexpected character {error.char!r}", position)
    assert isinstance(error, UnexpectedToken)
    return InputError(f"unexpected {str(error.token)!r}", position)


class _Reader:
    """Builds the program from the tree, with what has been declared so far (mutable)."""

    def __init__(self, file: str, pointer_size: int = 4) -> None:
        self._file = file
        self._pointer = PtrType(pointer_size)
        self._files: list[str] = []
        self._registers: dict[str, Scalar] = {}

    # -- declarations -------------------------------------------------------------------------

    def program(self, tree: Node) -> Program:
        size, overflow, main, *rest = tree.children
        self._pointer = PtrType(self._integer(size))
        functions: list[str] = []
        objects: dict[str, MemoryObject] = {}
        templates: dict[str, Template] = {}
        for node in rest:
            match node.data:
                case "file":
                    self._files.append(_string(node.children[0]))
                case "function":
                    functions.append(_name(node.children[0]))
                case "object":
                    self._declare(objects, node.children[0], self._object(node))
                case _:
                    self._declare(templates, node.children[0], self._template(node))
        try:
            signed_overflow = Overflow(_name(overflow))
        except ValueError as error:
            raise self._error(overflow, f"unknown overflow rule '{_name(overflow)}'") from error
        return Program(
            templates,
            objects,
            tuple(functions),
            self._pointer.size,
            signed_overflow,
            _name(main) if main else "main",
        )

    def _object(self, tree: Node) -> MemoryObject:
        name, layout, readonly, initials, position = tree.children
        values: list[Initial] = []
        for node in initials.children if initials else ():
            count, value = node.children
            initial = self._initial(value)
            values.extend([initial] * (self._integer(count) if count else 1))
        return MemoryObject(
            _name(name),
            self._layout(layout),
            tuple(values),
            readonly is not None,
            self._position(position),
        )

    def _initial(self, node: Node) -> Initial:
        if isinstance(node, Token):
            return None
        value = self.expr(node)
        if not isinstance(value, Const | Addr | FuncAddr):
            raise self._error(node, "an initial value is a number, an address or '?'")
        return value

    def _layout(self, tree: Node) -> Layout:
        number, *rest = tree.children
        if tree.data == "array":
            return self._layout(rest[0]).repeat(self._integer(number))
        cells = []
        for node in rest:
            if node is not None:
                offset, type_, path = node.children
                text = _string(path) if path else ""
                cells.append(Cell(self._integer(offset), self._type(type_), text))
        return Layout(self._integer(number), tuple(cells))

    def _template(self, tree: Node) -> Template:
        name, entry, position, *rest = tree.children
        self._registers = {}
        objects: dict[str, MemoryObject] = {}
        locations: list[Location] = []
        for node in rest:
            match node.data:
                case "register":
                    declared = self._type(node.children[1])
                    self._declare(self._registers, node.children[0], declared)
                case "local":
                    self._declare(objects, node.children[0], self._object(node))
                case _:
                    locations.append(self._location(node, len(locations)))
        return Template(
            _name(name),
            _label(entry),
            tuple(locations),
            self._registers,
            objects,
            self._position(position),
        )

    def _location(self, tree: Node, index: int) -> Location:
        label, atomic, *edges = tree.children
        if _label(label) != index:
            raise self._error(label, f"location {label} stands where L{index} is expected")
        return Location(tuple(map(self._edge, edges)), atomic is not None)

    def _edge(self, tree: Node) -> Edge:
        *action, _, target, atomic_access, position = tree.children
        guard: Expr = TRUE
        kind = GuardKind.BRANCH
        effects: tuple[Effect, ...] = ()
        for node in action:
            if node.data == "effects":
                effects = tuple(map(self._effect, node.children))
            else:
                guard, kind = self.expr(node.children[0]), GuardKind(node.data)
        return Edge(
            _label(target),
            guard,
            kind,
            effects,
            self._position(position),
            atomic_access is not None,
        )

    # -- effects and expressions --------------------------------------------------------------

    def _effect(self, tree: Node) -> Effect:
        c = tree.children
        match tree.data:
            case "assign":
                return Assign(self._reg(c[0]), self.expr(c[1]))
            case "load":
                return Load(self._reg(c[0]), self.expr(c[1]))
            case "store":
                return Store(self.expr(c[0]), self.expr(c[1]))
            case "copy":
                return Copy(self.expr(c[0]), self.expr(c[1]), self._integer(c[2]))
            case "havoc":
                return Havoc(self._reg(c[0]), _string(c[1]), self._bound(c[2]), self._bound(c[3]))
            case "choose_bit":
                return ChooseBit(self._reg(c[0]), self.expr(c[1]))
            case "enter":
                return Enter(_name(c[0]))
            case "leave":
                return Leave(_name(c[0]))
            case "alloc":
                target, count, layout, zeroed, label = c
                return Alloc(
                    self._reg(target),
                    self._layout(layout),
                    self.expr(count),
                    zeroed is not None,
                    _string(label),
                )
            case "free":
                return Free(self.expr(c[0]))
            case "spawn":
                return Spawn(self._reg(c[0]), _name(c[1]), self.expr(c[2]))
            case "join":
                return Join(self._reg(c[0]), self.expr(c[1]))
            case "finish":
                return Finish(self.expr(c[0]))
            case "fail":
                return Fail(_string(c[0]), _string(c[1]))
            case kind:
                texts: dict[str, Callable[[str], Effect]] = {
                    "exit": Exit,
                    "cut": Cut,
                    "fault": Fault,
                }
                return texts[kind](_string(c[0]))

    def _bound(self, tree: Node) -> int | None:
        return self._integer(tree.children[0]) if tree is not None and tree.children else None

    def _reg(self, tree: Node) -> Reg:
        name, type_ = tree.children
        text = _name(name)
        if type_ is not None:
            return Reg(text, self._type(type_))
        if text not in self._registers:
            raise self._error(name, f"register '{text}' is not declared")
        return Reg(text, self._registers[text])

    def expr(self, tree: Node) -> Expr:
        c = tree.children
        match tree.data:
            case "number":
                return self._number(c[0])
            case "reg":
                return self._reg(tree)
            case "address":
                name, _, offset = str(c[0])[1:].partition("+")
                if name.startswith("`"):
                    name, _, offset = str(c[0])[1:].rpartition("`")
                    name, offset = name + "`", offset[1:]
                return Addr(_unquoted(name), int(offset or 0), self._pointer)
            case "function_address":
                return FuncAddr(_unquoted(str(c[0])[1:-2]), self._pointer)
            case "unary":
                return Unary(str(c[0]), self.expr(c[1]))
            case "convert":
                return Convert(self.expr(c[1]), self._type(c[0]))
            case "difference":
                type_ = self._type(c[1][1:])
                assert isinstance(type_, IntType)
                return PtrDiff(self.expr(c[0]), self.expr(c[2]), type_)
            case "times":
                return Binary("*", self.expr(c[0]), self.expr(c[1]))
            case "select":
                return Select(self._array(c[1]), self.expr(c[2]))
            case "same":
                return SameArray(self._array(c[1]), self._array(c[2]))
            case _:
                return self._binary(self.expr(c[0]), str(c[1]), self.expr(c[2]))

    def _array(self, tree: Node) -> Array:
        c = tree.children
        match tree.data:
            case "array_variable":
                return ArrayReg(_name(c[0]), _element(c[1]))
            case "filled":
                numbers = [self._integer(token) for token in c[1:]]
                others = tuple(zip(numbers[1::2], numbers[2::2], strict=True))
                return Filled(numbers[0], others, _element(c[0]))
            case _:
                return Update(self._array(c[1]), self.expr(c[2]), self.expr(c[3]))

    def _binary(self, left: Expr, op: str, right: Expr) -> Expr:
        if op not in ARITHMETIC:
            return Compare(op, left, right)
        if op == "+" and isinstance(left.type, PtrType):
            return PtrAdd(left, right)
        return Binary(op, left, right)

    # -- tokens -------------------------------------------------------------------------------

    def _number(self, token: Token) -> Const:
        digits = re.match(r"-?\d+", token)
        assert digits
        suffix = token[digits.end() :]
        return Const(int(digits[0]), self._type(suffix) if suffix else INT)

    def _integer(self, token: Token) -> int:
        number = self._number(token)
        if number.type != INT or not token[-1].isdigit():
            raise self._error(token, f"a plain number is expected, not '{token}'")
        return number.value

    def _type(self, token: str) -> Scalar:
        if token.startswith("ptr"):
            return PtrType(int(token[3:])) if token[3:] else self._pointer
        return IntType(int(token[1:]), token[0] == "i")

    def _position(self, token: Token | None) -> Position:
        if token is None:
            return NOWHERE
        places: list[Position] = []
        at, more = 1, True
        while more:
            match = _PLACE.match(token, at)
            if match is None or int(match[1] or 0) >= len(self._files):
                raise self._error(token, "not a position (of a file in the file table)")
            function = _unquoted(match[4]) if match[4] else ""
            file = self._files[int(match[1] or 0)]
            places.append(Position(file, int(match[2]), int(match[3]), function))
            at, more = match.end(), match[5] == "/"
        *stack, last = places
        return Position(last.file, last.line, last.column, last.function, tuple(stack))

    def _declare(self, table: dict[str, Any], name: Node, value: object) -> None:
        if _name(name) in table:
            raise self._error(name, f"'{_name(name)}' is declared twice")
        table[_name(name)] = value

    def _error(self, node: Node, message: str) -> InputError:
        token = node if isinstance(node, Token) else next(node.scan_values(lambda _: True), None)
        line, column = (token.line, token.column) if token is not None else (0, 0)
        return InputError(message, Position(self._file, line or 0, column or 0))


def _element(token: Token) -> IntType:
    return IntType(int(token[1:-2]), token[0] == "i")


def _label(token: Token) -> int:
    return int(token[1:])


def _name(tree: Node) -> str:
    return _unquoted(str(tree.children[0]))


def _unquoted(name: str) -> str:
    if not name.startswith("`"):
        return name
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], name[1:-1])


def _string(token: Token) -> str:
    value = json.loads(token, strict=False)
    assert isinstance(value, str)
    return value
