"""Stateless depth-first search, written once: executions are explored, no state is kept but those
of the current path. An algorithm of `por.stateless` is plugged in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from abpress.properties import Aspect, Property
from abpress.properties.ends import End, classify
from abpress.reductions.stateless.algorithm import Algorithm, Item, Look, Next, Node
from abpress.reductions.stateless.observed_races import observed_reversals
from abpress.reductions.stateless.remembered import Remembered
from abpress.reductions.stateless.reversal import Reversals
from abpress.relations.dependence import Accesses
from abpress.relations.happens_before import Event, Execution
from abpress.relations.observed import ObservedExecution
from abpress.search.awaits import Awaiting
from abpress.search.bounds import Count, ExecutionBounds
from abpress.search.ledger import (
    POLL_EVENTS,
    Exploration,
    Ledger,
    OnFinal,
    Poll,
    Schedule,
    without_cycle_collection,
)
from abpress.search.statistics import ENDS, OUTCOMES, ExecutionStatistics, Outcome
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State, Step

FINAL = {Outcome.COMPLETE: End.COMPLETE, Outcome.DEADLOCKED: End.DEADLOCK}
"""The ends whose states are final states of the program."""

Explored = Exploration[State, ExecutionStatistics]
"""The outcome."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """Who wants to know: `poll` is asked now and then whether to stop; `on_final` is told the
    state at the end of each complete or deadlocked execution, `on_execution` the execution if it
    is not blocked by its sleep set, and `on_end` how it ends, and its steps. After `on_restart` the
    search begins again: what was told before is told once more."""

    poll: Poll[ExecutionStatistics] | None = None
    on_final: OnFinal[State] | None = None
    on_execution: Callable[[list[Event]], None] | None = None
    on_end: Callable[[Outcome, Schedule], None] | None = None
    on_restart: Callable[[], None] | None = None


def explore_executions(
    system: Interpreter,
    algorithm: Algorithm,
    property: Property,
    *,
    keep_going: bool = False,
    bounds: ExecutionBounds | None = None,
    hooks: Hooks | None = None,
) -> Explored:
    """Explores the executions that the algorithm asks for.

    Stops at the first violation of `property`, or with `keep_going` collects one execution per
    distinct violation (and one deadlock).
    """
    bounds, hooks = bounds or ExecutionBounds(), hooks or Hooks()
    accesses = Accesses(algorithm.observers, whole=algorithm.remembers)
    with without_cycle_collection():
        while True:
            awaits = Awaiting(system) if bounds.awaits and Awaiting.possible(system) else None
            search = _Search(
                system, awaits, algorithm, property, keep_going, bounds, hooks, accesses
            )
            explored = search.run()
            if explored is not None:
                return explored
            accesses = accesses.renewed()
            if hooks.on_restart is not None:
                hooks.on_restart()


def _looking(system: Awaiting | Interpreter, algorithm: Algorithm, accesses: Accesses) -> Look:
    def look(state: State, thread: int) -> Next:
        """The next steps of a thread; if it waits, what its attempt accesses."""
        steps, certain, reads, writes, ends = system.record(state, thread)
        if not certain:
            algorithm.certain = False
        if not steps:
            accesses.waits(reads)
        return Next(steps, accesses.access(thread, reads, writes, ends, certain))

    return look


class _Search:
    def __init__(
        self,
        system: Interpreter,
        awaits: Awaiting | None,
        algorithm: Algorithm,
        property: Property,
        keep_going: bool,
        bounds: ExecutionBounds,
        hooks: Hooks,
        accesses: Accesses,
    ) -> None:
        self._system = awaits or system
        self._awaits = awaits
        self._algorithm = algorithm
        self._property = property
        self._statistics = ExecutionStatistics()
        self._ledger: Ledger[State, ExecutionStatistics]
        self._ledger = Ledger(property, self._statistics, keep_going, hooks.poll)
        self._looks_at_states = Aspect.STATE in property.looks_at
        self._bound = Count(self._system, bounds)
        self._hooks = hooks
        self._accesses = accesses
        self._look = _looking(self._system, algorithm, accesses)
        self._execution = Execution()
        self._observed = ObservedExecution()
        self._reversals = Reversals(self._system, self._look)
        self._afterwards = algorithm.observers or algorithm.remembers
        self._remembered: Remembered | None = None
        if algorithm.remembers and bounds.unroll is None:
            self._remembered = Remembered(self._system, self._look, accesses.contested)
        self._nodes: list[Node] = []  # one more than events
        self._rest: list[Iterator[Step]] = []  # of the current thread's steps, at each node

    def run(self) -> Explored | None:
        """The search; None if it must begin again, because the accesses are stale."""
        nodes, rest, choose = self._nodes, self._rest, self._algorithm.choose
        statistics = self._statistics
        initial = self._system.initial()
        self._enter(Node(initial, self._system.threads(initial), self._look, {}, 0))
        if self._looks_at_states and self._shows(nodes[-1]):
            return self._explored()
        while nodes:
            if self._accesses.stale:
                return None
            node = nodes[-1]
            for step in rest[-1]:
                statistics.events += 1
                if not statistics.events & (POLL_EVENTS - 1) and self._ledger.polled():
                    return self._explored()
                if step.violation is None:
                    self._descend(node, step)
                    if self._looks_at_states and self._shows(nodes[-1]):
                        return self._explored()
                    break
                if self._violates(node, step):
                    return self._explored()
            else:
                node.leave()
                thread = None if node.met else choose(node)
                if thread is not None:
                    self._begin(node, thread)
                elif not node.done and self._end(node):
                    return self._explored()
                else:
                    self._backtrack()
        return self._explored(exhausted=True)

    def _explored(self, exhausted: bool = False) -> Explored:
        self._statistics.more = self._algorithm.statistics()
        if self._remembered is not None:
            self._statistics.more |= self._remembered.statistics()
        if self._awaits is not None:
            self._statistics.waiting_loops = tuple(self._awaits.met)
        return self._ledger.closed(exhausted)

    # -- up and down ----------------------------------------------------------------------------

    def _enter(self, node: Node) -> None:
        parent = self._nodes[-1] if self._nodes else None
        self._nodes.append(node)
        self._rest.append(iter(()))
        self._algorithm.enter(node, parent)
        if self._remembered is not None:
            events = self._execution.events
            last = events[-1] if events else None
            self._remembered.enter(node, last, self._algorithm.certain)

    def _begin(self, node: Node, thread: int) -> None:
        """The thread is explored at the node: its races, and all its steps."""
        node.current = thread
        its = node.next_of(thread)
        self._rest[-1] = iter(its.steps)
        node.past, node.races = self._execution.relate(thread, its.access)
        if self._algorithm.races and its.access.ends and not self._afterwards:
            # The next steps of all others race with it.
            for other in node.threads:
                if other != thread:
                    self._reverse_pending(node, other)

    def _descend(self, node: Node, step: Step) -> None:
        """One step further."""
        state, thread = step.successor, step.thread
        self._execution.push(node.event(step))
        threads = self._system.threads(state)
        cut = self._bound.arrive(state, thread, thread in threads)
        if cut:
            threads = tuple([t for t in threads if t not in cut])
            if self._remembered is not None:
                self._algorithm.certain = False  # who goes on is not said by the state alone
        if len(self._nodes) > self._statistics.max_depth:
            self._statistics.max_depth = len(self._nodes)
        self._enter(Node(state, threads, self._look, node.sleep_after(thread), thread))

    def _backtrack(self) -> None:
        node = self._nodes.pop()
        self._algorithm.leave(node)
        if self._remembered is not None:
            self._remembered.leave(node)
        self._rest.pop()
        if self._nodes:
            self._execution.pop()
            self._bound.back()

    # -- races ----------------------------------------------------------------------------------

    def _reverse(self, thread: int, races: list[int]) -> None:
        if not races:
            return
        self._statistics.races += len(races)
        for reversal in self._reversals.of(self._execution, self._nodes, thread, races):
            self._algorithm.reverse(reversal.node, reversal.v)

    def _reverse_all(self, events: list[Event]) -> None:
        """An execution has ended: the races of its events."""
        if self._afterwards:
            self._reverse_observed(events, self._nodes)
        elif self._algorithm.races:
            for node in self._nodes:
                if node.races and node.current is not None:
                    self._reverse(node.current, node.races)

    def _reverse_observed(self, events: list[Event], nodes: list[Node], whole: bool = True) -> None:
        execution = self._observed
        execution.go(events, writes_ordered=not self._accesses.contested)
        for reversal in observed_reversals(self._reversals, execution, nodes, whole):
            self._statistics.races += 1
            self._algorithm.reverse(reversal.node, reversal.v)

    def _reverse_pending(self, node: Node, thread: int) -> None:
        """The next step of the thread races with the end of the program, or it waits."""
        its = node.next_of(thread)
        if its.steps:
            self._algorithm.reverse(node, (Item(thread, its.access),))
        else:
            self._reverse(thread, self._execution.races_in_cut(thread, its.access, 0))

    # -- ends -----------------------------------------------------------------------------------

    def _end(self, node: Node) -> bool:
        """An execution ends; returns whether the search does."""
        if node.met:
            return self._meet()
        self._reverse_all(self._execution.events)
        waiting = [t for t in node.threads if not node.next_of(t).steps]
        if self._algorithm.races and not self._afterwards:
            for thread in waiting:
                self._reverse_pending(node, thread)
        outcome = self._outcome(node, len(waiting) < len(node.threads))
        self._tell(outcome, self._execution.events)
        if outcome in FINAL and self._hooks.on_final is not None:
            self._hooks.on_final(self._plain(node.state), FINAL[outcome])
        end = ENDS.get(outcome)
        if end is None:
            return False
        finding = self._property.of_end(self._system, node.state, end)
        return self._ledger.note(finding, self._path())

    def _meet(self) -> bool:
        """What follows the last node is known: the races of the execution with it. Returns whether
        the search ends."""
        assert self._remembered is not None
        events = self._execution.events
        continued = self._remembered.continued(events, self._nodes)
        for n, (its, nodes, whole) in enumerate(continued, 1):
            self._reverse_observed(its, nodes, whole)
            if n & (POLL_EVENTS - 1) == 0 and self._ledger.polled():
                return True
        self._tell(Outcome.SLEEP_SET_BLOCKED, events)
        return False

    def _outcome(self, node: Node, can_move: bool) -> Outcome:
        if can_move:
            return Outcome.SLEEP_SET_BLOCKED
        if len(node.threads) < len(self._system.threads(node.state)):
            return Outcome.CUT
        return OUTCOMES[classify(self._system, node.state)]

    def _shows(self, node: Node) -> bool:
        """The property looks at the state of a new node; returns whether the search ends."""
        return self._ledger.visit(self._system, node.state, self._path())

    def _violates(self, node: Node, step: Step) -> bool:
        """An execution ends with a violation by the step; returns whether the search does."""
        events = [*self._execution.events, node.event(step)]
        if self._remembered is not None:
            self._remembered.violated(events[-1])
        self._reverse_all(events)
        self._tell(Outcome.VIOLATING, events)
        return self._ledger.note(self._property.of_step(step), self._path(), step)

    def _tell(self, outcome: Outcome, events: list[Event]) -> None:
        """Counts an execution, and tells who wants to know."""
        self._statistics.count(outcome)
        if self._hooks.on_execution is not None and outcome is not Outcome.SLEEP_SET_BLOCKED:
            self._hooks.on_execution(events)
        if self._hooks.on_end is not None:
            self._hooks.on_end(outcome, tuple((e.thread, e.choices) for e in events))

    def _path(self) -> Iterator[Step]:
        """The steps of the current execution."""
        for event, node in zip(self._execution.events, self._nodes[1:], strict=True):
            yield Step(event.thread, event.choices, self._plain(node.state), None)

    def _plain(self, state: State) -> State:
        return state if self._awaits is None else self._awaits.plain(state)
