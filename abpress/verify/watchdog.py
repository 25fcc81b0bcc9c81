"""Limits for code that does not look at the clock: parsing, lowering, simplifying.

The searches poll their limits themselves and keep their statistics. This is for everything else: a
periodic signal looks at the clock and at the memory and raises in the main thread.
"""

from __future__ import annotations

import gc
import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import suppress
from math import inf
from time import monotonic
from types import FrameType
from typing import Any

from abpress.search.limits import INTERRUPTED, Limits, StopReason, memory_gauge
from abpress.smt.interruption import interrupt_question, is_interruption

_PERIOD = 0.1
_SOON = 0.001
_TIMED = hasattr(signal, "setitimer")
"""Windows has no timer: the other thread calls for the handler there."""
_ALARM = signal.Signals["SIGALRM" if _TIMED else "SIGBREAK"]


class LimitReached(Exception):
    """A limit was reached; `reason` is for the verdict "unknown"."""

    def __init__(self, stop: StopReason) -> None:
        super().__init__(stop.text)
        self.reason = stop.text


class Watchdog:
    """Raises LimitReached in a `with` block past the limits of time and memory.

    A grace of some `seconds`, and of a `factor` of the memory, is for code that looks by itself;
    `interrupts` is for code that does not: then a Ctrl-C that was noted is a limit, too.
    Does nothing outside the main thread, where no signals arrive. Within another watchdog, that one
    rests until the block is left.

    No generator: where the block is entered and left, nothing is raised, so that no handler is left
    behind. NOTE(handlers) That z3 refuses to go on, as it was interrupted, is the limit, too.
    """

    def __init__(
        self, limits: Limits, seconds: float = 0.0, factor: float = 1.0, *, interrupts: bool = False
    ) -> None:
        self._limits, self._seconds, self._factor = limits, seconds, factor
        self._interrupts = interrupts
        self._bounded = limits.time is not None or limits.memory is not None
        self._reached: StopReason | None = None
        self._raised = -inf
        self._handler = self._look
        self._gauge = memory_gauge()
        self._done = threading.Event()
        self._helper: threading.Thread | None = None
        self._before: tuple[Any, tuple[float, float]] | None = None
        self._block: FrameType | None = None

    def __enter__(self) -> None:
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or not (self._bounded or self._interrupts):
            return
        self._memory = self._gauge.__enter__()
        before = signal.signal(_ALARM, self._handler)
        timer = _set_timer(_PERIOD, _PERIOD)
        self._before = before, timer
        self._block = sys._getframe(1)
        if self._bounded or not _TIMED:
            helper = threading.Thread(target=self._interrupt_z3, daemon=True)
            with suppress(RuntimeError):  # no memory for a thread: z3 is not interrupted
                helper.start()
                self._helper = helper

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if self._before is None:
            return
        stop = self._limit() if is_interruption(error) else None
        before, timer = self._before
        self._block = None
        _set_timer(0, 0)
        signal.signal(_ALARM, before)
        self._done.set()
        if self._helper is not None:
            self._helper.join()
        self._gauge.__exit__(None, None, None)
        _set_timer(*timer)
        if stop is not None:
            raise LimitReached(stop) from error

    def _limit(self) -> StopReason | None:
        """The limit that was reached first, and remains so."""
        limits = self._limits.in_force
        if self._reached is not None:
            return self._reached
        if self._interrupts and limits.interrupt.requested:
            self._reached = INTERRUPTED
        elif limits.time is not None and limits.left < -self._seconds:
            self._reached = limits.time_exceeded
        elif limits.memory is not None and self._memory() > limits.memory * self._factor:
            self._reached = limits.memory_exceeded
        return self._reached

    def _look(self, _signal: int, frame: FrameType | None) -> None:
        if _is_changing(frame):
            return
        if _delicate(frame, self._block):
            _set_timer(_SOON, _PERIOD)
            return
        stop = self._limit()
        # Both the timer and the other thread call for this; what the first one begins is not
        # disturbed by the second one.
        if stop is not None and monotonic() > self._raised + _PERIOD / 2:
            self._raised = monotonic()
            raise LimitReached(stop)

    def _interrupt_z3(self) -> None:
        """Ends what the main thread waits for in z3, where no handler runs, once there is a limit.

        The handler is marked to run first: it raises as soon as z3 returns, so that nobody takes
        what z3 says then for an answer.
        """
        while not self._done.wait(_PERIOD):
            in_force = signal.getsignal(_ALARM) is self._handler
            if in_force and self._limit() is not None:
                interrupt_main(_ALARM)
                interrupt_question(threading.main_thread().ident or 0)


def _set_timer(first: float, then: float) -> tuple[float, float]:
    """Sets the timer, where there is one; returns what was left of it."""
    return signal.setitimer(signal.ITIMER_REAL, first, then) if _TIMED else (0.0, 0.0)


_CHANGES = frozenset({Watchdog.__enter__.__code__, Watchdog.__exit__.__code__})

_CALLED_BACK = frozenset({"z3.z3", "weakref", "_weakrefset", "importlib._bootstrap"})
"""Modules with functions that Python calls by itself, or that must not be left half done."""


def _is_changing(frame: FrameType | None) -> bool:
    """Whether a watchdog is being set up or taken down, this one or one within it.

    NOTE(handlers): an exception there would leave handler and timer behind, for whatever comes
    later; and a timer that is set again there finds the handler gone, and ends the process.
    """
    return any(its.f_code in _CHANGES for its in _callers(frame))


def _delicate(frame: FrameType | None, block: FrameType | None) -> bool:
    """Whether an exception would do harm here: in what Python calls by itself, below z3.z3, or in
    an import; as far as the block that is watched has led there.

    A context of z3 that is half deleted would be used again by what belongs to it; an exception
    while an argument is converted for a call of C comes out as an error of the conversion; a module
    that is left half imported is begun anew, though others have parts of it, and locks of modules
    are let go of in a callback. What a finaliser or a callback of the collector of cycles raises is
    printed and forgotten.
    """
    of_collector = [getattr(callback, "__code__", None) for callback in gc.callbacks]
    return any(
        its.f_code.co_name in ("__del__", "from_param")
        or its.f_code in of_collector
        or its.f_globals.get("__name__") in _CALLED_BACK
        for its in _callers(frame, block)
    )


def _callers(frame: FrameType | None, until: FrameType | None = None) -> Iterator[FrameType]:
    """A frame, the one that called it, and so on."""
    while frame is not None and frame is not until:
        yield frame
        frame = frame.f_back
