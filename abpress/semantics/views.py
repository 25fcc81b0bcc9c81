"""States and steps in names and text: for traces, reports, and people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from abpress.errors import Position
from abpress.ir.types import OFFSET_BITS
from abpress.semantics.context import RUNNING, Context
from abpress.semantics.outcome import State
from abpress.semantics.tracing import ActionRecorder, TracedAction, describe

Observe = Callable[[State, int, tuple[int, ...], ActionRecorder], None]
"""Executes the step of a thread with these choices, for a recorder."""


class Views:
    """Answers about the states of one interpreter."""

    def __init__(self, context: Context, observe: Observe) -> None:
        self._context = context
        self._observe = observe

    def trace(self, s: State, t: int, choices: tuple[int, ...] = ()) -> tuple[TracedAction, ...]:
        """The actions of the step of t with these choices; of a step that does not exist, those
        until it ends."""
        recorder = ActionRecorder(self._context, t)
        self._observe(s, t, choices, recorder)
        return recorder.events()

    def describe(self, s: State) -> dict[str, Any]:
        """The state in values that `json` writes: `status`, `memory` and `threads`, by name."""
        return describe(self._context, s)

    def cells(self, s: State, shown: bool = False) -> Iterator[tuple[str, int | None]]:
        """The names of all cells of objects that are alive (`shown`: as people know them, which may
        be the same for several), and what they hold."""
        context = self._context
        dynamic = (context.objects.find(number << OFFSET_BITS) for number, _ in s[context.dynamic])
        for info in (*context.objects.placed(), *filter(None, dynamic)):
            cells = context.memory.alive(s, info) or ()
            for cell, value in zip(info.layout.cells, cells, strict=False):
                yield (info.shown if shown else info.name) + cell.path, value

    def ended(self, s: State) -> str | None:
        """How the program ended (by Exit or a violation); None if it did not."""
        status: str | int = s[self._context.status]
        return None if status == RUNNING else str(status)

    def position(self, s: State, t: int) -> Position:
        """Where an unfinished thread stands in the source."""
        return self._context.position(s[self._context.index(s, t)][1])

    def thread_name(self, t: int) -> str:
        """`main`, `main.1`, `main.1.2`: the creator's name and the number of the creation."""
        return self._context.threads.name(t)

    def threads_met(self) -> int:
        """How many threads there are in the states met so far; equal names count once."""
        return self._context.threads.count
