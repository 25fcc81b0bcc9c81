"""The values of one input for which a condition holds: intervals, over-approximated by hulls."""

from __future__ import annotations

from abpress.ir.expr import NEGATED, Binary, Compare, Const, Convert, Expr, Reg, is_condition
from abpress.ir.intervals import Interval, hull, satisfying
from abpress.ir.passes.fold import holds
from abpress.ir.types import IntType

MOST_PIECES = 8


def restrict(condition: Expr, input: Reg, interval: Interval) -> Interval | None:
    """An interval with every value of `interval` for which `condition` is not zero.

    None where there is no such value. `condition` reads no register but `input`, and evaluating
    it cannot fault.
    """
    return _restrict(condition, True, input, interval)


def _restrict(e: Expr, truth: bool, input: Reg, interval: Interval) -> Interval | None:
    match e:
        case Const(value, _):
            return interval if bool(value) == truth else None
        case Compare(op, left, Const(value, _)) if _is_boolean(left):
            possible = [b for b in (0, 1) if holds(op, b, value) == truth]
            return hull(_restrict(left, bool(b), input, interval) for b in possible)
        case Compare(op, left, Const(value, _)):
            return _restrict_compare(op if truth else NEGATED[op], left, value, input, interval)
        case Binary("&" | "|" as op, a, b) if _is_boolean(a) and _is_boolean(b):
            if (op == "&") == truth:  # both sides, each with this truth
                first = _restrict(a, truth, input, interval)
                return None if first is None else _restrict(b, truth, input, first)
            return hull(_restrict(side, truth, input, interval) for side in (a, b))
        case Compare():
            return interval
        case Convert(arg, IntType()) if _is_boolean(arg):
            return _restrict(arg, truth, input, interval)
        case _:
            return _restrict_compare("!=" if truth else "==", e, 0, input, interval)


def _is_boolean(e: Expr) -> bool:
    """Whether the value of `e` is 0 or 1, through conversions and connectives."""
    match e:
        case Binary("&" | "|", a, b):
            return _is_boolean(a) and _is_boolean(b)
        case Convert(arg, IntType()):
            return _is_boolean(arg)
        case _:
            return is_condition(e)


def _restrict_compare(
    op: str, e: Expr, value: int, input: Reg, interval: Interval
) -> Interval | None:
    pieces = _pieces(e, input, interval)
    if pieces is None:
        return interval
    return hull(_solve(op, value - shift, piece) for piece, shift in pieces)


def _solve(op: str, c: int, interval: Interval) -> Interval | None:
    """The hull of the values v of the interval with `v op c`."""
    if op != "!=":
        return satisfying(op, interval, (c, c))
    a, b = interval
    a, b = a + (a == c), b - (b == c)
    return (a, b) if a <= b else None


def _pieces(e: Expr, input: Reg, interval: Interval) -> list[tuple[Interval, int]] | None:
    """Parts of `interval`, each with a number d such that `e` is `input` + d there."""
    match e:
        case Reg():
            return [(interval, 0)] if e == input else None
        case Convert(arg, t):
            moved = _pieces(arg, input, interval)
        case Binary("+" | "-" as op, arg, Const(c, _)):
            t = arg.type
            pieces = _pieces(arg, input, interval)
            if pieces is None:
                return None
            moved = [(piece, d + (c if op == "+" else -c)) for piece, d in pieces]
        case _:
            return None
    return None if moved is None or not isinstance(t, IntType) else _wrapped(moved, t)


def _wrapped(pieces: list[tuple[Interval, int]], t: IntType) -> list[tuple[Interval, int]] | None:
    """The pieces after wrapping to `t`, split where the wrapping changes."""
    result: list[tuple[Interval, int]] = []
    modulus = 1 << t.bits
    for (a, b), d in pieces:
        first, last = (a + d - t.minimum) // modulus, (b + d - t.minimum) // modulus
        if last - first >= MOST_PIECES:
            return None
        for k in range(first, last + 1):
            start = max(a, t.minimum + k * modulus - d)
            end = min(b, t.maximum + k * modulus - d)
            result.append(((start, end), d - k * modulus))
    return result if len(result) <= MOST_PIECES else None
