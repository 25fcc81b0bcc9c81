"""Limits that the program keeps by itself: time, memory, and the user's Ctrl-C.

A limit is data, not an error: it ends the search, and the verdict says which one it was.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from types import FrameType
from typing import Generic, TypeVar

from abpress.config import Bounds
from abpress.search.processor import processor_time

PROGRESS_INTERVAL = 0.2
"""Seconds between two reports of progress, and between two measurements of memory."""

MIB = 1 << 20

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StopReason:
    """Which limit ended a search: `limit` names it, `text` is for the verdict."""

    limit: str  # time, memory, states, interrupt
    text: str


INTERRUPTED = StopReason("interrupt", "interrupted")

STATES_EXCEEDED = StopReason("states", "its share of states is used up")


WHILE_READING = ", while reading the program"
"""Behind the limit that ended a run before its search."""


@dataclass(slots=True)
class Interrupt:
    """Whether the user asked to stop. Mutable: set by a signal handler."""

    requested: bool = False


@dataclass(slots=True)
class Extension:
    """What a turn has beyond its limits. Mutable. Those of the run hold instead when it is
    `granted`: the turn has found what decides, which must not be lost while it is made readable.
    `seconds` of processor time do not count, in which others were asked while it waited."""

    granted: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use: seconds of wall time since `started`, MiB of resident memory, states.

    `started` is a value of `time.monotonic`, so that the time before the search counts too. Limits
    of a turn have wider ones beside them, the `whole`, and at last those of the run. Their time is
    processor time where `processor` is what had been used of it when they began: so a turn ends at
    the same point on a busy machine, unless the time of the whole is over.
    """

    time: float | None = None
    memory: float | None = None
    interrupt: Interrupt = field(default_factory=Interrupt)
    started: float = field(default_factory=monotonic)
    states: int | None = None
    whole: Limits | None = None
    processor: float | None = None
    extension: Extension = field(default_factory=Extension)

    @property
    def of_run(self) -> Limits:
        """The limits of the run, of which these may be a part."""
        return self if self.whole is None else self.whole.of_run

    @property
    def in_force(self) -> Limits:
        """Those of the run if the turn is extended, else these."""
        return self.of_run if self.extension.granted else self

    @property
    def left(self) -> float:
        """Seconds until the limit of time, or until that of the whole, whichever is first."""
        own = inf
        if self.time is not None and self.processor is None:
            own = self.started + self.time - monotonic()
        elif self.time is not None and self.processor is not None:
            own = self.processor + self.time + self.extension.seconds - processor_time()
        return own if self.whole is None else min(own, self.whole.left)

    @property
    def time_exceeded(self) -> StopReason:
        """What to stop with when the time is over."""
        return StopReason("time", f"time limit of {self.time or 0:g} s")

    @property
    def memory_exceeded(self) -> StopReason:
        """What to stop with when the memory is used up; in megabytes, as the user gives it."""
        return StopReason("memory", f"memory limit of {(self.memory or 0) * MIB / 10**6:.4g} MB")


def limits_of(bounds: Bounds, started: float | None = None) -> Limits:
    """The limits of a run that began at `started`; it begins now if there is no such time."""
    begin = monotonic() if started is None else started
    return Limits(bounds.time_limit, bounds.memory_limit, started=begin)


class Late:
    """Whether the time of limits is over; may be asked often. Mutable: as processor time passes no
    faster than time by the clock, it need not be looked at again for a while."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._next_look = -inf if limits.time is not None else inf

    def __call__(self, now: float | None = None) -> bool:
        """The answer, `now` by the clock."""
        now = monotonic() if now is None else now
        if now < self._next_look:
            return False
        left = self._limits.left
        self._next_look = now + left / 2  # by two threads it passes twice as fast
        return left <= 0


class Watch(Generic[T]):
    """Asked every now and then whether to stop; passes progress on at most every 0.2 s."""

    def __init__(self, limits: Limits, progress: Callable[[T], None] | None = None) -> None:
        self._limits = limits
        self._late = Late(limits)
        self._progress = progress
        self._next_look = 0.0

    def extended(self) -> Watch[T]:
        """Extends the turn, which has found what decides; returns a watch for half of the time that
        the run has left."""
        self._limits.extension.granted = True
        run = self._limits.of_run
        began = monotonic()
        time = None if run.time is None else max(0.0, run.started + run.time - began) / 2
        return Watch(Limits(time, run.memory, run.interrupt, began))

    def __call__(self, statistics: T) -> StopReason | None:
        """The limit that is exceeded, if any."""
        limits = self._limits
        if limits.interrupt.requested:
            return INTERRUPTED
        now = monotonic()
        if self._late(now):
            return limits.time_exceeded
        if limits.states is not None and getattr(statistics, "states", 0) >= limits.states:
            return STATES_EXCEEDED
        if now < self._next_look:
            return None
        self._next_look = now + PROGRESS_INTERVAL
        if limits.memory is not None and resident_memory() >= limits.memory:
            return limits.memory_exceeded
        if self._progress is not None:
            self._progress(statistics)
        return None


@contextmanager
def interruptible() -> Iterator[Interrupt]:
    """While in force, the first SIGINT sets the flag and the second one acts as if there were none.

    Outside of the main thread signals are left alone, and the flag stays unset.
    """
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return

    previous = signal.getsignal(signal.SIGINT)

    def request(number: int, frame: FrameType | None) -> None:
        interrupt.requested = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    signal.signal(signal.SIGINT, request)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, previous)


def resident_memory(pid: int | None = None) -> float:
    """Resident memory of this process in MiB (where the system does not tell: its peak).

    Of another process, by its id: nothing where the system does not tell, or when it has ended.
    """
    if sys.platform == "win32":
        return _without_proc() if pid is None else 0.0
    try:
        name = "self" if pid is None else str(pid)
        with open(f"/proc/{name}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB
    except (OSError, IndexError):
        return _without_proc() if pid is None else 0.0


@contextmanager
def memory_gauge() -> Iterator[Callable[[], float]]:
    """What tells the same for this process without opening a file: for handlers of signals."""
    if sys.platform == "win32":
        yield _without_proc
        return
    try:
        source = os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        yield _without_proc
        return
    page = os.sysconf("SC_PAGE_SIZE") / MIB
    try:
        yield lambda: int(os.pread(source, 128, 0).split()[1]) * page
    finally:
        os.close(source)


def processors() -> int:
    """How many processors this process may use; 1 where the system does not say it."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def peak_memory() -> float:
    """The most resident memory that this process has had so far, in MiB."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return _without_proc(peak=True)


def _without_proc(peak: bool = False) -> float:
    """Resident memory, or its peak, as far as the system tells one of them."""
    if sys.platform == "win32":
        from abpress.search.windows import resident_and_peak

        return resident_and_peak()[peak] / MIB
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / MIB if sys.platform == "darwin" else most / 1024


def bound_memory(most: float) -> None:
    """The system gives this process no more MiB of data than so many, where it can be told so."""
    try:
        import resource
    except ImportError:  # Windows
        return
    wanted, (_, hard) = int(most * MIB), resource.getrlimit(resource.RLIMIT_DATA)
    wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
