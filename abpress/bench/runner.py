"""Runs all jobs, several at a time, each contained in processes of its own.

There are no threads: what waits for processes is one loop, so that a signal stops it at once.
"""

from __future__ import annotations

import signal
import tempfile
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from abpress.bench.execute import Command, Job, RunningJob, verify_command
from abpress.bench.processes import snapshot
from abpress.bench.record import Run, RunLimits, Task

_LOOK_S = 0.05
"""How often the processes are measured, at most."""
_LOOK_SHARE = 20
"""A look at a machine with many processes takes long; it may use one part in so many."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How jobs are run. `folder` gets traces, and certificates and witnesses if they are asked for.
    `cluster` is the address of one that runs them; if there is none, this machine does."""

    limits: RunLimits
    parallel: int = 1
    folder: Path | None = None
    certificates: bool = False
    command: Command = verify_command
    cluster: str = ""
    witnesses: bool = False


def jobs_of(tasks: Sequence[Task], configs: Mapping[str, tuple[str, ...]]) -> list[Job]:
    """Every task under every configuration, task by task."""
    return [Job(task, name, options) for task in tasks for name, options in configs.items()]


def run_all(
    jobs: Sequence[Job], setting: Setting, tick: Callable[[int], None] = lambda _: None
) -> Generator[tuple[Job, Run], None, None]:
    """Each job with its run, as they end. `tick` is called often, with how many are running.

    When the iterator is closed, or an exception comes (KeyboardInterrupt), all are killed.
    Raises OSError if a command cannot be started or a file cannot be written.
    """
    waiting = deque(jobs)
    running: list[RunningJob] = []
    number = 0
    next_look = 0.0
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    try:
        with tempfile.TemporaryDirectory(prefix="abpress-bench-") as scratch:
            try:
                while waiting or running:
                    while waiting and len(running) < setting.parallel:
                        number += 1
                        place = Path(scratch) / str(number)
                        place.mkdir()
                        running.append(_start(waiting.popleft(), setting, place))
                    tick(len(running))
                    signal.sigtimedwait({signal.SIGCHLD}, _LOOK_S)
                    now = time.monotonic()
                    if now >= next_look:
                        every = snapshot()
                        for execution in running:
                            execution.process.look(every)
                        took = time.monotonic() - now
                        next_look = now + max(_LOOK_S, took * _LOOK_SHARE)
                    for execution in list(running):
                        ending = execution.process.ended()
                        if ending is not None:
                            running.remove(execution)
                            run = execution.finish(ending)
                            execution.discard()
                            yield execution.job, run
            finally:
                _kill(running)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def in_order(jobs: Sequence[Job], ended: Iterable[tuple[Job, Run]]) -> Iterator[tuple[Job, Run]]:
    """What `run_all` gives, in the order of the jobs, each as soon as those before it are there.

    No two of the jobs are equal.
    """
    early: dict[Job, Run] = {}
    waiting = deque(jobs)
    for job, run in ended:
        early[job] = run
        while waiting and waiting[0] in early:
            first = waiting.popleft()
            yield first, early.pop(first)


def _start(job: Job, setting: Setting, scratch: Path) -> RunningJob:
    return RunningJob(
        job,
        setting.limits,
        setting.command,
        scratch,
        setting.folder,
        setting.certificates,
        setting.witnesses,
    )


def _kill(running: Sequence[RunningJob]) -> None:
    for execution in running:
        execution.process.kill()
    for execution in running:
        while execution.process.ended() is None:
            time.sleep(0.002)
