"""Trees that share what they have in common: sequences of values, and objects by their numbers.

A tree is a tuple of WIDTH children, they are trees or at the lowest level values; `shift` is the
number of bits of a place that the levels below distinguish. Equality of trees is that of tuples,
which looks at identity first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

BITS = 4
WIDTH = 1 << BITS
MASK = WIDTH - 1
EMPTY: tuple[None, ...] = (None,) * WIDTH

_NUMBERS = 5 * BITS
"""The shift of a tree of objects, by their numbers."""

Tree = tuple[Any, ...]


def tree_of(values: Sequence[Any]) -> tuple[Tree, int]:
    """The tree of these values, and its shift; at least one level."""
    nodes, shift = list(values), -BITS
    while len(nodes) > 1 or shift < 0:
        short = -len(nodes) % WIDTH
        nodes += [None] * (short if nodes else WIDTH)
        nodes = [tuple(nodes[k : k + WIDTH]) for k in range(0, len(nodes), WIDTH)]
        shift += BITS
    root: Tree = nodes[0]
    return root, shift


def with_value(tree: Tree | None, shift: int, place: int, value: Any) -> Tree:
    """The tree with another value at a place."""
    node = list(tree or EMPTY)
    k = place >> shift & MASK
    node[k] = with_value(node[k], shift - BITS, place, value) if shift else value
    return tuple(node)


def without_value(tree: Tree, shift: int, place: int) -> Tree | None:
    """The tree without the value at a place, where there is one; None if nothing is left."""
    node = list(tree)
    k = place >> shift & MASK
    node[k] = without_value(node[k], shift - BITS, place) if shift else None
    return tuple(node) if any(child is not None for child in node) else None


def leaves(tree: Tree, shift: int) -> list[Any]:
    """All values, ascending by place, with those that are missing in the last ones."""
    nodes = list(tree)
    for _ in range(shift // BITS):
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
            node = node[number >> shift & MASK]
            shift -= BITS
        return None if node is None else node[number & MASK]

    def put(self, number: int, cells: tuple[Any, ...]) -> SharedObjects:
        """The objects with this one, or with other cells of it."""
        assert number >> _NUMBERS + BITS == 0, "internal error: more objects than places"
        old = self.get(number)
        hashed = self._hash ^ hash((number, cells))
        if old is not None:
            hashed ^= hash((number, old))
        tree = with_value(self._tree, _NUMBERS, number, cells)
        return SharedObjects(tree, self._count + (old is None), hashed)

    def drop(self, number: int) -> SharedObjects:
        """The objects without this one."""
        old = self.get(number)
        if old is None or self._tree is None:
            return self
        if self._count == 1:
            return NO_OBJECTS
        hashed = self._hash ^ hash((number, old))
        return SharedObjects(without_value(self._tree, _NUMBERS, number), self._count - 1, hashed)

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
                yield from _numbered(child, shift - BITS, number)
            else:
                yield number, child
