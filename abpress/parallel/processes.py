"""Workers as processes of this machine, each with a pipe to the hub in this process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from multiprocessing.connection import Connection, wait
from pickle import UnpicklingError
from time import monotonic
from typing import Any, NoReturn

from abpress.errors import AbPressError, UnsupportedError
from abpress.parallel.hub import Hub
from abpress.parallel.messages import Heritage, Numbered
from abpress.parallel.worker import Channel
from abpress.search.statistics import ExecutionStatistics

_LOOK = 0.1
"""Seconds between two looks at the limits."""

_LAST = 20.0
"""Seconds that workers have for their reports when a limit or the user ends the search."""

_DEATHS = 10
"""Of each worker, on average, before the search is given up."""


class WorkerError(AbPressError):
    """A worker has died, or has failed."""


@dataclass(frozen=True, slots=True)
class _Report:
    """The last that a worker says; `error` is what it has failed with, as text."""

    found: Any
    error: str = ""


Work = Callable[[int, Channel, Heritage], Any]
"""What a worker does, by its number, after what it is known to have done; its result is its report,
which can be pickled."""

Ends = Callable[[ExecutionStatistics], bool]
"""Asked every now and then whether to end the search, of which this much is done."""


def in_processes(workers: int, work: Work, ends: Ends, hub: type[Hub] = Hub) -> list[Any]:
    """Runs workers, each in a process of its own, and returns their reports.

    One that dies has an heir. Raises WorkerError, and UnsupportedError where processes cannot be
    forked.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        raise UnsupportedError("--workers: this system cannot fork processes")
    office = _Office(workers, work, ends, hub)
    try:
        return office.reports()
    finally:
        office.close()


def _be(number: int, pipe: Connection, work: Work, life: Heritage) -> NoReturn:
    """Is a worker."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the hub ends the search
        channel = Channel(pipe.send, lambda: pipe.recv() if pipe.poll() else None, pipe.recv)
        try:
            pipe.send(_Report(work(number, channel, life)))
        except (EOFError, ConnectionError):
            pass  # the hub is gone
        except BaseException:
            pipe.send(_Report(None, traceback.format_exc()))
        status = 0
    finally:
        os._exit(status)


class _Office:
    """The hub's side of the pipes. Mutable."""

    def __init__(self, workers: int, work: Work, ends: Ends, hub: type[Hub]) -> None:
        self._work = work
        self._ends = ends
        self._hub = hub(workers, self._send)
        self._pipes: dict[int, Connection] = {}
        self._processes: dict[int, int] = {}
        self._deaths = 0
        self._reports: dict[int, Any] = {}
        for worker in range(workers):
            self._start(worker, Heritage())

    def reports(self) -> list[Any]:
        """Passes messages on until each worker has reported."""
        last = inf
        while len(self._reports) < len(self._pipes):
            open_pipes = {p: w for w, p in self._pipes.items() if w not in self._reports}
            for pipe in wait(open_pipes, _LOOK):
                assert isinstance(pipe, Connection)
                self._take(open_pipes[pipe], pipe)
            if self._ends(self._done()):
                self._hub.end()
                last = min(last, monotonic() + _LAST)
            if monotonic() > last:
                raise WorkerError("a worker does not end")
        return [self._reports[w] for w in sorted(self._reports)]

    def close(self) -> None:
        """Ends all workers."""
        for pipe in self._pipes.values():
            pipe.close()
        for process in self._processes.values():
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        self._processes.clear()

    def _start(self, worker: int, life: Heritage) -> None:
        mine, theirs = multiprocessing.Pipe()
        child = os.fork()
        if child == 0:
            for pipe in (*self._pipes.values(), mine):
                pipe.close()
            _be(worker, theirs, self._work, life)
        theirs.close()
        self._pipes[worker], self._processes[worker] = mine, child

    def _done(self) -> ExecutionStatistics:
        done = ExecutionStatistics()
        for its in self._hub.counted.values():
            done.add(its)
        return done

    def _take(self, worker: int, pipe: Connection) -> None:
        try:
            came = pipe.recv()
        except (EOFError, ConnectionError, UnpicklingError):
            self._replace(worker)
            return
        if not isinstance(came, _Report):
            self._hub.take(worker, came)
        elif came.error:
            raise WorkerError(f"worker {worker} has failed:\n{came.error}")
        else:
            self._reports[worker] = came.found

    def _replace(self, worker: int) -> None:
        """Lets an heir do again what a dead worker has done."""
        self._deaths += 1
        if self._deaths > _DEATHS * len(self._pipes):
            raise WorkerError("workers die again and again")
        self._pipes.pop(worker).close()
        os.waitpid(self._processes.pop(worker), 0)
        life, messages = self._hub.heir(worker)
        self._start(worker, life)
        for message in messages:
            self._send(worker, message)

    def _send(self, worker: int, message: Numbered) -> None:
        with suppress(ConnectionError):  # its end is seen when it is read from
            self._pipes[worker].send(message)
