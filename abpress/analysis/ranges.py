"""Intervals of registers, and with them which arithmetic may overflow.

Forward dataflow with widening to the bounds of the type ([AbstractInterpretation77]): cheap, and
enough for counters of loops that compare them with anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush

from abpress.analysis.flow import loop_heads
from abpress.analysis.live_registers import live_registers
from abpress.ir.expr import (
    MIRRORED,
    NEGATED,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Reg,
    Unary,
    walk,
)
from abpress.ir.intervals import Interval, combined, negative, satisfying, within
from abpress.ir.passes.rewrite import forwards
from abpress.ir.program import (
    Assign,
    Edge,
    Effect,
    Havoc,
    Overflow,
    Template,
    effect_operands,
    effect_target,
    goes_on,
)
from abpress.ir.types import IntType

PATIENCE = 3
"""Times that the intervals at the head of a loop may grow before moving bounds are given up."""

_TOP = 1 << 1024
"""A bound beyond all types."""

State = dict[str, Interval]
"""Register -> interval; a register that is left out has any value of its type."""


def overflowing_edges(
    template: Template, overflow: Overflow = Overflow.END
) -> frozenset[tuple[int, int]]:
    """The edges, as (location, index), that may overflow in signed arithmetic."""
    shifts = overflow is Overflow.ERROR
    found = set()
    for i, state in enumerate(_solve(template)):
        if state is None:
            continue
        for k, edge in enumerate(template.locations[i].edges):
            may = _may_overflow(edge.guard, state, shifts)
            at = _assume(edge.guard, state)
            for effect in edge.effects:
                if at is None:
                    break
                may = may or any(_may_overflow(e, at, shifts) for e in effect_operands(effect))
                at = _after(effect, at)
            if may:
                found.add((i, k))
    return frozenset(found)


def ranges(template: Template) -> Mapping[int, Mapping[str, Interval]]:
    """What registers hold at the locations that are reached, whatever memory holds."""
    return {i: state for i, state in enumerate(_solve(template)) if state is not None}


def _solve(template: Template) -> list[State | None]:
    """Per location what holds whenever a thread is there; None if none ever is."""
    states: list[State | None] = [None] * len(template.locations)
    states[template.entry] = {}
    heads = set(loop_heads(template, [True] * len(template.locations)))
    live = live_registers(template)
    rank = {i: k for k, i in enumerate(forwards(template))}
    grown = [0] * len(template.locations)
    todo = [(rank[template.entry], template.entry)]
    while todo:
        _, i = heappop(todo)
        state = states[i]
        assert state is not None
        for edge in template.locations[i].edges:
            new = _along(edge, state) if goes_on(edge) else None
            if new is None:
                continue
            to = edge.target
            new = {name: interval for name, interval in new.items() if name in live[to]}
            old = states[to]
            joined = new if old is None else _join(old, new, grown[to] >= PATIENCE)
            if joined != old:
                grown[to] += to in heads
                states[to] = joined
                if (rank[to], to) not in todo:
                    heappush(todo, (rank[to], to))
    return states


def _join(old: State, new: State, widen: bool) -> State:
    """Intervals around both; one that has grown is given up where `widen` is set."""
    joined = {}
    for name, (a, b) in old.items():
        if name in new:
            c, d = new[name]
            if not widen or (a <= c and d <= b):
                joined[name] = (min(a, c), max(b, d))
            elif a <= c:
                joined[name] = (a, _TOP)
            elif d <= b:
                joined[name] = (-_TOP, b)
    return joined


def _along(edge: Edge, state: State) -> State | None:
    at = _assume(edge.guard, state)
    for effect in edge.effects:
        at = None if at is None else _after(effect, at)
    return at


def _after(effect: Effect, state: State) -> State:
    target = effect_target(effect)
    if target is None:
        return state
    after = {name: interval for name, interval in state.items() if name != target.name}
    full = _full(target)
    match effect:
        case Assign(_, value) if full is not None:
            interval = _value(value, state)
            if interval is not None and interval != full:
                after[target.name] = interval
        case Havoc(_, _, low, high) if full is not None:
            after[target.name] = (
                full[0] if low is None else low,
                full[1] if high is None else high,
            )
        case _:
            pass
    return after


def _full(e: Expr) -> Interval | None:
    return (e.type.minimum, e.type.maximum) if isinstance(e.type, IntType) else None


def _value(e: Expr, state: State) -> Interval | None:
    """The values that `e` may have; None for pointers."""
    full = _full(e)
    if full is None:
        return None
    exact = _exact(e, state)
    return exact if exact is not None and within(exact, full) else full


def _exact(e: Expr, state: State) -> Interval | None:
    """The values before they are brought into the type; None where that is not followed."""
    match e:
        case Const(value, _):
            return value, value
        case Reg(name, _) if name in state and (full := _full(e)) is not None:
            low, high = state[name]
            return max(low, full[0]), min(high, full[1])
        case Compare():
            return 0, 1
        case Convert(arg, _):
            return _value(arg, state)
        case Unary("-", arg) if (a := _value(arg, state)) is not None:
            return negative(a)
        case Binary(op, left, right):
            a, b = _value(left, state), _value(right, state)
            if a is None or b is None:
                return None
            match op:
                case "+" | "-" | "*":
                    return combined(op, a, b)
                case "&" if b[0] >= 0:
                    return 0, b[1]
                case "%" if a[0] >= 0 and b[0] > 0:
                    return 0, min(a[1], b[1] - 1)
    return None


def _assume(guard: Expr, state: State) -> State | None:
    """What holds after the guard has held; None where it cannot hold."""
    match guard:
        case Compare("==", Compare(op, a, b), Const(0, _)):
            return _assume(Compare(NEGATED[op], a, b), state)
        case Compare("!=", Compare() as inner, Const(0, _)):
            return _assume(inner, state)
        case Compare(op, left, right):
            narrowed = _narrow(op, left, right, state)
            return None if narrowed is None else _narrow(MIRRORED[op], right, left, narrowed)
        case _:
            return state


def _narrow(op: str, e: Expr, other: Expr, state: State) -> State | None:
    """`state` where `e op other` holds, with what follows for `e` if it is a register."""
    a, b = _value(e, state), _value(other, state)
    if not isinstance(e, Reg) or a is None or b is None:
        return state
    narrowed = satisfying(op, a, b)
    return None if narrowed is None else {**state, e.name: narrowed}


def _may_overflow(e: Expr, state: State, shifts: bool) -> bool:
    """Whether evaluating `e` may overflow in signed arithmetic, with `shifts` by `<<`, too."""
    for sub in walk(e):
        if not isinstance(sub.type, IntType) or not sub.type.signed:
            continue
        match sub:
            case Unary("-", _) | Binary("+" | "-" | "*", _, _):
                exact = _exact(sub, state)
                if exact is None or not within(exact, (sub.type.minimum, sub.type.maximum)):
                    return True
            case Binary("/" | "%", _, divisor):
                values = _value(divisor, state)
                if values is None or within((-1, -1), values):
                    return True
            case Binary("<<", _, _):
                if shifts:
                    return True
            case _:
                pass
    return False
