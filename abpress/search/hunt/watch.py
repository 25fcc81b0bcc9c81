"""Looks, in random executions, at threads that stand before accesses that may race."""

from __future__ import annotations

from collections.abc import Iterable

from abpress.properties import Property
from abpress.properties.finding import Finding
from abpress.semantics.in_place import InPlace
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.semantics.standing import StandingThreads

MOST_LOOKS = 32
"""Looks at a pair of places, after which there are fewer and fewer if none finds anything."""


class RaceWatch:
    """Tells after a move whether the state shows what a property looks for. Mutable.

    Whether two threads may race is known from where they stand, mostly. Where it depends on what
    they hold in registers that is asked always; where on memory, less and less often.
    """

    def __init__(
        self,
        system: Interpreter,
        property: Property,
        machine: InPlace,
        standing: StandingThreads,
    ) -> None:
        self._system = system
        self._property = property
        self._machine = machine
        self._standing = standing
        self._looks: dict[tuple[int, int], int] = {}
        self.masks = standing.masks

    def finding(self, place: int, others: Iterable[int]) -> Finding | None:
        """What the state shows of the thread at a place, beside some others."""
        s, masks = self._machine.state, self.masks
        one = s[place]
        at = masks[one[1]]
        if at is None:
            return None
        snapshot: State | None = None
        for other in others:
            two = s[other]
            beside = masks[two[1]]
            if beside is None or other == place or not at.races(beside):
                continue
            known = self._standing.known(one, two)
            if known is False or (known is None and not self._has_its_turn(one[1], two[1])):
                continue
            if snapshot is None:
                self._machine.filled += len(s)
                snapshot = self._machine.snapshot()
            if self._standing.race(snapshot, one, two):
                return self._property.of_state(self._system, snapshot)
        return None

    def _has_its_turn(self, one: int, other: int) -> bool:
        """Counts the looks at two places; whether this one is taken."""
        pair = (one, other) if one < other else (other, one)
        looks = self._looks[pair] = self._looks.get(pair, 0) + 1
        return looks <= MOST_LOOKS or not looks & (looks - 1)
