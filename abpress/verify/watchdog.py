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

from abpress.search.limits import INTERRUPTED, Limits, StopReason, memory_gauge

_PERIOD = 0.1
_SOON = 0.001


class LimitReached(Exception):
    """A limit was reached; `reason` is for the verdict "unknown"."""

    def __init__(self, stop: StopReason) -> None:
        super().__init__(stop.text)
        self.reason = stop.text


@contextmanager
def watchdog(
    limits: Limits, seconds: float = 0.0, factor: float = 1.0, *, interrupts: bool = False
) -> Iterator[None]:
    """Raises LimitReached in the block past the limits of time and memory.

    A grace of some `seconds`, and of a `factor` of the memory, is for code that looks by itself;
    `interrupts` is for code that does not: then a Ctrl-C that was noted is a limit, too.
    Does nothing outside the main thread, where no signals arrive. Within another watchdog, that one
    rests until the block is left.
    """
    nothing = limits.time is None and limits.memory is None
    if (nothing and not interrupts) or threading.current_thread() is not threading.main_thread():
        yield
        return

    def look(_signal: int, frame: FrameType | None) -> None:
        if _delicate(frame):
            signal.setitimer(signal.ITIMER_REAL, _SOON, _PERIOD)
            return
        if interrupts and limits.interrupt.requested:
            raise LimitReached(INTERRUPTED)
        elapsed = time.monotonic() - limits.started
        if limits.time is not None and elapsed > limits.time + seconds:
            raise LimitReached(limits.time_exceeded)
        if limits.memory is not None and memory() > limits.memory * factor:
            raise LimitReached(limits.memory_exceeded)

    with memory_gauge() as memory:
        before = signal.signal(signal.SIGALRM, look)
        timer = signal.setitimer(signal.ITIMER_REAL, _PERIOD, _PERIOD)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            signal.setitimer(signal.ITIMER_REAL, *timer)


def _delicate(frame: FrameType | None) -> bool:
    """Whether an exception would do harm here: in a finaliser, and where z3 counts references.

    A context of z3 that is half deleted would be used again by what belongs to it.
    """
    while frame is not None:
        if frame.f_code.co_name == "__del__" or frame.f_globals.get("__name__") == "z3.z3":
            return True
        frame = frame.f_back
    return False
