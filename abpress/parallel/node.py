"""What a task on a machine of a cluster does: it is a worker, with a connection to the hub."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from distributed import get_worker
from distributed.batched import BatchedSend
from distributed.comm import Comm, connect
from distributed.utils import sync

import abpress
from abpress.errors import InputError
from abpress.parallel.messages import Heritage, Numbered
from abpress.parallel.office import LastWord, Work
from abpress.parallel.worker import Channel

INTERVAL = "2ms"
"""Messages leave together that come in so short a time."""

TAKEN = "taken"
"""What the hub answers to the last word of a worker."""

_PATIENCE = 10.0
"""Seconds that the hub may take to answer."""


class ClusterError(InputError):
    """The cluster cannot be used."""


class _HubLost(ConnectionError):
    """The connection to the hub is closed."""


def source_digest() -> str:
    """What tells the source of this installation from another: both sides must have the same."""
    top = Path(abpress.__file__).parent
    digest = sha256()
    for file in sorted(top.rglob("*.py")):
        digest.update(str(file.relative_to(top)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def require_source(source: str) -> None:
    """Raises ClusterError if the installation on this machine has another source."""
    if source_digest() != source:
        raise ClusterError(
            f"{get_worker().address} has another version of abpress:"
            " install the one that asks on all machines"
        )


def be_node(worker: int, hub: str, token: str, source: str, work: bytes) -> None:
    """Is a worker, until the hub closes the connection.

    `work` is a pickled `Work`. Raises ClusterError if the source is another here, and
    ConnectionError if the hub is lost.
    """
    require_source(source)
    task: Work = pickle.loads(work)
    line = _Line(hub, token, worker)
    try:
        life: Heritage = line.wait()
        try:
            last = LastWord(task(worker, line.channel(), life))
        except _HubLost:
            raise
        except BaseException:
            last = LastWord(None, traceback.format_exc())
        line.send(last)
        line.drained()
    finally:
        line.close()


def leave(soon: Callable[[Callable[[], None]], None], line: BatchedSend, what: object) -> None:
    """Sends it on the line, from the loop of the line. Where the line has ended, nothing is said:
    whoever reads from it sees that."""
    message = pickle.dumps(what)

    def send() -> None:
        if not line.closed():
            line.send(message)

    soon(send)


class _Line:
    """The connection to the hub. It lives in the loop of the machine's own worker. Mutable."""

    def __init__(self, hub: str, token: str, worker: int) -> None:
        """Raises OSError if nobody answers."""
        own = get_worker()
        self._loop = own.loop
        self._came: SimpleQueue[Any] = SimpleQueue()
        self._leaving = BatchedSend(interval=INTERVAL, loop=self._loop)
        arguments = own.security.get_connection_args("worker")

        async def begin() -> Comm:
            comm = await connect(hub, timeout=_PATIENCE, **arguments)
            await comm.write({"token": token, "worker": worker})
            self._leaving.start(comm)
            return comm

        self._comm: Comm = sync(self._loop, begin)
        self._loop.add_callback(self._listen)

    async def _listen(self) -> None:
        try:
            while True:
                for message in await self._comm.read():
                    self._came.put(pickle.loads(message))
        except OSError:
            self._came.put(_HubLost("the search is over, or its hub is lost"))

    def channel(self) -> Channel:
        """How the search talks to the hub."""
        return Channel(self.send, self._look, self.wait)

    def send(self, what: object) -> None:
        """Sends it, soon."""
        leave(self._loop.add_callback, self._leaving, what)

    def wait(self) -> Any:
        """What comes next. Raises ConnectionError."""
        return self._told(self._came.get)

    def _look(self) -> Numbered | None:
        try:
            message: Numbered = self._told(self._came.get_nowait)
        except Empty:
            return None
        return message

    def _told(self, take: Callable[[], Any]) -> Any:
        came = take()
        if isinstance(came, _HubLost):
            self._came.put(came)
            raise came
        return came

    def drained(self) -> None:
        """Waits until the hub says that it has taken all in. Raises ConnectionError."""
        while self.wait() != TAKEN:
            pass

    def close(self) -> None:
        """Closes the connection."""
        self._loop.add_callback(self._comm.abort)
