"""Happens-before of a whole execution in which writes matter only if they are observed.

After [Observers18], as told in section 2.2 of [ContextSensitive19]: two blind writes of a cell
(`relations.footprint`) are unordered, unless the later one is observed: some event reads the cell
while it holds what the later one has written. Then every earlier write of the cell happens before
it. All else is as in `relations.happens_before`.

Executions with the same events and the same happens-before read the same everywhere: a read comes
after all writes that it came after, of which the one that it reads is the last. So they do the
same, up to the final values of cells, which nobody reads any more.

- *Observers* of a race of two blind writes: the events that read what the later one has written to
  a cell of both, without those that happen after another one ([ContextSensitive19], Definition
  2.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from abpress.relations.happens_before import Event, Order


class ObservedRace(NamedTuple):
    """Events e and e' in a race, e the earlier; its observers, ascending, if it needs some."""

    first: int
    second: int
    observers: tuple[int, ...]


class _Cell(NamedTuple):
    """`writer`: the last write that is observed; `readers` who has read it, or the initial value;
    `blind`: the writes since then, which nobody has observed yet."""

    writer: int = -1
    readers: tuple[int, ...] = ()
    blind: tuple[int, ...] = ()


_UNTOUCHED = _Cell()


class _Before(NamedTuple):
    """What the last event has changed, as it was before. `pasts` are those from `changed` on."""

    last: int | None
    lives: list[tuple[int, int | None]]
    cells: list[tuple[int, _Cell]]
    ending: int
    observed: list[int]
    befores: list[tuple[int, int]]
    changed: int
    pasts: list[int]


class ObservedExecution(Order):
    """An execution that has ended, which then is another one. `pasts` are with observers."""

    def __init__(self) -> None:
        super().__init__()
        self._fixed: list[int] = []  # what comes before an event in any order
        self._before: list[int] = []  # what it directly depends on
        self._readers: list[list[tuple[int, int]]] = []  # of what it has written: key and event
        self._last: dict[int, int] = {}  # thread -> its last event
        self._lives: dict[int, int] = {}  # key of a thread's life -> who has written it last
        self._cells: dict[int, _Cell] = {}
        self._ending = -1  # the last event that might have ended the program
        self._undo: list[_Before] = []

    def go(self, events: list[Event], writes_ordered: bool = False) -> None:
        """Makes this the execution of these events. `writes_ordered`: it is known that no two
        threads write the same cell blindly."""
        self.writes_ordered = writes_ordered
        mine = self.events
        n = 0
        for one, other in zip(mine, events, strict=False):
            if one is not other:
                break
            n += 1
        while len(mine) > n:
            self._pop()
        for event in events[n:]:
            self._push(event)

    def races(self, first: int) -> Iterator[ObservedRace]:
        """The races whose earlier event is one of the set `first`, by their later events."""
        pasts = self.pasts
        for n, before in enumerate(self._before):
            if before & first:
                past = _closure(pasts, self._fixed[n])
                for e in reversed(list(_members(before & ~past))):
                    if not past >> e & 1:
                        past |= pasts[e] | 1 << e
                        if first >> e & 1:
                            yield ObservedRace(e, n, self._observers(e, n))

    def _observers(self, e: int, second: int) -> tuple[int, ...]:
        access = self.events[second].access
        if self.events[e].access.ordered(access):
            return ()
        written = self.events[e].access.writes
        readers = {r for key, r in self._readers[second] if key in written}
        return tuple(o for o in sorted(readers) if not any(self.pasts[o] >> r & 1 for r in readers))

    def _push(self, event: Event) -> None:
        n, thread, access = len(self.events), event.thread, event.access
        undo = _Before(self._last.get(thread), [], [], self._ending, [], [], n, [])
        before = 1 << self._ending if self._ending >= 0 else 0
        previous = self._last.get(thread, self._lives.get(-thread, -1))
        fixed = 1 << previous if previous >= 0 else 0
        self._last[thread] = n
        changed = n
        for key in access.reads:
            if key >= 0:
                writer, observed = self._read(n, key, undo)
                before |= 1 << writer if writer >= 0 else 0
                changed = min(changed, observed)
            elif key in self._lives:
                fixed |= 1 << self._lives[key]
        for key in access.writes:
            if key >= 0:
                before |= self._write(n, key, undo)
            else:
                undo.lives.append((key, self._lives.get(key)))
                self._lives[key] = n
        if access.ends:
            before |= (1 << n) - 1
            self._ending = n
        self.events.append(event)
        self._fixed.append(fixed)
        self._before.append(before)
        self._readers.append([])
        self._undo.append(undo._replace(changed=changed, pasts=self.pasts[changed:]))
        self._relate(changed)

    def _pop(self) -> None:
        event = self.events.pop()
        undo = self._undo.pop()
        if undo.last is None:
            del self._last[event.thread]
        else:
            self._last[event.thread] = undo.last
        for key, life in reversed(undo.lives):
            if life is None:
                del self._lives[key]
            else:
                self._lives[key] = life
        for key, cell in reversed(undo.cells):
            self._cells[key] = cell
        for writer in undo.observed:
            self._readers[writer].pop()
        for w, before in reversed(undo.befores):
            self._before[w] = before
        self._ending = undo.ending
        for of_event in (self._fixed, self._before, self._readers):
            of_event.pop()
        self.pasts[undo.changed :] = undo.pasts

    def _relate(self, changed: int) -> None:
        """Pasts from the event `changed` on."""
        pasts = self.pasts
        del pasts[changed:]
        for n in range(changed, len(self.events)):
            pasts.append(_closure(pasts, self._fixed[n] | self._before[n]))

    def _read(self, n: int, key: int, undo: _Before) -> tuple[int, int]:
        """Event n reads a cell. Returns who has written it, and the first event that something more
        happens before now, n if there is none."""
        cell = self._cells.get(key, _UNTOUCHED)
        undo.cells.append((key, cell))
        writer, readers, blind = cell
        changed = n
        if blind:
            *others, writer = blind
            readers = ()
            earlier = _set(others)
            if earlier & ~self._before[writer]:
                undo.befores.append((writer, self._before[writer]))
                self._before[writer] |= earlier
                changed = writer
        if writer >= 0:
            undo.observed.append(writer)
            self._readers[writer].append((key, n))
        self._cells[key] = _Cell(writer, (*readers, n))
        return writer, changed

    def _write(self, n: int, key: int, undo: _Before) -> int:
        """Event n writes a cell. Returns what it depends on."""
        cell = self._cells.get(key, _UNTOUCHED)
        undo.cells.append((key, cell))
        self._cells[key] = cell._replace(blind=(*cell.blind, n))
        return _set(r for r in cell.readers if r != n)


def _set(events: Iterable[int]) -> int:
    found = 0
    for e in events:
        found |= 1 << e
    return found


def _members(events: int) -> Iterator[int]:
    while events:
        yield (events & -events).bit_length() - 1
        events &= events - 1


def _closure(pasts: list[int], events: int) -> int:
    """The events and their pasts."""
    for e in _members(events):
        events |= pasts[e]
    return events
