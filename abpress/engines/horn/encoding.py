"""Clauses for the moves of a graph, over the variables that bear on errors."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from abpress.engines.horn.graph import Graph, GraphMove
from abpress.ir.expr import ArrayReg, Convert, Filled, Reg, Term, Update, Variable
from abpress.logic.formula import TRUE, Formula, Kind, conj, conjuncts, disj, substitute, variables
from abpress.logic.replace import replace as replace_in
from abpress.logic.replace import replace_in_array
from abpress.smt.clauses import Clause, mentioned_in, variables_of
from abpress.symbolic.discrete import ARBITRARY, Discrete, ThreadPart, is_array, is_count
from abpress.symbolic.exchange import inverse, names_moved, renamed_variable
from abpress.symbolic.system import SymbolicSystem


@dataclass(frozen=True, slots=True)
class ClauseSystem:
    """The clauses; `nodes` are those of the graph that have relations, with the number of that,
    over `relations`; clause k is for the k-th of `moves`, which differ in their guards only; the
    last one is for the begin. `heads` are the relations of nodes where the order is as at first."""

    nodes: Mapping[int, int]
    relations: tuple[tuple[Variable, ...], ...]
    heads: frozenset[int]
    moves: tuple[tuple[GraphMove, ...], ...]
    clauses: tuple[Clause, ...]


def encode(
    system: SymbolicSystem,
    graph: Graph,
    facts: Sequence[Formula],
    focus: frozenset[int] = frozenset(),
) -> ClauseSystem:
    """The clauses for the moves by which errors may be reached. There are some.

    With threads in `focus` they say less: nodes are told apart by where these threads stand only,
    and guards are left out that seem not to bear on the errors. What solves such clauses labels the
    nodes as well, as each move has its clause; a derivation means nothing.
    """
    return _Encoding(system, graph, facts, focus).problem()


def connected(problem: ClauseSystem, numbers: Sequence[int]) -> list[tuple[GraphMove, ...]]:
    """Moves from the begin to an error: those of the clauses with these numbers, in their order,
    each with the moves that could stand in its place.

    What a solver leaves out of a derivation, as it has no variables, is filled in by shortest ways.
    """
    ways: dict[int, list[tuple[GraphMove, ...]]] = {}
    for moves in problem.moves:
        ways.setdefault(moves[0].source, []).append(moves)
    found: list[tuple[GraphMove, ...]] = []
    at: int | None = 0
    for moves in (problem.moves[k] for k in numbers if k < len(problem.moves)):
        if at is not None and at != moves[0].source:
            found += _shortest(ways, at, moves[0].source)
        found.append(moves)
        at = moves[0].target
    return found if at is None else found + _shortest(ways, at, None)


def _shortest(
    ways: Mapping[int, list[tuple[GraphMove, ...]]], start: int, end: int | None
) -> list[tuple[GraphMove, ...]]:
    """The moves of a shortest way from a node to another one, or to an error; none if there is no
    such way."""
    into: dict[int | None, tuple[GraphMove, ...]] = {}
    todo = deque([start])
    while todo and end not in into:
        for moves in ways.get(todo.popleft(), ()):
            target = moves[0].target
            if target not in into and target != start:
                into[target] = moves
                if target is not None:
                    todo.append(target)
    found: list[tuple[GraphMove, ...]] = []
    while end in into and (not found or end != start):
        found.append(into[end])
        end = found[-1][0].source
    return found[::-1]


class _Encoding:
    """Finds out which variables count (mutable)."""

    def __init__(
        self,
        system: SymbolicSystem,
        graph: Graph,
        facts: Sequence[Formula],
        focus: frozenset[int],
    ) -> None:
        self._system = system
        self._focus = focus
        self._graph = graph
        self._facts = facts
        self._moves = graph.to_errors()
        self._permanent = {v.name for v in system.permanent()}
        self._names: dict[Discrete, set[str]] = {}
        self._bounded = any(m.target is None and m.step.fault is not None for m in self._moves)
        self._guards = [self._guard(move) for move in self._moves]
        if focus:
            self._leave_out_guards()
        self._filled = self._find_filled()
        self._needed: dict[int, dict[str, Variable]] = {}

    def problem(self) -> ClauseSystem:
        """The clauses."""
        self._find_needed()
        numbers, relations = self._relations()
        found: dict[tuple[int, int | None, tuple[tuple[str, Term], ...]], list[int]] = {}
        for k, move in enumerate(self._moves):
            values: dict[str, Term] = {}
            target = None
            if move.target is not None:
                target = numbers[move.target]
                for v in relations[target]:
                    values[v.name] = self._after(move, v)
            clause = numbers[move.source], target, tuple(values.items())
            found.setdefault(clause, []).append(k)
        clauses, moves = [], []
        for (source, target, items), its in found.items():
            guard = self._guards[its[0]]
            if len(its) > 1:
                guard = (disj(dict.fromkeys(conj(self._guards[k]) for k in its)),)
            clauses.append(Clause(source, target, guard, dict(items)))
            moves.append(tuple(self._moves[k] for k in its))
        root = self._graph.nodes[0].discrete
        known = self._system.numbers(root)
        initially = tuple(substitute(f, known) for f in self._facts)
        clauses.append(Clause(None, numbers[0], initially, {}))
        heads = frozenset(k for n, k in numbers.items() if not self._graph.nodes[n].order.last)
        return ClauseSystem(numbers, relations, heads, tuple(moves), tuple(clauses))

    def _relations(self) -> tuple[dict[int, int], tuple[tuple[Variable, ...], ...]]:
        """The number of the relation of each node, and the variables of each relation."""
        nodes = sorted({0, *self._needed})
        if not self._focus:
            sets = (self._needed.get(n, {}) for n in nodes)
            relations = tuple(tuple(its[name] for name in sorted(its)) for its in sets)
            return {n: k for k, n in enumerate(nodes)}, relations
        numbers: dict[int, int] = {}
        found: dict[tuple[tuple[ThreadPart, ...], tuple[Variable, ...]], int] = {}
        for n in nodes:
            its = self._needed.get(n, {})
            d = self._graph.nodes[n].discrete
            parts = tuple(part for part in d.threads if part.id in self._focus)
            key = parts, tuple(its[name] for name in sorted(its))
            numbers[n] = found.setdefault(key, len(found))
        return numbers, tuple(variables for _, variables in found)

    def _leave_out_guards(self) -> None:
        """Leaves guards out that say nothing of what bears on errors: what their guards mention at
        last, what that is computed from, and what the threads in focus compare with it, but for
        elements of arrays."""
        values: dict[str, set[Term]] = {}
        compared: list[set[str]] = []
        counts: set[str] = set()
        for move, guard in zip(self._moves, self._guards, strict=True):
            for name, value in move.step.updates.items():
                values.setdefault(name, set()).add(value)
            if move.step.thread in self._focus:
                its = [{v.name for v in mentioned_in(f)} for f in guard]
                compared += (names for names in its if not any(map(is_array, names)))
            if move.target is None:
                numbers = self._system.numbers(self._graph.nodes[move.source].discrete)
                last = [substitute(f, numbers) for f in move.step.guard[-1:]]
                asked = [its for its in map(mentioned_in, last) if its]
                asked = asked or list(map(mentioned_in, guard))
                counts.update(v.name for its in asked for v in its)
        known = 0
        while len(counts) > known:
            known = len(counts)
            for name in tuple(counts):
                counts.update(v.name for e in values.pop(name, ()) for v in variables_of(e))
            for names in compared:
                if not counts.isdisjoint(names):
                    counts |= names
        self._guards = [
            tuple(f for f in guard if all(v.name in counts for v in mentioned_in(f)))
            for guard in self._guards
        ]

    def _guard(self, move: GraphMove) -> tuple[Formula, ...]:
        """What has to hold before a move. Where no access may be invalid, bounds do not count."""
        numbers = self._system.numbers(self._graph.nodes[move.source].discrete)
        guard = conj((*move.step.guard, move.when))
        if not self._bounded:
            guard = _without_counts(guard)
        return tuple(substitute(f, numbers) for f in conjuncts(guard) if f is not TRUE)

    def _find_filled(self) -> Mapping[str, set[int]]:
        """The arrays that get arbitrary contents only: with the nodes from which they may get some.

        There an array is of no use: whatever is known of it may be lost.
        """
        writes: dict[str, set[int]] = {}
        others: set[str] = set()
        into: dict[int, list[int]] = {}
        for move in self._moves:
            if move.target is not None:
                into.setdefault(move.target, []).append(move.source)
                for name, value in move.step.updates.items():
                    if is_array(name):
                        writes.setdefault(name, set()).add(move.source)
                        if not _is_arbitrary(name, value):
                            others.add(name)
        for name, nodes in writes.items():
            todo = [] if name in others else list(nodes)
            while todo:
                for n in into.get(todo.pop(), ()):
                    if n not in nodes:
                        nodes.add(n)
                        todo.append(n)
        return {name: nodes for name, nodes in writes.items() if name not in others}

    def _counts(self, v: Variable, n: int) -> bool:
        """Whether a value that is mentioned is that of a variable of a node, of which is known."""
        return ARBITRARY not in v.name and n not in self._filled.get(v.name, ())

    def _find_needed(self) -> None:
        """Which variables of a node count: those of guards on the way to an error, and those from
        which they come."""
        into: dict[int, list[int]] = {}
        for k, move in enumerate(self._moves):
            its = self._needed.setdefault(move.source, {})
            for f in self._guards[k]:
                its.update((v.name, v) for v in mentioned_in(f) if self._counts(v, move.source))
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
                        if self._counts(one, move.source):
                            its.setdefault(one.name, one)
                if len(its) > before:
                    todo.add(move.source)

    def _after(self, move: GraphMove, v: Variable) -> Term:
        """What a variable is after a move, over those before it. (An array that is of no use there
        is one of which nothing is known.)"""
        if move.becomes:
            v = renamed_variable(v, names_moved(self._system, inverse(move.becomes)))
        step, name = move.step, v.name
        d = self._graph.nodes[move.source].discrete
        known = self._system.numbers(step.successor)
        if name in known:
            return known[name]
        lost = name in step.forgotten or name in step.successor.values
        if name in step.updates and not lost:
            return settled(step.updates[name], self._system.numbers(d))
        if lost or name in d.values or self._has(name, step.successor) > self._has(name, d):
            return replace(v, name=name + ARBITRARY)
        return v

    def _has(self, name: str, d: Discrete) -> bool:
        """Whether states with the discrete part `d` have the variable."""
        found = self._names.get(d)
        if found is None:
            found = self._names[d] = {v.name for v in self._system.temporary(d)}
        return name in self._permanent or name in found


def _without_counts(f: Formula) -> Formula:
    """What the formula implies that does not mention the size of an object: parts of conditions
    that do are taken to hold."""
    if not any(map(is_count, variables(f))):
        return f
    match f.kind:
        case Kind.ALL:
            return conj(map(_without_counts, f.parts))
        case Kind.ANY:
            return disj(map(_without_counts, f.parts))
        case _:
            return TRUE


def _is_arbitrary(name: str, value: Term) -> bool:
    """Whether an array gets arbitrary contents, or an element of it does."""
    match value:
        case ArrayReg():
            return value.name != name and ARBITRARY in value.name
        case Update(ArrayReg() as array, _, element):
            while isinstance(element, Convert):
                element = element.arg
            mine = array.name == name or ARBITRARY in array.name
            return mine and isinstance(element, Reg) and ARBITRARY in element.name
        case _:
            return False


def settled(value: Term, values: Mapping[str, Term]) -> Term:
    """The value with these in place of variables."""
    if isinstance(value, ArrayReg | Filled | Update):
        return replace_in_array(value, values)
    return replace_in(value, values)
