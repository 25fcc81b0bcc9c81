"""Abstract values: small sets of atoms, as one thread sees them.

A value is a set of atoms, or None where nothing is known. What an atom means depends on the thread
that looks: `Self` is its own id, and `Thread(k, True)` that of another thread, of class k.
`seen_by_other` and `seen_by_child` translate between threads; `may_equal` compares what one
thread sees, `may_agree` what two different threads see of one cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

MOST_ATOMS = 8
"""In a set with more atoms, addresses in objects of one origin become one; if there are still more,
it becomes unknown."""


class Origin(NamedTuple):
    """Memory objects of one origin: `static`, or `local` or `heap` of a class of threads.

    `owner` is the number of the class that makes them (-1 for static ones). A `thread` object is
    no memory: its cell is the status of a class, a `made` object that of a place of allocation.
    """

    kind: str
    owner: int
    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """An integer; 0 is also NULL, and the id of no thread."""

    value: int


@dataclass(frozen=True, slots=True)
class Multiple:
    """Any integer that is a multiple of `stride`, plus `rest`."""

    stride: int
    rest: int


@dataclass(frozen=True, slots=True)
class Self:
    """The id of the thread that looks."""


@dataclass(frozen=True, slots=True)
class Thread:
    """The id of a thread of a class; with `other` it is not the one that looks."""

    cls: int
    other: bool


@dataclass(frozen=True, slots=True)
class AddressOf:
    """An address: `offset`, plus any multiple of `stride` where that is not 0.

    `own`: in an object that the thread that looks has made itself, where others may have made some.
    `fresh`: the object was made by the thread, or handed over to it where it began, and no other
    thread and no memory has its address. NOTE(handed-over)
    """

    origin: Origin
    offset: int
    stride: int
    own: bool
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Routine:
    """The address of a function."""

    name: str


@dataclass(frozen=True, slots=True)
class OwnBit:
    """The number with one bit, that of the thread that looks: `1 << $tid`, or its complement."""

    complement: bool


@dataclass(frozen=True, slots=True)
class Holds:
    """A number in which the bit of the thread that looks is set (or is not).

    `begun`: only bits of threads that have begun are set. NOTE(bits-of-threads)
    """

    bit: bool
    begun: bool = False


Atom = Number | Multiple | Self | Thread | AddressOf | Routine | OwnBit | Holds
Value = frozenset[Atom] | None
"""None: anything."""

NOBODY = frozenset({0, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF})
"""Numbers that are the id of no thread."""

SELF: Atom = Self()
ZERO: Value = frozenset({Number(0)})
ONE: Value = frozenset({Number(1)})


def limited(atoms: Iterable[Atom]) -> Value:
    """The set, or a larger one, or None if it is too large."""
    found = frozenset(atoms)
    if len(found) > MOST_ATOMS:
        found = _by_origin(found)
    return found if len(found) <= MOST_ATOMS else None


def _by_origin(atoms: frozenset[Atom]) -> frozenset[Atom]:
    """The atoms, with one for all addresses of an origin: a pointer that walks keeps its object."""
    merged: dict[Origin, AddressOf] = {}
    others: set[Atom] = set()
    for atom in atoms:
        if isinstance(atom, AddressOf):
            merged[atom.origin] = _either(merged.get(atom.origin, atom), atom)
        else:
            others.add(atom)
    return frozenset({*others, *merged.values()})


def _either(a: AddressOf, b: AddressOf) -> AddressOf:
    """An address of one origin that may be either."""
    stride = gcd(a.stride, b.stride, a.offset - b.offset)
    offset = a.offset % stride if stride else a.offset
    return AddressOf(a.origin, offset, stride, a.own and b.own, a.fresh and b.fresh)


def union(a: Value, b: Value) -> Value:
    """What is in one of them at least."""
    if a is None or b is None:
        return None
    return a if included(b, a) else limited(a | b)


def included(a: Value, b: Value) -> bool:
    """Whether all of `a` is in `b`; what one thread sees."""
    if b is None or a is None:
        return b is None
    return a <= b or all(any(is_part(x, y) for y in b) for x in a)


def is_part(x: Atom, y: Atom) -> bool:
    """Whether all that `x` stands for is what `y` stands for, too."""
    match x, y:
        case Number(n), Multiple(s, r):
            return (n - r) % s == 0
        case Multiple(s, r), Multiple(t, q):
            return s % t == 0 and (r - q) % t == 0
        case Number(0), Holds(False):
            return True
        case Holds(bit, begun), Holds(also, both):
            return bit == also and begun >= both
        case Thread(c, _), Thread(d, False):
            return c == d
        case (AddressOf(o, m, s, own, new), AddressOf(p, n, t, also, newer)):
            if o != p or (also and not own) or (newer and not new):
                return False
            return s % t == 0 and (m - n) % t == 0 if t else s == 0 and m == n
        case _:
            return x == y


def is_held(atoms: frozenset[Atom]) -> bool:
    """Whether a cell with such a value is the id of the thread that looks, or has its bit set."""
    its = [isinstance(a, Self) or (isinstance(a, Holds) and a.bit) for a in atoms]
    return bool(its) and all(its)


def _may_id(number: int) -> bool:
    return number not in NOBODY


def may_equal(a: Atom, b: Atom) -> bool:
    """Whether two atoms that one thread sees may be the same number."""
    return _overlap(a, b, same=True, first=-1, second=-1)


def may_be_same(a: Value, b: Value) -> bool:
    """Whether a cell may hold both at once; what one thread sees."""
    return a is None or b is None or any(may_equal(x, y) for x in a for y in b)


def may_agree(a: Atom, b: Atom, first: int, second: int) -> bool:
    """Whether one cell may hold `a` as a thread of class `first` sees it, and `b` as another
    thread, of class `second`, does."""
    return _overlap(a, b, same=False, first=first, second=second)


def _overlap(a: Atom, b: Atom, same: bool, first: int, second: int) -> bool:
    match a, b:
        case Number(x), Number(y):
            return x == y
        case (Number(x), Multiple(s, r)) | (Multiple(s, r), Number(x)):
            return (x - r) % s == 0
        case (Self(), Self()):
            return same
        case (Self(), Thread(cls, other)):
            return not other if same else cls == first
        case (Thread(cls, other), Self()):
            return not other if same else cls == second
        case Thread(c, _), Thread(d, _):
            return c == d
        case (Number(x), Self() | Thread()) | (Self() | Thread(), Number(x)):
            return _may_id(x)
        case (Number(x), AddressOf() | Routine()) | (AddressOf() | Routine(), Number(x)):
            return x != 0
        case AddressOf(o, m, s, own), AddressOf(p, n, t, also):
            if o != p or (not same and own and also):
                return False
            step = gcd(s, t)
            return (m - n) % step == 0 if step else m == n
        case Routine(f), Routine(g):
            return f == g
        case (AddressOf(), Routine()) | (Routine(), AddressOf()):
            return False
        case (Number(0), Holds(True)) | (Holds(True), Number(0)):
            return False
        case Holds(x), Holds(y):
            return not same or x == y
        case _:
            return True


def may_both_hold(a: Value, b: Value, first: int, second: int) -> bool:
    """Whether a cell may be in `a` as one thread sees it and in `b` as another one does."""
    if a is None or b is None:
        return True
    return any(may_agree(x, y, first, second) for x in a for y in b)


def meet(a: Value, b: Value) -> Value:
    """The atoms of `a` that may be in `b`; what one thread sees."""
    if a is None:
        return b
    if b is None:
        return a
    return frozenset(y if isinstance(y, Number) else x for x in a for y in b if may_equal(x, y))


Translation = Callable[[Atom], Atom | None]


def seen_by_other(cls: int, viewer: int, unique: Callable[[int], bool]) -> Translation:
    """What a thread of class `viewer` sees where another one, of class `cls`, sees an atom."""

    def translate(atom: Atom) -> Atom | None:
        match atom:
            case Thread(k, _) if k == viewer:
                return SELF if unique(k) else Thread(k, False)
            case _:
                return _seen_outside(cls, atom)

    return translate


def seen_by_child(parent: int) -> Translation:
    """What a new thread sees where its creator, of class `parent`, sees an atom."""

    def translate(atom: Atom) -> Atom | None:
        match atom:
            case Holds(_, True):
                return Holds(False, True)
            case _:
                return _seen_outside(parent, atom)

    return translate


def _seen_outside(cls: int, atom: Atom) -> Atom | None:
    """What a thread sees that the atom does not speak of, where one of class `cls` sees it."""
    match atom:
        case Self():
            return Thread(cls, True)
        case Thread(k, _):
            return Thread(k, True)
        case AddressOf(o, offset, stride, _):
            return AddressOf(o, offset, stride, False)
        case OwnBit() | Holds():
            return None
        case _:
            return atom


def translated(value: Value, translate: Translation) -> Value:
    """The value as another thread sees it."""
    if value is None:
        return None
    found = [translate(atom) for atom in value]
    if any(atom is None for atom in found):
        return None
    return frozenset(atom for atom in found if atom is not None)
