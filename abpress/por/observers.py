"""Happens-before of a whole execution in which writes matter only if they are observed.

After *Optimal Dynamic Partial Order Reduction with Observers* (Aronis, Jonsson, Lång, Sagonas), as
in section 2.2 of *Optimal Context-Sensitive Dynamic Partial Order Reduction with Observers*: two
blind writes of a cell (`por.dependence`) are unordered, unless the later one is observed: some
event reads the cell while it holds what the later one has written. Then every earlier write of the
cell happens before it. All else is as in `por.happens_before`.

Executions with the same events and the same happens-before read the same everywhere: a read comes
after all writes that it came after, of which the one that it reads is the last. So they do the
same, up to the final values of cells, which nobody reads any more.

- *Observers* of a race of two blind writes: the events that read what the later one has written to
  a cell of both, without those that happen after another one (Definition 2.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from abpress.por.happens_before import Event, Order


class Race(NamedTuple):
    """Events e and e' in a race, e the earlier; its observers, ascending, if it needs some."""

    first: int
    second: int
    observers: tuple[int, ...]


@dataclass(slots=True)
class _Cell:
    """`writer`: the last write that is observed; `readers` who has read it, or the initial value;
    `blind`: the writes since then, which nobody has observed yet."""

    writer: int = -1
    readers: list[int] = field(default_factory=list)
    blind: list[int] = field(default_factory=list)


class ObservedExecution(Order):
    """An execution that has ended. `pasts` are with observers."""

    def __init__(self, events: Iterable[Event]) -> None:
        events = list(events)
        self._fixed = [0] * len(events)  # what comes before an event in any order
        self._before = [0] * len(events)  # what it directly depends on
        self._readers: list[dict[int, list[int]]] = [{} for _ in events]  # by cell
        self._relate(events)
        pasts: list[int] = []
        for n in range(len(events)):
            pasts.append(_closure(pasts, self._fixed[n] | self._before[n]))
        self._pasts = pasts
        super().__init__([replace(e, past=p) for e, p in zip(events, pasts, strict=True)])

    def races(self) -> Iterator[Race]:
        """The races, by their later events."""
        pasts = self._pasts
        for n in range(len(self.events)):
            past = _closure(pasts, self._fixed[n])
            for e in reversed(list(_members(self._before[n] & ~past))):
                if not past >> e & 1:
                    past |= pasts[e] | 1 << e
                    yield Race(e, n, self._observers(e, n))

    def _observers(self, e: int, second: int) -> tuple[int, ...]:
        access = self.events[second].access
        if self.events[e].access.ordered(access):
            return ()
        written = set(self.events[e].access.writes)
        readers = {r for key, them in self._readers[second].items() if key in written for r in them}
        return tuple(
            o for o in sorted(readers) if not any(self._pasts[o] >> r & 1 for r in readers)
        )

    def _relate(self, events: list[Event]) -> None:
        fixed, before = self._fixed, self._before
        last: dict[int, int] = {}
        lives: dict[int, int] = {}
        cells: dict[int, _Cell] = {}
        ending = -1  # it might have ended the program
        for n, event in enumerate(events):
            thread, access = event.thread, event.access
            if ending >= 0:
                before[n] |= 1 << ending
            previous = last.get(thread, lives.get(-thread, -1))
            if previous >= 0:
                fixed[n] |= 1 << previous
            last[thread] = n
            for key in access.reads:
                if key >= 0:
                    self._read(n, key, cells.setdefault(key, _Cell()))
                elif key in lives:
                    fixed[n] |= 1 << lives[key]
            for key in access.writes:
                if key >= 0:
                    cell = cells.setdefault(key, _Cell())
                    before[n] |= sum(1 << r for r in cell.readers if r != n)
                    cell.blind.append(n)
                else:
                    lives[key] = n
            if access.ends:
                before[n] |= (1 << n) - 1
                ending = n

    def _read(self, n: int, key: int, cell: _Cell) -> None:
        if cell.blind:
            *others, cell.writer = cell.blind
            self._before[cell.writer] |= sum(1 << w for w in others)
            cell.blind, cell.readers = [], []
        if cell.writer >= 0:
            self._before[n] |= 1 << cell.writer
            self._readers[cell.writer].setdefault(key, []).append(n)
        cell.readers.append(n)


def _members(events: int) -> Iterator[int]:
    while events:
        yield (events & -events).bit_length() - 1
        events &= events - 1


def _closure(pasts: list[int], events: int) -> int:
    """The events and their pasts."""
    for e in _members(events):
        events |= pasts[e]
    return events
