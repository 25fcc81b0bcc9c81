"""Stateless depth-first search, written once: executions are explored, no state is kept but those
of the current path. An algorithm of `reductions.stateless` is plugged in: its choice of threads and
its race reversal."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from itertools import chain

from abpress.interpreter import without_cycle_collection
from abpress.properties import PASSING, VISITED, Property
from abpress.properties.ends import End, classify
from abpress.reductions.next_steps import Next
from abpress.reductions.stateless.algorithm import SearchPath, StatelessAlgorithm
from abpress.reductions.stateless.node import ExecutionNode
from abpress.relations.footprint import InternedFootprints
from abpress.relations.happens_before import Event
from abpress.search.awaits import Awaiting
from abpress.search.bounds import Count, ExecutionBounds
from abpress.search.estimate import Forecast
from abpress.search.ledger import (
    POLL_EVENTS,
    Exploration,
    Ledger,
    OnFinal,
    Poll,
    Schedule,
    SearchOver,
    told_of_faults,
)
from abpress.search.rest import Plain
from abpress.search.statistics import OUTCOMES, ExecutionStatistics, Outcome
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep, State

ExploredExecutions = Exploration[State, ExecutionStatistics]
"""The outcome of the search."""


ESTIMATE_EVENTS = 1024
"""So often it is estimated how much of the tree is left."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """Who wants to know: `poll` is asked now and then whether to stop; `on_final` is told the
    state at the end of each complete or deadlocked execution, `on_blocked` that of one that an
    assumption blocks or that waits for ever in a loop, `on_execution` the execution if it
    is not blocked by its sleep set, and `on_end` how it ends, and its steps. After `on_restart` the
    search begins again: what was told before is told once more. Where a limit stops the search,
    `on_stop` is told the path, the steps that are left at each of its nodes, and what makes of its
    states those of the interpreter."""

    poll: Poll[ExecutionStatistics] | None = None
    on_final: OnFinal[State] | None = None
    on_execution: Callable[[list[Event]], None] | None = None
    on_end: Callable[[Outcome, Schedule], None] | None = None
    on_restart: Callable[[], None] | None = None
    on_blocked: Callable[[State], None] | None = None
    on_stop: Callable[[SearchPath, list[tuple[ConcreteStep, ...]], Plain], None] | None = None


def explore_executions(
    system: Interpreter,
    algorithm: StatelessAlgorithm,
    property: Property,
    *,
    keep_going: bool = False,
    bounds: ExecutionBounds | None = None,
    hooks: Hooks | None = None,
    leads: Container[str] = (),
) -> ExploredExecutions:
    """Explores the executions that the algorithm asks for.

    Stops at the first violation of `property` (of a conjunction, at the first of each part, or of
    one that `leads`), or with `keep_going` collects one execution per distinct violation (and one
    deadlock).
    """
    bounds, hooks = bounds or ExecutionBounds(), hooks or Hooks()
    accesses, certain = algorithm.races.accesses(), True
    with without_cycle_collection():
        while True:
            search = ExecutionSearch(
                system, accesses, certain, algorithm, property, keep_going, bounds, hooks, leads
            )
            search.begin()
            explored = search.run()
            if explored is not None:
                return explored
            accesses, certain = accesses.renewed(), search.path.certain
            if hooks.on_restart is not None:
                hooks.on_restart()


def _path(
    system: Awaiting | Interpreter,
    accesses: InternedFootprints,
    bounds: ExecutionBounds,
    certain: bool,
) -> SearchPath:
    """An empty path; what is met on it is noted there."""

    def look(state: State, thread: int) -> Next:
        """The next steps of a thread; if it waits, what its attempt accesses."""
        steps, certain, reads, writes, ends = system.record(state, thread)
        if not certain:
            path.certain = False
        if not steps:
            accesses.waits(reads)
        return Next(steps, accesses.of(thread, reads, writes, ends, certain))

    unrolled = bounds.unroll is not None
    path = SearchPath(system, look, accesses, unrolled=unrolled, certain=certain)
    return path


class ExecutionSearch:
    """A search, of the whole tree of executions or of parts of it, one after the other. Mutable."""

    def __init__(
        self,
        system: Interpreter,
        accesses: InternedFootprints,
        certain: bool,
        algorithm: StatelessAlgorithm,
        property: Property,
        keep_going: bool,
        bounds: ExecutionBounds,
        hooks: Hooks,
        leads: Container[str],
    ) -> None:
        awaits = Awaiting(system) if bounds.awaits and Awaiting.possible(system) else None
        self.path = path = _path(awaits or system, accesses, bounds, certain)
        if not property.looks_at.isdisjoint(PASSING):
            path.on_cut = self._taken_back
        self._system = awaits or system
        self._interpreter = system
        self._awaits = awaits
        self._choice = algorithm.choice
        self._races = algorithm.races
        self._choice.begin(path)
        self._forecast = Forecast(path, self._choice)
        self._races.begin(path, self._choice)
        self._statistics = ExecutionStatistics()
        self._ledger: Ledger[State, ExecutionStatistics]
        self._ledger = Ledger(
            property, self._statistics, keep_going, hooks.poll, self._final, leads
        )
        self._looks_at_states = not property.looks_at.isdisjoint(VISITED)
        self._suspicious = property.suspects(system) if self._looks_at_states else None
        self._bound = Count(self._system, bounds)
        self._hooks = hooks
        self._execution = path.execution
        self._nodes = path.nodes
        self._rest: list[Iterator[ConcreteStep]] = []  # of the current thread's steps, at each node
        self._resumed = False

    def begin(self) -> None:
        """Enters the initial state."""
        initial = self._system.initial()
        threads = self._system.threads(initial)
        self._enter(self._races.node(initial, threads, self.path.look, {}, 0))

    def left(self, k: int) -> tuple[ConcreteStep, ...]:
        """The steps of the current thread that are left at the k-th node."""
        left = tuple(self._rest[k])
        self._rest[k] = iter(left)
        return left

    def run(self) -> ExploredExecutions | None:
        """The search; None if it must begin again, because the accesses are stale."""
        try:
            with told_of_faults(self._interpreter, self._attempted):
                return self._run()
        except SearchOver:
            return self._explored()

    def _run(self) -> ExploredExecutions | None:
        nodes, rest, choose = self._nodes, self._rest, self._choice.choose
        accesses, statistics = self.path.accesses, self._statistics
        if self._looks_at_states and not self._resumed and self._shows(nodes[-1]):
            return self._explored()
        while nodes:
            if accesses.stale:
                return None
            node = nodes[-1]
            for step in rest[-1]:
                statistics.events += 1
                if not statistics.events & (POLL_EVENTS - 1):
                    if not statistics.events & (ESTIMATE_EVENTS - 1):
                        statistics.left = self._forecast.left(step)
                    if self._ledger.polled():
                        return self._stopped(step)
                if step.violation is None:
                    self._descend(node, step)
                    if self._looks_at_states and self._shows(nodes[-1]):
                        return self._explored()
                    break
                if self._violates(node, step):
                    return self._explored()
            else:
                node.leave()
                thread = choose(node)
                if thread is not None:
                    self._begin(node, thread)
                elif not node.done and self._end(node):
                    return self._explored()
                else:
                    self._backtrack()
        return self._explored(exhausted=True)

    def _stopped(self, step: ConcreteStep) -> ExploredExecutions:
        """A limit ends the search before the step, which is left to whoever goes on."""
        self._statistics.events -= 1
        self._rest[-1] = chain((step,), self._rest[-1])
        self._tell_rest()
        return self._explored()

    def _tell_rest(self) -> None:
        if self._hooks.on_stop is not None:
            left = [self.left(k) for k in range(len(self._nodes))]
            self._hooks.on_stop(self.path, left, self.plain)

    def _explored(self, exhausted: bool = False) -> ExploredExecutions:
        self._statistics.races = self.path.races
        self._statistics.more = self._choice.statistics()
        if self._awaits is not None:
            self._statistics.waiting_loops = tuple(self._awaits.met)
        return self._ledger.closed(exhausted)

    # -- up and down ----------------------------------------------------------------------------

    def _enter(self, node: ExecutionNode) -> None:
        parent = self._nodes[-1] if self._nodes else None
        self._push(node)
        self._choice.enter(node, parent)

    def _push(self, node: ExecutionNode) -> None:
        self._forecast.enter()
        self._nodes.append(node)
        self._rest.append(iter(()))

    def _begin(self, node: ExecutionNode, thread: int) -> None:
        """Begins to explore the thread at the node: its races, and all its steps."""
        if node.done:
            self._forecast.next_branch()
        node.current = thread
        self._rest[-1] = iter(node.next_of(thread).steps)
        self._meet(node, thread)

    def _meet(self, node: ExecutionNode, thread: int) -> None:
        """Finds out about the races of the thread's next step, at the last node."""
        access = node.next_of(thread).access
        node.past, node.races = self._execution.relate(thread, access)
        self._races.met(node, thread)
        if access.ends:
            self._races.ending(node, thread)

    def _descend(self, node: ExecutionNode, step: ConcreteStep) -> None:
        """Goes on by the step."""
        state, thread = step.successor, step.thread
        self._execution.push(node.event(step))
        threads = self._system.threads(state)
        cut = self._bound.arrive(state, thread, thread in threads)
        if cut:
            threads = tuple([t for t in threads if t not in cut])
            self.path.cut = True
        if len(self._nodes) > self._statistics.max_depth:
            self._statistics.max_depth = len(self._nodes)
        self._enter(node.after(state, tuple(threads), thread))

    def _backtrack(self) -> None:
        node = self._nodes.pop()
        self._forecast.leave(node)
        self._choice.leave(node)
        self._back()

    def _back(self) -> None:
        """Takes the last event back, if there is one; its node is gone."""
        self._rest.pop()
        if self._nodes:
            self._execution.pop()
            self._bound.back()

    # -- ends -----------------------------------------------------------------------------------

    def _end(self, node: ExecutionNode) -> bool:
        """An execution ends; returns whether the search does."""
        if node.met:
            return self._follow()
        self._races.ended(node)
        given_up = self._given_up(node)
        if given_up is not None:
            self._give_up(given_up)
            return False
        end = classify(self._system, node.state)
        self._tell(OUTCOMES[end], self._execution.events)
        return self._ledger.end(self._system, node.state, end, self._steps())

    def _follow(self) -> bool:
        """What follows the last node is known: the races of the execution with it. Returns whether
        the search ends."""
        for n, _ in enumerate(self._races.follow(), 1):
            if n & (POLL_EVENTS - 1) == 0 and self._ledger.polled():
                self._tell_rest()
                return True
        self._give_up(Outcome.SLEEP_SET_BLOCKED)
        return False

    def _given_up(self, node: ExecutionNode) -> Outcome | None:
        """Why the execution does not go on at its last node; None if no thread can move there."""
        if any(node.next_of(t).steps for t in node.threads):
            return Outcome.SLEEP_SET_BLOCKED
        if len(node.threads) < len(self._system.threads(node.state)):
            return Outcome.CUT
        return None

    def _give_up(self, why: Outcome) -> None:
        """Counts an execution that is not followed to its end."""
        self._statistics.count(why)
        self._tell(why, self._execution.events)

    def _shows(self, node: ExecutionNode) -> bool:
        """The property looks at the state of a new node; returns whether the search ends."""
        return self._looks(node.state, self._steps())

    def _taken_back(self, state: State) -> None:
        """The property looks at a state to which a race is taken back, NOTE(races-in-cuts).

        Raises SearchOver if the search ends.
        """
        if self._looks(state, self._tried()):
            raise SearchOver

    def _looks(self, state: State, steps: Iterator[ConcreteStep]) -> bool:
        """The property looks at the state after the steps; returns whether the search ends."""
        state = self.plain(state)
        if self._suspicious is not None and not self._suspicious(state):
            return False
        return self._ledger.visit(self._interpreter, state, steps)

    def _attempted(self, state: State, attempt: ConcreteStep) -> None:
        """Takes note of an attempt that is undefined behaviour, at the last node, or where a race
        is reversed."""
        if self.path.tried is not None:
            self._ledger.attempt(self._tried(), attempt)
        elif self._nodes and state == self.plain(self._nodes[-1].state):
            self._ledger.attempt(self._steps(), attempt)

    def _violates(self, node: ExecutionNode, step: ConcreteStep) -> bool:
        """An execution ends with a violation by the step; returns whether the search does."""
        events = [*self._execution.events, node.event(step)]
        self._races.violated(events[-1])
        self._tell(Outcome.VIOLATING, events)
        return self._ledger.violation(self._steps(), step)

    def _tell(self, outcome: Outcome, events: list[Event]) -> None:
        """Tells who wants to know how an execution ends."""
        if self._hooks.on_execution is not None and outcome is not Outcome.SLEEP_SET_BLOCKED:
            self._hooks.on_execution(events)
        if self._hooks.on_end is not None:
            self._hooks.on_end(outcome, tuple((e.thread, e.choices) for e in events))

    def _final(self, state: State, end: End) -> None:
        """Tells who wants to know the states in which executions end by themselves."""
        if end is End.BLOCKED:
            if self._hooks.on_blocked is not None:
                self._hooks.on_blocked(self.plain(state))
        elif self._hooks.on_final is not None:
            self._hooks.on_final(self.plain(state), end)

    def _steps(self) -> Iterator[ConcreteStep]:
        """The steps of the current execution."""
        for event, node in zip(self._execution.events, self._nodes[1:], strict=True):
            yield ConcreteStep(event.thread, event.choices, self.plain(node.state), None)

    def _tried(self) -> Iterator[ConcreteStep]:
        """The steps to where a race is reversed, without their states."""
        for event in self.path.tried or ():
            yield ConcreteStep(event.thread, event.choices, self._nodes[0].state, None)

    def plain(self, state: State) -> State:
        """The interpreter's state of a state of the search."""
        return state if self._awaits is None else self._awaits.plain(state)
