"""Processes side by side, each with work of its own and a pipe to this one, which has started them.

No worker outlives this process: the end of its pipe ends it, and where the system can do that
(Linux) it is killed with its parent.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pickle import UnpicklingError
from types import TracebackType
from typing import Any, NoReturn, Self

from abpress.errors import UnsupportedError
from abpress.parallel.parents import die_with

CANNOT_START = "it cannot be started"


class Line:
    """A worker's end of its pipe. `urgent` is called for each message as it comes, by a thread of
    its own; the others wait until they are asked for."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._came: deque[Any] = deque()
        self.urgent: Callable[[Any], bool] = lambda _: False

    def tell(self, message: object) -> None:
        """Sends a message, which can be pickled."""
        self._pipe.send(message)

    def heard(self) -> Iterator[Any]:
        """The messages that have come since."""
        while self._came:
            yield self._came.popleft()

    def listen(self) -> None:
        """Takes in messages until there is nobody to send any: then this process ends."""
        with suppress(EOFError, OSError, UnpicklingError):
            while True:
                message = self._pipe.recv()
                if not self.urgent(message):
                    self._came.append(message)
        os.kill(os.getpid(), signal.SIGKILL)


Work = Callable[[Line], None]


@dataclass(frozen=True, slots=True)
class Gone:
    """A worker has ended. `status` is None if it could not be started, else as `os.wait` gives it,
    with signals as negative numbers."""

    status: int | None

    def __str__(self) -> str:
        if self.status is None:
            return CANNOT_START
        if self.status < 0:
            return f"it was ended by {signal.Signals(-self.status).name}"
        return f"it ended with status {self.status}"


class Crew:
    """Workers, by their numbers from 0. Mutable. Use as a context: no worker is left afterwards."""

    def __init__(self, works: Sequence[Work]) -> None:
        """Starts the workers. Raises UnsupportedError where processes cannot be forked."""
        if not hasattr(os, "fork"):
            raise UnsupportedError("--workers: this system cannot fork processes")
        self._pipes: dict[int, Connection] = {}
        self._processes: dict[int, int] = {}
        self._failed: list[int] = []
        try:
            for number, work in enumerate(works):
                self._start(number, work)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def processes(self) -> dict[int, int]:
        """Number of a worker that is there -> its process."""
        return dict(self._processes)

    def came(self, seconds: float) -> Iterator[tuple[int, Any]]:
        """What workers say within a time, as (worker, message); the last message is `Gone`."""
        while self._failed:
            yield self._failed.pop(), Gone(None)
        open_pipes = {pipe: worker for worker, pipe in self._pipes.items()}
        for pipe in wait(list(open_pipes), seconds):
            assert isinstance(pipe, Connection)
            worker = open_pipes[pipe]
            if worker not in self._pipes:
                continue  # was ended because of another message
            try:
                message = pipe.recv()
            except (EOFError, OSError, UnpicklingError):
                message = Gone(self.end(worker))
            yield worker, message

    def tell(self, worker: int, message: object) -> None:
        """Sends a message to a worker, if it is there."""
        if worker in self._pipes:
            with suppress(ConnectionError):  # its end is seen when it is read from
                self._pipes[worker].send(message)

    def end(self, worker: int) -> int:
        """Ends a worker, which has no time to say anything; returns its status as `Gone` has it."""
        self._pipes.pop(worker).close()
        process = self._processes.pop(worker)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        _, ending = os.waitpid(process, 0)
        return os.waitstatus_to_exitcode(ending)

    def close(self) -> None:
        """Ends all workers."""
        for process in self._processes.values():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        for worker in list(self._processes):
            self.end(worker)

    def _start(self, number: int, work: Work) -> None:
        mine, theirs = multiprocessing.Pipe()
        parent = os.getpid()
        try:
            child = os.fork()
        except OSError:  # too many processes, or no memory for one
            mine.close()
            theirs.close()
            self._failed.append(number)
            return
        if child == 0:
            _be(theirs, [*self._pipes.values(), mine], work, parent)
        theirs.close()
        self._pipes[number], self._processes[number] = mine, child


def _be(pipe: Connection, others: Sequence[Connection], work: Work, parent: int) -> NoReturn:
    """Is a worker. It leaves Ctrl-C to its parent."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        die_with(parent)
        for other in others:
            other.close()
        line = Line(pipe)
        threading.Thread(target=line.listen, daemon=True).start()
        with suppress(ConnectionError):
            work(line)
            status = 0
    finally:
        os._exit(status)
