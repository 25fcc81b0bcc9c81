"""Accesses as bits of integers: what a step touches, what it conflicts with, what it comes after.

Only keys that two threads touch count (others conflict with nothing), and, if asked for, only those
that a label can speak of. Which these are is found out as places are met; `version` says which
answers still stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from abpress.art.node import Place
from abpress.symbolic.discrete import PROGRAM_KEY, Access
from abpress.symbolic.system import SymbolicSystem

Bits = int
"""A set of threads, reads and writes."""

Base = Mapping[int, Bits]
"""Access (one bit's index, and its thread; see `Alphabet.access`) -> what happens with it."""

_EVERYBODY = 0


class Masks(NamedTuple):
    """Of an event: `own` are its thread and accesses, `clash` the thread and what conflicts."""

    own: Bits
    clash: Bits


class Alphabet:
    """Numbers for threads, accesses and pairs of both. Mutable; lives as long as a search.

    `spoken(key)` says whether a label may mention an integer cell; None: all keys count.
    """

    def __init__(self, system: SymbolicSystem, spoken: Callable[[str], bool] | None = None) -> None:
        self.version = 0
        self._system = system
        self._spoken = spoken
        self._users: dict[str, int] = {}  # key -> thread, or _EVERYBODY
        self._known: set[str] = set()  # keys that were part of a discrete state
        self._met: dict[tuple[int, int], tuple[Access, ...]] = {}
        self._bits: dict[tuple[str, str | int], int] = {}
        self._masks: dict[tuple[int, frozenset[str], frozenset[str]], Masks] = {}
        self._bases: dict[Place, Base] = {}
        self._ids: dict[tuple[int, int], int] = {}
        self.thread_of: list[int] = []  # per access
        self.bit_of: list[Bits] = []

    # -- which keys count -----------------------------------------------------------------------

    def meet(self, place: Place) -> None:
        """Takes note of what the threads at the place touch."""
        for thread in place.threads:
            accesses = self._system.accesses(place.discrete, thread)
            if (thread, id(accesses)) not in self._met:
                self._met[thread, id(accesses)] = accesses
                for access in accesses:
                    self._use(thread, access.reads)
                    self._use(thread, access.writes)
        if self._spoken is not None:
            values = place.discrete.values
            if not self._known.issuperset(values):
                self._known.update(values)
                self.outdate()

    def _use(self, thread: int, keys: Iterable[str]) -> None:
        users = self._users
        for key in keys:
            user = users.setdefault(key, thread)
            if user != thread and user != _EVERYBODY:
                users[key] = _EVERYBODY
                self.outdate()

    def begin(self) -> None:
        """Another tree: which cells are known somewhere is found out again."""
        self._known.clear()
        self.hear()

    def hear(self) -> None:
        """Labels may mention more cells than before."""
        if self._spoken is not None:
            self.outdate()

    def outdate(self) -> None:
        """More keys count than before."""
        self.version += 1
        self._masks.clear()
        self._bases.clear()

    def _counts(self, key: str) -> bool:
        if key == PROGRAM_KEY or self._users.get(key) != _EVERYBODY:
            return False
        if self._spoken is None or "@" not in key or key in self._known:
            return True
        return self._spoken(key)

    # -- numbers --------------------------------------------------------------------------------

    def thread(self, thread: int) -> Bits:
        """The bit of a thread."""
        return self._bit("thread", thread)

    def _bit(self, kind: str, what: str | int) -> Bits:
        bits = self._bits
        return 1 << bits.setdefault((kind, what), len(bits))

    def access(self, thread: int, bit: Bits) -> int:
        """The number of a thread's access of one kind to one key."""
        found = self._ids.get((thread, bit))
        if found is None:
            found = self._ids[thread, bit] = len(self.thread_of)
            self.thread_of.append(thread)
            self.bit_of.append(bit)
        return found

    def masks(self, thread: int, reads: frozenset[str], writes: frozenset[str]) -> Masks:
        """Of an event of the thread."""
        found = self._masks.get((thread, reads, writes))
        if found is None:
            own = clash = self.thread(thread)
            for key in sorted(reads | writes):
                if self._counts(key):
                    read, write = self._bit("read", key), self._bit("write", key)
                    if key in reads:
                        own |= read
                        clash |= write
                    if key in writes:
                        own |= write
                        clash |= read | write
            found = self._masks[thread, reads, writes] = Masks(own, clash)
        return found

    def next(self, place: Place, thread: int) -> tuple[Masks, ...]:
        """Of all that the next step of the thread at the place may be."""
        accesses = self._system.accesses(place.discrete, thread)
        return tuple([self.masks(thread, a.reads, a.writes) for a in accesses])

    def clash(self, place: Place, threads: Iterable[int]) -> Bits:
        """The accesses that conflict with the next step of one of the threads."""
        found = 0
        for thread in threads:
            for masks in self.next(place, thread):
                found |= masks.clash & ~self.thread(thread)
        return found

    def base(self, place: Place) -> Base:
        """The accesses that come next at a place, each with the least that happens with it."""
        found = self._bases.get(place)
        if found is None:
            made: dict[int, Bits] = {}
            for thread in place.threads:
                mine = self.thread(thread)
                for own, _ in self.next(place, thread):
                    rest = own & ~mine
                    while rest:
                        bit = rest & -rest
                        rest ^= bit
                        access = self.access(thread, bit)
                        made[access] = made.get(access, own) & own
            found = self._bases[place] = made
        return found
