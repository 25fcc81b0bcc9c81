"""Linear equations between the variables of each relation: guessed, and kept where they are proved.

They are guessed as affine hulls [Karr76]: from clause to clause, the least space that has all the
points to which linear updates lead, as if nothing wrapped around. Those stay that all clauses keep,
as the solver says ([Houdini01]); of unsigned numbers of one type, in the arithmetic of that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, Term, Unary, Variable
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, conj, conjuncts, holds, substitute
from abpress.smt.answer import Answer, NotExact
from abpress.smt.clauses import Clause, by_source
from abpress.smt.prover import Prover

_WIDE = IntType(64, True)
_NARROW = 32
_LARGEST = 1_000
"""Equations with greater coefficients are of no use."""

_RLIMIT = 200_000
"""Steps of z3 that a question may take."""

_Linear = dict[str, Fraction]
"""A sum: the factor of each variable, and of 1, whose name is empty."""


def equations(
    relations: Sequence[tuple[Variable, ...]],
    clauses: Sequence[Clause],
    expired: Callable[[], bool],
) -> list[tuple[Formula, ...]]:
    """For each relation, equations that the clauses keep; none at all if time is up."""
    numbers = [tuple(v for v in its if isinstance(v, Reg)) for its in relations]
    found = [
        _formulas(space, its) for space, its in zip(_hulls(numbers, clauses), numbers, strict=True)
    ]
    nothing: list[tuple[Formula, ...]] = [() for _ in relations]
    try:
        kept = _kept(relations, clauses, found, Prover("int", rlimit=_RLIMIT), expired)
    except NotExact:
        return nothing
    return nothing if kept is None else kept


def _kept(
    relations: Sequence[tuple[Variable, ...]],
    clauses: Sequence[Clause],
    found: list[tuple[Formula, ...]],
    prover: Prover,
    expired: Callable[[], bool],
) -> list[tuple[Formula, ...]] | None:
    """The formulas that all clauses keep, among those found; None if time is up."""
    todo = list(range(len(clauses)))
    while todo:
        clause = clauses[todo.pop()]
        target = clause.target
        if target is None or not found[target]:
            continue
        if expired():
            return None
        values = {v.name: clause.values.get(v.name, v) for v in relations[target]}
        before = () if clause.source is None else found[clause.source]
        known = frozenset((*clause.guard, *before))
        goals = {f: substitute(f, values) for f in found[target]}
        if prover.entails(known, conj(goals.values())) is Answer.YES:
            continue
        left = tuple(f for f, goal in goals.items() if prover.entails(known, goal) is Answer.YES)
        if left != found[target]:
            found[target] = left
            todo += (k for k, its in enumerate(clauses) if its.source == target)
    return found


# -- spaces ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Space:
    """All sums of a point and multiples of rows, which are in reduced echelon form. Mutable."""

    point: list[Fraction]
    rows: dict[int, list[Fraction]] = field(default_factory=dict)

    def add(self, row: list[Fraction]) -> bool:
        """Adds a direction; returns whether it was not there."""
        row = self._reduced(row)
        pivot = next((k for k, x in enumerate(row) if x), None)
        if pivot is None:
            return False
        row = [x / row[pivot] for x in row]
        for k, other in self.rows.items():
            if other[pivot]:
                self.rows[k] = _less(other, other[pivot], row)
        self.rows[pivot] = row
        return True

    def _reduced(self, row: list[Fraction]) -> list[Fraction]:
        for pivot, its in self.rows.items():
            if row[pivot]:
                row = _less(row, row[pivot], its)
        return row


def _less(row: list[Fraction], factor: Fraction, other: list[Fraction]) -> list[Fraction]:
    return [x - factor * y if y else x for x, y in zip(row, other, strict=True)]


def _hulls(relations: Sequence[tuple[Reg, ...]], clauses: Sequence[Clause]) -> list[_Space | None]:
    """The hull of each relation; None if no clause leads to it."""
    found: list[_Space | None] = [None] * len(relations)
    after = by_source(clauses)
    todo = list(after.get(None, ()))
    while todo:
        clause = todo.pop()
        target = clause.target
        if target is None:
            continue
        source = clause.source
        names = relations[target if source is None else source]
        space = None if source is None else found[source]
        image = _image(clause, [v.name for v in names], space, relations[target])
        if image is None:
            continue
        its = found[target]
        if its is None:
            found[target], more = image, True
        else:
            away = _less(image.point, Fraction(1), its.point)
            added = [its.add(row) for row in (away, *image.rows.values())]
            more = any(added)
        if more:
            todo += after.get(target, ())
    return found


def _image(
    clause: Clause, names: list[str], space: _Space | None, target: Sequence[Reg]
) -> _Space | None:
    """Where a clause leads from a space (None: from everywhere); None if nowhere."""
    values = [_linear(clause.values.get(v.name, v)) for v in target]
    sums = [its for f in conjuncts(conj(clause.guard)) if (its := _equation(f)) is not None]
    known = set(names)
    free = sorted({n for its in (*values, *sums) if its for n in its} - known - {""})
    columns = {name: k for k, name in enumerate((*names, *free))}
    zeros = [Fraction(0)] * len(columns)
    point, rows = zeros[:], []
    if space is not None:
        point[: len(names)] = space.point
        rows = [[*row, *zeros[len(names) :]] for row in space.rows.values()]
    for name in columns if space is None else free:
        rows.append(zeros[:])
        rows[-1][columns[name]] = Fraction(1)

    def value(its: _Linear, of: list[Fraction]) -> Fraction:
        return sum((x * of[columns[n]] for n, x in its.items() if n), Fraction(0))

    for its in sums:
        moved = [value(its, row) for row in rows]
        left = value(its, point) + its.get("", Fraction(0))
        best = next((k for k, x in enumerate(moved) if x), None)
        if best is None:
            if left:
                return None
            continue
        along, by = rows.pop(best), moved.pop(best)
        point = _less(point, left / by, along)
        rows = [_less(row, x / by, along) for row, x in zip(rows, moved, strict=True)]
    image = _Space(
        [Fraction(0) if v is None else value(v, point) + v.get("", Fraction(0)) for v in values]
    )
    for row in rows:
        image.add([Fraction(0) if v is None else value(v, row) for v in values])
    for k, v in enumerate(values):
        if v is None:
            image.add([Fraction(int(k == other)) for other in range(len(values))])
    return image


def _equation(f: Formula) -> _Linear | None:
    """A sum that is 0 where the formula holds."""
    if f.expr is None or not isinstance(f.expr, Compare) or f.expr.op != "==":
        return None
    left, right = _linear(f.expr.left), _linear(f.expr.right)
    return None if left is None or right is None else _sum(left, right, Fraction(-1))


def _linear(e: Term) -> _Linear | None:
    """An expression as a sum, as if nothing wrapped around; None if it is none."""
    match e:
        case Const(value, IntType(bits, signed)):
            small = value if signed or not value >> (bits - 1) else value - (1 << bits)
            return {"": Fraction(small)}
        case Reg(name, IntType()):
            return {name: Fraction(1)}
        case Convert(arg, IntType()):
            return _linear(arg)
        case Unary("-", arg):
            of = _linear(arg)
            return None if of is None else _sum({}, of, Fraction(-1))
        case Binary("+" | "-" as op, left, right):
            a, b = _linear(left), _linear(right)
            if a is None or b is None:
                return None
            return _sum(a, b, Fraction(1 if op == "+" else -1))
        case Binary("*", Const() as factor, other) | Binary("*", other, Const() as factor):
            of, by = _linear(other), _linear(factor)
            return None if of is None or by is None else _sum({}, of, by[""])
        case _:
            return None


def _sum(a: Mapping[str, Fraction], b: Mapping[str, Fraction], factor: Fraction) -> _Linear:
    found = dict(a)
    for name, x in b.items():
        found[name] = found.get(name, Fraction(0)) + factor * x
    return {name: x for name, x in found.items() if x}


# -- formulas -------------------------------------------------------------------------------------


def _formulas(space: _Space | None, variables: Sequence[Reg]) -> tuple[Formula, ...]:
    """The equations that hold in a space."""
    if space is None:
        return ()
    found = []
    for k, v in enumerate(variables):
        if k not in space.rows:
            factors = {v.name: Fraction(1)}
            factors |= {
                variables[pivot].name: -row[k] for pivot, row in space.rows.items() if row[k]
            }
            of = dict(zip((one.name for one in variables), space.point, strict=True))
            right = sum((x * of[name] for name, x in factors.items()), Fraction(0))
            f = _formula(factors, right, {one.name: one for one in variables})
            if f is not None:
                found.append(f)
    return tuple(found)


def _formula(
    factors: Mapping[str, Fraction], right: Fraction, variables: Mapping[str, Reg]
) -> Formula | None:
    """That a sum of variables is a number; None if it cannot be said simply."""
    scale = lcm(right.denominator, *(x.denominator for x in factors.values()))
    whole = {name: int(x * scale) for name, x in factors.items()}
    number = int(right * scale)
    if any(abs(x) > _LARGEST for x in whole.values()) or number.bit_length() > _NARROW:
        return None
    types = {variables[name].type for name in whole}
    first = next(iter(types))
    if not all(isinstance(t, IntType) for t in types):
        return None
    assert isinstance(first, IntType)
    plain = sorted(whole.values()) == [-1, 1] and not number
    if len(types) == 1 and (not first.signed or plain):
        type = first
    elif all(isinstance(t, IntType) and t.bits <= _NARROW for t in types):
        type = _WIDE
    else:
        return None
    positive = {name: x for name, x in whole.items() if x > 0}
    negative = {name: -x for name, x in whole.items() if x < 0}
    left = _term(positive, max(0, -number), variables, type)
    return holds(Compare("==", left, _term(negative, max(0, number), variables, type)))


def _term(
    factors: Mapping[str, int], number: int, variables: Mapping[str, Reg], type: IntType
) -> Expr:
    """A sum in a type."""
    parts: list[Expr] = []
    for name, x in sorted(factors.items()):
        v: Expr = variables[name]
        e = v if variables[name].type == type else Convert(v, type)
        parts.append(e if x == 1 else Binary("*", Const(x, type), e))
    if number or not parts:
        parts.append(Const(number % (1 << type.bits), type))
    total = parts[0]
    for part in parts[1:]:
        total = Binary("+", total, part)
    return total
