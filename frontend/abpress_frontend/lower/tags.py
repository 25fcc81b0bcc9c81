"""Reads structs, unions and enumerations: their tags, members and enumerators."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Protocol

from pycparser import c_ast

from abpress.errors import InputError, Position, UnsupportedError
from abpress_frontend.gnu import ALIGNED, PACKED, PACKING
from abpress_frontend.lower.ctypes import NO_TAG, CInt, CRecord, CType, DataModel, Definition
from abpress_frontend.lower.layout import Member, complete
from abpress_frontend.lower.positions import position
from abpress_frontend.lower.scope import ConstantSymbol, Scope
from abpress_frontend.lower.unions import MembersInUse
from abpress_frontend.parser import LayoutAttribute
from abpress_frontend.tree import subtrees

_Tagged = c_ast.Struct | c_ast.Union | c_ast.Enum


class Types(Protocol):
    """`abpress_frontend.lower.types`."""

    model: DataModel
    check: Callable[[c_ast.StaticAssert], None]

    def constant(self, node: c_ast.Node) -> int: ...
    def declared(self, node: c_ast.Node, scope: Scope) -> CType: ...
    def aligned(self, node: c_ast.Node, type: CType, scope: Scope) -> int | None: ...
    def alignment(self, part: c_ast.Alignas, scope: Scope) -> int: ...


class TagReader:
    """Reads specifiers of structs, unions and enumerations. `every_byte` says that padding can be
    seen, `used` which members of unions matter. `definitions` are the structs and unions that were
    read."""

    def __init__(self, types: Types, every_byte: bool, used: MembersInUse) -> None:
        self.types = types
        self.every_byte = every_byte
        self.used = used
        self.definitions: list[Definition] = []
        self._anonymous = 0
        self._records: dict[c_ast.Node, CRecord] = {}

    def read(self, node: c_ast.Node, scope: Scope) -> CType:
        """The type that `struct …`, `union …` or `enum …` names or defines."""
        return (
            self._enum(node, scope) if isinstance(node, c_ast.Enum) else self._record(node, scope)
        )

    def read_inside(self, node: c_ast.Node, scope: Scope) -> None:
        """Declares the tags and enumerators that are defined inside of an expression or type."""
        for part in subtrees(node):
            if part is not node and _defines(part):
                self.read(part, scope)

    def declare(self, node: c_ast.Decl, scope: Scope) -> None:
        """Obeys `struct S;`, which declares another S than that around it (C11 6.7.2.3p7)."""
        type = node.type
        if isinstance(type, c_ast.Struct | c_ast.Union) and type.decls is None:
            scope.tags.setdefault(type.name, self._new_record(type.name, _is_union(type)))

    def _record(self, node: c_ast.Struct | c_ast.Union, scope: Scope) -> CType:
        is_union = _is_union(node)
        if node in self._records:  # one node serves all declarators, and all inlined copies
            if node.name is not None:
                scope.tags[node.name] = self._records[node]
            self.read_inside(node, scope)
            return self._records[node]
        if node.name is None:
            self._anonymous += 1
            record = self._new_record(f"{NO_TAG} {self._anonymous}>", is_union)
        else:
            known = scope.tags.get(node.name)
            if known is None and node.decls is None:
                known = scope.lookup_tag(node.name)
            if isinstance(known, CRecord) and known.is_union == is_union:
                record = known
            else:
                record = self._records[node] = self._new_record(node.name, is_union)
                scope.tags[node.name] = record
        if node.decls is not None:
            self._records[node] = record
        if node.decls is not None and record.fields is None:
            self._complete(record.definition, node, scope)
        return record

    def _new_record(self, tag: str, is_union: bool) -> CRecord:
        """A new struct or union."""
        new = Definition(tag, is_union, every_byte=self.every_byte, used=self.used)
        self.definitions.append(new)
        return CRecord(new)

    def _complete(self, record: Definition, node: c_ast.Struct | c_ast.Union, scope: Scope) -> None:
        """Lays out the members of a definition as its attributes say."""
        packed, packing, aligned = False, 0, set[int]()
        for attribute in node.attributes:
            match attribute.word:
                case word if word == PACKED:
                    packed = True
                case word if word == PACKING:
                    packing = self.types.constant(attribute.alignment)
                case _:
                    aligned.add(self.types.alignment(attribute, scope))
        strictest = only(aligned, position(node)) if aligned else 1
        members = self._members(node, scope)
        try:
            complete(record, members, packed, packing, strictest)
        except UnsupportedError as error:
            raise UnsupportedError(error.message, error.position or position(node)) from None

    def _members(self, node: c_ast.Struct | c_ast.Union, scope: Scope) -> list[Member]:
        members: list[Member] = []
        for decl in node.decls:
            if isinstance(decl, c_ast.StaticAssert):
                self.types.check(decl)
            if not isinstance(decl, c_ast.Decl):
                continue  # a stray semicolon
            t = self.types.declared(decl, scope)
            width = None if decl.bitsize is None else self._width(decl, t)
            if decl.name is None and not isinstance(t, CRecord) and width is None:
                continue
            aligned = self.types.aligned(decl, t, scope)
            packed = any(
                isinstance(a, LayoutAttribute) and a.word == PACKED
                for a in (*(decl.align or ()), *declarator_attributes(decl))
            )
            members.append(Member(decl.name, t, width, aligned, packed))
        return members

    def _width(self, decl: c_ast.Decl, t: CType) -> int:
        """The width of a bit-field."""
        width = self.types.constant(decl.bitsize)
        most = (1 if t.is_bool else t.ir.bits) if isinstance(t, CInt) else -1
        if not (0 if decl.name is None else 1) <= width <= most:
            raise InputError(f"bit-field of {width} bits of type {t}", position(decl))
        return width

    def _enum(self, node: c_ast.Enum, scope: Scope) -> CType:
        if node.values is None:
            fixed = self._underlying(node, scope)
            known = scope.lookup_tag(node.name) if node.name and fixed is None else None
            if isinstance(known, CInt):
                return known
            declared = dataclasses.replace(fixed or self.types.model.uint, is_enum=True)
            if node.name and fixed is not None:
                scope.tags[node.name] = declared
            return declared
        fixed = self._underlying(node, scope)
        value, names = 0, dict[str, int]()
        for e in node.values.enumerators:
            if e.value is not None:
                value = self.types.constant(e.value)
            t = fixed or (
                self.types.model.int
                if self.types.model.int.ir.contains(value)
                else self.types.model.llong
            )
            if fixed is not None and not fixed.ir.contains(value):
                raise InputError(f"enumerator {e.name} does not fit into {fixed}", position(e))
            scope.names[e.name] = ConstantSymbol(value, t)
            names[e.name] = value
            value += 1
        result = fixed or self._holding(node, names.values())
        for name, value in names.items():
            if fixed is None and not self.types.model.int.ir.contains(value):
                scope.names[name] = ConstantSymbol(value, self.types.model.promote(result))
        if any(attribute.word == ALIGNED for attribute in node.attributes):
            raise UnsupportedError("aligned enumeration: compilers differ", position(node))
        result = dataclasses.replace(result, is_enum=True)
        if node.name:
            scope.tags[node.name] = result
        return result

    def _underlying(self, node: c_ast.Enum, scope: Scope) -> CInt | None:
        """The type after the colon of an enumeration (C23)."""
        if node.underlying_type is None:
            return None
        type = self.types.declared(node.underlying_type, scope)
        if not isinstance(type, CInt) or type.is_enum:
            raise InputError(f"enumeration of type {type}", position(node))
        return dataclasses.replace(type, align=None, atomic=False)

    def _holding(self, node: c_ast.Enum, values: Iterable[int]) -> CInt:
        """The first type that holds all enumerators, as in GCC."""
        m = self.types.model
        lowest, highest = min((0, *values)), max((0, *values))
        types = [m.schar, m.short, m.int, m.long, m.llong]
        if lowest >= 0:
            types = [m.uchar, m.ushort, m.uint, m.ulong, m.ullong]
        if not any(attribute.word == PACKED for attribute in node.attributes):
            types = types[2:]
        fitting = (t for t in types if t.ir.contains(lowest) and t.ir.contains(highest))
        return next(fitting, types[-1])


def only(alignments: set[int], at: Position) -> int:
    """The alignment that attributes name; the last one for GCC, the strictest one for Clang."""
    if len(alignments) > 1:
        raise UnsupportedError("different alignments of one thing: compilers differ", at)
    return next(iter(alignments))


def declarator_attributes(node: c_ast.Node) -> list[LayoutAttribute]:
    """The attributes around the declarator of a declaration."""
    declarators = c_ast.TypeDecl | c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl
    if not isinstance(node.type, declarators):
        return []
    return [a for a in node.type.attributes if isinstance(a, LayoutAttribute)]


def _is_union(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Union)


def _defines(node: c_ast.Node) -> bool:
    """Whether the node is a definition of a struct, a union or an enumeration."""
    if isinstance(node, c_ast.Enum):
        return node.values is not None
    return isinstance(node, c_ast.Struct | c_ast.Union) and node.decls is not None
