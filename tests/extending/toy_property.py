"""few-threads: never more than two threads are alive at once, the first one included."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from abpress.properties import Aspect, Preserved, Property, Shown

MOST = 2


@dataclass(frozen=True, slots=True)
class Crowd(Shown):
    """Too many threads are alive in the last state."""

    message: str = "too many threads are alive"
    sentence: str = message
    key: Hashable = message
    waits: tuple[int, ...] = ()

    def shown(self, system, state):
        return self if len(system.threads(state)) > MOST else None


class FewThreads(Property):
    name = "few-threads"
    meaning = "never more than two threads are alive"
    ltl = "G few_threads"
    looks_at = frozenset({Aspect.STATE})
    needs = Preserved.STATES

    def of_state(self, system, state):
        return Crowd().shown(system, state)
