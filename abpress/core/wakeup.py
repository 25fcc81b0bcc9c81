"""A wakeup tree whose leaves several searches explore; `native/planner.c` says what it does."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Collection, Iterable
from itertools import chain
from typing import Any

from abpress.core.library import NUMBER, load


class SharedWakeupTree:
    """At first it has one leaf, the initial state. It may be of sequences whose writes count only
    if they are `observed`. Mutable: `bad` says what was wrong with what it was told, or that memory
    is used up; it is of no use then.

    Numbers of accesses that come from a search are mapped to those here by an array.
    """

    def __init__(self, observed: bool = False) -> None:
        self._library = load()
        self._tree = self._library.planner_new(observed)
        if not self._tree:
            raise MemoryError

    def __del__(self) -> None:
        tree, self._tree = self._tree, None
        if tree:
            self._library.planner_free(tree)

    def access(
        self, thread: int, touched: Iterable[int], written: Iterable[int], blind: Iterable[int]
    ) -> int:
        """The number of an access, from 1 on, of a thread to keys; key 0: the program runs."""
        lists = chain.from_iterable(_list(keys) for keys in (touched, written, blind))
        return int(self._library.planner_access(self._tree, thread, *lists))

    def insert(self, sequences: bytes, accesses: array[int]) -> None:
        """Takes in what is to be explored."""
        length = len(sequences) // NUMBER
        self._library.planner_insert(self._tree, sequences, length, *_map(accesses))

    def explored(self, leaves: Collection[int], rest: bytes, accesses: array[int]) -> None:
        """Leaves are explored, but for the rest of the last one."""
        its = _numbers(leaves), len(leaves), rest, len(rest) // NUMBER
        self._library.planner_explored(self._tree, *its, *_map(accesses))

    def divided(self, leaf: int, rest: bytes, accesses: array[int]) -> None:
        """A leaf that was given out begins further below from now on; the rest is above."""
        its = leaf, rest, len(rest) // NUMBER
        self._library.planner_divided(self._tree, *its, *_map(accesses))

    def open(self, leaf: int) -> None:
        """A leaf is to be given out again."""
        self._library.planner_open(self._tree, leaf)

    def give(self, most: int) -> bytes:
        """Leaves that are given out, and the ways to them: no more than so many."""
        length = ctypes.c_size_t()
        found = self._library.planner_give(self._tree, most, ctypes.byref(length))
        return ctypes.string_at(found, NUMBER * length.value) if length.value else b""

    def kept(self) -> bytes:
        """All of it; leaves that are given out are to be given out again."""
        return self._told(self._library.planner_keep)

    def load(self, kept: bytes) -> None:
        """Becomes what was kept, in place of a tree of which nothing is explored."""
        self._library.planner_load(self._tree, kept, len(kept) // NUMBER)

    def news(self) -> bytes:
        """What has become of it since this was asked for last, for copies."""
        return self._told(self._library.planner_news)

    def keeps_no_news(self) -> None:
        """Nobody is going to ask for news."""
        self._library.planner_keeps_no_news(self._tree)

    def whole(self) -> bytes:
        """All of it, as news of a tree of which nothing is explored."""
        return self._told(self._library.planner_whole)

    def copy(self, news: bytes) -> None:
        """Becomes a copy, or stays one, with what is new."""
        self._library.planner_copy(self._tree, news, len(news) // NUMBER)

    @property
    def pointer(self) -> object:
        """As native code knows it."""
        return self._tree

    @property
    def counts(self) -> tuple[int, int]:
        """How many leaves are to be given out, and how many are not explored yet."""
        found = (ctypes.c_uint64 * 2)()
        self._library.planner_counts(self._tree, found)
        return found[0], found[1]

    def _told(self, ask: Callable[..., Any]) -> bytes:
        length = ctypes.c_size_t()
        found = ask(self._tree, ctypes.byref(length))
        return ctypes.string_at(found, NUMBER * length.value) if length.value else b""

    @property
    def bad(self) -> str:
        """What is wrong; nothing."""
        return (self._library.planner_bad(self._tree) or b"").decode()


def _numbers(its: Iterable[int]) -> bytes:
    return array("i", its).tobytes()


def _list(its: Iterable[int]) -> tuple[bytes, int]:
    numbers = _numbers(its)
    return numbers, len(numbers) // NUMBER


def _map(accesses: array[int]) -> tuple[bytes, int]:
    return accesses.tobytes(), len(accesses)
