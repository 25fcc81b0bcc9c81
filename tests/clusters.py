"""Clusters whose machines are processes of this one.

Each is a copy of a server that has loaded what it needs: a machine takes an eighth of the processor
time of one that begins from nothing, also where it is killed and another one comes in its place.
"""

from __future__ import annotations

from importlib import import_module

import dask
from distributed import LocalCluster, utils

from abpress.parallel.cluster import connected
from tests.forkserver import load_first

NATIVE_WORKERS = "abpress.engines.native_workers"

load_first(
    "distributed",
    "abpress.bench.in_cluster",
    "abpress.engines.workers",
    NATIVE_WORKERS,
    "tests.engines.cluster_ready",
)


_QUIET = {
    "distributed.worker.multiprocessing-method": "forkserver",
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}
"""Else machines that have nothing to do look after themselves for a tenth of the time."""


def be_quiet() -> None:
    """What this process starts from now on, and itself."""
    utils._forkserver_preload_set = True  # else Dask has the server load what itself needs alone
    dask.config.set(_QUIET)


def cluster_of(machines: int) -> LocalCluster:
    """A cluster; all of its machines are there."""
    be_quiet()
    its = LocalCluster(
        n_workers=machines,
        threads_per_worker=1,
        memory_limit=0,
        dashboard_address=None,
        silence_logs="CRITICAL",
    )
    if machines:
        with connected(its.scheduler_address) as client:
            client.run(import_module, NATIVE_WORKERS)
    return its
