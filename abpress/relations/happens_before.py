"""Happens-before of the current execution, and its races.

The events of an execution are numbered. The past of an event (a vector clock, written as the set of
the events that happen before it) is an int with one bit per event.

- *Race*: a pair of dependent events of different threads with no event happens-before between them.
- The creation of a thread and its first event, and its end and a join, are ordered but no race:
  they have no other order.
- *Cut*: a set of events that contains with each event its past; it can be executed in the order of
  the execution.
"""

from __future__ import annotations

from dataclasses import dataclass

from abpress.relations.footprint import Footprint
from abpress.semantics.outcome import Change

_NOBODY = (-1, ())


@dataclass(slots=True)
class Event:
    """A step of an execution. `past` are the events that happen before it.

    `change` takes the step back, None if nothing is known that does; () until somebody asks. All
    else is never changed.
    """

    thread: int
    choices: tuple[int, ...]
    access: Footprint
    past: int
    change: Change | None = ()


class Order:
    """Events with their pasts. Mutable.

    `writes_ordered`: of two events that write the same cell one happens before the other.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.pasts: list[int] = []
        self.writes_ordered = True

    def future(self, e: int) -> int:
        """The event and those that happen after it."""
        found = bit = 1 << e
        pasts = self.pasts
        for j in range(e + 1, len(pasts)):
            if pasts[j] & bit:
                found |= 1 << j
        return found

    def races_in_cut(self, thread: int, access: Footprint, removed: int) -> list[int]:
        """The events that the thread's next step races with in the cut without the `removed`
        events, the latest first."""
        events, pasts = self.events, self.pasts
        touched, written = access.touched, access.written
        passed = removed
        races = []
        for e in range(len(events) - 1, -1, -1):
            if passed >> e & 1:
                continue
            event = events[e]
            if event.thread == thread:
                passed |= pasts[e]
            elif event.access.written & touched or event.access.touched & written:  # in conflict
                races.append(e)
                passed |= pasts[e]
        return races


class Execution(Order):
    """The events of the path that a depth-first search is on, with happens-before. Mutable."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[int, int] = {}  # thread -> its last event
        self._cells: dict[int, tuple[int, tuple[int, ...]]] = {}
        """Key -> who wrote it last, and who has read it since."""
        self._undo: list[tuple[int | None, list[tuple[int, tuple[int, tuple[int, ...]]]]]] = []

    def before(self, thread: int) -> int:
        """What happens before the thread's next event, whatever that does."""
        previous = self._last.get(thread, -1)
        if previous < 0:
            previous = self._cells.get(-thread, _NOBODY)[0]  # its creation
        return self._closure(previous)

    def relate(self, thread: int, access: Footprint) -> tuple[int, list[int]]:
        """The past that the thread's next event will have, and the events that it races with,
        the latest first."""
        pasts, cells = self.pasts, self._cells
        past = self.before(thread)
        found: set[int] = set()
        for key in access.reads:
            writer = cells.get(key, _NOBODY)[0]
            if key < 0:
                past |= self._closure(writer)
            else:
                found.add(writer)
        for key in access.writes:
            writer, readers = cells.get(key, _NOBODY)
            if key >= 0:
                found.add(writer)
                found.update(readers)
        if access.ends:
            found.update(self._last.values())
        races = []
        for e in sorted(found, reverse=True):
            if e >= 0 and not past >> e & 1:
                races.append(e)
                past |= pasts[e] | 1 << e
        return past, races

    def push(self, event: Event) -> None:
        """Adds the event to the execution; its past is that of `relate`."""
        n, cells, access = len(self.events), self._cells, event.access
        before = []
        for key in access.reads:
            writer, readers = old = cells.get(key, _NOBODY)
            before.append((key, old))
            cells[key] = writer, (*readers, n)
        for key in access.writes:
            before.append((key, cells.get(key, _NOBODY)))
            cells[key] = n, ()
        self._undo.append((self._last.get(event.thread), before))
        self._last[event.thread] = n
        self.events.append(event)
        self.pasts.append(event.past)

    def pop(self) -> None:
        """Takes the last event back."""
        event = self.events.pop()
        self.pasts.pop()
        last, before = self._undo.pop()
        if last is None:
            del self._last[event.thread]
        else:
            self._last[event.thread] = last
        for key, old in reversed(before):
            self._cells[key] = old

    def _closure(self, e: int) -> int:
        return self.pasts[e] | 1 << e if e >= 0 else 0
