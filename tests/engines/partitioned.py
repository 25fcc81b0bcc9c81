"""A search on a cluster whose machines are network namespaces, one of which is cut off.

Run as a program, by `apart`, in a namespace of its own: it has a bridge, and each machine is a
namespace with a cable to that. Link down: nothing comes through, and no connection is closed. The
link is up again once the machine is given up, and the search ends only when its process has
noticed. What happened is printed as JSON.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CDLL, get_errno
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from threading import active_count
from time import monotonic, sleep
from typing import Any
from unittest.mock import patch

from distributed import LocalCluster
from distributed.cli import dask_worker
from distributed.comm import tcp
from tornado.iostream import IOStream

import abpress.engines.native_workers  # noqa: F401
from abpress.config import NATIVE, Config
from abpress.engines.stateless import explore
from abpress.parallel import cluster as of_clusters
from abpress.parallel.cluster import _Cluster as Cluster
from abpress.parallel.cluster import connected
from abpress.parallel.dealer import PartSaid
from abpress.parallel.messages import Batch
from abpress.parallel.office import Said, WorkerLife
from abpress.parallel.planner import LeavesSaid
from abpress.search.limits import Limits
from abpress.verify.load import load
from tests.clusters import be_quiet

PATIENCE = 1
"""Seconds without an answer after which the head closes a connection. Those of the machines wait
for longer: they do not notice that they are cut off."""

HEAD = "10.0.0.1"
PORT = 8786
SCHEDULER = f"tcp://{HEAD}:{PORT}"
MACHINES = 3

FORK = get_context("fork")

LOST = 0
"""The worker whose machine is cut off."""


def ip(*words: str) -> None:
    """Runs `ip`; raises CalledProcessError."""
    subprocess.run(("ip", *words), check=True, capture_output=True, text=True)


def lay_cables() -> None:
    """Makes the bridge and the machines; raises OSError and CalledProcessError where that is not
    permitted."""
    subprocess.run(("mount", "-t", "tmpfs", "none", "/run"), check=True, capture_output=True)
    ip("link", "set", "lo", "up")
    ip("link", "add", "name", "bridge", "type", "bridge")
    ip("address", "add", f"{HEAD}/24", "dev", "bridge")
    ip("link", "set", "bridge", "up")
    for k in range(MACHINES):
        ip("netns", "add", f"machine{k}")
        cable = "name", f"cable{k}", "type", "veth", "peer", "name", "eth0"
        ip("link", "add", *cable, "netns", f"machine{k}")
        ip("link", "set", f"cable{k}", "master", "bridge", "up")
        ip("-n", f"machine{k}", "address", "add", f"10.0.0.{10 + k}/24", "dev", "eth0")
        for link in ("lo", "eth0"):
            ip("-n", f"machine{k}", "link", "set", link, "up")


def hasty(stream: IOStream) -> None:
    """In place of Dask's own, which waits for 30 seconds: a connection is closed soon."""
    line: socket.socket = stream.socket
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT):
        line.setsockopt(socket.IPPROTO_TCP, option, PATIENCE)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * PATIENCE)


