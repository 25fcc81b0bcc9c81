"""Foresight: whether others can get in the way of a thread's next step, by the state alone.

The questions are about the others as long as the thread rests, whatever they do meanwhile. That
a step creates, ends or joins a thread is in nobody's way: the life of a thread is observed by joins
only, a join waits for its end, and an end only enables them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from abpress.semantics.context import DONE, Context
from abpress.semantics.future_accesses import FutureAccesses
from abpress.semantics.outcome import State
from abpress.semantics.reach import Reach
from abpress.semantics.recording import Recorded


class Foresight:
    """Answers for the states of a program; `record` executes the next steps of a thread."""

    def __init__(self, context: Context, record: Callable[[State, int], Recorded]) -> None:
        self._context = context
        self._record = record
        self._find = context.objects.find
        self._base = context.base

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self._context)

    @cached_property
    def futures(self) -> FutureAccesses:
        """What may be accessed from each location on."""
        return FutureAccesses(self._context)

    def confined(self, s: State, t: int) -> bool:
        """Whether no thread but t can reach an object that its next step accesses; and the step
        does not end the program."""
        _, _, reads, writes, ends = self._record(s, t)
        return not ends and self._unreachable(s, t, (*reads, *writes))

    def uncontended(self, s: State, t: int) -> bool:
        """Whether no thread but t that can reach an object which its next step accesses may later
        write a field of what t reads, or access a field of what t writes; and the step does not end
        the program."""
        _, _, reads, writes, ends = self._record(s, t)
        if ends:
            return False
        touched = written = 0
        for thread in s[self._base :]:
            if thread[0] != t and thread[1] != DONE:
                touched |= self.futures.touched[thread[1]]
                written |= self.futures.written[thread[1]]
        field = self.futures.field
        contended = [key for key in reads if field(key) & written]
        contended += [key for key in writes if field(key) & touched]
        return self._unreachable(s, t, contended)

    def compound(self, s: State, t: int) -> bool:
        """Whether the next step of t may begin an atomic block: then what it accesses may depend on
        what it reads, else on the thread's own state alone."""
        return self.begins_block(self.point(s, t))

    def begins_block(self, point: int) -> bool:
        """The same of a thread that stands there."""
        code, location = self._context.locate(point)
        locations = code.template.locations
        edges = locations[location].edges
        return locations[location].atomic or any(locations[e.target].atomic for e in edges)

    def point(self, s: State, t: int) -> int:
        """Where an unfinished thread stands: a number for its template and location."""
        pc: int = s[self._context.index(s, t)][1]
        return pc

    def may_come(self, s: State, t: int, point: int) -> bool:
        """Whether thread t, which may be created later, may be at the point, now or later."""
        pcs = {thread[0]: thread[1] for thread in s[self._base :]}
        while t and t not in pcs:
            t = self.creator(t)
        pc = pcs.get(t, DONE)
        return pc != DONE and bool(self.futures.points[pc] >> point & 1)

    def creator(self, t: int) -> int:
        """The thread that has created t; 0 for `main`."""
        return self._context.threads.creator(t)

    def _unreachable(self, s: State, t: int, keys: Iterable[int]) -> bool:
        """Whether no thread but t can reach an object that the keys (see `recording.Recorded`)
        belong to."""
        infos = [info for key in keys if (info := self._find(key)) is not None]
        if any(map(self._reach.shared, infos)):
            return False
        return not infos or self._reach.of_others(s, t).isdisjoint([i.number for i in infos])
