"""Footprints of steps as bits of integers: what a step touches, and what conflicts with it.

Only keys that two threads touch count (others conflict with nothing), and, with abstraction, only
those that a label can mention. Which these are is found out as places are met; `version` says which
answers still stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from abpress.art.labels.pool import Pool
from abpress.art.node import Place
from abpress.symbolic.discrete import PROGRAM_KEY, Access, in_memory, thread_key
from abpress.symbolic.exchange import Moves, SymmetricSystem, bits_moved
from abpress.symbolic.system import SymbolicSystem

Bits = int
"""A set of threads, reads and writes."""

Summary = Mapping[int, Bits]
"""Access (see `Footprints.access`) -> its past: what certainly happens before it, itself included.
"""

_EVERYBODY = 0


class EventBits(NamedTuple):
    """The bits of an event: `own` its thread and accesses, `conflicts` its thread and what
    conflicts with it.
    """

    own: Bits
    conflicts: Bits


class Footprints:
    """Numbers for threads, accesses and pairs of both. Mutable; lives as long as an attempt.

    With a `pool`, integer cells that none of its formulas mentions and that are known nowhere do
    not count; None: all keys count. An *access* is one thread's reading or writing of one key.
    """

    def __init__(self, system: SymbolicSystem, pool: Pool | None = None) -> None:
        self.version = 0
        self._system = system
        self._pool = pool
        self._pool_size = 0
        self._symmetric = system if isinstance(system, SymmetricSystem) else None
        self._users: dict[str, int] = {}  # key -> thread, or _EVERYBODY
        self._known: set[str] = set()  # keys that were part of a discrete state
        self._met: dict[tuple[int, int], tuple[Access, ...]] = {}
        self._bits: dict[tuple[str, str | int], int] = {}
        self._events: dict[tuple[int, frozenset[str], frozenset[str]], EventBits] = {}
        self._next: dict[Place, Summary] = {}
        self._ids: dict[tuple[int, int], int] = {}
        self.thread_of: list[int] = []  # per access
        self.bit_of: list[Bits] = []

    # -- which keys count -----------------------------------------------------------------------

    def begin_tree(self) -> None:
        """Forgets which cells are known somewhere: another tree may have other places."""
        self._known.clear()
        if self._pool is not None:
            self._pool_size = len(self._pool)
            self._invalidate()

    def add_place(self, place: Place) -> None:
        """Takes note of what the threads at the place touch."""
        for thread in place.threads:
            accesses = self._system.accesses(place.discrete, thread)
            if (thread, id(accesses)) not in self._met:
                self._met[thread, id(accesses)] = accesses
                for access in accesses:
                    self._add_user(thread, access.reads)
                    self._add_user(thread, access.writes)
        if self._pool is not None:
            values = place.discrete.values
            if not self._known.issuperset(values):
                self._known.update(values)
                self._invalidate()

    def add_mentioned(self) -> None:
        """Takes note of what the pool mentions by now."""
        if self._pool is not None and self._pool_size < len(self._pool):
            self._pool_size = len(self._pool)
            self._invalidate()

    def _add_user(self, thread: int, keys: Iterable[str]) -> None:
        users = self._users
        for key in keys:
            user = users.setdefault(key, thread)
            if user != _EVERYBODY and (user != thread or self._is_alike(thread)):
                users[key] = _EVERYBODY
                self._invalidate()

    def _is_alike(self, thread: int) -> bool:
        """Whether a thread may be another one where a node is covered."""
        return self._symmetric is not None and self._symmetric.is_alike(thread)

    def _invalidate(self) -> None:
        """More keys count than before: drops what was derived from those that did."""
        self.version += 1
        self._events.clear()
        self._next.clear()

    def _counts(self, key: str) -> bool:
        """Whether accesses of the key can conflict. That the program is alive does not count: no
        violation follows its end."""
        if key == PROGRAM_KEY:
            return False
        if self._symmetric is not None and key.startswith(thread_key("")):
            return True
        if self._users.get(key) != _EVERYBODY:
            return False
        if self._pool is None or not in_memory(key) or key in self._known:
            return True
        return self._pool.mentions(key)

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

    def event(self, thread: int, reads: frozenset[str], writes: frozenset[str]) -> EventBits:
        """The bits of an event of the thread."""
        found = self._events.get((thread, reads, writes))
        if found is None:
            own = conflicts = self.thread(thread)
            for key in sorted(reads | writes):
                if self._counts(key):
                    read, write = self._bit("read", key), self._bit("write", key)
                    if key in reads:
                        own |= read
                        conflicts |= write
                    if key in writes:
                        own |= write
                        conflicts |= read | write
            found = self._events[thread, reads, writes] = EventBits(own, conflicts)
        return found

    def renamed(self, summary: Summary, moves: Moves) -> Summary:
        """The summary with threads, and their lives, taken for those that they become."""
        pairs, name = [], self._system.name
        for t, u in moves.items():
            pairs.append((self.thread(t), self.thread(u)))
            for kind in ("read", "write"):
                mine, its = (self._bit(kind, thread_key(name(k))) for k in (t, u))
                pairs.append((mine, its))
        moved, found = bits_moved(pairs), {}
        for access, past in summary.items():
            thread = self.thread_of[access]
            bit = moved(self.bit_of[access])
            found[self.access(moves.get(thread, thread), bit)] = moved(past)
        return found

    def next_events(self, place: Place, thread: int) -> tuple[EventBits, ...]:
        """The bits of all that the next step of the thread at the place may be."""
        accesses = self._system.accesses(place.discrete, thread)
        return tuple([self.event(thread, a.reads, a.writes) for a in accesses])

    def conflicts(self, place: Place, threads: Iterable[int]) -> Bits:
        """The accesses that conflict with the next step of one of the threads."""
        found = 0
        for thread in threads:
            for event in self.next_events(place, thread):
                found |= event.conflicts & ~self.thread(thread)
        return found

    def next_accesses(self, place: Place) -> Summary:
        """The accesses of next steps at a place, each with the least that happens with it."""
        found = self._next.get(place)
        if found is None:
            made: dict[int, Bits] = {}
            for thread in place.threads:
                mine = self.thread(thread)
                for own, _ in self.next_events(place, thread):
                    rest = own & ~mine
                    while rest:
                        bit = rest & -rest
                        rest ^= bit
                        access = self.access(thread, bit)
                        made[access] = made.get(access, own) & own
            found = self._next[place] = made
        return found
