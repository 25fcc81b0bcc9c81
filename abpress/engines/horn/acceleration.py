"""Acceleration: what many rounds of a loop do is one clause more, NOTE(accelerated-rounds).

A *round* is a cycle of moves. Where each variable is left alone, grows by a number, or gets a value
that is computed from such ones, the value of a *counter* after many rounds is known. A clause for
that changes no solution (whatever single moves keep, many keep), but lets the solver derive
errors that are many rounds away. A derivation says how many rounds they are; it is believed when
the execution with all of them has been repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from abpress.engines.horn.encoding import ClauseSystem, settled
from abpress.engines.horn.graph import GraphMove
from abpress.ir.expr import (
    ArrayReg,
    Binary,
    Compare,
    Const,
    Convert,
    Filled,
    Reg,
    Term,
    Update,
    Variable,
)
from abpress.ir.sums import rewrite_sums
from abpress.ir.types import IntType
from abpress.itp.path import Feasible
from abpress.logic.formula import Formula, holds, substitute
from abpress.smt.clauses import Clause, mentioned_in, variables_of
from abpress.symbolic.discrete import ARBITRARY, Input, SymbolicStep

_WIDE = IntType(64, True)
_MOST_BITS = 32
"""Of a counter: what many rounds add to it can be said in twice as many."""

_LONGEST, _MOST_CYCLES = 8, 30
"""Clauses of a cycle, and cycles that are looked at."""

_MOST_ROUNDS = 1 << 31
_MOST_STEPS = 200_000
"""Of an execution that is repeated: each is kept with its state."""

ROUNDS = f"rounds{ARBITRARY}"
"""How many rounds come before the last one."""

_LAST = f"{ARBITRARY}last"


@dataclass(frozen=True, slots=True)
class _Cycle:
    """Clauses from a relation to itself, a round: when it is taken, and the values after it,
    over those before it; and the variables whose values these depend on."""

    clauses: tuple[int, ...]
    guard: tuple[Formula, ...]
    values: Mapping[str, Term]
    reads: frozenset[str]


@dataclass(frozen=True, slots=True)
class Accelerated:
    """Clauses with some more, of which each stands for many rounds: its move is a step of its own,
    and `rounds` has the moves of one round for that."""

    problem: ClauseSystem
    rounds: Mapping[SymbolicStep, tuple[SymbolicStep, ...]]


def accelerated(problem: ClauseSystem) -> Accelerated | None:
    """The clauses with those for many rounds; None if there are no such cycles."""
    clauses: list[Clause] = []
    moves: list[tuple[GraphMove, ...]] = []
    rounds: dict[SymbolicStep, tuple[SymbolicStep, ...]] = {}
    for its in _rounds(problem):
        its_moves = [problem.moves[k][0] for k in its.clauses]
        relation = problem.clauses[its.clauses[0]].source
        assert relation is not None
        clause = _many(its, relation, problem.relations[relation])
        if clause is None:
            continue
        step = _step(clause, its_moves[-1].step, len(rounds))
        rounds[step] = tuple(move.step for move in its_moves)
        clauses.append(clause)
        moves.append((GraphMove(its_moves[0].source, step, its_moves[0].source),))
    if not rounds:
        return None
    *single, begin = problem.clauses
    more = replace(problem, moves=(*problem.moves, *moves), clauses=(*single, *clauses, begin))
    return Accelerated(more, rounds)


def unrolled(
    found: Accelerated, steps: Sequence[SymbolicStep], model: Feasible
) -> tuple[tuple[SymbolicStep, ...], Feasible] | None:
    """The steps with all rounds of which the model tells the numbers, and what they choose; None if
    they are too many to be repeated."""
    every: list[SymbolicStep] = []
    inputs: list[Mapping[str, int]] = []
    for step, values in zip(steps, model.inputs, strict=True):
        one = found.rounds.get(step)
        if one is None:
            every.append(step)
            inputs.append(values)
            continue
        times = 1 + max(1, values.get(ROUNDS, 1))
        if len(every) + times * len(one) > _MOST_STEPS:
            return None
        every += one * times
        inputs += [{}] * (times * len(one))
    return tuple(every), replace(model, inputs=tuple(inputs))


# -- rounds ---------------------------------------------------------------------------------------


def _rounds(problem: ClauseSystem) -> Iterator[_Cycle]:
    """Short cycles of clauses, each from the first of its relations where the order is as at first,
    or else from the first one."""
    after: dict[int, list[int]] = {}
    for k, moves in enumerate(problem.moves):
        clause = problem.clauses[k]
        if len(moves) == 1 and clause.source is not None and clause.target is not None:
            after.setdefault(clause.source, []).append(k)
    firsts = sorted(after, key=lambda n: (n not in problem.heads, n))
    ranks = {n: rank for rank, n in enumerate(firsts)}
    count = 0
    for first in firsts:
        for cycle in _cycles(problem.clauses, after, ranks, first):
            composed = _composed(problem, cycle)
            if composed is not None:
                yield composed
            count += 1
            if count == _MOST_CYCLES:
                return


def _cycles(
    clauses: Sequence[Clause],
    after: Mapping[int, Sequence[int]],
    ranks: Mapping[int, int],
    first: int,
) -> Iterator[tuple[int, ...]]:
    """The cycles from a relation to itself that pass no earlier one, and none twice."""
    paths: list[tuple[int, ...]] = [(k,) for k in after[first]]
    while paths:
        path = paths.pop()
        at = clauses[path[-1]].target
        assert at is not None
        if at == first:
            yield path
        elif len(path) < _LONGEST and ranks.get(at, -1) > ranks[first]:
            passed = {clauses[k].source for k in path}
            if at not in passed:
                paths += ((*path, k) for k in reversed(after[at]))


def _composed(problem: ClauseSystem, cycle: tuple[int, ...]) -> _Cycle | None:
    """One round; None if it chooses anything."""
    first = problem.clauses[cycle[0]]
    assert first.source is not None
    variables = problem.relations[first.source]
    values: dict[str, Term] = {v.name: v for v in variables}
    guard: list[Formula] = []
    for k in cycle:
        clause = problem.clauses[k]
        guard += (substitute(f, values) for f in clause.guard)
        assert clause.target is not None
        values = {
            v.name: settled(clause.values.get(v.name, v), values)
            for v in problem.relations[clause.target]
        }
    own = {v.name for v in variables}
    reads = {v.name for f in guard for v in mentioned_in(f)}
    reads.update(v.name for value in values.values() for v in variables_of(value))
    return _Cycle(cycle, tuple(guard), values, frozenset(reads)) if reads <= own else None


def _many(its: _Cycle, relation: int, variables: Sequence[Variable]) -> Clause | None:
    """The clause for at least two rounds; None if values after them are not known, or nothing
    counts.

    In the last round counters are fresh variables; between the first and the last round they do
    not wrap around, as they are between what they are in these.
    """
    steps: dict[str, int] = {}
    for v in variables:
        added = _added(v, its.values[v.name])
        if added is not None:
            steps[v.name] = added
    if not its.reads <= steps.keys() or not any(steps.values()):
        return None
    rounds = Reg(ROUNDS, _WIDE)
    last: dict[str, Term] = {}
    more = [holds(Compare(">=", rounds, Const(1, _WIDE)))]
    more.append(holds(Compare("<=", rounds, Const(_MOST_ROUNDS, _WIDE))))
    for v in variables:
        by = steps.get(v.name)
        if by:
            assert isinstance(v, Reg)
            after = last[v.name] = Reg(v.name + _LAST, v.type)
            grown = Binary("+", Convert(v, _WIDE), Binary("*", Const(by, _WIDE), rounds))
            more.append(holds(Compare("==", Convert(after, _WIDE), grown)))
    then = (substitute(f, last) for f in its.guard)
    values = {name: settled(value, last) for name, value in its.values.items()}
    return Clause(relation, relation, (*its.guard, *more, *then), values)


def _added(v: Variable, value: Term) -> int | None:
    """What a round adds to a variable; None if it does something else."""
    if value == v:
        return 0
    if not isinstance(value, ArrayReg | Filled | Update):
        value = rewrite_sums(value)
    match v, value:
        case (
            Reg(name, IntType(bits, signed)),
            Binary("+" | "-" as op, Reg(before), Const(n)),
        ) if before == name and bits <= _MOST_BITS:
            by = n - (1 << bits) if not signed and n >> (bits - 1) else n
            return by if op == "+" else -by
        case _:
            return None


def _step(clause: Clause, end: SymbolicStep, number: int) -> SymbolicStep:
    """A step that does what the clause says, with the fresh variables as inputs."""
    names: dict[str, IntType] = {}
    for f in clause.guard:
        for v in mentioned_in(f):
            if ARBITRARY in v.name and isinstance(v, Reg) and isinstance(v.type, IntType):
                names[v.name] = v.type
    inputs = tuple(
        Input(name, type, "rounds", type.minimum, type.maximum) for name, type in names.items()
    )
    return replace(
        end,
        edges=((-1, number),),
        guard=clause.guard,
        updates=clause.values,
        inputs=inputs,
        forgotten=frozenset(),
        arrays=(),
        preferred=(),
    )
