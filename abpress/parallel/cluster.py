"""Workers as tasks of a Dask cluster, on as many machines as it has.

The cluster knows its machines, places the tasks on them, begins the task of a lost machine again on
another one, and carries the messages. Who has which part of the tree, and that nothing is counted
twice, is told by the hub, as for workers on one machine.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, Queue
from secrets import compare_digest, token_hex
from time import monotonic
from typing import Any

from distributed import Client, Future, KilledWorker
from distributed.batched import BatchedSend
from distributed.comm import Comm, listen
from distributed.comm.addressing import get_address_host, unparse_host_port
from distributed.comm.core import Listener
from distributed.utils import get_ip, sync

from abpress.parallel.hub import FIRST, Hub
from abpress.parallel.node import (
    INTERVAL,
    TAKEN,
    ClusterError,
    be_node,
    leave,
    source_digest,
)
from abpress.parallel.office import (
    LOOK,
    NOTHING_KEPT,
    Ends,
    Keeping,
    MakeDesk,
    Office,
    Said,
    Work,
    WorkerError,
)

_RETRIES = 10
"""How often the cluster begins a task again whose connection was lost."""

ALONE = 60.0
"""Seconds without any machine that works, after which a search, or a benchmark, is given up."""

SCHEDULER_LOST = "the scheduler of the cluster is lost"

_LOST = 15.0
"""Seconds without a worker that has a part of the search, after which the others do that, too."""

_FAREWELL = 1.0
"""Seconds that the last message to a worker may take."""

_ANSWER = 10.0
"""Seconds that the cluster may take to answer."""


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """A connection to a cluster, by the address of its scheduler. Raises ClusterError if nobody
    answers there, or there are no machines."""
    for name in ("distributed", "distributed.client"):  # each has a level of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is raised
    try:
        client = Client(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        what = "nobody answers" if isinstance(error, OSError) else "it is no address"
        raise ClusterError(f"--cluster {address}: {what} ({why})") from error
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


def in_cluster(
    address: str,
    workers: int,
    work: Work,
    ends: Ends,
    hub: MakeDesk = Hub,
    keeping: Keeping = NOTHING_KEPT,
) -> list[Any]:
    """Runs workers on the machines of a cluster, and returns their reports.

    One worker stands for as many as the machines can run at once. Where there are more of them,
    the rest begin as machines come. Raises WorkerError and ClusterError.
    """
    with connected(address) as client:
        places = nodes(client)
        workers = workers if workers > 1 else places
        begin = () if keeping.frontier is None else range(min(workers, places))
        office = _Cluster(client, workers, begin, work, ends, hub, keeping)
        try:
            return office.reports()
        finally:
            office.close()


class _Cluster(Office):
    """Workers by their connections. Mutable.

    Machines that are lost may have been cut off only, and go on: what they say is known by its
    epoch, NOTE(epochs). `begin` are those among whom a search that goes on is divided.

    What comes is put into a queue by the loop of the client, which is a thread of its own: which
    worker, by which of its connections, and what.
    """

    def __init__(
        self,
        client: Client,
        workers: int,
        begin: Sequence[int],
        work: Work,
        ends: Ends,
        hub: MakeDesk,
        keeping: Keeping,
    ) -> None:
        super().__init__(workers, ends, hub, begin, keeping)
        self._client = client
        self._token = token_hex()
        self._came: Queue[tuple[int, BatchedSend, Said | None]] = Queue()  # no SimpleQueue:
        # `get` of that never ends if a signal comes as its time is over (CPython 3.11)
        self._lines: dict[int, BatchedSend] = {}
        self._begun: set[int] = set()
        self._first = frozenset(begin or (FIRST,))  # nothing is done without them
        self._seen = dict.fromkeys(self._first, monotonic())
        self._last_seen = self._look_again = monotonic()
        self._listener: Listener = sync(client.loop, self._open)
        contact = self._listener.contact_address
        self._sent = contact, self._token, source_digest(), pickle.dumps(work)
        self._submitted = 0
        self._tasks: list[Future] = [self._submit(worker) for worker in range(workers)]

    def _submit(self, worker: int) -> Future:
        self._submitted += 1
        return self._client.submit(
            be_node,
            *(worker, *self._sent),
            key=f"abpress-{self._token[:8]}-{self._submitted}",
            pure=False,
            retries=_RETRIES,
            priority=int(worker in self._first),  # where there is no place for all
        )

    def close(self) -> None:
        done = self._complete()
        waiting = [its for worker, its in enumerate(self._tasks) if worker not in self._lines]
        self._client.cancel(waiting, force=True)  # else they begin when the others end
        sync(self._client.loop, self._leave, done)
        self._client.cancel(self._tasks, force=True)
        self._client.loop.add_callback(self._listener.stop)

    async def _leave(self, done: bool) -> None:
        """Closes all connections; if all is done, workers are told so before."""
        for line in self._lines.values():
            if done and not line.closed():
                line.send(pickle.dumps(TAKEN))
        ending = [asyncio.wait_for(line.close(), _FAREWELL) for line in self._lines.values()]
        await asyncio.gather(*ending, return_exceptions=True)
        for line in self._lines.values():
            line.abort()

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
        if monotonic() >= self._look_again:
            self._look_again = monotonic() + LOOK
            self._look_at_tasks()
            self._look_for_lost()
        try:
            worker, line, said = self._came.get(timeout=LOOK)
        except Empty:
            return
        if said is None:
            self._welcome(worker, line)
        else:
            self._take(worker, said)

    def _welcome(self, worker: int, line: BatchedSend) -> None:
        """Lets a worker begin; or its heir, if there was one of that number; or all again."""
        before = self._lines.get(worker)
        if before is not None:
            self._client.loop.add_callback(before.abort)
        self._lines[worker] = line
        if worker in self._reports:
            return  # it has only to be told that this was heard
        if worker in self._begun and self._better_back():
            self._all_back()
            return
        self._hub.arrives(worker)
        if worker in self._begun:
            self._count_death()
        self._begin(worker)

    def _begin(self, worker: int) -> None:
        life, messages = self._born(worker)
        self._begun.add(worker)
        self._seen[worker] = monotonic()
        for what in (life, *messages):
            self._say(self._lines[worker], what)

    def _all_back(self) -> None:
        """Lets all who are there begin again at the last frontier, or with the whole tree."""
        there = self._there()
        self._go_back(there)
        self._begun.clear()
        self._seen.clear()
        for worker in there:
            self._begin(worker)

    def _there(self) -> list[int]:
        """Who has a connection."""
        return [worker for worker, line in sorted(self._lines.items()) if not line.closed()]

    def _look_at_tasks(self) -> None:
        for worker, task in enumerate(self._tasks):
            if task.status == "error":
                error = task.exception()
                if isinstance(error, ClusterError):
                    raise error
                if not isinstance(error, KilledWorker):
                    raise WorkerError(f"a task of the cluster has failed: {_in_words(error)}")
                self._count_death()  # it has lost several machines, as others may
                self._tasks[worker] = self._submit(worker)
            if task.status in ("lost", "cancelled"):
                if self._client.status != "running":
                    raise WorkerError(SCHEDULER_LOST)
                raise WorkerError("the cluster has given up a task")

    def _look_for_lost(self) -> None:
        """Has the others do what somebody has left undone for whom there is no place."""
        now, there = monotonic(), self._there()
        if there:
            self._last_seen = now
        if now - self._last_seen > ALONE:
            told = f"no machine of the cluster has worked for {ALONE:.0f} s"
            if not self._lines:
                told += f": is abpress installed on them, can they reach {self._sent[0]}?"
            raise WorkerError(told)
        self._seen.update(dict.fromkeys(set(there) & set(self._seen), now))
        lost = [its for its, seen in self._seen.items() if now - seen > _LOST]
        missed = [its for its in lost if its not in self._reports]
        if there and missed and not self._last and not all(map(self._give_up, missed)):
            self._all_back()

    def _give_up(self, worker: int) -> bool:
        """Does without a worker, which may come later; returns whether others do its part."""
        if not self._hub.lost(worker):
            return False
        self._end_life(worker)
        self._begun.discard(worker)
        self._seen.pop(worker)
        return True

    def _send(self, worker: int, message: object) -> None:
        if worker in self._lines:
            self._say(self._lines[worker], message)

    def _say(self, line: BatchedSend, what: object) -> None:
        leave(self._client.loop.add_callback, line, what)


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
