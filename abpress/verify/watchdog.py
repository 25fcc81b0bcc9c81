"""Limits for code that does not look at the clock: parsing, lowering, simplifying.

The searches poll their limits themselves and keep their statistics. This is for everything else: a
periodic signal looks at the clock and at the memory and raises in the main thread.
"""

from __future__ import annotations

import signal
import threading
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from time import monotonic
from types import FrameType

from abpress.search.limits import INTERRUPTED, Limits, StopReason, memory_gauge
from abpress.smt.interruption import interrupt_question

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
    reached: StopReason | None = None

    def limit() -> StopReason | None:
        """The limit that was reached first, and remains so."""
        nonlocal reached
        if reached is not None:
            return reached
        if interrupts and limits.interrupt.requested:
            reached = INTERRUPTED
        elif limits.time is not None and monotonic() - limits.started > limits.time + seconds:
            reached = limits.time_exceeded
        elif limits.memory is not None and memory() > limits.memory * factor:
            reached = limits.memory_exceeded
        return reached

    raised = -inf

    def look(_signal: int, frame: FrameType | None) -> None:
        nonlocal raised
        if _delicate(frame):
            signal.setitimer(signal.ITIMER_REAL, _SOON, _PERIOD)
            return
        stop = limit()
        # Both the timer and the other thread call for this; what the first one begins is not
        # disturbed by the second one.
        if stop is not None and monotonic() > raised + _PERIOD / 2:
            raised = monotonic()
            raise LimitReached(stop)

    def in_force() -> bool:
        return signal.getsignal(signal.SIGALRM) is look

    with memory_gauge() as memory:
        before = signal.signal(signal.SIGALRM, look)
        timer = signal.setitimer(signal.ITIMER_REAL, _PERIOD, _PERIOD)
        done = threading.Event()
        helper = threading.Thread(target=_interrupt_z3, args=(done, limit, in_force), daemon=True)
        try:
            if not nothing:
                with suppress(RuntimeError):  # no memory for a thread: z3 is not interrupted
                    helper.start()
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            done.set()
            if helper.ident is not None:
                helper.join()
            signal.setitimer(signal.ITIMER_REAL, *timer)


def _interrupt_z3(
    done: threading.Event, limit: Callable[[], StopReason | None], in_force: Callable[[], bool]
) -> None:
    """Ends what the main thread waits for in z3, where no handler runs, once there is a limit.

    The handler is marked to run first: it raises as soon as z3 returns, so that nobody takes what
    z3 says then for an answer.
    """
    while not done.wait(_PERIOD):
        if in_force() and limit() is not None:
            interrupt_main(signal.SIGALRM)
            interrupt_question(threading.main_thread().ident or 0)


def _delicate(frame: FrameType | None) -> bool:
    """Whether an exception would do harm here: in what Python calls by itself, or below z3.z3.

    A context of z3 that is half deleted would be used again by what belongs to it; and an exception
    while an argument is converted for a call of C comes out as an error of the conversion.
    """
    while frame is not None:
        name, module = frame.f_code.co_name, frame.f_globals.get("__name__")
        if name in ("__del__", "from_param") or module in ("z3.z3", "weakref"):
            return True
        frame = frame.f_back
    return False
