"""Workers as processes of this machine, each with a pipe to the hub in this process."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pickle import UnpicklingError
from queue import SimpleQueue
from threading import Thread
from typing import Any, NoReturn

from abpress.errors import UnsupportedError
from abpress.parallel.hub import Hub
from abpress.parallel.office import (
    LOOK,
    NOTHING_KEPT,
    Ends,
    Keeping,
    LastWord,
    MakeDesk,
    Office,
    Said,
    Work,
    WorkerError,
    WorkerLife,
)
from abpress.parallel.parents import die_with
from abpress.parallel.post import Channel


def in_processes(
    workers: int, work: Work, ends: Ends, hub: MakeDesk = Hub, keeping: Keeping = NOTHING_KEPT
) -> list[Any]:
    """Runs workers, each in a process of its own, and returns their reports.

    One that dies has an heir, if the hub knows of one. Raises WorkerError, and UnsupportedError
    where so many processes cannot be forked.
    """
    if not hasattr(os, "fork"):
        raise UnsupportedError("--workers: this system cannot fork processes")
    office = _Processes(workers, work, ends, hub, keeping)
    try:
        return office.reports()
    finally:
        office.close()


def _be(number: int, parent: int, pipe: Connection, work: Work, life: WorkerLife) -> NoReturn:
    """Is a worker."""
    status = 1

    def say(what: Any) -> None:
        pipe.send(Said(life.epoch, what))

    try:
        die_with(parent)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the hub ends the search
        gc.disable()  # a look at all that there is would copy what the parent has made
        channel = _listening(pipe, say)
        try:
            say(LastWord(work(number, channel, life.heritage)))
        except (EOFError, ConnectionError):
            pass  # the hub is gone
        except BaseException:
            say(LastWord(None, traceback.format_exc()))
        status = 0
    finally:
        os._exit(status)


def _listening(pipe: Connection, say: Callable[[Any], None]) -> Channel:
    """The channel of a worker. A thread takes in what comes, so that who sends it does not wait,
    and reads what this worker says."""
    came: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        try:
            while True:
                came.put(pipe.recv())
        except BaseException as error:
            came.put(error)

    def heard(message: Any) -> Any:
        if isinstance(message, BaseException):
            raise message
        return message

    def look() -> Any | None:
        return None if came.empty() else heard(came.get())

    Thread(target=listen, daemon=True).start()
    return Channel(say, look, lambda: heard(came.get()))


class _Processes(Office):
    """Workers by their pipes. Mutable."""

    def __init__(
        self, workers: int, work: Work, ends: Ends, hub: MakeDesk, keeping: Keeping
    ) -> None:
        super().__init__(workers, ends, hub, keeping=keeping)
        self._work = work
        self._pipes: dict[int, Connection] = {}
        self._processes: dict[int, int] = {}
        try:
            for worker in range(workers):
                self._start(worker)
        except WorkerError as error:
            self.close()
            raise UnsupportedError(f"--workers: {error}") from error

    def close(self) -> None:
        for pipe in self._pipes.values():
            pipe.close()
        for process in self._processes.values():
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        self._processes.clear()

    def _start(self, worker: int) -> None:
        life, messages = self._born(worker)
        mine, theirs = multiprocessing.Pipe()
        parent = os.getpid()
        try:
            child = os.fork()
        except OSError as error:  # too many processes, or no memory for one
            mine.close()
            theirs.close()
            raise WorkerError(f"worker {worker} cannot be started: {error.strerror}") from error
        if child == 0:
            for pipe in (*self._pipes.values(), mine):
                pipe.close()
            _be(worker, parent, theirs, self._work, life)
        theirs.close()
        self._pipes[worker], self._processes[worker] = mine, child
        for message in messages:
            self._send(worker, message)

    def _look(self) -> None:
        open_pipes = {p: w for w, p in self._pipes.items() if w not in self._reports}
        for pipe in wait(open_pipes, LOOK):
            assert isinstance(pipe, Connection)
            worker = open_pipes[pipe]
            try:
                came = pipe.recv()
            except (EOFError, OSError, UnpicklingError):  # OSError: in the middle of a message
                if self._replace(worker):
                    return
            else:
                self._take(worker, came)

    def _replace(self, worker: int) -> bool:
        """Lets an heir do again what a dead worker has done; or lets all begin again where they
        were not long ago, and returns whether that is so."""
        if self._better_back():
            self.close()
            self._pipes.clear()
            self._go_back(range(self._workers))
            for each in range(self._workers):
                self._start(each)
            return True
        self._pipes.pop(worker).close()
        os.waitpid(self._processes.pop(worker), 0)
        self._count_death()
        self._start(worker)
        return False

    def _send(self, worker: int, message: Any) -> None:
        with suppress(ConnectionError):  # its end is seen when it is read from
            self._pipes[worker].send(message)
