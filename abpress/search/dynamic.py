"""Stateful depth-first search with a dynamic reduction, written once: at each state the algorithm
of `por.stateful` is asked for more threads until those that are explored suffice.

The proviso for cycles is the driver's: it finds the strongly connected components of the explored
graph on the way ([Tarjan72]), and explores all threads at the states on cycles.
"""

from __future__ import annotations

from collections.abc import Iterator

from abpress.properties import Aspect, Property
from abpress.properties.ends import classify
from abpress.reductions.stateful.algorithm import Algorithm, Node
from abpress.reductions.stateless.node import Next
from abpress.reductions.static.s_por import safe_steps
from abpress.relations.footprint import InternedFootprints
from abpress.search.ledger import (
    POLL_INTERVAL,
    Exploration,
    Ledger,
    OnFinal,
    Poll,
    without_cycle_collection,
)
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Step

_OPEN, _LEFT, _COMPLETE = range(3)


@without_cycle_collection()
def explore_dynamically(
    system: Interpreter,
    algorithm: Algorithm,
    property: Property,
    *,
    poll: Poll[Statistics] | None = None,
    keep_going: bool = False,
    on_final: OnFinal[State] | None = None,
) -> Exploration[State, Statistics]:
    """Searches all executions that the algorithm asks for; arguments and result as `explore`."""
    return _Search(system, algorithm, property, poll, keep_going, on_final).run()


class _Search:
    def __init__(
        self,
        system: Interpreter,
        algorithm: Algorithm,
        property: Property,
        poll: Poll[Statistics] | None,
        keep_going: bool,
        on_final: OnFinal[State] | None,
    ) -> None:
        self._system = system
        self._algorithm = algorithm
        self._accesses = InternedFootprints()
        self._serials: dict[State, int] = {}
        self._status = bytearray()  # by serial number
        self._low: dict[int, int] = {}  # of the states that are left and not complete
        self._unfinished: list[int] = []  # open and left states, in the order of discovery
        self._nodes: list[Node] = []
        self._steps: list[Iterator[Step[State]]] = []  # of the current thread of each node
        self._path: list[Step[State]] = []
        self._statistics = Statistics()
        self._ledger: Ledger[State, Statistics]
        self._ledger = Ledger(property, self._statistics, keep_going, poll, on_final)
        self._looks_at_states = Aspect.STATE in property.looks_at

    def run(self) -> Exploration[State, Statistics]:
        """The search."""
        nodes, steps, statistics = self._nodes, self._steps, self._statistics
        serials = self._serials
        if self._enter(self._system.initial()):
            return self._closed()
        while nodes:
            node = nodes[-1]
            for step in steps[-1]:
                statistics.steps += 1
                if not statistics.steps & (POLL_INTERVAL - 1) and self._ledger.polled():
                    return self._closed()
                if step.violation is not None:
                    if self._ledger.violation(self._path, step):
                        return self._closed()
                    continue
                serial = serials.get(step.successor)
                if serial is not None:
                    node.explored[node.current].append(serial)
                    self._meet(node, serial, step.successor)
                    continue
                node.explored[node.current].append(len(serials))
                self._path.append(step)
                if self._enter(step.successor):
                    return self._closed()
                break
            else:
                thread = self._choose(node)
                if thread is not None:
                    self._begin(node, thread)
                elif not node.explored and self._end(node):
                    return self._closed()
                else:
                    self._leave(node)
        return self._closed(exhausted=True)

    def _closed(self, exhausted: bool = False) -> Exploration[State, Statistics]:
        self._statistics.more = self._algorithm.statistics()
        return self._ledger.closed(exhausted)

    def _look(self, state: State, thread: int) -> Next:
        """The next steps of a thread that change the state, and what all its attempts access."""
        steps, _, reads, writes, ends = self._system.record(state, thread)
        if any(step.successor == state and step.violation is None for step in steps):
            steps = tuple([s for s in steps if s.successor != state or s.violation is not None])
        return Next(steps, self._accesses.of(thread, reads, writes, ends))

    # -- up and down ----------------------------------------------------------------------------

    def _enter(self, state: State) -> bool:
        """A new state; returns whether the search ends there."""
        serial = self._serials[state] = len(self._serials)
        self._status.append(_OPEN)
        self._unfinished.append(serial)
        self._statistics.states += 1
        self._statistics.max_depth = max(self._statistics.max_depth, len(self._path))
        threads = self._system.threads(state)
        safe = safe_steps(self._system, state, threads, self._is_open, self._algorithm.tests)
        is_safe = safe is not None
        node = Node(state, serial, threads, self._look, self._is_complete, is_safe, serial)
        self._nodes.append(node)
        self._steps.append(iter(safe or ()))
        if safe:
            node.current = safe[0].thread
            node.explored[node.current] = []
            self._algorithm.step_alone(node)
        else:
            self._algorithm.enter(node)
        return self._looks_at_states and self._ledger.visit(self._system, state, self._path)

    def _choose(self, node: Node) -> int | None:
        """The next thread to explore; None when the node is done."""
        if node.safe:
            return None
        wanted = node.remaining() if node.cyclic else self._algorithm.wanted(node)
        return wanted[0] if wanted else None

    def _begin(self, node: Node, thread: int) -> None:
        node.current = thread
        node.explored[thread] = []
        self._statistics.thread_choices += len(node.explored) == 2
        self._steps[-1] = iter(node.next_of(thread).steps)
        self._algorithm.step(node)

    def _meet(self, node: Node, serial: int, state: State) -> None:
        """A step leads to a visited state."""
        status = self._status[serial]
        if status == _COMPLETE:
            self._algorithm.meet(serial, state)
        else:
            node.cyclic = True
            node.low = min(node.low, serial if status == _OPEN else self._low[serial])

    def _leave(self, node: Node) -> None:
        """The top of the path is done."""
        self._nodes.pop()
        self._steps.pop()
        if self._path:
            self._path.pop()
        serial = node.serial
        self._algorithm.leave(node)
        self._status[serial] = _LEFT
        self._low[serial] = node.low
        if node.low == serial:
            component: list[int] = []
            while not component or component[-1] != serial:
                component.append(self._unfinished.pop())
            for other in component:
                self._status[other] = _COMPLETE
                del self._low[other]
            self._algorithm.complete(component)
        else:
            below = self._nodes[-1]
            below.cyclic = True
            below.low = min(below.low, node.low)

    def _is_open(self, state: State) -> bool:
        serial = self._serials.get(state)
        return serial is not None and self._status[serial] == _OPEN

    def _is_complete(self, state: State) -> bool:
        serial = self._serials.get(state)
        return serial is not None and self._status[serial] == _COMPLETE

    # -- ends -----------------------------------------------------------------------------------

    def _end(self, node: Node) -> bool:
        """There is no step but to the state itself; returns whether the search ends."""
        system, state = self._system, node.state
        if any(system.steps(state, thread) for thread in node.threads):
            return False
        return self._ledger.end(system, state, classify(system, state), self._path)
