"""no-deadlock: no execution ends with threads that wait for one another."""

from __future__ import annotations

from abpress.properties.ends import End
from abpress.properties.finding import Deadlock, Finding
from abpress.properties.preserved import Preserved
from abpress.properties.property import Aspect, Property, Variant
from abpress.semantics.protocols import S, TransitionSystem


class NoDeadlock(Property):
    """Violated by a state in which some thread is unfinished, none can move, and all of them wait
    for one another (none at an assume, and no execution was cut off there).

    A wait on a condition variable may end without a signal, but need not: a thread that waits is
    not rescued by a wake-up that nobody owes it.
    """

    name = "no-deadlock"
    meaning = "no execution ends in a state in which all unfinished threads wait for one another"
    ltl = "G ! deadlock"
    looks_at = frozenset({Aspect.DEADLOCK})
    needs = Preserved.DEADLOCKS
    variant = Variant(spurious_wakeups="chosen")

    def of_end(self, system: TransitionSystem[S], state: S, end: End) -> Finding | None:
        """The threads that wait, if that is how the execution ends."""
        return Deadlock(tuple(system.threads(state))) if end is End.DEADLOCK else None
