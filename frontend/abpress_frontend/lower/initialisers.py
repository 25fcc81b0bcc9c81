"""Initialisers (C11 6.7.9): which expression initialises which scalar of an object."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

from pycparser import c_ast

from abpress.errors import InputError, UnsupportedError
from abpress_frontend.lower.ctypes import (
    Bits,
    CArray,
    CField,
    CInt,
    CRecord,
    CType,
    find_field,
    sizeof,
)
from abpress_frontend.lower.literals import string
from abpress_frontend.lower.positions import position


@dataclass(frozen=True, slots=True)
class Entry:
    """`value` initialises the part of type `type` at `offset`: an expression, or a number such as
    a character of a string literal; None says that all of the part is initialised anew, by entries
    that follow. `chosen` are the unions that it lies in: the offset of each, and its member."""

    offset: int
    type: CType
    value: c_ast.Node | int | None
    bits: Bits | None = None
    chosen: tuple[tuple[int, CRecord, CField], ...] = ()

    def moved(self, offset: int) -> Entry:
        """The entry for an object that lies so far inside of another."""
        chosen = tuple((at + offset, union, field) for at, union, field in self.chosen)
        return replace(self, offset=self.offset + offset, chosen=chosen)


@dataclass(frozen=True, slots=True)
class _Part:
    """A subobject that an initialiser can be meant for."""

    type: CType
    offset: int
    bits: Bits | None = None
    member: CField | None = None

    def holds(self, entry: Entry) -> bool:
        """Whether the entry initialises the part, or something in it."""
        if self.bits is not None or (entry.bits is not None and not isinstance(self.type, CRecord)):
            return (self.offset, self.bits) == (entry.offset, entry.bits)
        return self.offset <= entry.offset < self.end

    @property
    def end(self) -> int:
        if isinstance(self.type, CArray) and self.type.count is None:
            return sys.maxsize  # a flexible array member is the last one
        return self.offset + sizeof(self.type)


def _no_array(init: c_ast.Node) -> InputError | UnsupportedError:
    if isinstance(init, c_ast.Constant) and init.value.endswith('"'):
        return UnsupportedError(f"wide string literal {init.value[:40]}", position(init))
    return InputError("invalid initialiser of an array: braces are missing", position(init))


class InitialiserReader:
    """`constant` evaluates designator indices, `typeof` finds out whether an expression is of
    record type, `is_foreign` whether an initialiser fits a definition that is not ours."""

    def __init__(
        self,
        constant: Callable[[c_ast.Node], int],
        typeof: Callable[[c_ast.Node], CType],
        is_foreign: Callable[[CType], bool],
    ) -> None:
        self._constant = constant
        self._typeof = typeof
        self._is_foreign = is_foreign

    def completed(self, type: CType, init: c_ast.Node) -> CType:
        """`type`, with the length of an incomplete array taken from its initialiser."""
        if not (isinstance(type, CArray) and type.count is None and type.length is None):
            return type
        if _is_string(init):
            return CArray(type.element, len(string(init.value, position(init))))
        if isinstance(init, c_ast.CompoundLiteral):
            init = init.init
        if not isinstance(init, c_ast.InitList):
            raise _no_array(init)
        if len(init.exprs) == 1 and _is_string(init.exprs[0]) and _is_char(type.element):
            return self.completed(type, init.exprs[0])
        unbounded = CArray(type.element, 1 << 24)
        entries = self._list(unbounded, init)
        size = sizeof(type.element)
        last = max((e.offset // size for e in entries), default=-1)
        return CArray(type.element, last + 1)

    def entries(self, type: CType, init: c_ast.Node) -> list[Entry]:
        """What initialises what; parts without entry are zero if there is any list at all."""
        return _not_overridden(self._whole(_Part(type, 0), init))

    def _whole(self, part: _Part, init: c_ast.Node) -> list[Entry]:
        if isinstance(init, c_ast.InitList):
            if self._is_foreign(part.type):
                return self._foreign(part, init)
            if isinstance(part.type, CArray | CRecord):
                return [e.moved(part.offset) for e in self._list(part.type, init)]
            if len(init.exprs) == 0:
                return []
            return self._whole(part, init.exprs[0])
        if isinstance(part.type, CArray) and _is_string(init) and _is_char(part.type.element):
            codes = string(init.value, position(init))[: part.type.count]
            return [Entry(part.offset + i, part.type.element, c) for i, c in enumerate(codes)]
        if isinstance(part.type, CArray) and not isinstance(init, c_ast.CompoundLiteral):
            raise _no_array(init)
        return [Entry(part.offset, part.type, init, part.bits)]

    def _foreign(self, part: _Part, init: c_ast.InitList) -> list[Entry]:
        """An initialiser that fits another header's definition of the struct: all zero, but for
        the kind of a recursive, error-checking or adaptive mutex."""
        numbers = [self._constant(leaf) for leaf in _leaves(init)]
        nonzero = [n for n in numbers if n]
        if not nonzero:
            return []
        kind = find_field(part.type, "kind") if isinstance(part.type, CRecord) else None
        if kind is None or len(nonzero) > 1 or nonzero[0] not in (1, 2, 3):
            raise UnsupportedError(f"initialiser of a {part.type}", position(init))
        return [Entry(part.offset + kind.offset, kind.type, nonzero[0])]

    def _list(self, type: CType, init: c_ast.InitList) -> list[Entry]:
        if (
            isinstance(type, CArray)
            and len(init.exprs) == 1
            and _is_string(init.exprs[0])
            and _is_char(type.element)
        ):
            return self._whole(_Part(type, 0), init.exprs[0])
        items = list(init.exprs)
        entries, used = self._fill(type, items, 0, braced=True)
        if used < len(items):
            raise InputError("excess elements in an initialiser", position(items[used]))
        return entries

    def _fill(
        self,
        type: CType,
        items: list[c_ast.Node],
        start: int,
        braced: bool,
        first: list[c_ast.Node] | None = None,
    ) -> tuple[list[Entry], int]:
        """Initialises the parts of an aggregate in order from items[start:]; returns the entries
        and the index of the first item not used. `first` replaces the designators of the first
        item. A designator ends an aggregate without braces."""
        entries: list[Entry] = []
        index, k = 0, start
        while k < len(items):
            item = items[k]
            designated = isinstance(item, c_ast.NamedInitializer)
            names = item.name if designated else []
            if first is not None and k == start:
                names = first
            elif designated and not braced:
                break
            if names:
                parts, names, index = self._designated(type, names)
            else:
                part = _nth(type, index)
                if part is None:
                    break
                parts, index = [part], index + 1
            for part in parts:  # several of a range
                last = part is parts[-1]
                inner, used = self._part(part, items if last else [item], k if last else 0, names)
                if not names and not self._elided(part.type, _value(item)):
                    inner = [Entry(part.offset, part.type, None, part.bits), *inner]
                if isinstance(type, CRecord) and type.is_union and part.member is not None:
                    choice = (0, type, part.member)
                    inner = [replace(e, chosen=(choice, *e.chosen)) for e in inner]
                entries += inner
            k = used
        return entries, k

    def _part(
        self, part: _Part, items: list[c_ast.Node], k: int, names: list[c_ast.Node]
    ) -> tuple[list[Entry], int]:
        """Initialises a part from items[k:]; `names` are designators that lead further into it."""
        item = items[k]
        value = _value(item)
        if not names and not self._elided(part.type, value):
            return self._whole(part, value), k + 1
        inner, k = self._fill(part.type, items, k, False, names)
        return [e.moved(part.offset) for e in inner], k

    def _elided(self, type: CType, item: c_ast.Node) -> bool:
        """Whether `item` initialises the first scalar of an aggregate whose braces are left out."""
        if not isinstance(type, CArray | CRecord) or isinstance(item, c_ast.InitList):
            return False
        if isinstance(type, CArray):
            return not (_is_string(item) and _is_char(type.element))
        return not isinstance(self._typeof(item), CRecord)

    def _designated(
        self, type: CType, names: list[c_ast.Node]
    ) -> tuple[list[_Part], list[c_ast.Node], int]:
        """The parts that the first designator names (several for a range), the designators that
        lead further into them, and the index of the part after them."""
        name = names[0]
        if isinstance(name, c_ast.ID) and isinstance(type, CRecord):
            for i, f in enumerate(_initialised(type)):
                if f.name == name.name:
                    return [_Part(f.type, f.offset, f.bits, f)], names[1:], i + 1
                if f.name is None and isinstance(f.type, CRecord) and find_field(f.type, name.name):
                    return [_Part(f.type, f.offset, None, f)], names, i + 1
            raise InputError(f"{type} has no member {name.name}", position(name))
        if isinstance(type, CArray) and isinstance(name, c_ast.ArrayDesignator):
            low, high = self._range(name.expr)
            if not 0 <= low <= high or (type.count is not None and high >= type.count):
                raise InputError("a designator lies outside of its array", position(name))
            size = sizeof(type.element)
            parts = [_Part(type.element, i * size) for i in range(low, high + 1)]
            return parts, names[1:], high + 1
        raise InputError(f"a designator does not fit the type {type}", position(name))

    def _range(self, node: c_ast.Node) -> tuple[int, int]:
        if isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") == "__abp_range":
            low, high = node.args.exprs
            return self._constant(low), self._constant(high)
        value = self._constant(node)
        return value, value


def _not_overridden(entries: list[Entry]) -> list[Entry]:
    """The entries that count. Those that others override are not evaluated, as by gcc and clang
    (C11 6.7.9 leaves it open).

    Raises UnsupportedError where a part of a struct that is the value of an expression is
    overridden: clang keeps the rest of the value, gcc does not.
    """
    kept: list[Entry] = []
    end = 0  # of what is initialised so far
    for entry in entries:
        part = _of(entry)
        if entry.offset < end:
            kept = [old for old in kept if not _overrides(entry, part, old)]
            if any(isinstance(old.type, CRecord) and _of(old).holds(entry) for old in kept):
                at = position(entry.value) if isinstance(entry.value, c_ast.Node) else None
                raise UnsupportedError("initialiser that overrides a part of a struct value", at)
        if entry.value is not None:
            kept.append(entry)
            end = max(end, part.end)
    return kept


def _of(entry: Entry) -> _Part:
    return _Part(entry.type, entry.offset, entry.bits)


def _overrides(entry: Entry, part: _Part, old: Entry) -> bool:
    """Whether an entry for a part leaves nothing of an older one."""
    return (part.holds(old) and not _of(old).end > part.end) or _excludes(entry, old)


def _excludes(a: Entry, b: Entry) -> bool:
    """Whether the two initialise different members of a union."""
    return any(
        (at, union) == (at_b, union_b) and field is not field_b
        for at, union, field in a.chosen
        for at_b, union_b, field_b in b.chosen
    )


def _value(item: c_ast.Node) -> c_ast.Node:
    return item.expr if isinstance(item, c_ast.NamedInitializer) else item


def _leaves(init: c_ast.Node) -> list[c_ast.Node]:
    """The expressions of an initialiser."""
    if isinstance(init, c_ast.NamedInitializer):
        return _leaves(init.expr)
    if isinstance(init, c_ast.InitList):
        return [leaf for item in init.exprs for leaf in _leaves(item)]
    return [init]


def _initialised(record: CRecord) -> list[CField]:
    """The members that initialisers go through: all but unnamed bit-fields."""
    return [
        f
        for f in record.fields or ()
        if f.name is not None or (f.bits is None and isinstance(f.type, CRecord))
    ]


def _nth(type: CType, index: int) -> _Part | None:
    """The part that the `index`-th initialiser without designator is for."""
    if isinstance(type, CArray):
        if type.count is None:
            raise UnsupportedError(f"initialiser of the incomplete array type {type}")
        if index >= type.count:
            return None
        return _Part(type.element, index * sizeof(type.element))
    assert isinstance(type, CRecord)
    fields = _initialised(type)
    if index >= len(fields) or (type.is_union and index > 0):
        return None
    f = fields[index]
    return _Part(f.type, f.offset, f.bits, f)


def _is_string(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Constant) and node.type == "string"


def _is_char(type: CType) -> bool:
    return isinstance(type, CInt) and type.ir.bits == 8
