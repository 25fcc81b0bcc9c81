"""Steps taken back without the states before them, and what tells states apart."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from operator import is_not
from typing import Any

from abpress.semantics.context import Context
from abpress.semantics.local_states import LocalState
from abpress.semantics.memory import DEAD
from abpress.semantics.outcome import Change, State


class Undo:
    """Takes steps back out of the middle of an execution, where that is possible.

    `made` makes the state of its components.
    """

    def __init__(self, context: Context, made: Callable[[Sequence[Any]], State]) -> None:
        self._index = context.index
        self._options = context.options
        self._base = context.base
        self._dynamic = context.dynamic
        self._made = made

    def change(self, before: State, after: State, t: int) -> Change | None:
        """What a step of thread t that leads from the one state to the other has changed.

        None if it has changed more than contents of fixed cells and the state of t: other steps may
        change that independently.
        """
        if len(before) != len(after) or before[self._dynamic] is not after[self._dynamic]:
            return None
        if self._options.losses and any(
            a is not b and a[0] != t
            for a, b in zip(before[self._base :], after[self._base :], strict=True)
        ):
            return None  # a join has taken the result away
        cells = range(self._dynamic)
        changed = tuple([(k, before[k]) for k in compress(cells, map(is_not, before, after))])
        return (*changed, (None, before[self._index(before, t)]))

    def restored(self, s: State, changes: Iterable[Change]) -> State:
        """The state with what was changed as it was before, one change after the other."""
        state = list(s)
        for change in changes:
            for k, old in change:
                state[self._index(s, old[0]) if k is None else k] = old
        return self._made(state)

    def with_local(self, s: State, t: int, local: LocalState) -> State:
        """The state with thread t in this local state instead of its own."""
        state = list(s)
        state[self._index(s, t)] = local
        return self._made(state)


Contents = tuple[Any, ...]
"""What the cells at fixed places hold, in the order of their addresses; opaque."""


class FixedCells:
    """The cells that have a fixed place in the states of a program."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @functools.cached_property
    def addresses(self) -> tuple[int, ...]:
        """The addresses of the cells, in the order of the state."""
        placed = sorted(self._context.objects.placed(), key=lambda info: info.slot or 0)
        return tuple(info.base + cell.offset for info in placed for cell in info.layout.cells)

    def split(self, s: State) -> tuple[State, Contents]:
        """The state without the contents of these cells, and these contents."""
        n = len(self.addresses)
        return s[n:], s[:n]

    def same_but(self, one: Contents, other: Contents, free: Callable[[int], bool]) -> bool:
        """Whether the same objects are alive, and the contents are the same but of cells whose
        addresses are `free`."""
        return one == other or all(
            a == b or (free(address) and DEAD not in (a, b))
            for address, a, b in zip(self.addresses, one, other, strict=True)
        )
