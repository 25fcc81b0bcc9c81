"""The accesses of steps as sets of bits, to compute happens-before for whole trees.

Two events conflict if they are of one thread, or if one writes what the other reads or writes. Keys
that no two threads use, or that nobody writes, conflict with nothing and have no bits. That a
program is alive (`PROGRAM_KEY`) does not count either: no violation follows its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from abpress.proof.expansion import CheckedTree
from abpress.semantics.naming import MAIN
from abpress.symbolic.discrete import PROGRAM_KEY, Discrete, SymbolicStep, thread_key
from abpress.symbolic.exchange import Moves, bits_moved

Bits = int
"""A set of threads, of reads of keys and of writes of keys."""


class TreeEvent(NamedTuple):
    """A step, or what it has touched before it waits: its thread and accesses, and what they
    conflict with (its thread, too)."""

    own: Bits
    clash: Bits


class Alphabet:
    """The bits of a tree. Mutable: remembers events.

    Of the keys, those count for which `counts` holds. What is accessed by a thread that is another
    one where a node is covered, or is its life, is accessed by several, NOTE(symmetric-covers).
    """

    def __init__(self, tree: CheckedTree, counts: Callable[[str], bool]) -> None:
        self._system = tree.system
        self._counts = counts
        self._events: dict[tuple[int, frozenset[str], frozenset[str]], TreeEvent] = {}
        self._next: dict[tuple[Discrete, int], tuple[TreeEvent, ...]] = {}
        self._moved = frozenset(t for moves in tree.moves.values() for t in moves)
        threads, keys = self._used(dict.fromkeys(tree.discrete.values()))
        self._threads = {t: 1 << k for k, t in enumerate(threads)}
        self._keys = {key: 1 << len(threads) + 2 * k for k, key in enumerate(keys)}
        self._names = [*map(self._system.name, threads)]
        for key in keys:
            self._names += [f"read of {key}", f"write of {key}"]

    def _used(self, places: Iterable[Discrete]) -> tuple[list[int], list[str]]:
        """The threads, ascending, and the keys that have bits."""
        threads: set[int] = set()
        users: dict[str, set[int]] = {}
        written: set[str] = set()
        for d in places:
            for t in self._system.threads(d):
                threads.add(t)
                its = {t, *self._moved} if t in self._moved else {t}
                for access in self._system.accesses(d, t):
                    written |= access.writes
                    for key in access.reads | access.writes:
                        users.setdefault(key, set()).update(its)
        lives = {thread_key(self._system.name(t)) for t in self._moved}
        threads |= self._moved
        written |= lives
        for key in lives:
            users.setdefault(key, set()).update((*self._moved, MAIN))
        keys = [
            key
            for key in sorted(written)
            if key != PROGRAM_KEY and len(users[key]) > 1 and self._counts(key)
        ]
        return sorted(threads), keys

    def threads(self, threads: Iterable[int]) -> Bits:
        """The bits of threads."""
        return sum(self._threads[t] for t in threads)

    def accesses(self, bits: Bits) -> Iterator[Bits]:
        """The reads and writes in a set, one by one."""
        rest = bits >> len(self._threads) << len(self._threads)
        while rest:
            yield rest & -rest
            rest &= rest - 1

    def renaming(self, moves: Moves) -> Callable[[Bits], Bits]:
        """What takes sets to those in which threads, and their lives, are what they become."""
        pairs = []
        for t, u in moves.items():
            pairs.append((self._threads[t], self._threads[u]))
            name = self._system.name
            mine = self._keys.get(thread_key(name(t)), 0)
            its = self._keys.get(thread_key(name(u)), 0)
            assert bool(mine) == bool(its)
            pairs += [(mine, its), (mine << 1, its << 1)]
        return bits_moved(pairs)

    def name(self, bit: Bits) -> str:
        """The access as people read it."""
        return self._names[bit.bit_length() - 1]

    def step(self, step: SymbolicStep) -> TreeEvent:
        """The event of a step."""
        return self._event(step.thread, step.reads, step.writes)

    def next(self, d: Discrete, t: int) -> tuple[TreeEvent, ...]:
        """All that the next step of a thread may be."""
        found = self._next.get((d, t))
        if found is None:
            every = (self._event(t, a.reads, a.writes) for a in self._system.accesses(d, t))
            found = self._next[d, t] = tuple(dict.fromkeys(every))
        return found

    def _event(self, t: int, reads: frozenset[str], writes: frozenset[str]) -> TreeEvent:
        found = self._events.get((t, reads, writes))
        if found is None:
            own = clash = self._threads[t]
            for key in reads | writes:
                read = self._keys.get(key, 0)
                write = read << 1
                if key in reads:
                    own |= read
                    clash |= write
                if key in writes:
                    own |= write
                    clash |= read | write
            found = self._events[t, reads, writes] = TreeEvent(own, clash)
        return found