def be_machine(k: int) -> None:
    """Is a worker of Dask on the machine of that number."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    with open(f"/run/netns/machine{k}", encoding="utf-8") as its:
        if CDLL(None, use_errno=True).setns(its.fileno(), 0):
            raise OSError(get_errno(), "there is no such machine")
    one = "--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", str(k)
    dask_worker.main((SCHEDULER, *one))


@contextmanager
def machines() -> Iterator[list[ForkProcess]]:
    """Workers on the machines, which wait for a scheduler; forked while there is no other thread,
    when what they need is loaded."""
    assert active_count() == 1
    started = [FORK.Process(target=be_machine, args=(k,)) for k in range(MACHINES)]
    try:
        for process in started:
            process.start()
        yield started
    finally:
        for process in started:
            process.kill()
            process.join()


def wait_for_machines() -> None:
    """All have come."""
    while True:
        try:
            with connected(SCHEDULER) as client:
                client.wait_for_workers(MACHINES)
            return
        except of_clusters.ClusterError:  # there is none yet
            sleep(0.1)


class Partition:
    """Cuts a machine off, and watches. Mutable.

    `lost` is the machine, `lives` are the epochs of the worker that was there.
    """

    def __init__(self, started: list[ForkProcess]) -> None:
        self._started = started
        self.lost = -1
        self.healed = 0.0
        self.lives: list[int] = []
        self.noticed = False

    def take(self, office: Cluster, worker: int, came: Said) -> None:
        """Cuts the machine off when its worker has said something."""
        TAKE(office, worker, came)
        said = isinstance(came.what, Batch | PartSaid | LeavesSaid)
        if worker == LOST and self.lost < 0 and said:
            key, processing = office._tasks[LOST].key, office._client.processing()
            where = next(at for at, keys in processing.items() if key in keys)
            its = office._client.scheduler_info(n_workers=-1)["workers"][where]
            self.lost = int(its["id"])
            ip("link", "set", f"cable{self.lost}", "down")

    def born(self, office: Cluster, worker: int) -> tuple[WorkerLife, list[Any]]:
        """The link is up again when the worker has begun elsewhere, or all without it."""
        life = BORN(office, worker)
        self.lives += [life[0].epoch] if worker == LOST else []
        self._heal()
        return life

    def give_up(self, office: Cluster, worker: int) -> bool:
        """Or when others do its part."""
        given_up = GIVE_UP(office, worker)
        if given_up:
            self._heal()
        return given_up

    def _heal(self) -> None:
        if self.lost >= 0 and not self.healed:
            ip("link", "set", f"cable{self.lost}", "up")
            self.healed = monotonic()

    def complete(self, office: Cluster) -> bool:
        """Nothing ends before the process on the machine has noticed that it is given up."""
        if not COMPLETE(office) or not self.healed:
            return False
        self.noticed = self._started[self.lost].exitcode is not None
        return self.noticed or monotonic() > self.healed + TOO_LONG


TAKE, BORN, COMPLETE = Cluster._take, Cluster._born, Cluster._complete
GIVE_UP = Cluster._give_up

TOO_LONG = 30.0
"""Seconds after which the process should have noticed."""


def numbers(config: Config) -> list[object]:
    """What a search says."""
    with_finals = config.search.core != NATIVE
    found = explore(load(config).program, config, Limits(), with_finals=with_finals)
    told = found.result.statistics
    counted = told["complete_executions"], told.get("core")
    return [str(found.result.verdict), found.result.reason, sorted(found.finals or ()), *counted]


def main(file: str, algorithm: str, workers: str, core: str) -> None:
    """Prints what a search says, alone and on the cluster, and what has happened to that."""
    try:
        lay_cables()
    except (OSError, subprocess.CalledProcessError) as error:
        why = getattr(error, "stderr", b"") or error
        print(json.dumps({"skip": str(why)}))
        return
    asked = {"engine": "stateless", "por": algorithm, "keep_going": True, "core": core}
    config = Config.of(Path(file), **asked, defines=("THREADS=4",) if core == NATIVE else ())
    be_quiet()
    with (
        machines() as started,
        patch.object(tcp, "set_tcp_timeout", hasty),
        LocalCluster(
            n_workers=0,
            host=HEAD,
            scheduler_port=PORT,
            dashboard_address=None,
            silence_logs="CRITICAL",
        ),
    ):
        wait_for_machines()
        seen = Partition(started)
        with (
            patch.object(of_clusters, "_LOST", 1.0),
            patch.object(Cluster, "_take", lambda *a: seen.take(*a)),
            patch.object(Cluster, "_born", lambda *a: seen.born(*a)),
            patch.object(Cluster, "_give_up", lambda *a: seen.give_up(*a)),
            patch.object(Cluster, "_complete", lambda *a: seen.complete(*a)),
        ):
            shared = numbers(config.but(cluster=SCHEDULER, workers=int(workers)))
    told = {"lost": seen.lost, "lives": seen.lives, "noticed": seen.noticed}
    print(json.dumps({"alone": numbers(config), "shared": shared, **told}))


if __name__ == "__main__":
    main(*sys.argv[1:])
