"""Context-sensitive independence: steps that commute in a state, whatever they access.

After *Optimal Context-Sensitive Dynamic Partial Order Reduction with Observers*, section 3. Steps
that race are independent in a context where both orders lead to the same state: to equal states of
the interpreter, whose names of threads and objects do not depend on the interleaving.

What is conservative: steps that have choices, that violate a property, or that cannot be taken in
one of the orders, never commute.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from abpress.por.happens_before import Execution
from abpress.por.stateless.algorithm import Algorithm, Item, Look, Node, Sequence, ancestors
from abpress.por.stateless.reversal import Reversal, Threads
from abpress.semantics.outcome import State


class Contexts:
    """Executes sequences of threads to compare where they lead."""

    def __init__(self, system: Threads, look: Look) -> None:
        self._system = system
        self._look = look

    def after(self, state: State, threads: Iterable[int]) -> tuple[State, Sequence] | None:
        """Where a step of each of the threads in turn leads, and the steps.

        None if there are no such steps, or one has a choice or violates a property.
        """
        items = []
        for thread in threads:
            if thread not in self._system.threads(state):
                return None
            its = self._look(state, thread)
            if len(its.steps) != 1:
                return None
            step = its.steps[0]
            if step.choices or step.violation is not None:
                return None
            items.append(Item(thread, its.access))
            state = step.successor
        return state, tuple(items)

    def same(self, state: State, one: Iterable[int], other: Iterable[int]) -> Sequence | None:
        """The steps of `other`, if both sequences of threads lead from the state to one state."""
        expected = self.after(state, one)
        if expected is None:
            return None
        met = self.after(state, other)
        return met[1] if met is not None and met[0] == expected[0] else None


class ContextRaces:
    """What becomes of the races of the current execution when contexts count. Mutable.

    `execution` and `nodes` are those of the search.
    """

    def __init__(
        self,
        contexts: Contexts,
        execution: Execution,
        nodes: list[Node],
        algorithm: Algorithm,
    ) -> None:
        self._contexts = contexts
        self._execution = execution
        self._nodes = nodes
        self._algorithm = algorithm
        assert algorithm.dont_do is not None
        self._dont_do = algorithm.dont_do

    def compare(self, reversal: Reversal) -> None:
        """Lines 38, 39 and 42: excludes the reversed order if it leads to the same state.

        NOTE(whole-sequence): the two steps are compared right after each other, with only the
        ancestors of the later one before them (ance). The paper compares the states after
        v.suc(e), but excludes v.e: where the states are equal only after more steps of suc(e),
        another thread may see the difference before them.
        """
        node, v = reversal.node, reversal.v
        e, later = node.current, v[-1].thread
        assert e is not None
        before = [item.thread for item in ancestors(v)]
        found = self._contexts.same(node.state, (*before, e, later), (*before, later, e))
        if found is not None:
            self._dont_do.exclude(node, found)

    def note(self) -> None:
        """The execution has ended: what its threads have accessed, those that wait included."""
        made: Counter[int] = Counter()
        for node in self._nodes:
            if node.current is not None:
                access = node.next_of(node.current).access
                self._dont_do.note(node.current, made[node.current], access)
                made[node.current] += 1
        last = self._nodes[-1]
        for thread in last.threads:
            if thread != last.current and not last.next_of(thread).steps:
                self._dont_do.note(thread, made[thread], last.next_of(thread).access)

    def foresee(self) -> None:
        """The execution is given up: its events may race with those that would have followed.

        NOTE(races-beyond): the state at which it is given up is met otherwise, but the events that
        lead there are in another order, and other races follow. The paper looks at the races of
        the execution that is given up, and at none beyond. That loses executions. What threads may
        do from that state on, the search has met; as in stateful DPOR (DESIGN 4.4), a thread that
        races with an event e is added before e, or all are if it cannot move there.
        """
        made = Counter(event.thread for event in self._execution.events)
        for thread, access in self._dont_do.after(made):
            for e in self._execution.races_in_cut(thread, access, 0):
                node = self._nodes[e]
                enabled = list(node.enabled())
                free = thread in enabled and thread not in node.sleep
                for other in [thread] if free and not node.excluded(thread) else enabled:
                    self._algorithm.demand(node, other)
