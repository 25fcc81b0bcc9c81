"""The local states of threads: where a thread stands, and with which registers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from abpress.analysis.waiting import QuietCycles, WaitingPlace
from abpress.semantics.context import DONE, RUNNING, Code, Context
from abpress.semantics.outcome import State

LocalState = tuple[Any, ...]
"""What a thread alone changes, and no other thread sees; opaque."""

FIRST_REGISTER = 2
"""The place of the first register of a frame in it."""


@dataclass(frozen=True, slots=True)
class LoopPlace:
    """A `WaitingPlace` of a program: `sources` are pcs, and the register of a cell of its own is
    given as its place in local states, None where none is known."""

    cycles: QuietCycles | None
    own: tuple[tuple[int | None, int], ...]
    alive: tuple[int, ...]
    sources: frozenset[int]
    source: bool

    def addresses(self, local: LocalState) -> list[int | None]:
        """The addresses of its own cells, of a thread in this local state."""
        return [None if k is None else local[k] + offset for k, offset in self.own]


def _loop_place(code: Code, i: int, place: WaitingPlace) -> LoopPlace:
    frame = code.frames[i]
    return LoopPlace(
        place.cycles,
        tuple(
            (None if name is None else FIRST_REGISTER + frame.index(name), offset)
            for name, offset in place.own
        ),
        place.alive,
        frozenset(code.first_pc + k for k in place.sources),
        place.source,
    )


class LocalStates:
    """Answers about the threads of one program."""

    def __init__(self, context: Context) -> None:
        self._index = context.index
        self._status = context.status
        found = context.facts.waiting
        self._places: tuple[LoopPlace | None, ...] = (
            *(
                None if place is None else _loop_place(code, i, place)
                for name, code in context.codes.items()
                for i, place in enumerate(found[name])
            ),
            None,  # found by the pc DONE
        )

    def of(self, s: State, t: int) -> LocalState:
        """The local state of thread t, equal if and only if it is at the same location with the
        same registers. All of t are equal when t has finished, or the program has ended."""
        if s[self._status] != RUNNING:
            return (t, DONE)
        local: LocalState = s[self._index(s, t)]
        return local

    def place(self, local: LocalState) -> LoopPlace | None:
        """What the location of a thread in this local state has to do with loops that may only
        wait; None if nothing, or if the thread has finished."""
        pc: int = local[1]
        return self._places[pc]

    def place_of(self, pc: int) -> LoopPlace | None:
        """The same of a thread that stands at a location."""
        return self._places[pc]

    def place_at(self, s: State, t: int) -> LoopPlace | None:
        """The same of thread t in a state."""
        pc: int = s[self._index(s, t)][1]
        return self._places[pc]

    @property
    def any_quiet_cycles(self) -> bool:
        """Whether the program has cycles without writes."""
        return any(place is not None for place in self._places)
