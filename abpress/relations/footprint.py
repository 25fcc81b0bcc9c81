"""Footprints: what next steps of threads access, and the conflict relation on them, by bits.

Two steps of different threads are dependent if one writes a cell that the other reads or writes;
where a step exists only for some values, so does its write: a compare-and-swap that fails is a
read. Mutexes are cells, NOTE(locks-are-cells). The creation of a thread is dependent with its
steps, its end with joins, and the end of the program with everything, NOTE(exits-are-steps). An
atomic block is one step and accesses what its actions access. `Footprint.conflicts` decides that
by bits, as `relations.conflict` does by keys; docs/theory.md has more (Dependence).

The attempt of a thread that waits counts as a step: who is independent of it leaves it waiting. Of
a step with choices, everything that it may access counts, whatever is chosen.

A write is *blind* if the step does not read the cell, neither to compute with nor to wait for. Two
steps that only share cells that both write blindly lead to states that differ in what may never be
read: with observers (`relations.observed`) they are dependent only where somebody reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    """What the next step of a thread accesses: keys as in `semantics.recording.Recorded`.

    `touched` and `written` are the same as bit sets, with bits for the program's being alive
    (touched by all, written by its end) and for the thread's own `life`. `blind` are the bits of
    cells that are written blindly. Interned by `InternedFootprints`.
    """

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    ends: bool
    touched: int
    written: int
    blind: int = 0
    life: int = 0

    def conflicts(self, other: Footprint) -> bool:
        """Whether one of the steps writes what the other touches. If not, both orders are possible
        and lead to the same: they are independent."""
        return bool(self.written & other.touched or self.touched & other.written)

    def ordered(self, other: Footprint) -> bool:
        """Whether the two steps are dependent although nobody observes their blind writes."""
        shared = self.written & other.touched | self.touched & other.written
        return shared & ~(self.blind & other.blind) != 0

    def is_part(self, other: Footprint) -> bool:
        """Whether the step accesses nothing but what the other one does."""
        return not (self.touched & ~other.touched or self.written & ~other.written)

    def joined(self, other: Footprint) -> Footprint:
        """The bits of both, for steps that are asked about together."""
        touched, written = self.touched | other.touched, self.written | other.written
        return Footprint((), (), False, touched, written)

    def read(self) -> int:
        """The bits that are touched, but not written blindly."""
        return self.touched & ~self.blind


FootprintKey = tuple[int, tuple[int, ...], tuple[int, ...], bool, bool]
"""Thread, reads, writes, ends and certain, as of `InternedFootprints.of`."""


class InternedFootprints:
    """Makes footprints, one object for equal ones. Mutable.

    With `observers`, writes may be blind; then, and for `whole` executions (`relations.observed`),
    all other writes count as reads, too. NOTE(waiting): a cell that some thread waits for is never
    written blindly, so that an order of writes that lets a thread move is one that matters. That a
    thread waits may be seen after footprints were made: then `stale` is set, they are worth
    nothing, and the search begins again with `renewed()`. `contested` are the keys of cells that
    several threads write blindly.
    """

    def __init__(self, observers: bool = False, whole: bool = False) -> None:
        self._observers = observers
        self._whole = whole or observers
        self._bits: dict[int, int] = {}
        self._known: dict[FootprintKey, Footprint] = {}
        self._waited: set[int] = set()
        self._blind: dict[int, int] = {}  # key -> a thread that writes it blindly
        self.contested: set[int] = set()
        self.stale = False

    def renewed(self) -> InternedFootprints:
        """New ones that know what threads wait for."""
        accesses = InternedFootprints(self._observers, self._whole)
        accesses._waited = self._waited
        return accesses

    def of(
        self,
        thread: int,
        reads: tuple[int, ...],
        writes: tuple[int, ...],
        ends: bool,
        certain: bool = True,
    ) -> Footprint:
        """The footprint of a step of the thread; `certain`: there is no choice."""
        key = (thread, reads, writes, ends, certain)
        access = self._known.get(key)
        if access is None:
            blind = self._blindly(thread, reads, writes) if self._observers and certain else ()
            if self._whole:
                reads += tuple(k for k in writes if k >= 0 and k not in blind and k not in reads)
            written = self.bits(writes) | ends
            life = self.bits((-thread,))
            touched = life | self.bits(reads) | written | 1
            access = Footprint(reads, writes, ends, touched, written, self.bits(blind), life)
            self._known[key] = access
        return access

    def made(self) -> dict[Footprint, FootprintKey]:
        """What the accesses were made of: thread, reads, writes, ends, certain."""
        return {access: key for key, access in self._known.items()}

    def bits(self, keys: Iterable[int]) -> int:
        """The set of these keys."""
        found = 0
        for key in keys:
            bit = self._bits.get(key)
            if bit is None:
                bit = self._bits[key] = 2 << len(self._bits)
            found |= bit
        return found

    def members(self, bits: int) -> tuple[int, ...]:
        """The keys in a set."""
        return tuple(key for key, bit in self._bits.items() if bits & bit)

    @property
    def written_blindly(self) -> dict[int, int]:
        """The keys of cells that are written blindly, each with a thread that does so."""
        return dict(self._blind)

    @property
    def waited_for(self) -> frozenset[int]:
        """The keys that threads wait for, as far as it matters."""
        return frozenset(self._waited)

    def learn(
        self, blind: Mapping[int, int], waited: Iterable[int], contested: Iterable[int]
    ) -> None:
        """Takes over what another search has seen; may find these `stale`, as `waits`."""
        for key, thread in blind.items():
            if self._blind.setdefault(key, thread) != thread:
                self.contested.add(key)
        self.contested.update(contested)
        self._waited.update(waited)
        self.stale |= not self._waited.isdisjoint(self._blind)

    def waits(self, reads: Iterable[int]) -> None:
        """Notes that a thread waits whose attempt reads these keys."""
        if self._observers:
            self._waited.update(reads)
            self.stale |= not self._waited.isdisjoint(self._blind)

    def _blindly(
        self, thread: int, reads: tuple[int, ...], writes: tuple[int, ...]
    ) -> tuple[int, ...]:
        waited = self._waited
        keys = tuple(k for k in writes if k >= 0 and k not in reads and k not in waited)
        self.contested.update(k for k in keys if self._blind.setdefault(k, thread) != thread)
        return keys
