"""A sampling profiler: where a run spends its processor time.

Every few milliseconds of processor time a signal looks at the stack, and the innermost frame that
has a name gets the time since the last look. (A long call into a library delays the signal, and
then gets all of that time.)
"""

from __future__ import annotations

import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import process_time
from types import FrameType

PERIOD = 0.002
"""Seconds of processor time between two looks."""

REST = "rest"


@dataclass(slots=True)
class Samples:
    """Seconds per part; `part` names a frame. Mutable: a signal handler adds to it."""

    part: Callable[[FrameType], str | None]
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    last: float = field(default_factory=process_time)

    def look(self, _signal: int, frame: FrameType | None) -> None:
        now = process_time()
        self.seconds[self._innermost(frame)] += now - self.last
        self.last = now

    def _innermost(self, frame: FrameType | None) -> str:
        while frame is not None:
            found = self.part(frame)
            if found is not None:
                return found
            frame = frame.f_back
        return REST


@contextmanager
def sampling(part: Callable[[FrameType], str | None]) -> Iterator[Samples]:
    """Samples while in force."""
    samples = Samples(part)
    before = signal.signal(signal.SIGPROF, samples.look)
    signal.setitimer(signal.ITIMER_PROF, PERIOD, PERIOD)
    try:
        yield samples
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
