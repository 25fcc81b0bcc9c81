"""Threads of a state that wait for one another in a circle, whatever the others do.

NOTE(circles-last)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from abpress.errors import Position
from abpress.ir.program import GuardKind, Join
from abpress.semantics.context import Context
from abpress.semantics.naming import OFFSET_MASK
from abpress.semantics.outcome import NoSteps, State
from abpress.semantics.recording import Recorded
from abpress.semantics.sharing import LargeState
from abpress.semantics.thread_sets import members

_LOCKS = {
    ("<mutex.c>", "pthread_mutex_lock"),
    ("<rwlock.c>", "pthread_rwlock_rdlock"),
    ("<rwlock.c>", "pthread_rwlock_wrlock"),
    ("<spin.c>", "pthread_spin_lock"),
}
"""File and function of the models in which a thread waits until the owner of a lock releases it.
What each of them reads first is the cell that names the owner."""

MOST_KEPT = 100_000
"""Threads of which it is kept what they wait for."""


class CirclesOfThreads:
    """Answers about the states of one interpreter; `record` is `Interpreter.record`."""

    def __init__(self, context: Context, record: Callable[[State, int], Recorded]) -> None:
        self._context = context
        self._record = record
        self._locks = [False] * (context.pcs + 1)  # found by the pc DONE
        self._waits = [False] * (context.pcs + 1)
        for code in context.codes.values():
            for location in code.boundaries:
                pc = code.first_pc + location
                self._locks[pc] = _is_lock(context.position(pc))
                self._waits[pc] = self._locks[pc] or _joins(context, pc)
        self._keys: dict[tuple[Any, ...], int] = {}

    def suspicious(self, s: State) -> bool:
        """Whether `circle` may find something: false only where it finds nothing."""
        if s.__class__ is tuple:
            waits = self._waits
            for thread in s[self._context.base :]:
                if waits[thread[1]]:
                    break
            else:
                return False
        return next(self._candidates(s), None) is not None

    def circle(self, s: State) -> tuple[int, ...]:
        """The threads of a circle in which each waits for the next one, which alone can end that;
        empty if there is none. The least thread is the first.

        A thread waits so if it has no step, whatever is chosen, and what that depends on is a lock
        that has an owner, or whether one thread has ended.
        """
        return next((its for its in self._candidates(s) if self._lasts(s, its)), ())

    def knows(self, thread: tuple[Any, ...]) -> bool:
        """Whether it is kept whom a thread, given by its component of a state, would wait for."""
        return thread in self._keys

    def may_wait(self, pc: int) -> bool:
        """Whether a thread may be part of a circle that stands at the place with this number."""
        return self._waits[pc]

    def may_wait_for_lock(self, pc: int) -> bool:
        """Whether that may be for the owner of a lock."""
        return self._locks[pc]

    def position(self, s: State, thread: int) -> Position:
        """Where a thread of a circle stands."""
        return self._context.position(s[self._context.index(s, thread)][1])

    def _candidates(self, s: State) -> Iterator[tuple[int, ...]]:
        """The circles among threads that stand where they may wait, by whom they would wait for."""
        after = {
            thread[0]: other
            for thread in self._threads(s)
            if self._waits[thread[1]] and (other := self._other(s, thread)) is not None
        }
        seen: set[int] = set()
        for first in after:
            path: list[int] = []
            thread: int | None = first
            while thread is not None and thread not in seen:
                seen.add(thread)
                path.append(thread)
                thread = after.get(thread)
            if thread in path:
                its = path[path.index(thread) :]
                least = its.index(min(its))
                yield (*its[least:], *its[:least])

    def _threads(self, s: State) -> Iterator[tuple[Any, ...]]:
        if s.__class__ is tuple:
            yield from s[self._context.base :]
            return
        assert isinstance(s, LargeState)
        for thread in members(s.alive & ~s.quiet):  # waiting is visible
            yield s[self._context.index(s, thread)]

    def _other(self, s: State, thread: tuple[Any, ...]) -> int | None:
        """Whom a thread, given by its component of the state, would wait for."""
        key = self._keys.get(thread)
        if key is None:
            recorded = self._record(s, thread[0])
            if not recorded.reads:
                return None
            key = recorded.reads[0]
            if len(self._keys) > MOST_KEPT:
                self._keys.clear()
            self._keys[thread] = key  # nothing else was read before: only the thread decides it
        return -key if key < 0 else self._content(s, key)

    def _content(self, s: State, key: int) -> int | None:
        """What the cell of this key holds; None for nothing."""
        info = self._context.objects.find(key)
        if info is None:
            return None
        j = info.index.get(key & OFFSET_MASK)
        if j is None:
            return None
        if info.slot is not None and not info.mortal:
            value = s[info.slot + j]
        else:
            cells = self._context.memory.alive(s, info)
            value = None if cells is None else cells[j]
        return value if isinstance(value, int) else None

    def _lasts(self, s: State, circle: tuple[int, ...]) -> bool:
        """Whether each of the threads waits for the next one, which alone can end that."""
        following = (*circle[1:], circle[0])
        return all(self._waits_for(s, *pair) for pair in zip(circle, following, strict=True))

    def _waits_for(self, s: State, thread: int, other: int) -> bool:
        recorded = self._record(s, thread)
        steps, reads = recorded.steps, recorded.reads
        if not isinstance(steps, NoSteps) or steps.why is not GuardKind.AWAIT:
            return False
        if reads == (-other,):
            return True
        pc = s[self._context.index(s, thread)][1]
        return (
            self._locks[pc]
            and reads[0] > 0
            and self._content(s, reads[0]) == other
            and all(self._is_part(key, reads[0]) for key in reads)
        )

    def _is_part(self, key: int, owner: int) -> bool:
        """Whether the cell of a key belongs to the lock of which another names the owner."""
        info = self._context.objects.find(owner)
        if key == owner or info is None or self._context.objects.find(key) is not info:
            return key == owner
        paths = {cell.offset: cell.path for cell in info.layout.cells}
        mine, other = (paths.get(k & OFFSET_MASK, "") for k in (owner, key))
        lock = mine.rpartition(".")[0]
        return "." in mine and other.rpartition(".")[0] == lock


def _is_lock(position: Position) -> bool:
    return (position.file, position.function) in _LOCKS


def _joins(context: Context, pc: int) -> bool:
    """Whether the step from a pc may begin with a join."""
    code, location = context.locate(pc)
    locations = code.template.locations
    edges = locations[location].edges
    begins = [
        *edges,
        *(
            e
            for edge in edges
            if locations[edge.target].atomic
            for e in locations[edge.target].edges
        ),
    ]
    return any(isinstance(effect, Join) for edge in begins for effect in edge.effects)
