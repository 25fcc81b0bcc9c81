"""Workers on the machines of a cluster: here some processes that stand in for machines."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster
from distributed.comm import connect
from distributed.utils import sync

from abpress.engines.answer import Explored
from abpress.parallel import cluster as of_clusters
from abpress.parallel.cluster import connected, in_cluster
from abpress.parallel.node import ClusterError
from abpress.parallel.office import WorkerError
from tests.engines.cluster_tasks import fails, waits
from tests.engines.test_shared_trees import asked, config_of


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=4, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL"
    ) as its:
        yield its


def numbers(explored: Explored) -> object:
    result = explored.result
    return result.verdict, explored.finals, result.statistics["complete_executions"]


@pytest.mark.parametrize("algorithm", ["source", "optimal"])
@pytest.mark.parametrize("wrong", ["0", "x == 1"])
def test_the_same_answer(algorithm: str, wrong: str, cluster: LocalCluster, tmp_path: Path) -> None:
    config = config_of(tmp_path, wrong, por=algorithm, keep_going=True)
    alone, shared = asked(config), asked(config.but(cluster=cluster.scheduler_address))
    assert numbers(shared) == numbers(alone)
    assert shared.result.statistics["workers"] == 4


def test_machines_that_are_lost_lose_nothing(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two machines are lost as soon as they have said something; others do their part again."""
    take = of_clusters._Cluster._take
    machines = {nanny.worker_address: nanny.pid for nanny in cluster.workers.values()}
    lost: list[int] = []

    def mortal(self: of_clusters._Cluster, worker: int, came: object) -> None:
        take(self, worker, came)
        if worker < 2 and worker not in lost:
            lost.append(worker)
            for machine, keys in self._client.processing().items():
                if self._tasks[worker].key in keys:
                    os.kill(machines[machine], signal.SIGKILL)

    monkeypatch.setattr(of_clusters._Cluster, "_take", mortal)
    config = config_of(tmp_path, "0", por="source")
    alone, shared = asked(config), asked(config.but(cluster=cluster.scheduler_address))
    assert sorted(lost) == [0, 1]
    assert numbers(shared) == numbers(alone)


def test_more_workers_than_machines(cluster: LocalCluster, tmp_path: Path) -> None:
    """Those for which there is no machine have no part in the search."""
    config = config_of(tmp_path, "0", por="source")
    shared = asked(config.but(cluster=cluster.scheduler_address, workers=7))
    assert numbers(shared) == numbers(asked(config))
    assert int(str(shared.result.statistics["workers"])) < 7


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_clusters, "_ANSWER", 0.5)
    with pytest.raises(ClusterError, match="nobody answers"), connected("tcp://127.0.0.1:9"):
        pass


def test_not_an_address() -> None:
    with pytest.raises(ClusterError, match="nobody answers"), connected("nonsense://x"):
        pass


def test_no_machines() -> None:
    with (
        LocalCluster(n_workers=0, dashboard_address=None, silence_logs="CRITICAL") as empty,
        pytest.raises(ClusterError, match="no machines"),
        connected(empty.scheduler_address),
    ):
        pass


def test_machines_with_another_version(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(of_clusters, "source_digest", lambda: "another")
    with pytest.raises(ClusterError, match="another version of abpress"):
        asked(config_of(tmp_path, "0", cluster=cluster.scheduler_address))


def test_a_worker_that_fails_says_why(cluster: LocalCluster) -> None:
    with pytest.raises(WorkerError, match="this is wrong"):
        in_cluster(cluster.scheduler_address, 2, fails, lambda _: False)


def test_who_does_not_know_the_word_is_not_heard(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of what a stranger sends is unpickled."""
    strangers: list[str] = []
    hear = of_clusters._Cluster._look_at_tasks

    def stranger(self: of_clusters._Cluster) -> None:
        hear(self)
        if strangers:
            return

        async def intrude() -> str:
            comm = await connect(self._listener.contact_address)
            await comm.write({"token": "guessed", "worker": 0})
            try:
                return str(await comm.read())
            except OSError:
                return "closed"

        strangers.append(sync(self._client.loop, intrude))

    monkeypatch.setattr(of_clusters._Cluster, "_look_at_tasks", stranger)
    found = in_cluster(cluster.scheduler_address, 2, waits, lambda counted: bool(strangers))
    assert strangers == ["closed"]
    assert set(found) <= {"ended"}


def test_the_end_of_who_asks_is_the_end_of_the_tasks(cluster: LocalCluster, tmp_path: Path) -> None:
    """The machines are free again for others."""
    config_of(tmp_path, "0")
    asks = [sys.executable, "-m", "abpress", "explore", str(tmp_path / "program.c"), "-DTHREADS=5"]
    process = subprocess.Popen([*asks, "--cluster", cluster.scheduler_address])
    with connected(cluster.scheduler_address) as client:
        while not any(client.processing().values()):
            assert process.poll() is None
        process.kill()
        process.wait()
        assert client.submit(int, "5").result(timeout=60) == 5
