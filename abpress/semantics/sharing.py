"""Large states, which share what a step does not change.

A state of few components is a flat tuple (`semantics.context`): nothing is faster. One of LARGE
components or more is a `LargeState`. It can be read as that tuple, but its cells, objects and
threads are the leaves of trees (`semantics.trees`), of which a step copies only what leads to those
that it writes; its hash is known from that of the state before. Which of the two a state is depends
on its components alone, so equal states are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Any, overload

from abpress.semantics.trees import (
    BITS,
    EMPTY,
    MASK,
    WIDTH,
    SharedObjects,
    Tree,
    leaves,
    tree_of,
    with_value,
)

Thread = tuple[Any, ...]

LARGE = 1024
"""Components from which on a state is shared: copying and hashing fewer takes less time."""


@dataclass(frozen=True, slots=True)
class StateLayout:
    """Where the components of a program's states are, as in `semantics.context`.

    `finished` is the pc of finished threads; `quiet` tells by the pc which threads have no visible
    edge in their next step. A state of `large` components or more is a large one.
    """

    dynamic: int
    base: int
    finished: int
    quiet: Sequence[bool]
    large: int

    def state(self, components: Sequence[Any]) -> tuple[Any, ...] | LargeState:
        """The state of these components: flat, or a large one."""
        if len(components) < self.large:
            objects = components[self.dynamic]
            if objects.__class__ is not tuple:
                components = list(components)
                components[self.dynamic] = tuple(objects)
            return tuple(components)
        cells, cells_shift = tree_of(components[: self.dynamic])
        threads, shift = tree_of(components[self.base :])
        alive, quiet = self.marks(components[self.base :])
        return LargeState(
            self,
            cells,
            cells_shift,
            _hash_of_cells(components[: self.dynamic]),
            SharedObjects.of(components[self.dynamic]),
            components[self.dynamic + 1],
            threads,
            shift,
            len(components) - self.base,
            _hash_of_threads(components[self.base :]),
            alive,
            quiet,
        )

    def marks(self, threads: Iterable[Thread]) -> tuple[int, int]:
        """The threads that are unfinished, and those that are quiet, as bits."""
        alive = quiet = 0
        for thread in threads:
            if thread[1] != self.finished:
                alive ^= 1 << thread[0]
                if self.quiet[thread[1]]:
                    quiet ^= 1 << thread[0]
        return alive, quiet


def _hash_of_cells(cells: Iterable[Any]) -> int:
    return reduce(xor, map(hash, enumerate(cells)), 0)


def _hash_of_threads(threads: Iterable[Thread]) -> int:
    return reduce(xor, map(hash, threads), 0)


class LargeState(Sequence[Any]):
    """A state that shares with others what they have in common; it reads as a flat one.

    In the place of dynamic memory it has `SharedObjects`. `alive` and `quiet` are sets of threads
    as bits (see `StateLayout.marks`): a thread at rest costs nothing but its bit.
    """

    __slots__ = (
        "_cells",
        "_cells_hash",
        "_cells_shift",
        "_count",
        "_hash",
        "_layout",
        "_objects",
        "_shift",
        "_status",
        "_threads",
        "_threads_hash",
        "alive",
        "quiet",
    )

    def __init__(
        self,
        layout: StateLayout,
        cells: Tree,
        cells_shift: int,
        cells_hash: int,
        objects: SharedObjects,
        status: Any,
        threads: Tree,
        shift: int,
        count: int,
        threads_hash: int,
        alive: int,
        quiet: int,
    ) -> None:
        self._layout = layout
        self._cells = cells
        self._cells_shift = cells_shift
        self._cells_hash = cells_hash
        self._objects = objects
        self._status = status
        self._threads = threads
        self._shift = shift
        self._count = count
        self._threads_hash = threads_hash
        self._hash = cells_hash ^ threads_hash ^ hash((status, hash(objects)))
        self.alive = alive
        self.quiet = quiet

    # -- as a flat tuple ------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._layout.base + self._count

    @overload
    def __getitem__(self, k: int) -> Any: ...

    @overload
    def __getitem__(self, k: slice) -> tuple[Any, ...]: ...

    def __getitem__(self, k: int | slice) -> Any:
        if k.__class__ is not int:
            assert isinstance(k, slice)
            return self._slice(k)
        layout = self._layout
        place: int = k - layout.base
        if place >= 0:
            if place >= self._count:
                raise IndexError(k)
            node, shift = self._threads, self._shift
        elif 0 <= k < layout.dynamic:
            place = k
            node, shift = self._cells, self._cells_shift
        elif k == layout.dynamic:
            return self._objects
        elif k == layout.dynamic + 1:
            return self._status
        else:
            return self[len(self) + k]
        while shift:
            node = node[place >> shift & MASK]
            shift -= BITS
        return node[place & MASK]

    def _slice(self, which: slice) -> tuple[Any, ...]:
        places = range(*which.indices(len(self)))
        if len(places) < WIDTH:
            return tuple([self[k] for k in places])
        return tuple(self._components())[which]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._components())

    def _components(self) -> list[Any]:
        found = leaves(self._cells, self._cells_shift)[: self._layout.dynamic]
        found += (self._objects, self._status)
        return found + leaves(self._threads, self._shift)[: self._count]

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LargeState):
            return NotImplemented
        return (
            self._hash == other._hash
            and self._count == other._count
            and self._status == other._status
            and self._threads == other._threads
            and self._cells == other._cells
            and self._objects == other._objects
        )

    # -- threads --------------------------------------------------------------------------------

    def place(self, t: int) -> int | None:
        """The index of the component of a thread; None if there is none."""
        low, high = 0, self._count
        base = self._layout.base
        while low < high:
            middle = (low + high) // 2
            if self[base + middle][0] < t:
                low = middle + 1
            else:
                high = middle
        return base + low if low < self._count and self[base + low][0] == t else None

    # -- changes --------------------------------------------------------------------------------

    def changed(self, changes: dict[int, Any], length: int) -> tuple[Any, ...] | LargeState:
        """The state with other components at these indices, and of this length: more threads, or
        none at all."""
        layout = self._layout
        cells, cells_hash = self._cells, self._cells_hash
        objects, status = self._objects, self._status
        threads, shift, threads_hash = self._threads, self._shift, self._threads_hash
        alive, quiet = self.alive, self.quiet
        count = length - layout.base
        if length < layout.large:
            components = self._components()[:length]
            for k, new in changes.items():
                components[k] = new
            return layout.state(components)
        if not count:
            (threads, shift), threads_hash, alive, quiet = tree_of(()), 0, 0, 0
        while count - 1 >> shift + BITS > 0:
            threads = (threads, *EMPTY[1:])
            shift += BITS
        changed = []
        for k, new in changes.items():
            if k >= layout.base:
                place = k - layout.base
                threads = with_value(threads, shift, place, new)
                threads_hash ^= hash(new)
                changed.append(new)
                if place < self._count:
                    old = self[k]
                    threads_hash ^= hash(old)
                    changed.append(old)
            elif k < layout.dynamic:
                old = self[k]
                if new is not old:
                    cells = with_value(cells, self._cells_shift, k, new)
                    cells_hash ^= hash((k, old)) ^ hash((k, new))
            elif k == layout.dynamic:
                objects = new
            else:
                status = new
        if changed:
            more, louder = layout.marks(changed)
            alive ^= more
            quiet ^= louder
        return LargeState(
            layout,
            cells,
            self._cells_shift,
            cells_hash,
            objects,
            status,
            threads,
            shift,
            count,
            threads_hash,
            alive,
            quiet,
        )


class Draft:
    """A large state that a step is changing. Mutable: it has what differs."""

    __slots__ = ("_base", "_changes", "_length", "_state")

    def __init__(self, state: LargeState, base: int) -> None:
        self._state = state
        self._base = base
        self._changes: dict[int, Any] = {}
        self._length = len(state)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, k: int | slice) -> Any:
        if isinstance(k, slice):
            return tuple([self[j] for j in range(*k.indices(self._length))])
        return self._changes[k] if k in self._changes else self._state[k]

    def __setitem__(self, k: int | slice, new: Any) -> None:
        if isinstance(k, slice):
            places = range(*k.indices(self._length))
            self._changes.update(zip(places, new, strict=True))
        else:
            self._changes[k] = new

    def __delitem__(self, threads: slice) -> None:
        """All threads stop."""
        assert threads == slice(self._base, None)
        self._length = self._base
        self._changes = {k: new for k, new in self._changes.items() if k < self._base}

    def insert(self, k: int, thread: Thread) -> None:
        """A thread more, in front of the one at an index."""
        for j in range(self._length, k, -1):
            self._changes[j] = self[j - 1]
        self._changes[k] = thread
        self._length += 1

    def state(self) -> tuple[Any, ...] | LargeState:
        """The state as it is now."""
        return self._state.changed(self._changes, self._length)
