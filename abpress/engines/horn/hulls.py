"""Linear equations between variables and elements of arrays, and what is less than what.

They are guessed from models, NOTE(guessed-bounds): the least affine space that has all states that
samples show, and of two variables that guards compare, which one is the lesser. What guards imply
counts, unlike where updates are followed as they are written (`affine`): that of a queue with one
element the first one is the last one, or that what a thread reads is what another one has written.
With `ordered` elements are compared with whatever may be compared with them by way of others: that
the least one so far is not greater than the first one. With `cases`
there are also spaces of those states in which a variable is less than another one, equal, or
greater.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from operator import eq, gt, lt

from abpress.engines.horn.spaces import AffineSpace, equations_of, minus
from abpress.engines.horn.widening import Guess, Widening
from abpress.ir.expr import (
    Array,
    ArrayReg,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Reg,
    Select,
    Term,
    Update,
    Variable,
    walk,
)
from abpress.ir.types import INDEX, IntType
from abpress.logic.connectives import atoms
from abpress.logic.formula import FALSE, Formula, disj, holds, neg
from abpress.smt.clauses import Clause
from abpress.symbolic.discrete import ARBITRARY

_WIDE = IntType(64, True)
_NARROW = 32

_MOST_COLUMNS = 40
"""Variables and elements of a relation between which there are equations."""

_MOST_ORDERED = 10
"""Variables and elements of a relation of which the order is guessed."""

_MOST_CASES = 6
"""Pairs of variables by which states are told apart."""


def hulls(
    relations: Sequence[tuple[Variable, ...]],
    clauses: Sequence[Clause],
    cases: bool,
    ordered: bool = False,
) -> Widening:
    """What finds what the clauses keep. With `ordered` it is also asked which of an element and
    what it may be compared with, by way of others too, is not the lesser."""
    seen = _Compared(clauses)
    looked_at = [_looked_at(its, seen) for its in relations]
    kept = seen.compared_with_elements() if ordered else ()
    indices = seen.pairs_of_indices() if cases else set()
    guesses = [list(_guesses(its, seen, cases, kept, indices)) for its in looked_at]
    return Widening(clauses, looked_at, guesses, [()] * len(relations))


class _Compared:
    """What clauses compare, by the names of what is looked at, and the indices at which they take
    elements of each array."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.pairs: set[tuple[str, str]] = set()
        self._copies: set[tuple[str, str]] = set()
        self.indices: dict[str, set[Reg | Const]] = {}
        self._filled: dict[str, set[Reg]] = {}
        for clause in clauses:
            for f in dict.fromkeys(a for whole in clause.guard for a in atoms(whole)):
                self._see(f)
            for name, value in clause.values.items():
                self._see_elements(value)
                self._see_filled(value)
                of = None if isinstance(value, Array) else _name(value)
                if of is not None and of != name:
                    self._copies.add((name, of))

    def pairs_of_indices(self) -> set[tuple[str, str]]:
        """The names of two variables of which one is where an array is written, and the other one
        where it is read: they are as if they were compared."""
        return {
            (min(i.name, k.name), max(i.name, k.name))
            for array, its in self._filled.items()
            for i, k in product(its, self.indices.get(array, ()))
            if isinstance(k, Reg) and i != k
        }

    def _see_filled(self, value: Term) -> None:
        while isinstance(value, Update):
            index = _base(value.index)
            base = value.array
            while isinstance(base, Update):
                base = base.array
            if isinstance(index, Reg) and isinstance(base, ArrayReg):
                self._filled.setdefault(base.name, set()).add(index)
            value = value.array

    def compared_with_elements(self) -> list[set[str]]:
        """Sets of names of variables and arrays: those of which values are compared with elements,
        or set to them, by way of others too, together with these arrays."""
        found: list[set[str]] = []
        for pair in sorted(self.pairs | self._copies):
            names = set(map(_owner, pair))
            related = [its for its in found if its & names]
            found = [its for its in found if its not in related]
            found.append(names.union(*related))
        return [its for its in found if not its.isdisjoint(self.indices)]

    def _see(self, f: Formula) -> None:
        if f.expr is None:
            return
        self._see_elements(f.expr)
        if isinstance(f.expr, Compare):
            a, b = _name(f.expr.left), _name(f.expr.right)
            if a is not None and b is not None:
                self.pairs.add((min(a, b), max(a, b)))

    def _see_elements(self, value: Term) -> None:
        for e in walk(value) if isinstance(value, Expr) else ():
            if isinstance(e, Select) and isinstance(e.array, ArrayReg):
                index = _base(e.index)
                if isinstance(index, Reg | Const):
                    self.indices.setdefault(e.array.name, set()).add(index)


def _base(e: Expr) -> Expr:
    """An expression without conversions, and numbers that are added to it."""
    while True:
        match e:
            case Convert(arg):
                e = arg
            case Binary("+" | "-", arg, Const()):
                e = arg
            case _:
                return e


