"""Leaves of a wakeup tree that is explored by several searches: NOTE(native-leaves).

What is of interest to native code alone, on both sides, is bytes: lists of numbers, as
`abpress/core/native/leaves.c` and `planner.c` say.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

KEY_WORDS = 7
"""Words of a key of an access; the second one is a thread, or 0."""

NamedKey = tuple[int | str, ...]
"""These words, with the name of a thread."""

THREAD = 5
"""The first word of a key that is the life of a thread."""


@dataclass(frozen=True, slots=True)
class NamedAccess:
    """What a step of a thread accesses; whether it ends the program."""

    thread: str
    ends: bool
    reads: tuple[NamedKey, ...]
    writes: tuple[NamedKey, ...]

    @property
    def blind(self) -> Iterator[NamedKey]:
        """The cells that it writes blindly, where the order of writes counts if it is observed:
        what is written otherwise is read, too."""
        return (key for key in self.writes if key[0] != THREAD and key not in self.reads)


@dataclass(frozen=True, slots=True)
class TreeNews:
    """What has become of the tree since leaves were given to the same search, or the whole tree;
    with the accesses that have got the next numbers there."""

    whole: bool
    accesses: tuple[NamedAccess, ...]
    changes: bytes


@dataclass(frozen=True, slots=True)
class Leaves:
    """Leaves that are to be explored, in the order of the tree, and the ways to them. `threads` are
    those with numbers from 2 on: who creates them, and as its how many-th. `waited` are cells for
    which threads were seen to wait, as others have told."""

    numbers: bytes
    threads: tuple[tuple[int, int], ...] = ()
    news: TreeNews | None = None
    waited: frozenset[NamedKey] = frozenset()

    @property
    def each(self) -> tuple[int, ...]:
        """Their own numbers."""
        numbers = array("i", self.numbers)
        return tuple(numbers[1 : 1 + numbers[0]])


@dataclass(frozen=True, slots=True)
class Sequences:
    """What is to be explored from nodes on the ways to leaves; with the accesses that have got the
    next numbers there, and cells for which threads were seen to wait since."""

    accesses: tuple[NamedAccess, ...] = ()
    numbers: bytes = b""
    waited: tuple[NamedKey, ...] = ()


@dataclass(frozen=True, slots=True)
class LeavesBack:
    """Leaves come back: so many of them are `explored`, the first ones, as far as there is no
    `rest` below the last of these; so many of the others, the first ones, are `kept` by the worker,
    and then the rest is what it gives of the first of them."""

    explored: int
    rest: bytes = b""
    kept: int = 0
