"""Large states, which share what a step does not change.

A state of few components is a flat tuple (`semantics.context`): nothing is faster. One of LARGE
components or more is a `LargeState`. It can be read as that tuple, but its cells, objects and
threads are the leaves of trees, of which a step copies only what leads to those that it writes; its
hash is known from that of the state before. Which of the two a state is depends on its components
alone, so equal states are equal.

A tree is a tuple of WIDTH children, they are trees or at the lowest level values; `shift` is the
number of bits of a place that the levels below distinguish. Equality of trees is that of tuples,
which looks at identity first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Any, overload

LARGE = 1024
"""Components from which on a state is shared: copying and hashing fewer takes less time."""

_BITS = 4
WIDTH = 1 << _BITS
_MASK = WIDTH - 1
_EMPTY: tuple[None, ...] = (None,) * WIDTH

_NUMBERS = 5 * _BITS
"""The shift of a tree of objects, by their numbers."""

Tree = tuple[Any, ...]
Thread = tuple[Any, ...]


def _tree(values: Sequence[Any]) -> tuple[Tree, int]:
    """The tree of these values, and its shift; at least one level."""
    nodes, shift = list(values), -_BITS
    while len(nodes) > 1 or shift < 0:
        short = -len(nodes) % WIDTH
        nodes += [None] * (short if nodes else WIDTH)
        nodes = [tuple(nodes[k : k + WIDTH]) for k in range(0, len(nodes), WIDTH)]
        shift += _BITS
    root: Tree = nodes[0]
    return root, shift


def _with(tree: Tree | None, shift: int, place: int, value: Any) -> Tree:
    """The tree with another value at a place."""
    node = list(tree or _EMPTY)
    k = place >> shift & _MASK
    node[k] = _with(node[k], shift - _BITS, place, value) if shift else value
    return tuple(node)


def _without(tree: Tree, shift: int, place: int) -> Tree | None:
    """The tree without the value at a place, where there is one; None if nothing is left."""
    node = list(tree)
    k = place >> shift & _MASK
    node[k] = _without(node[k], shift - _BITS, place) if shift else None
    return tuple(node) if any(child is not None for child in node) else None


def _leaves(tree: Tree, shift: int) -> list[Any]:
    """All values, ascending by place, with those that are missing in the last ones."""
    nodes = list(tree)
    for _ in range(shift // _BITS):
        nodes = [child for node in nodes if node is not None for child in node]
    return nodes


class SharedObjects:
    """Objects in dynamic memory by their numbers: what is otherwise a tuple of (number, cells)."""

    __slots__ = ("_count", "_hash", "_tree")

    def __init__(self, tree: Tree | None, count: int, hash: int) -> None:
        self._tree = tree
        self._count = count
        self._hash = hash

    @staticmethod
    def of(objects: Iterable[tuple[int, tuple[Any, ...]]]) -> SharedObjects:
        """The objects of a flat state, or these objects themselves."""
        if isinstance(objects, SharedObjects):
            return objects
        found = NO_OBJECTS
        for number, cells in objects:
            found = found.put(number, cells)
        return found

    def get(self, number: int) -> tuple[Any, ...] | None:
        """The cells of an object; None if it is not there."""
        node, shift = self._tree, _NUMBERS
        while node is not None and shift:
            node = node[number >> shift & _MASK]
            shift -= _BITS
        return None if node is None else node[number & _MASK]

    def put(self, number: int, cells: tuple[Any, ...]) -> SharedObjects:
        """The objects with this one, or with other cells of it."""
        assert number >> _NUMBERS + _BITS == 0, "internal error: more objects than places"
        old = self.get(number)
        hashed = self._hash ^ hash((number, cells))
        if old is not None:
            hashed ^= hash((number, old))
        tree = _with(self._tree, _NUMBERS, number, cells)
        return SharedObjects(tree, self._count + (old is None), hashed)

    def drop(self, number: int) -> SharedObjects:
        """The objects without this one."""
        old = self.get(number)
        if old is None or self._tree is None:
            return self
        if self._count == 1:
            return NO_OBJECTS
        hashed = self._hash ^ hash((number, old))
        return SharedObjects(_without(self._tree, _NUMBERS, number), self._count - 1, hashed)

    def __iter__(self) -> Iterator[tuple[int, tuple[Any, ...]]]:
        yield from _numbered(self._tree, _NUMBERS, 0)

    def __len__(self) -> int:
        return self._count

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SharedObjects):
            return NotImplemented
        return self._hash == other._hash and self._tree == other._tree


NO_OBJECTS = SharedObjects(None, 0, 0)
"""The only empty one, as there is one empty tuple."""


def _numbered(tree: Tree | None, shift: int, first: int) -> Iterator[tuple[int, Any]]:
    for k, child in enumerate(tree or ()):
        if child is not None:
            number = first | k << shift
            if shift:
                yield from _numbered(child, shift - _BITS, number)
            else:
                yield number, child


@dataclass(frozen=True, slots=True)
class Shape:
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
        cells, cells_shift = _tree(components[: self.dynamic])
        threads, shift = _tree(components[self.base :])
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
    as bits (see `Shape.marks`): a thread at rest costs nothing but its bit.
    """

    __slots__ = (
        "_cells",
        "_cells_hash",
        "_cells_shift",
        "_count",
        "_hash",
        "_objects",
        "_shape",
        "_shift",
        "_status",
        "_threads",
        "_threads_hash",
        "alive",
        "quiet",
    )

    def __init__(
        self,
        shape: Shape,
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
        self._shape = shape
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
        return self._shape.base + self._count

    @overload
    def __getitem__(self, k: int) -> Any: ...

    @overload
    def __getitem__(self, k: slice) -> tuple[Any, ...]: ...

    def __getitem__(self, k: int | slice) -> Any:
        if k.__class__ is not int:
            assert isinstance(k, slice)
            return self._slice(k)
        shape = self._shape
        place: int = k - shape.base
        if place >= 0:
            if place >= self._count:
                raise IndexError(k)
            node, shift = self._threads, self._shift
        elif 0 <= k < shape.dynamic:
            place = k
            node, shift = self._cells, self._cells_shift
        elif k == shape.dynamic:
            return self._objects
        elif k == shape.dynamic + 1:
            return self._status
        else:
            return self[len(self) + k]
        while shift:
            node = node[place >> shift & _MASK]
            shift -= _BITS
        return node[place & _MASK]

    def _slice(self, which: slice) -> tuple[Any, ...]:
        places = range(*which.indices(len(self)))
        if len(places) < WIDTH:
            return tuple([self[k] for k in places])
        return tuple(self._components())[which]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._components())

    def _components(self) -> list[Any]:
        found = _leaves(self._cells, self._cells_shift)[: self._shape.dynamic]
        found += (self._objects, self._status)
        return found + _leaves(self._threads, self._shift)[: self._count]

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
        base = self._shape.base
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
        shape = self._shape
        cells, cells_hash = self._cells, self._cells_hash
        objects, status = self._objects, self._status
        threads, shift, threads_hash = self._threads, self._shift, self._threads_hash
        alive, quiet = self.alive, self.quiet
        count = length - shape.base
        if length < shape.large:
            components = self._components()[:length]
            for k, new in changes.items():
                components[k] = new
            return shape.state(components)
        if not count:
            (threads, shift), threads_hash, alive, quiet = _tree(()), 0, 0, 0
        while count - 1 >> shift + _BITS > 0:
            threads = (threads, *_EMPTY[1:])
            shift += _BITS
        changed = []
        for k, new in changes.items():
            if k >= shape.base:
                place = k - shape.base
                threads = _with(threads, shift, place, new)
                threads_hash ^= hash(new)
                changed.append(new)
                if place < self._count:
                    old = self[k]
                    threads_hash ^= hash(old)
                    changed.append(old)
            elif k < shape.dynamic:
                old = self[k]
                if new is not old:
                    cells = _with(cells, self._cells_shift, k, new)
                    cells_hash ^= hash((k, old)) ^ hash((k, new))
            elif k == shape.dynamic:
                objects = new
            else:
                status = new
        if changed:
            more, louder = shape.marks(changed)
            alive ^= more
            quiet ^= louder
        return LargeState(
            shape,
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


class ThreadSet(Sequence[int]):
    """Threads as bits, ascending."""

    __slots__ = ("_bits", "_quiet")

    def __init__(self, bits: int, quiet: int = 0) -> None:
        self._bits = bits
        self._quiet = quiet

    @property
    def quiet(self) -> ThreadSet:
        """Those of them that have no visible edge in their next step."""
        return ThreadSet(self._quiet, self._quiet)

    def __iter__(self) -> Iterator[int]:
        return members(self._bits)

    def __len__(self) -> int:
        return self._bits.bit_count()

    def __contains__(self, t: object) -> bool:
        return isinstance(t, int) and t >= 0 and bool(self._bits >> t & 1)

    @overload
    def __getitem__(self, k: int) -> int: ...

    @overload
    def __getitem__(self, k: slice) -> tuple[int, ...]: ...

    def __getitem__(self, k: int | slice) -> int | tuple[int, ...]:
        return tuple(self)[k]

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)


_WORD = 256


def members(bits: int) -> Iterator[int]:
    """The numbers of the bits, ascending."""
    for start in range(0, bits.bit_length(), _WORD):
        word = bits >> start & (1 << _WORD) - 1
        while word:
            low = word & -word
            yield start + low.bit_length() - 1
            word ^= low
