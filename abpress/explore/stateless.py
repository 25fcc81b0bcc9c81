"""Stateless depth-first search, written once: executions are explored, no state is kept but those
of the current path. An algorithm of `por.stateless` is plugged in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from abpress.explore.driver import End, Found, classify, without_cycle_collection
from abpress.explore.executions import ExecutionStatistics
from abpress.explore.limits import StopReason
from abpress.explore.loops import Bounds, Count
from abpress.por.dependence import Accesses
from abpress.por.happens_before import Event, Execution
from abpress.por.stateless.algorithm import Algorithm, Item, Next, Node
from abpress.por.stateless.contexts import Contexts
from abpress.por.stateless.reversal import reversals
from abpress.properties import Property
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State, Step, Violation

POLL_INTERVAL = 64
"""Events between two looks at the limits; a power of two."""


@dataclass(frozen=True, slots=True)
class Explored:
    """The outcome: as `driver.Exploration`."""

    statistics: ExecutionStatistics
    found: tuple[Found[State], ...]
    stopped: StopReason | None
    exhausted: bool


@dataclass(frozen=True, slots=True)
class Hooks:
    """Who wants to know: `poll` is asked now and then whether to stop; `on_final` is told the
    state at the end of each complete or deadlocked execution, `on_execution` the execution."""

    poll: Callable[[ExecutionStatistics], StopReason | None] | None = None
    on_final: Callable[[State, End], None] | None = None
    on_execution: Callable[[list[Event]], None] | None = None


def explore_executions(
    system: Interpreter,
    algorithm: Algorithm,
    property: Property,
    *,
    keep_going: bool = False,
    bounds: Bounds | None = None,
    hooks: Hooks | None = None,
) -> Explored:
    """Explores the executions that the algorithm asks for.

    Stops at the first violation of `property`, or with `keep_going` collects one execution per
    distinct violation (and one deadlock).
    """
    with without_cycle_collection():
        search = _Search(
            system, algorithm, property, keep_going, bounds or Bounds(), hooks or Hooks()
        )
        return search.run()


class _Search:
    def __init__(
        self,
        system: Interpreter,
        algorithm: Algorithm,
        property: Property,
        keep_going: bool,
        bounds: Bounds,
        hooks: Hooks,
    ) -> None:
        self._system = system
        self._algorithm = algorithm
        self._property = property
        self._keep_going = keep_going
        self._bound = Count(system, bounds)
        self._awaits = bounds.awaits
        self._hooks = hooks
        self._accesses = Accesses()
        self._execution = Execution()
        self._contexts = Contexts(system, self._look)
        self._nodes: list[Node] = []  # one more than events
        self._steps: list[Iterator[Step]] = []  # of the current thread of each node
        self._path: list[Step] = []
        self._found: dict[Violation | None, Found[State]] = {}
        self._statistics = ExecutionStatistics()

    def run(self) -> Explored:
        """The search."""
        statistics, nodes, poll = self._statistics, self._nodes, self._hooks.poll
        initial = self._system.initial()
        self._enter(Node(initial, self._system.threads(initial), self._look, {}, 0))
        while nodes:
            node = nodes[-1]
            step = next(self._steps[-1], None)
            if step is not None:
                statistics.events += 1
                if not statistics.events & (POLL_INTERVAL - 1) and poll is not None:
                    stopped = poll(statistics)
                    if stopped is not None:
                        return self._explored(stopped, False)
                violation = step.violation
                if violation is None:
                    self._descend(node, step)
                    continue
                statistics.violating += 1
                self._reverse_late()
                if self._hooks.on_execution is not None:
                    self._hooks.on_execution([*self._execution.events, self._event(node, step)])
                if violation.property == self._property.name and self._is_new(step, violation):
                    return self._explored(None, False)
                continue
            self._leave(node)
            thread = self._algorithm.choose(node)
            if thread is not None:
                self._begin(node, thread)
                continue
            if not node.done and self._end(node):
                return self._explored(None, False)
            self._backtrack()
        return self._explored(None, True)

    def _explored(self, stopped: StopReason | None, exhausted: bool) -> Explored:
        self._statistics.more = self._algorithm.statistics()
        return Explored(self._statistics, tuple(self._found.values()), stopped, exhausted)

    def _look(self, state: State, thread: int) -> Next:
        """The next steps of a thread; if it waits, what its attempt accesses."""
        steps, certain, reads, writes, ends = self._system.record(state, thread)
        if self._awaits and not writes:
            steps = tuple([s for s in steps if s.successor != state or s.violation is not None])
        if not certain:
            self._algorithm.certain = False
        return Next(steps, self._accesses.access(thread, reads, writes, ends))

    # -- up and down ----------------------------------------------------------------------------

    def _enter(self, node: Node) -> None:
        parent = self._nodes[-1] if self._nodes else None
        self._nodes.append(node)
        self._steps.append(iter(()))
        self._algorithm.enter(node, parent)

    def _begin(self, node: Node, thread: int) -> None:
        """The thread is explored at the node: its races, and all its steps unless refused."""
        node.current = thread
        its = node.next_of(thread)
        self._steps[-1] = iter(() if thread in node.refused else its.steps)
        node.past, node.races = self._execution.relate(thread, its.access)
        if self._algorithm.races:
            if not self._algorithm.late:
                self._reverse(thread, node.races)
            elif thread in node.refused:
                self._execution.push(Event(thread, (), its.access, node.past))
                self._reverse_late()
                self._execution.pop()
            if its.access.ends:
                # The next steps of all others race with it.
                for other in node.threads:
                    if other != thread:
                        self._reverse_pending(node, other)

    def _descend(self, node: Node, step: Step) -> None:
        """One step further."""
        event = self._event(node, step)
        thread, access = event.thread, event.access
        self._execution.push(event)
        self._path.append(step)
        state = step.successor
        threads = self._system.threads(state)
        cut = self._bound.arrive(state, thread, thread in threads)
        if cut:
            threads = tuple([t for t in threads if t not in cut])
        sleep = {t: a for t, a in node.sleep.items() if a.independent(access)}
        sleep.pop(thread, None)
        if len(self._path) > self._statistics.max_depth:
            self._statistics.max_depth = len(self._path)
        self._enter(Node(state, threads, self._look, sleep, thread))

    def _event(self, node: Node, step: Step) -> Event:
        """The step as an event of the execution, after a step of the node's current thread."""
        thread = step.thread
        return Event(thread, step.choices, node.next_of(thread).access, node.past)

    def _leave(self, node: Node) -> None:
        """All steps of the node's current thread have been explored."""
        thread = node.current
        if thread is not None and thread not in node.refused:
            node.done.append(thread)
            node.sleep[thread] = node.next_of(thread).access
        node.current = None

    def _backtrack(self) -> None:
        self._nodes.pop()
        self._steps.pop()
        if self._path:
            self._path.pop()
            self._execution.pop()
            self._bound.back()

    # -- races ----------------------------------------------------------------------------------

    def _reverse(self, thread: int, races: list[int]) -> None:
        if not races:
            return
        self._statistics.races += len(races)
        found = reversals(self._system, self._look, self._execution, self._nodes, thread, races)
        dont_do = self._algorithm.dont_do
        for reversal in found:
            self._algorithm.reverse(reversal.node, reversal.v)
            if dont_do is not None:
                v = self._contexts.excluded(reversal, self._nodes[-1])
                if v is not None:
                    dont_do.exclude(reversal.node, v)

    def _reverse_late(self) -> None:
        """An execution has ended: the races of its events."""
        if self._algorithm.late:
            for node in self._nodes:
                if node.current is not None:
                    self._reverse(node.current, node.races)

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
        if not node.refused:
            self._reverse_late()
        waiting = [t for t in node.threads if not node.next_of(t).steps]
        if self._algorithm.races:
            for thread in waiting:
                its = node.next_of(thread)
                self._reverse(thread, self._execution.races_in_cut(thread, its.access, 0))
        statistics = self._statistics
        if len(waiting) < len(node.threads):
            statistics.sleep_set_blocked += 1
            return False
        if self._hooks.on_execution is not None:
            self._hooks.on_execution(self._execution.events)
        if len(node.threads) < len(self._system.threads(node.state)):
            statistics.cut += 1
            return False
        end = classify(self._system, node.state)
        match end:
            case End.COMPLETE:
                statistics.complete += 1
            case End.DEADLOCK:
                statistics.deadlocked += 1
            case End.BLOCKED:
                statistics.assume_blocked += 1
        if end is not End.BLOCKED and self._hooks.on_final is not None:
            self._hooks.on_final(node.state, end)
        if end is End.DEADLOCK and self._property.deadlock:
            return self._is_new(None, None)
        return False

    def _is_new(self, step: Step | None, violation: Violation | None) -> bool:
        """Notes a violation by the current execution and the step; whether the search ends."""
        if violation not in self._found:
            path = tuple(self._path) if step is None else (*self._path, step)
            self._found[violation] = Found(path, violation)
        return not self._keep_going
