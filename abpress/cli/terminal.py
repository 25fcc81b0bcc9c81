"""The terminal while a search runs: its progress, and requests to end it."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from time import monotonic

from abpress.cli.output import styled
from abpress.engines.table import Progress
from abpress.search.statistics import FINDING_FACTS, JointStatistics, Statistics


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """A request to terminate, a lost terminal, and processor time that is used up as the system
    counts it, are the same as Ctrl-C: there is an answer before the end.

    A request that was made before, when it could not be answered yet, arrives now.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not hasattr(signal, "pthread_sigmask"):  # Windows asks nobody to terminate
        yield
        return
    numbers = (signal.SIGTERM, signal.SIGHUP)
    # What is ignored (nohup) stays so.
    wanted = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = [signal.signal(n, lambda *_: signal.raise_signal(signal.SIGINT)) for n in wanted]
    signal.signal(signal.SIGXCPU, _used_up)
    try:
        mask = signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    finally:
        for number, handler in zip(wanted, before, strict=True):
            signal.signal(number, handler)
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)  # the answer is written


def _used_up(*_: object) -> None:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)  # it comes again each second
    signal.raise_signal(signal.SIGINT)


@contextlib.contextmanager
def progress(quiet: bool, prefix: Callable[[], str] = str) -> Iterator[Progress]:
    """A line on the terminal that says what is going on; nothing in a pipe.

    `prefix` says of what; it is asked at every update.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    console = Console(file=styled(sys.stderr))
    began, before = monotonic(), None
    with console.status(f"{prefix()}reading the program") as status:

        def show(numbers: Statistics) -> None:
            nonlocal before
            before = numbers.executions if before is None else before
            left = forecast(numbers, before, monotonic() - began)
            facts = numbers.more.get(FINDING_FACTS)
            if facts is not None:
                status.update(f"{prefix()}finding facts: {facts:,} times 64 steps")
                return
            who = f" ({', '.join(numbers.doing)})" if isinstance(numbers, JointStatistics) else ""
            status.update(
                f"{prefix()}searching{who}: {numbers.states:,} states, {numbers.steps:,} steps,"
                f" {numbers.executions:,} executions{left}"
            )

        yield show


def forecast(numbers: Statistics, before: int, seconds: float) -> str:
    """How many executions there may be in all, and how long the rest may take, if that can be
    estimated. `before` that many seconds some had been explored."""
    left, done = numbers.left, numbers.executions
    if left is None or done <= before:
        return ""
    each = seconds / (done - before)
    least, most = (_roughly(done + its) for its in (left.least, left.most))
    times = [in_words(its * each) for its in (left.least, left.most)]
    return f", perhaps {least} to {most} in all, {times[0]} to {times[1]} left"


def _roughly(number: float) -> str:
    """A number with its first two digits."""
    unit = 10 ** max(0, len(f"{number:.0f}") - 2)
    return f"{round(number / unit) * unit:,}"


def in_words(seconds: float) -> str:
    """A time, roughly: `40 s`, `3 min`, `5 h`, `12 days`."""
    units = ((86_400, "days"), (3_600, "h"), (60, "min"))
    size, unit = next((its for its in units if seconds >= 2 * its[0]), (1, "s"))
    return f"{seconds / size:,.0f} {unit}"
