"""The local states of threads: where a thread stands, and with which registers."""

from __future__ import annotations

from typing import Any

from abpress.analysis.waiting import QuietCycles
from abpress.semantics.context import DONE, RUNNING, Context
from abpress.semantics.outcome import State

LocalState = tuple[Any, ...]
"""What a thread alone changes, and no other thread sees; opaque."""


class LocalStates:
    """Answers about the threads of one program."""

    def __init__(self, context: Context) -> None:
        self._index = context.index
        self._status = context.status
        found = context.facts.quiet_cycles
        self._cycles: tuple[QuietCycles | None, ...] = (
            *(cycles for name in context.codes for cycles in found[name]),
            None,  # found by the pc DONE
        )

    def of(self, s: State, t: int) -> LocalState:
        """The local state of thread t, equal if and only if it is at the same location with the
        same registers. All of t are equal when t has finished, or the program has ended."""
        if s[self._status] != RUNNING:
            return (t, DONE)
        local: LocalState = s[self._index(s, t)]
        return local

    def quiet_cycles(self, local: LocalState) -> QuietCycles | None:
        """The cycles without writes that a thread in this local state is on; None if it is on none,
        or has finished."""
        pc: int = local[1]
        return self._cycles[pc]

    def quiet_cycles_of(self, pc: int) -> QuietCycles | None:
        """The same of a thread that stands at a location."""
        return self._cycles[pc]

    def quiet_cycles_at(self, s: State, t: int) -> QuietCycles | None:
        """The cycles without writes that thread t is on in a state; None as for `quiet_cycles`."""
        pc: int = s[self._index(s, t)][1]
        return self._cycles[pc]

    @property
    def any_quiet_cycles(self) -> bool:
        """Whether the program has cycles without writes."""
        return any(cycles is not None for cycles in self._cycles)