def _name(e: Expr) -> str | None:
    """What is looked at, if an expression is that, or differs from it by a number."""
    match _base(e):
        case Reg(name) if ARBITRARY not in name:
            return name
        case Select(ArrayReg(name), index):
            match _base(index):
                case Reg(at) | Const(at):
                    return f"{name}[{at}]"
    return None


def _owner(name: str) -> str:
    """The array of whose elements this is one; else what has the name."""
    return name[: name.rindex("[")] if name.endswith("]") else name


def _looked_at(variables: Collection[Variable], seen: _Compared) -> dict[str, Expr]:
    """The numbers of a relation, and the elements of its arrays at and before the indices at which
    clauses take some, by their names."""
    numbers = {v.name: v for v in variables if isinstance(v, Reg) and _is_narrow(v.type)}
    found: dict[str, Expr] = dict(numbers)
    for v in variables:
        if isinstance(v, ArrayReg) and _is_narrow(v.element):
            for index in sorted(seen.indices.get(v.name, ()), key=str):
                if isinstance(index, Const):
                    found[f"{v.name}[{index.value}]"] = Select(v, Const(index.value, INDEX))
                elif index.name in numbers:
                    at = Convert(numbers[index.name], INDEX)
                    found[f"{v.name}[{index.name}]"] = Select(v, at)
                    before = Binary("-", at, Const(1, INDEX))
                    found[f"{v.name}[{index.name} - 1]"] = Select(v, before)
    return found if len(found) <= _MOST_COLUMNS else dict(numbers)


def _is_narrow(type: object) -> bool:
    return isinstance(type, IntType) and type.bits <= _NARROW


def _guesses(
    looked_at: Mapping[str, Expr],
    seen: _Compared,
    cases: bool,
    kept: Iterable[Collection[str]],
    indices: Collection[tuple[str, str]],
) -> Iterator[Guess]:
    """What may be said of a relation."""
    names = {name: Reg(name, e.type) for name, e in looked_at.items()}
    if len(names) > _MOST_COLUMNS:
        return
    whole = _Hull(tuple(names.values()))
    yield whole
    pairs = [(names[a], names[b]) for a, b in sorted(seen.pairs) if a in names and b in names]
    for a, b in pairs:
        for x, y in permutations((a, b)):
            yield from (_NotLess(x, y, n) for n in (-1, 0, 1))
    for its in kept:
        among = [n for n in names if _owner(n) in its and not n.endswith("- 1]")]
        if len(among) <= _MOST_ORDERED:
            yield from (_NotLess(names[a], names[b], 0) for a, b in permutations(among, 2))
    if cases and len(pairs) <= _MOST_CASES:
        more = [(names[a], names[b]) for a, b in sorted(indices) if a in names and b in names]
        more = [pair for pair in more if pair not in pairs][: _MOST_CASES - len(pairs)]
        for a, b in (*pairs, *more):
            yield from (_Hull(whole.variables, (op, a, b), whole) for op in ("<", "==", ">"))


@dataclass(slots=True)
class _Hull:
    """The least space that has all states, or those in which this comparison holds: then what the
    space of all states does not say. Mutable; None: there is no state."""

    variables: tuple[Reg, ...]
    among: tuple[str, Reg, Reg] | None = None
    whole: _Hull | None = None
    space: AffineSpace | None = None
    said: tuple[Formula, ...] = (FALSE,)

    def admit(self, values: Mapping[str, int]) -> None:
        """Has the state in the space."""
        if self.among is not None:
            op, a, b = self.among
            if not _OPERATORS[op](values[a.name], values[b.name]):
                return
        point = [Fraction(values[v.name]) for v in self.variables]
        if self.space is None:
            self.space = AffineSpace(point)
        elif not self.space.add(minus(point, Fraction(1), self.space.point)):
            return
        self.said = equations_of(self.space, self.variables)

    def formulas(self) -> Iterator[Formula]:
        """The equations of the space."""
        if self.among is None or self.whole is None:
            yield from self.said
            return
        elsewhere = neg(_compared(*self.among))
        known = set(self.whole.said)
        yield from (disj((elsewhere, f)) for f in self.said if f not in known)


_OPERATORS: Mapping[str, Callable[[int, int], bool]] = {"<": lt, "==": eq, ">": gt}


@dataclass(slots=True)
class _NotLess:
    """That a variable and a number are not less than another variable. Mutable."""

    variable: Reg
    other: Reg
    number: int
    holds: bool = True

    def admit(self, values: Mapping[str, int]) -> None:
        """Drops it where a state says something else."""
        sum = values[self.variable.name] + self.number
        self.holds &= sum >= values[self.other.name]

    def formulas(self) -> Iterator[Formula]:
        """What it says."""
        if self.holds:
            yield _compared(">=", self.variable, self.other, self.number)


def _compared(op: str, a: Reg, b: Reg, number: int = 0) -> Formula:
    """A comparison of a variable, with a number added to it, and another one."""
    if not number and a.type == b.type:
        return holds(Compare(op, a, b))
    left: Expr = Convert(a, _WIDE)
    if number:
        left = Binary("+", left, Const(number, _WIDE))
    return holds(Compare(op, left, Convert(b, _WIDE)))
