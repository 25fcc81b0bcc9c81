"""Runs what is not yet there, keeps each result as it comes, and stops when it is asked to."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Protocol

from abpress.bench.execute import Job
from abpress.bench.record import Run
from abpress.bench.runner import Setting, run_all
from abpress.bench.store import ResultStore
from abpress.later import later

_IN_CLUSTER: Callable[..., Generator[tuple[Job, Run], None, None]] = later(
    "abpress.bench.in_cluster", "run_all_in_cluster"
)

Key = tuple[str, str, str]
"""Task, property and configuration."""


class Listener(Protocol):
    """Who is told of the progress."""

    def add(self, run: Run) -> None:
        """A run has ended."""

    def tick(self, running: int) -> None:
        """So many are running; called often."""


def run_jobs(
    jobs: Sequence[Job],
    setting: Setting,
    store: ResultStore | None,
    done: dict[Key, Run],
    listener: Listener,
) -> tuple[dict[Key, Run], bool]:
    """The runs of the jobs, those that are `done` included, and whether a signal cut it short.

    SIGINT, SIGTERM and SIGHUP kill what is running; what has ended is in the store.
    Raises OSError if a command cannot be started or a file cannot be written.
    """
    runs = dict(done)
    left = [job for job in jobs if job.key not in runs]
    with _stoppable() as stopped:

        def tick(running: int) -> None:
            if stopped():
                raise KeyboardInterrupt
            listener.tick(running)

        try:
            run = _IN_CLUSTER if setting.cluster else run_all
            with contextlib.closing(run(left, setting, tick)) as ended:
                for job, its in ended:
                    if store is not None:
                        store.add(job, its)
                    runs[job.key] = its
                    listener.add(its)
        except KeyboardInterrupt:
            return runs, True
    return runs, False


@contextlib.contextmanager
def _stoppable() -> Iterator[Callable[[], bool]]:
    """Signals that ask to stop only leave a note, which is looked at where stopping is safe."""
    asked = False

    def note(*_: object) -> None:
        nonlocal asked
        asked = True

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    # What is ignored (nohup) stays so.
    wanted = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = [signal.signal(number, note) for number in wanted]
    try:
        yield lambda: asked
    finally:
        for number, handler in zip(wanted, before, strict=True):
            signal.signal(number, handler)
