"""Context-sensitive independence: steps that commute in a state, whatever they access.

After *Optimal Context-Sensitive Dynamic Partial Order Reduction with Observers*, section 3. Steps
that race are independent in a context where both orders lead to the same state: to equal states of
the interpreter, whose names of threads and objects do not depend on the interleaving.

What is conservative: steps that have choices, that violate a property, or that cannot be taken in
one of the orders, never commute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from abpress.por.stateless.algorithm import Item, Next, Node, Sequence, ancestors
from abpress.por.stateless.reversal import Reversal, Threads
from abpress.semantics.outcome import State


class Contexts:
    """Executes sequences of threads to compare where they lead."""

    def __init__(self, system: Threads, look: Callable[[State, int], Next]) -> None:
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

    def excluded(self, reversal: Reversal, last: Node) -> Sequence | None:
        """Line 38: what need not be done after E', since it leads where E.e' leads, too.

        `last` is E, after which the later event e' of the race comes. At first e and e' are
        compared where only the ancestors of e' are before them: what is found then is short, so it
        excludes most. Else all that is between them comes along.

        NOTE(whole-sequence): line 39 excludes v.e, although the states are compared after v.suc(e).
        Where they are equal only then, another thread may see the difference before.
        """
        v, removed = reversal.v, reversal.removed
        e, later = removed[0], v[-1].thread
        before = [item.thread for item in ancestors(v)]
        found = self.same(reversal.node.state, (*before, e, later), (*before, later, e))
        if found is not None or (len(before) + 1 == len(v) and len(removed) == 1):
            return found
        here = self.after(last.state, (later,))
        if here is None:
            return None
        there = self.after(reversal.node.state, (*(item.thread for item in v), *removed))
        return there[1] if there is not None and there[0] == here[0] else None
