"""Clauses for the moves of a graph, over the variables that bear on errors."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from abpress.engines.horn.graph import Graph, GraphMove
from abpress.ir.expr import ArrayReg, Const, Filled, Term, Update, Variable
from abpress.logic.formula import Formula, substitute
from abpress.logic.replace import replace as replace_in
from abpress.logic.replace import replace_in_array
from abpress.smt.clauses import Clause, mentioned_in, variables_of
from abpress.symbolic.discrete import Discrete
from abpress.symbolic.system import SymbolicSystem

ARBITRARY = "?"
"""In the names of values of which nothing is known, and of inputs; of no variable."""


@dataclass(frozen=True, slots=True)
class ClauseSystem:
    """The clauses; `nodes` are those of the graph that have relations, over `relations`; clause k
    is for the move k of `moves`, the last one is for the begin."""

    nodes: tuple[int, ...]
    relations: tuple[tuple[Variable, ...], ...]
    moves: tuple[GraphMove, ...]
    clauses: tuple[Clause, ...]


def encode(system: SymbolicSystem, graph: Graph, facts: Sequence[Formula]) -> ClauseSystem:
    """The clauses for the moves by which errors may be reached. There are some."""
    return _Encoding(system, graph, facts).problem()


def connected(problem: ClauseSystem, numbers: Sequence[int]) -> list[GraphMove]:
    """Moves from the begin to an error: those of the clauses with these numbers, in their order.

    What a solver leaves out of a derivation, as it has no variables, is filled in by shortest ways.
    """
    ways: dict[int, list[GraphMove]] = {}
    for move in problem.moves:
        ways.setdefault(move.source, []).append(move)
    found: list[GraphMove] = []
    at: int | None = 0
    wanted = [problem.moves[k] for k in numbers if k < len(problem.moves)]
    for move in wanted:
        if at is not None and at != move.source:
            found += _shortest(ways, at, move.source)
        found.append(move)
        at = move.target
    return found if at is None else found + _shortest(ways, at, None)


def _shortest(ways: Mapping[int, list[GraphMove]], start: int, end: int | None) -> list[GraphMove]:
    """The moves of a shortest way from a node to another one, or to an error; none if there is no
    such way."""
    into: dict[int | None, GraphMove] = {}
    todo = deque([start])
    while todo and end not in into:
        for move in ways.get(todo.popleft(), ()):
            if move.target not in into and move.target != start:
                into[move.target] = move
                if move.target is not None:
                    todo.append(move.target)
    found: list[GraphMove] = []
    while end in into and (not found or end != start):
        found.append(into[end])
        end = found[-1].source
    return found[::-1]


class _Encoding:
    """Finds out which variables count (mutable)."""

    def __init__(self, system: SymbolicSystem, graph: Graph, facts: Sequence[Formula]) -> None:
        self._system = system
        self._graph = graph
        self._facts = facts
        self._moves = graph.to_errors()
        self._permanent = {v.name for v in system.permanent()}
        self._names: dict[Discrete, set[str]] = {}
        self._guards = [self._guard(move) for move in self._moves]
        self._needed: dict[int, dict[str, Variable]] = {}

    def problem(self) -> ClauseSystem:
        """The clauses."""
        self._find_needed()
        nodes = tuple(sorted({0, *self._needed}))
        numbers = {n: k for k, n in enumerate(nodes)}
        relations = tuple(tuple(self._needed.get(n, {}).values()) for n in nodes)
        clauses = []
        for move, guard in zip(self._moves, self._guards, strict=True):
            target = None if move.target is None else numbers[move.target]
            values = {}
            if move.target is not None:
                for v in self._needed.get(move.target, {}).values():
                    values[v.name] = self._after(move, v)
            clauses.append(Clause(numbers[move.source], target, guard, values))
        root = self._graph.nodes[0].discrete
        known = self._system.numbers(root)
        initially = tuple(substitute(f, known) for f in self._facts)
        clauses.append(Clause(None, numbers[0], initially, {}))
        return ClauseSystem(nodes, relations, tuple(self._moves), tuple(clauses))

    def _guard(self, move: GraphMove) -> tuple[Formula, ...]:
        numbers = self._system.numbers(self._graph.nodes[move.source].discrete)
        return tuple(substitute(f, numbers) for f in move.step.guard)

    def _find_needed(self) -> None:
        """Which variables of a node count: those of guards on the way to an error, and those from
        which they come."""
        into: dict[int, list[int]] = {}
        for k, move in enumerate(self._moves):
            its = self._needed.setdefault(move.source, {})
            for f in self._guards[k]:
                its.update((v.name, v) for v in mentioned_in(f) if ARBITRARY not in v.name)
            if move.target is not None:
                into.setdefault(move.target, []).append(k)
        todo = set(self._needed)
        while todo:
            n = todo.pop()
            for k in into.get(n, ()):
                move = self._moves[k]
                its, before = self._needed[move.source], len(self._needed[move.source])
                for v in tuple(self._needed[n].values()):
                    for one in variables_of(self._after(move, v)):
                        if ARBITRARY not in one.name:
                            its.setdefault(one.name, one)
                if len(its) > before:
                    todo.add(move.source)

    def _after(self, move: GraphMove, v: Variable) -> Term:
        """What a variable is after a move, over those before it."""
        step, name = move.step, v.name
        d = self._graph.nodes[move.source].discrete
        known = self._system.numbers(step.successor)
        if name in known:
            return known[name]
        lost = name in step.forgotten or name in step.successor.values
        if name in step.updates and not lost:
            return _settled(step.updates[name], self._system.numbers(d))
        if lost or name in d.values or self._has(name, step.successor) > self._has(name, d):
            return replace(v, name=name + ARBITRARY)
        return v

    def _has(self, name: str, d: Discrete) -> bool:
        """Whether states with the discrete part `d` have the variable."""
        found = self._names.get(d)
        if found is None:
            found = self._names[d] = {v.name for v in self._system.temporary(d)}
        return name in self._permanent or name in found


def _settled(value: Term, numbers: Mapping[str, Const]) -> Term:
    """The value where these numbers are known."""
    if isinstance(value, ArrayReg | Filled | Update):
        return replace_in_array(value, numbers)
    return replace_in(value, numbers)
