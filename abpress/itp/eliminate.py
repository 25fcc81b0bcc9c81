"""Elimination of a variable from a conjunction of conditions, exactly and without a solver.

A variable that an equation determines is replaced by what it is equal to. One that is only compared
is eliminated by the pairs of its bounds (Fourier and Motzkin; exact for integers, because the
variable stands alone in each bound). Disjunctions and disequalities are taken case by case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from abpress.ir.expr import MIRRORED, Binary, Compare, Const, Convert, Expr, Reg, registers, walk
from abpress.ir.types import IntType
from abpress.logic.formula import (
    TRUE,
    Formula,
    Kind,
    conj,
    conjuncts,
    disj,
    holds,
    substitute,
    variables,
)

MOST_CASES = 8
"""Cases into which one elimination may split."""


def project(f: Formula, name: str, type: IntType) -> Formula | None:
    """A formula that holds exactly where some value of the variable makes `f` true.

    It mentions no variable that `f` does not mention. None if this way finds none.
    """
    return _project(f, name, type, MOST_CASES)


def _project(f: Formula, name: str, type: IntType, cases: int) -> Formula | None:
    if name not in variables(f):
        return f
    if f.kind is Kind.ANY:
        return _any(f.parts, name, type, cases)
    about = [part for part in conjuncts(f) if name in variables(part)]
    rest = [part for part in conjuncts(f) if name not in variables(part)]
    values = [v for part in about if (v := _determined(part, name, type)) is not None]
    if values:
        value = min(values, key=_complexity)
        return conj([*rest, *(substitute(part, {name: value}) for part in about)])
    if len(about) == 1 and _satisfiable(about[0], name, type):
        return conj(rest)
    for part in about:
        split = part.parts if part.kind is Kind.ANY else _sides(part, name)
        if split:
            others = [other for other in (*rest, *about) if other is not part]
            return _any([conj([*others, case]) for case in split], name, type, cases)
    bounds = [bound for part in about if (bound := _bound(part, name)) is not None]
    if len(bounds) < len(about):
        return None
    return conj([*rest, *_pairs(bounds, type)])


def _any(parts: Sequence[Formula], name: str, type: IntType, cases: int) -> Formula | None:
    """The cases, eliminated one by one."""
    share = cases // len(parts)
    if share == 0:
        return None
    found = []
    for part in parts:
        projected = _project(part, name, type, share)
        if projected is None:
            return None
        found.append(projected)
    return disj(found)


# -- equations ------------------------------------------------------------------------------------


def solutions(e: Compare, name: str, type: IntType, injective: bool = True) -> Iterator[Expr]:
    """Values of the variable at which both sides are equal, if one side is a sum with it.

    With `injective` there is no other such value; else one is given where a conversion forgets
    a part of the variable.
    """
    for one, other in ((e.left, e.right), (e.right, e.left)):
        if name in registers(one) and name not in registers(other):
            value = _solve(one, other, name, injective)
            if value is not None and value.type == type:
                yield value


def _solve(e: Expr, value: Expr, name: str, injective: bool) -> Expr | None:
    match e:
        case Reg(n, _):
            return value if n == name else None
        case Binary("+" | "-", a, b) if (name in registers(a)) != (name in registers(b)):
            if name in registers(a):
                rest = Binary("-" if e.op == "+" else "+", value, b)
                return _solve(a, rest, name, injective)
            rest = Binary("-", value, a) if e.op == "+" else Binary("-", a, value)
            return _solve(b, rest, name, injective)
        case Convert(a, to) if isinstance(a.type, IntType) and isinstance(to, IntType):
            if injective and a.type.bits > to.bits:
                return None
            return _solve(a, Convert(value, a.type), name, injective)
        case _:
            return None


def _determined(f: Formula, name: str, type: IntType) -> Expr | None:
    """The only value of the variable with which `f` holds."""
    if not isinstance(f.expr, Compare) or f.expr.op != "==":
        return None
    return next(solutions(f.expr, name, type), None)


def _complexity(e: Expr) -> int:
    return 0 if isinstance(e, Const) else sum(1 for _ in walk(e))


def _satisfiable(f: Formula, name: str, type: IntType) -> bool:
    """Whether `f` obviously holds for some value of the variable, whatever the others are."""
    if f.kind is not Kind.HOLDS or not isinstance(f.expr, Compare):
        return False
    values = solutions(f.expr, name, type, injective=False)
    return any(substitute(f, {name: value}) is TRUE for value in values)


# -- bounds ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Bound:
    """A bound of the variable, which it may reach unless it is strict."""

    upper: bool
    strict: bool
    value: Expr


def _bound(f: Formula, name: str) -> _Bound | None:
    """The bound that `f` is; None if it is something else."""
    if f.kind is not Kind.HOLDS or not isinstance(f.expr, Compare):
        return None
    op, a, b = f.expr.op, f.expr.left, f.expr.right
    if op == "!=" and _is_least(a, b):
        op = ">"
    if op in ("==", "!="):
        return None
    if isinstance(b, Reg) and b.name == name:
        op, a, b = MIRRORED[op], b, a
    if not isinstance(a, Reg) or a.name != name or name in registers(b):
        return None
    return _Bound(op in ("<", "<="), op in ("<", ">"), b)


def _sides(f: Formula, name: str) -> tuple[Formula, ...]:
    """What a disequality of the variable allows: less, and more; none if `f` is something else."""
    if f.kind is not Kind.HOLDS or not isinstance(f.expr, Compare) or f.expr.op != "!=":
        return ()
    a, b = f.expr.left, f.expr.right
    if not isinstance(a, Reg) or a.name != name:
        a, b = b, a
    if not isinstance(a, Reg) or a.name != name or name in registers(b):
        return ()
    return () if _is_least(a, b) else (holds(Compare("<", a, b)), holds(Compare(">", a, b)))


def _is_least(e: Expr, number: Expr) -> bool:
    """Whether the number is the least one of the type."""
    return isinstance(e.type, IntType) and number == Const(e.type.minimum, e.type)


def _pairs(bounds: Sequence[_Bound], type: IntType) -> Iterator[Formula]:
    """Formulas that together say that a value of the type is within the bounds."""
    lower = [_Bound(False, False, Const(type.minimum, type))]
    upper = [_Bound(True, False, Const(type.maximum, type))]
    for bound in bounds:
        (upper if bound.upper else lower).append(bound)
    for low in lower:
        for high in upper:
            strict = low.strict or high.strict
            yield holds(Compare("<" if strict else "<=", low.value, high.value))
            if low.strict and high.strict:  # the lower is not the greatest number: no wrap
                above = Binary("+", low.value, Const(1, type))
                yield holds(Compare("<", above, high.value))


def project_all(f: Formula, names: Iterable[tuple[str, IntType]]) -> Formula:
    """As `project`, of several variables; those that cannot be eliminated are left."""
    left = list(names)
    while True:
        todo, left = left, []
        for name, type in todo:
            projected = project(f, name, type)
            if projected is None:
                left.append((name, type))
            else:
                f = projected
        if len(left) in (0, len(todo)):
            return f
