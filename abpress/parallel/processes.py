"""Workers as processes of this machine, each with a pipe to the hub in this process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from abpress.errors import AbPressError, UnsupportedError
from abpress.parallel.hub import Hub
from abpress.parallel.messages import Message
from abpress.parallel.worker import Channel
from abpress.search.statistics import ExecutionStatistics

_LOOK = 0.1
"""Seconds between two looks at the limits."""

_LAST = 10.0
"""Seconds that workers have for their reports after the end."""


class WorkerError(AbPressError):
    """A worker has died, or has failed."""


@dataclass(frozen=True, slots=True)
class _Report:
    """The last that a worker says; `error` is what it has failed with, as text."""

    found: Any
    error: str = ""


Work = Callable[[int, Channel], Any]
"""What a worker does, by its number; its result is its report, which can be pickled."""


Ends = Callable[[ExecutionStatistics], bool]
"""Asked every now and then whether to end the search, of which this much is done."""


def in_processes(workers: int, work: Work, ends: Ends) -> list[Any]:
    """Runs workers, each in a process of its own, and returns their reports.

    Raises WorkerError, and UnsupportedError where processes cannot be forked.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        raise UnsupportedError("--workers: this system cannot fork processes")
    pipes = [multiprocessing.Pipe() for _ in range(workers)]
    children: list[int] = []
    try:
        for number in range(workers):
            child = os.fork()
            if child == 0:
                _be(number, pipes, work)
            children.append(child)
        for _, its in pipes:
            its.close()
        return _Office([mine for mine, _ in pipes], ends).reports()
    finally:
        for mine, _ in pipes:
            mine.close()
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _be(number: int, pipes: Sequence[tuple[Connection, Connection]], work: Work) -> None:
    """Is a worker; does not return."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the hub ends the search
        for k, (theirs, mine) in enumerate(pipes):
            theirs.close()
            if k != number:
                mine.close()
        pipe = pipes[number][1]
        channel = Channel(pipe.send, lambda: pipe.recv() if pipe.poll() else None, pipe.recv)
        try:
            pipe.send(_Report(work(number, channel)))
        except (EOFError, BrokenPipeError):
            pass  # the hub is gone
        except BaseException:
            pipe.send(_Report(None, traceback.format_exc()))
        status = 0
    finally:
        os._exit(status)


class _Office:
    """The hub's side of the pipes. Mutable."""

    def __init__(self, pipes: list[Connection], ends: Ends) -> None:
        self._pipes = pipes
        self._ends = ends
        self._hub = Hub(len(pipes), self._send)
        self._reports: dict[int, Any] = {}

    def reports(self) -> list[Any]:
        """Passes messages on until each worker has reported."""
        late = 0.0
        while len(self._reports) < len(self._pipes):
            open_pipes = [p for w, p in enumerate(self._pipes) if w not in self._reports]
            ready = wait(open_pipes, _LOOK)
            for pipe in ready:
                assert isinstance(pipe, Connection)
                self._take(self._pipes.index(pipe), pipe)
            if self._hub.over and not ready:
                late += _LOOK
                if late > _LAST:
                    raise WorkerError("a worker does not end")
            if not self._hub.over and self._ends(self._done()):
                self._hub.end()
        return [self._reports[w] for w in sorted(self._reports)]

    def _done(self) -> ExecutionStatistics:
        done = ExecutionStatistics()
        for its in self._hub.counted.values():
            done.add(its)
        return done

    def _take(self, worker: int, pipe: Connection) -> None:
        try:
            came = pipe.recv()
        except (EOFError, ConnectionResetError):
            raise WorkerError(f"worker {worker} has died") from None
        if not isinstance(came, _Report):
            for message in came:
                self._hub.take(worker, message)
        elif came.error:
            raise WorkerError(f"worker {worker} has failed:\n{came.error}")
        else:
            self._reports[worker] = came.found

    def _send(self, worker: int, message: Message) -> None:
        try:
            self._pipes[worker].send(message)
        except BrokenPipeError:
            raise WorkerError(f"worker {worker} has died") from None
