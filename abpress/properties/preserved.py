r"""Preservation: what a search with a reduction still finds, in one order for all reductions.

A search *preserves* something if it finds it whenever the search without it does. Whoever
preserves one of these preserves what is below it:

                    TRACES            STATES
                   /      \          /      \
      OBSERVED_TRACES      FINAL_STATES      RACES
                   \      /     |      \       |
             OBSERVED_STATES    |    LASTING   |
                        |   OUTCOMES  /   \    |
                         \      |    /  STABLE |
                          DEADLOCKS        \   |
                                   \        \  |
                                     VIOLATIONS

TRACES is above RACES, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Preserved(Enum):
    """What is found, of executions that are judged (none at an assume, none cut off)."""

    TRACES = "every class of maximal executions by happens-before"
    OBSERVED_TRACES = "every such class, if the order of writes counts only where it is observed"
    STATES = "every state between two steps"
    RACES = "every pair of places at which two threads can stand before accesses that race"
    FINAL_STATES = "every state without a step (of a program that has ended, its shared memory)"
    OBSERVED_STATES = "every state without a step, but for what no thread reads any more"
    OUTCOMES = "every state without a step; of a program that has ended, how"
    LASTING = "every deadlocked state, and whatever stays so once it is so in a state"
    DEADLOCKS = "every deadlocked state"  # but for what no thread reads any more
    STABLE = "whatever stays so once it is so in a state"  # while the program runs
    VIOLATIONS = "every violation that a thread can reach"

    def includes(self, other: Preserved) -> bool:
        """Whether who preserves this preserves the other, too."""
        return self is other or any(below.includes(other) for below in _BELOW[self])


WITHOUT_INTERLEAVING = (Preserved.OUTCOMES, Preserved.LASTING, Preserved.RACES)
"""What is still found, with reductions that find it, where accesses that meet none in conflict do
not interleave with what others do (NOTE(synchronised-accesses))."""

_BELOW: Mapping[Preserved, tuple[Preserved, ...]] = {
    Preserved.TRACES: (Preserved.OBSERVED_TRACES, Preserved.FINAL_STATES, Preserved.RACES),
    Preserved.OBSERVED_TRACES: (Preserved.OBSERVED_STATES,),
    Preserved.STATES: (Preserved.FINAL_STATES, Preserved.RACES),
    Preserved.RACES: (Preserved.VIOLATIONS,),
    Preserved.FINAL_STATES: (Preserved.OBSERVED_STATES, Preserved.OUTCOMES, Preserved.LASTING),
    Preserved.OBSERVED_STATES: (Preserved.DEADLOCKS,),
    Preserved.OUTCOMES: (Preserved.DEADLOCKS,),
    Preserved.LASTING: (Preserved.DEADLOCKS, Preserved.STABLE),
    Preserved.DEADLOCKS: (Preserved.VIOLATIONS,),
    Preserved.STABLE: (Preserved.VIOLATIONS,),
    Preserved.VIOLATIONS: (),
}
"""The next ones below each."""
