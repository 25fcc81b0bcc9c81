"""What a task on a machine of a cluster does: it is a worker, with a connection to the hub."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from distributed import get_worker
from distributed.batched import BatchedSend
from distributed.comm import Comm, connect
from distributed.utils import sync

from abpress.errors import InputError
from abpress.parallel.messages import Numbered
from abpress.parallel.office import LastWord, Said, Work, WorkerLife
from abpress.parallel.post import Channel

INTERVAL = "2ms"
"""Messages leave together that come in so short a time."""

TAKEN = "taken"
"""What the hub says once it has the last words of all."""

_PATIENCE = 10.0
"""Seconds that the hub may take to answer."""


class ClusterError(InputError):
    """The cluster cannot be used."""


class _HubLost(ConnectionError):
    """The connection to the hub is closed."""


class _LifeOver(Exception):
    """The hub lets the worker begin again."""


@cache
def source_digest() -> str:
    """What tells the source of this installation from another: both sides must have the same. It
    is that of what is loaded, also where another one is installed later."""
    top = Path(__file__).parent.parent
    digest = sha256()
    for file in sorted(its for kind in ("*.py", "*.c", "*.h") for its in top.rglob(kind)):
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
    """Is a worker, as often as the hub lets it begin, until the hub has heard all.

    `work` is a pickled `Work`. Raises ClusterError if the source is another here, and
    ConnectionError if the hub is lost.
    """
    require_source(source)
    task: Work = pickle.loads(work)
    line = _Line(hub, token, worker)
    try:
        while True:
            life = line.life()
            try:
                line.say(_last_word(task, worker, line, life))
                line.drained()
                return
            except _LifeOver:
                pass
    finally:
        line.close()


def _last_word(task: Work, worker: int, line: _Line, life: WorkerLife) -> LastWord:
    try:
        return LastWord(task(worker, line.channel(), life.heritage))
    except (_HubLost, _LifeOver):
        raise
    except BaseException:
        return LastWord(None, traceback.format_exc())


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
        self._epoch = 0
        self._next: WorkerLife | None = None
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
        return Channel(self.say, self._look, self._wait)

    def life(self) -> WorkerLife:
        """The next life of the worker; what it says from now on belongs to it. Raises
        ConnectionError."""
        while self._next is None:
            with suppress(_LifeOver):
                self._wait()
        life, self._next = self._next, None
        self._epoch = life.epoch
        return life

    def say(self, what: object) -> None:
        """Says it, soon."""
        leave(self._loop.add_callback, self._leaving, Said(self._epoch, what))

    def _wait(self) -> Any:
        """What comes next."""
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
        if isinstance(came, WorkerLife):
            self._next = came
            raise _LifeOver
        return came

    def drained(self) -> None:
        """Waits until the hub says that it has taken all in. Raises ConnectionError, and _LifeOver
        if it wants more."""
        while self._wait() != TAKEN:
            pass

    def close(self) -> None:
        """Closes the connection."""
        self._loop.add_callback(self._comm.abort)
