"""Workers that search with the native core on the machines of a cluster: here some processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from distributed import LocalCluster
from distributed.batched import BatchedSend

from abpress.core.build import find_compiler
from abpress.parallel import cluster as of_clusters
from abpress.parallel import planner
from abpress.parallel.cluster import connected
from abpress.parallel.dealer import PartSaid
from abpress.parallel.office import Said
from abpress.parallel.planner import LeavesSaid
from abpress.search.limits import Interrupt, Limits
from tests.clusters import cluster_of
from tests.engines import cluster_tasks
from tests.engines.lost_machines import LOST_AT_ONCE, compare
from tests.engines.test_native_checkpoints import numbers
from tests.engines.test_native_workers import asked
from tests.parallel.test_native_parts import alone
from tests.parallel.test_workers_observers import THREE_WRITERS, read
from tests.sampling import in_turn, sample
from tests.strategies.questions import ANY_ERROR

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

BOTH = pytest.mark.parametrize("algorithm", ["source", "optimal"])

MORE = {"defines": ("THREADS=4",)}


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with cluster_of(4) as its:
        yield its


@contextmanager
def slow(cluster: LocalCluster) -> Iterator[None]:
    """Its machines pause: nobody has explored everything before the others have come."""
    with connected(cluster.scheduler_address) as client:
        client.run(cluster_tasks.pauses, 16, 0.01)
        try:
            yield
        finally:
            client.run(cluster_tasks.hurries)


@pytest.mark.parametrize(("algorithm", "wrong"), in_turn(["source", "optimal"], ["0", "x == 1"]))
def test_the_same_answer(algorithm: str, wrong: str, cluster: LocalCluster, tmp_path: Path) -> None:
    options = {"por": algorithm, "keep_going": True}
    alone = asked(tmp_path, wrong, **options)
    shared = asked(tmp_path, wrong, cluster=cluster.scheduler_address, **options)
    assert numbers(shared) == numbers(alone)
    assert set(shared.violations) == set(alone.violations)
    assert shared.result.statistics["core"] == "native"


@pytest.mark.parametrize("algorithm", sample(["source", "optimal"], every=2))
def test_machines_without_a_compiler(algorithm: str, cluster: LocalCluster, tmp_path: Path) -> None:
    """Then Python searches on all, and says why."""
    bare = {"PATH": "", "CC": "", "ABPRESS_CACHE": str(tmp_path / "cache")}
    alone = asked(tmp_path, por=algorithm)
    with connected(cluster.scheduler_address) as client:
        before = client.run(cluster_tasks.moves, bare)
        try:
            shared = asked(tmp_path, por=algorithm, cluster=cluster.scheduler_address)
        finally:
            client.run(cluster_tasks.moves, next(iter(before.values())))
    assert numbers(shared) == numbers(alone) and shared.exhausted
    assert "no C compiler" in str(shared.result.statistics["core"])


@BOTH
def test_machines_that_are_lost_lose_nothing(
    algorithm: str, cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two are killed as soon as they have explored something; others do their part again, and that
    which was said last, if it was the end."""
    take = of_clusters._Cluster._take
    lost: list[int] = []

    def mortal(self: of_clusters._Cluster, worker: int, came: Said) -> None:
        its = came.what
        explored = isinstance(its, PartSaid | LeavesSaid)
        ends = (isinstance(its, PartSaid) and its.ends) or (
            isinstance(its, LeavesSaid) and its.back is not None and not its.back.rest
        )
        if len(lost) == 2 or not (explored and ends):
            take(self, worker, came)
        if len(lost) < 2 and explored and came.epoch not in lost:
            lost.append(came.epoch)
            machines = {nanny.worker_address: nanny.pid for nanny in cluster.workers.values()}
            for machine, keys in self._client.processing().items():
                if self._tasks[worker].key in keys:
                    os.kill(machines[machine], signal.SIGKILL)

    monkeypatch.setattr(of_clusters._Cluster, "_take", mortal)
    alone = asked(tmp_path, por=algorithm, **MORE)
    shared = asked(tmp_path, por=algorithm, cluster=cluster.scheduler_address, **MORE)
    assert numbers(shared) == numbers(alone)
    assert shared.result.statistics["core"] == "native"
    assert len(lost) == 2


@pytest.mark.parametrize("algorithm", ["observers", "optimal-cs-observers"])
def test_a_machine_is_lost_where_writes_are_observed(
    algorithm: str, cluster: LocalCluster, tmp_path: Path
) -> None:
    its = read(THREE_WRITERS, tmp_path)
    most = alone(its, "observers", ANY_ERROR)
    assert most is not None
    with slow(cluster):
        assert compare(cluster, its, algorithm, most.statistics, LOST_AT_ONCE) == 1


@BOTH
def test_others_do_the_part_of_a_machine_that_does_not_come_back(
    algorithm: str, cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    welcome, take = of_clusters._Cluster._welcome, of_clusters._Cluster._take
    lost: list[int] = []
    given_up: list[int] = []
    give_up = of_clusters._Cluster._give_up

    def mortal(self: of_clusters._Cluster, worker: int, came: Said) -> None:
        take(self, worker, came)
        if not lost:
            lost.append(worker)
            self._client.loop.add_callback(self._lines[worker].abort)

    def closed(self: of_clusters._Cluster, worker: int, line: BatchedSend) -> None:
        if worker not in lost:
            welcome(self, worker, line)

    def noted(self: of_clusters._Cluster, worker: int) -> bool:
        given_up.append(worker)
        return give_up(self, worker)

    monkeypatch.setattr(of_clusters, "_LOST", 0.2)
    monkeypatch.setattr(of_clusters._Cluster, "_take", mortal)
    monkeypatch.setattr(of_clusters._Cluster, "_welcome", closed)
    monkeypatch.setattr(of_clusters._Cluster, "_give_up", noted)
    alone = asked(tmp_path, por=algorithm, **MORE)
    shared = asked(tmp_path, por=algorithm, cluster=cluster.scheduler_address, **MORE)
    assert lost[0] in given_up
    assert numbers(shared) == numbers(alone)


@BOTH
def test_a_search_moves_to_a_cluster_and_back(
    algorithm: str, cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time it is interrupted when something has been explored, but not by one alone before the
    others have come."""
    file, interrupt = tmp_path / "kept", Interrupt()
    take = of_clusters.Office._take
    options = {"por": algorithm, "checkpoint": file, **MORE}

    def busy(self: of_clusters.Office, worker: int, came: Said) -> None:
        take(self, worker, came)
        interrupt.requested |= isinstance(came.what, PartSaid | LeavesSaid)

    monkeypatch.setattr(planner, "_MOST", 2)
    with monkeypatch.context() as patch, slow(cluster):
        patch.setattr(of_clusters.Office, "_take", busy)
        for where in ({"cluster": cluster.scheduler_address}, {"workers": 3}):
            interrupt.requested = False
            resume = file if file.exists() else None
            limits = Limits(interrupt=interrupt)
            found = asked(tmp_path, limits=limits, resume=resume, **options, **where)
            assert found.result.reason == "interrupted"
            assert "checkpoint" in found.result.statistics
    there = asked(tmp_path, resume=file, cluster=cluster.scheduler_address, **options)
    assert there.result.statistics["resumed"] != "after 0 executions"
    assert numbers(there) == numbers(asked(tmp_path, por=algorithm, **MORE))
