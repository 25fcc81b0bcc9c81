"""Linear equations between the variables of each relation: guessed, and kept where they are proved.

They are guessed as affine hulls [Karr76]: from clause to clause, the least space that has all the
points to which linear updates lead, as if nothing wrapped around. Those stay that all clauses keep,
as the solver says ([Houdini01]); of unsigned numbers of one type, in the arithmetic of that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from abpress.engines.horn.spaces import AffineSpace, equations_of, minus
from abpress.ir.expr import Binary, Compare, Const, Convert, Reg, Term, Unary, Variable
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, conj, conjuncts, substitute
from abpress.smt.answer import Answer, NotExact
from abpress.smt.clauses import Clause, by_source
from abpress.smt.prover import Prover

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
    found = hull_equations(relations, clauses)
    nothing: list[tuple[Formula, ...]] = [() for _ in relations]
    try:
        kept = _kept(relations, clauses, found, Prover("int", rlimit=_RLIMIT), expired)
    except NotExact:
        return nothing
    return nothing if kept is None else kept


def hull_equations(
    relations: Sequence[tuple[Variable, ...]], clauses: Sequence[Clause]
) -> list[tuple[Formula, ...]]:
    """For each relation, the equations that linear updates keep, as if nothing wrapped around."""
    numbers = [tuple(v for v in its if isinstance(v, Reg)) for its in relations]
    spaces = zip(_hulls(numbers, clauses), numbers, strict=True)
    return [equations_of(space, its) for space, its in spaces]


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


def _hulls(
    relations: Sequence[tuple[Reg, ...]], clauses: Sequence[Clause]
) -> list[AffineSpace | None]:
    """The hull of each relation; None if no clause leads to it."""
    found: list[AffineSpace | None] = [None] * len(relations)
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
            away = minus(image.point, Fraction(1), its.point)
            added = [its.add(row) for row in (away, *image.rows.values())]
            more = any(added)
        if more:
            todo += after.get(target, ())
    return found


def _image(
    clause: Clause, names: list[str], space: AffineSpace | None, target: Sequence[Reg]
) -> AffineSpace | None:
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
        point = minus(point, left / by, along)
        rows = [minus(row, x / by, along) for row, x in zip(rows, moved, strict=True)]
    image = AffineSpace(
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
