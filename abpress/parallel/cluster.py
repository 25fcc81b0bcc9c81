"""Workers as tasks of a Dask cluster, on as many machines as it has.

The cluster knows its machines, places the tasks on them, begins the task of a lost machine again on
another one, and carries the messages. Who has which part of the tree, and that nothing is counted
twice, is told by the hub, as for workers on one machine.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from secrets import compare_digest, token_hex
from time import monotonic
from typing import Any

from distributed import Client, Future
from distributed.batched import BatchedSend
from distributed.comm import Comm, listen
from distributed.comm.addressing import get_address_host, unparse_host_port
from distributed.comm.core import Listener
from distributed.utils import get_ip, sync

from abpress.parallel.messages import Numbered
from abpress.parallel.node import (
    INTERVAL,
    TAKEN,
    ClusterError,
    be_node,
    leave,
    source_digest,
)
from abpress.parallel.office import LOOK, Ends, Office, Work, WorkerError

_RETRIES = 10
"""How often the cluster begins a task again whose connection was lost."""

_ALONE = 60.0
"""Seconds without any worker, after which the search is given up."""

_ANSWER = 10.0
"""Seconds that the cluster may take to answer."""


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """A connection to a cluster, by the address of its scheduler. Raises ClusterError if nobody
    answers there, or there are no machines."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is raised
    try:
        client = Client(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ClusterError(f"--cluster {address}: nobody answers ({why})") from error
    try:
        if not nodes(client):
            raise ClusterError(
                f"--cluster {address}: it has no machines; start some: dask worker {address}"
            )
        yield client
    finally:
        client.close(timeout=_ANSWER)


def nodes(client: Client) -> int:
    """How many tasks run at once."""
    its = client.scheduler_info(n_workers=-1)["workers"].values()
    return sum(int(worker["nthreads"]) for worker in its)


def in_cluster(address: str, workers: int, work: Work, ends: Ends) -> list[Any]:
    """Runs workers on the machines of a cluster, and returns their reports.

    One worker stands for as many as the machines can run at once. Where there are more of them,
    the rest begin as machines come. Raises WorkerError and ClusterError.
    """
    with connected(address) as client:
        office = _Cluster(client, workers if workers > 1 else nodes(client), work, ends)
        try:
            return office.reports()
        finally:
            office.close()


class _Cluster(Office):
    """Workers by their connections. Mutable.

    What comes is put into a queue by the loop of the client, which is a thread of its own: which
    worker, by which of its connections, and what.
    """

    def __init__(self, client: Client, workers: int, work: Work, ends: Ends) -> None:
        super().__init__(workers, ends, present=False)
        self._client = client
        self._token = token_hex()
        self._came: SimpleQueue[tuple[int, BatchedSend, Any]] = SimpleQueue()
        self._lines: dict[int, BatchedSend] = {}
        self._begun: set[int] = set()
        self._last_seen = monotonic()
        self._listener: Listener = sync(client.loop, self._open)
        contact = self._listener.contact_address
        source, task = source_digest(), pickle.dumps(work)
        self._tasks: list[Future] = [
            client.submit(
                be_node,
                *(worker, contact, self._token, source, task),
                key=f"abpress-{self._token[:8]}-{worker}",
                pure=False,
                retries=_RETRIES,
            )
            for worker in range(workers)
        ]

    def close(self) -> None:
        self._client.cancel(self._tasks, force=True)
        for line in self._lines.values():
            self._client.loop.add_callback(line.abort)
        self._client.loop.add_callback(self._listener.stop)

    async def _open(self) -> Listener:
        """Listens where the machines of the cluster can reach this one."""
        address = self._client.scheduler.address
        own = unparse_host_port(get_ip(get_address_host(address)), 0)
        scheme = address.split("://")[0]
        arguments = self._client.security.get_listen_args("client")
        return await listen(f"{scheme}://{own}", self._hear, deserialize=False, **arguments)

    async def _hear(self, comm: Comm) -> None:
        """Takes what comes by a connection; nothing of it is unpickled before it has told that it
        belongs to this search."""
        try:
            hello = await comm.read()
            if not compare_digest(str(hello.get("token")), self._token):
                comm.abort()
                return
            worker, line = int(hello["worker"]), BatchedSend(INTERVAL, loop=self._client.loop)
            line.start(comm)
            self._came.put((worker, line, None))
            while True:
                for message in await comm.read():
                    self._came.put((worker, line, pickle.loads(message)))
        except (OSError, AttributeError, KeyError, ValueError):
            comm.abort()  # who is lost comes again

    def _look(self) -> None:
        try:
            worker, line, what = self._came.get(timeout=LOOK)
        except Empty:
            self._look_at_tasks()
            return
        if what is None:
            self._welcome(worker, line)
        elif self._lines.get(worker) is line:
            self._take(worker, what)
            if worker in self._reports:
                self._say(line, TAKEN)

    def _welcome(self, worker: int, line: BatchedSend) -> None:
        """Lets a worker begin; or its heir, if there was one of that number."""
        messages: list[Numbered]
        before = self._lines.get(worker)
        if before is not None:
            self._client.loop.add_callback(before.abort)
        self._lines[worker] = line
        self._hub.arrives(worker)
        life, messages = self._heir(worker) if worker in self._begun else self._heritage(worker)
        self._begun.add(worker)
        self._say(line, life)
        for message in messages:
            self._say(line, message)

    def _look_at_tasks(self) -> None:
        for task in self._tasks:
            if task.status == "error":
                error = task.exception()
                if isinstance(error, ClusterError):
                    raise error
                raise WorkerError(f"a task of the cluster has failed: {_in_words(error)}")
            if task.status in ("lost", "cancelled"):
                raise WorkerError("the cluster has given up a task")
        if any(not line.closed() for line in self._lines.values()):
            self._last_seen = monotonic()
        if monotonic() - self._last_seen > _ALONE:
            raise WorkerError(f"no machine of the cluster has worked for {_ALONE:.0f} s")

    def _send(self, worker: int, message: Numbered) -> None:
        if worker in self._lines:
            self._say(self._lines[worker], message)

    def _say(self, line: BatchedSend, what: object) -> None:
        leave(self._client.loop.add_callback, line, what)


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
