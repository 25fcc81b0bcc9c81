"""Toy transition systems: threads that are small automata over shared variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from hypothesis import strategies as st

from abpress.errors import NOWHERE
from abpress.ir.program import GuardKind
from abpress.properties.ends import End, classify
from abpress.semantics.outcome import Violation
from abpress.semantics.protocols import TransitionSystem
from abpress.semantics.recording import Recorded


@dataclass(frozen=True, slots=True)
class Edge:
    """One move of a thread.

    `op` is local, write, await (variable == value), assume (likewise), fail, local-fail (a
    violation inside an invisible step), cut (ends the execution), finish or exit. What waits may
    write a variable in the same action: `then` is that and its value.
    """

    op: str
    target: int = 0
    variable: int = 0
    value: int = 0
    then: tuple[int, int] | None = None


LOCAL = frozenset({"local", "local-fail", "cut"})
DONE = -1


class ToyState(NamedTuple):
    locations: tuple[int, ...]
    variables: tuple[int, ...]
    ended: bool = False


class ToyStep(NamedTuple):
    thread: int
    choices: tuple[int, ...]
    successor: ToyState
    violation: Violation | None


@dataclass(frozen=True)
class Toy:
    """A system of threads; `code[t][location]` are the edges of thread t there."""

    code: tuple[tuple[tuple[Edge, ...], ...], ...]
    variables: int = 2
    order: tuple[int, ...] | None = None

    def initial(self) -> ToyState:
        return ToyState((0,) * len(self.code), (0,) * self.variables)

    def threads(self, state: ToyState) -> tuple[int, ...]:
        order = self.order or range(len(self.code))
        return () if state.ended else tuple(t for t in order if state.locations[t] != DONE)

    def invisible(self, state: ToyState, thread: int) -> bool:
        return all(edge.op in LOCAL for edge in self.code[thread][state.locations[thread]])

    @property
    def foresight(self) -> Toy:
        return self

    def confined(self, state: ToyState, thread: int) -> bool:
        """What is visible can be reached by all."""
        return self.invisible(state, thread)

    def uncontended(self, state: ToyState, thread: int) -> bool:
        """Whether no other thread has an edge that is in conflict, wherever it stands."""
        _, _, reads, writes, ends = self.record(state, thread)
        edges = [
            edge
            for other in self.threads(state)
            if other != thread
            for at in self.code[other]
            for edge in at
        ]
        written = {1 + e.variable for e in edges if e.op == "write"}
        written |= {1 + e.then[0] for e in edges if e.then is not None}
        touched = written | {1 + e.variable for e in edges if e.op in ("await", "assume")}
        return not ends and written.isdisjoint(reads) and touched.isdisjoint(writes)

    def waits(self, state: ToyState, thread: int) -> GuardKind | None:
        if self.steps(state, thread):
            return None
        ops = {edge.op for edge in self.code[thread][state.locations[thread]]}
        return GuardKind.ASSUME if ops & {"assume", "cut"} else GuardKind.AWAIT

    def steps(self, state: ToyState, thread: int) -> tuple[ToyStep, ...]:
        found = []
        locations, variables, _ = state
        for i, edge in enumerate(self.code[thread][locations[thread]]):
            target, ended, after, violation = edge.target, False, variables, None
            match edge.op:
                case "write":
                    after = assigned(variables, edge.variable, edge.value)
                case "await" | "assume" if variables[edge.variable] != edge.value:
                    continue
                case "fail" | "local-fail":
                    message = f"{thread}:{locations[thread]}:{i}"
                    violation = Violation("unreach-call", message, NOWHERE, thread)
                case "cut":
                    continue
                case "finish":
                    target = DONE
                case "exit":
                    ended = True
                case "await" | "assume" if edge.then is not None:
                    after = assigned(variables, *edge.then)
            moved = (
                (DONE,) * len(locations)
                if ended
                else (*locations[:thread], target, *locations[thread + 1 :])
            )
            found.append(ToyStep(thread, (i,), ToyState(moved, after, ended), violation))
        return tuple(found)

    def take(self, state: ToyState, thread: int, choices: tuple[int, ...]) -> ToyStep | None:
        if thread not in self.threads(state):
            return None
        return next((s for s in self.steps(state, thread) if s.choices == choices), None)

    def accessed(self, state: ToyState, thread: int, choices: tuple[int, ...]) -> Accessed:
        edge = self.code[thread][state.locations[thread]][choices[0]]
        reads, writes = {"program"}, set()
        match edge.op:
            case "await" | "assume":
                reads.add(edge.variable)
                if edge.then is not None:
                    writes.add(edge.then[0])
            case "write":
                writes.add(edge.variable)
            case "exit":
                writes.add("program")
        return Accessed(frozenset(reads), frozenset(writes))

    def record(self, state: ToyState, thread: int) -> Recorded:
        edges = self.code[thread][state.locations[thread]]
        reads = [1 + e.variable for e in edges if e.op in ("await", "assume")]
        writes = [1 + e.variable for e in edges if e.op == "write"]
        writes += [
            1 + e.then[0]
            for e in edges
            if e.then is not None and state.variables[e.variable] == e.value
        ]
        ends = any(edge.op == "exit" for edge in edges)
        steps = self.steps(state, thread)
        return Recorded(steps, len(edges) == 1, tuple(reads), tuple(writes), ends)

    def point(self, state: ToyState, thread: int) -> int:
        return state.locations[thread]

    def may_come(self, state: ToyState, thread: int, point: int) -> bool:
        """By what the edges may do, not by what they wait for."""
        found = {state.locations[thread]} - {DONE}
        todo = [*found]
        while todo:
            for edge in self.code[thread][todo.pop()]:
                if edge.op not in ("finish", "exit") and edge.target not in found:
                    found.add(edge.target)
                    todo.append(edge.target)
        return point in found

    def compound(self, state: ToyState, thread: int) -> bool:
        edges = self.code[thread][state.locations[thread]]
        return len({e.variable for e in edges}) > 1 or any(e.then is not None for e in edges)

    def creator(self, thread: int) -> int:
        raise AssertionError(f"thread {thread} was there from the beginning")


def assigned(variables: tuple[int, ...], v: int, value: int) -> tuple[int, ...]:
    return (*variables[:v], value, *variables[v + 1 :])


class Accessed(NamedTuple):
    reads: frozenset[object]
    writes: frozenset[object]


@dataclass(frozen=True)
class Truth:
    """What the dumb search finds."""

    states: frozenset[ToyState]
    errors: frozenset[Violation]
    ends: frozenset[tuple[ToyState, End]]


def enumerate_all(system: TransitionSystem[ToyState]) -> Truth:
    """Breadth-first search without any cleverness: the oracle."""
    seen = {system.initial()}
    errors, ends = set(), set()
    queue = list(seen)
    for state in queue:
        steps = [step for t in system.threads(state) for step in system.steps(state, t)]
        if not steps:
            ends.add((state, classify(system, state)))
        for step in steps:
            if step.violation is not None:
                errors.add(step.violation)
            elif step.successor not in seen:
                seen.add(step.successor)
                queue.append(step.successor)
    return Truth(frozenset(seen), frozenset(errors), frozenset(ends))


def outcomes(ends: Iterable[tuple[ToyState, End]]) -> frozenset[tuple[ToyState | None, End]]:
    """The ends, without the memory of a program that has ended."""
    return frozenset((None if state.ended else state, end) for state, end in ends)


@st.composite
def toys(draw: st.DrawFn) -> Toy:
    """Random systems: cycles, waiting, assumes, violations and ends of threads and programs."""
    ops = ["local"] * 6 + ["write"] * 4 + ["await"] * 3 + ["assume", "fail", "local-fail", "cut"]
    ops += ["finish"] * 3 + ["exit"]
    code = []
    for _ in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 4))
        edge = st.builds(
            Edge,
            st.sampled_from(ops),
            st.integers(0, size - 1),
            st.integers(0, 1),
            st.integers(0, 1),
        )
        edges = st.lists(edge, min_size=1, max_size=2).map(tuple)
        code.append(tuple(draw(st.lists(edges, min_size=size, max_size=size))))
    return Toy(tuple(code), order=tuple(draw(st.permutations(range(len(code))))))


@st.composite
def busy_toys(draw: st.DrawFn) -> Toy:
    """Random systems whose threads mostly go forward, and do little that others do not see."""
    ops = ["write"] * 8 + ["await"] * 8 + ["assume", "fail", "local", "exit"]
    variables = draw(st.integers(1, 4))
    variable, value = st.integers(0, variables - 1), st.integers(0, 1)
    then = st.one_of(st.none(), st.tuples(variable, value))
    code = []
    for _ in range(draw(st.integers(2, 4))):
        size = draw(st.integers(1, 4))
        thread = []
        for location in range(size):
            forward = [location + 1] * 9 + [min(location + 2, size), 0]
            edge = st.builds(
                lambda op, target, x, v, t: Edge(op, target, x, v, t if op == "await" else None),
                st.sampled_from(ops),
                st.sampled_from(forward),
                variable,
                value,
                then,
            )
            thread.append(tuple(draw(st.lists(edge, min_size=1, max_size=2))))
        code.append((*thread, (Edge("finish"),)))
    return Toy(tuple(code), variables, tuple(draw(st.permutations(range(len(code))))))
