"""Limits for code that does not look at the clock: parsing, lowering, simplifying.

The searches poll their limits themselves and keep their statistics. This is for everything else: a
periodic signal looks at the clock and at the memory and raises in the main thread.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from abpress.explore.limits import resident_memory

_PERIOD = 0.1


class LimitReached(Exception):
    """A limit was reached; `reason` is the reason of the verdict "unknown"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@contextmanager
def watchdog(deadline: float | None, memory_mib: float | None) -> Iterator[None]:
    """Raises LimitReached in the block past `deadline` (of `time.monotonic`) or the memory limit.

    Does nothing outside the main thread, where no signals arrive.
    """
    watched = deadline is not None or memory_mib is not None
    if not watched or threading.current_thread() is not threading.main_thread():
        yield
        return

    def look(_signal: int, _frame: FrameType | None) -> None:
        if deadline is not None and time.monotonic() > deadline:
            raise LimitReached("time limit")
        if memory_mib is not None and resident_memory() > memory_mib:
            raise LimitReached("memory limit")

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _PERIOD, _PERIOD)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
