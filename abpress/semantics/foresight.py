"""Whether other threads can get in the way of a thread's next step, told from the state alone.

Both questions are about the others as long as the thread rests, whatever they do meanwhile. That
a step creates, ends or joins a thread is in nobody's way: the life of a thread is observed by joins
only, a join waits for its end, and an end only enables them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abpress.semantics.context import DONE, Context
from abpress.semantics.future_accesses import Futures
from abpress.semantics.outcome import State
from abpress.semantics.reach import Reach


class Foresight:
    """Answers for the states of a program. Keys are those of `recording.Recorded`."""

    def __init__(self, context: Context) -> None:
        self._objects = context.objects
        self._base = context.base
        self._creator = context.threads.creator
        self._reach = Reach(context)
        self.futures = Futures(context)

    def confined(self, s: State, t: int, keys: Iterable[int]) -> bool:
        """Whether no thread but t can reach an object that the keys belong to."""
        infos = [info for key in keys if (info := self._objects.find(key)) is not None]
        if any(map(self._reach.shared, infos)):
            return False
        return not infos or self._reach.of_others(s, t).isdisjoint([i.number for i in infos])

    def uncontended(self, s: State, t: int, reads: Sequence[int], writes: Sequence[int]) -> bool:
        """Whether no thread but t may, of the objects that such a thread can reach, write a field
        of what t reads, or access one of what t writes."""
        touched = written = 0
        for thread in s[self._base :]:
            if thread[0] != t and thread[1] != DONE:
                touched |= self.futures.touched[thread[1]]
                written |= self.futures.written[thread[1]]
        field = self.futures.field
        contended = [key for key in reads if field(key) & written]
        contended += [key for key in writes if field(key) & touched]
        return self.confined(s, t, contended)

    def may_come(self, s: State, t: int, point: int) -> bool:
        """Whether thread t, which may be created later, may be at the point, now or later."""
        pcs = {thread[0]: thread[1] for thread in s[self._base :]}
        while t and t not in pcs:
            t = self._creator(t)
        pc = pcs.get(t, DONE)
        return pc != DONE and bool(self.futures.points[pc] >> point & 1)
