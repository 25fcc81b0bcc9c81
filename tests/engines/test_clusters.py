"""Workers on the machines of a cluster: here some processes that stand in for machines."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from distributed import LocalCluster
from distributed.batched import BatchedSend
from distributed.comm import connect
from distributed.utils import sync

from abpress.engines.answer import Explored
from abpress.parallel import cluster as of_clusters
from abpress.parallel import node, office
from abpress.parallel.cluster import connected, in_cluster
from abpress.parallel.messages import Batch
from abpress.parallel.node import ClusterError
from abpress.parallel.office import Said, WorkerError
from abpress.search.limits import Interrupt, Limits
from tests.clusters import cluster_of
from tests.engines.cluster_tasks import fails, waits
from tests.engines.test_shared_trees import asked, config_of
from tests.sampling import in_turn, sample


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with cluster_of(4) as its:
        yield its


def numbers(explored: Explored) -> object:
    result = explored.result
    return result.verdict, explored.finals, result.statistics["complete_executions"]


@pytest.mark.parametrize(("algorithm", "wrong"), in_turn(["source", "optimal"], ["0", "x == 1"]))
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


def cut(self: of_clusters._Cluster, worker: int) -> None:
    """The connection to the worker is lost; the cluster begins its task again."""
    self._client.loop.add_callback(self._lines[worker].abort)


def soon_back(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[int]]:
    """All tell what they know all the time, and go back to that when a machine is lost. Returns
    who will have gone back."""
    monkeypatch.setattr(office, "COMMIT", 0.0)
    monkeypatch.setattr(office, "OLD", 0.0)
    monkeypatch.setattr(office, "_SELDOM", 0.0)
    go_back, found = of_clusters._Cluster._go_back, []

    def noted(self: of_clusters._Cluster, present: Sequence[int]) -> None:
        go_back(self, present)
        found.append(present)

    monkeypatch.setattr(of_clusters._Cluster, "_go_back", noted)
    return found


@pytest.mark.parametrize("algorithm", sample(["source", "optimal"], every=2, start=1))
def test_all_go_back_when_a_connection_is_lost(
    algorithm: str, cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep, lost = of_clusters._Cluster._keep, []

    def mortal(self: of_clusters._Cluster) -> None:
        keep(self)
        if self._committed is not None and not lost:
            lost.append(0)
            cut(self, 0)

    backs = soon_back(monkeypatch)
    monkeypatch.setattr(of_clusters._Cluster, "_keep", mortal)
    config = config_of(tmp_path, "0", por=algorithm)
    alone, shared = asked(config), asked(config.but(cluster=cluster.scheduler_address))
    assert backs
    assert numbers(shared) == numbers(alone)


@pytest.mark.parametrize("first", [True, False])
def test_others_do_the_part_of_a_machine_that_does_not_come_back(
    first: bool, cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no place for its task, which has the whole tree or a part of it."""
    welcome, take, lost = of_clusters._Cluster._welcome, of_clusters._Cluster._take, []
    number = 0 if first else 2

    def mortal(self: of_clusters._Cluster, worker: int, came: Said) -> None:
        take(self, worker, came)
        if worker == number and not lost:
            lost.append(worker)
            cut(self, worker)

    def closed(self: of_clusters._Cluster, worker: int, line: BatchedSend) -> None:
        if worker not in lost:
            welcome(self, worker, line)

    backs = soon_back(monkeypatch)
    monkeypatch.setattr(of_clusters, "_LOST", 0.2)
    monkeypatch.setattr(of_clusters._Cluster, "_take", mortal)
    monkeypatch.setattr(of_clusters._Cluster, "_welcome", closed)
    config = config_of(tmp_path, "0")
    alone, shared = asked(config), asked(config.but(cluster=cluster.scheduler_address))
    assert backs
    assert number not in backs[-1]
    assert numbers(shared) == numbers(alone)


def test_a_machine_that_was_cut_off_is_not_heard(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its task runs a second time elsewhere, while it goes on and says all that it finds."""
    welcome, take = of_clusters._Cluster._welcome, of_clusters._Cluster._take
    close = of_clusters._Cluster.close
    lines: list[BatchedSend] = []
    late: list[Said] = []

    def delayed(self: of_clusters._Cluster, worker: int, came: Said) -> None:
        """What the first of the two says comes when the second one has begun."""
        if worker or len(lines) > 1:
            take(self, worker, came)
            return
        if not late:
            self._submit(worker)
        late.append(came)

    def doubled(self: of_clusters._Cluster, worker: int, line: BatchedSend) -> None:
        if not worker:
            lines.append(line)
            self._lines.pop(worker, None)  # it would be closed
        welcome(self, worker, line)
        for came in late if len(lines) > 1 else ():
            take(self, worker, came)

    def closed(self: of_clusters._Cluster) -> None:
        self._client.loop.add_callback(lines[0].abort)
        close(self)

    monkeypatch.setattr(of_clusters._Cluster, "close", closed)
    monkeypatch.setattr(of_clusters._Cluster, "_take", delayed)
    monkeypatch.setattr(of_clusters._Cluster, "_welcome", doubled)
    config = config_of(tmp_path, "0", por="source")
    alone = asked(config)
    shared = asked(config.but(cluster=cluster.scheduler_address, workers=3))
    assert late
    assert len(lines) == 2
    assert numbers(shared) == numbers(alone)


@pytest.mark.parametrize("algorithm", sample(["source", "optimal"], every=2))
def test_a_search_moves_to_a_cluster_and_back(
    algorithm: str, cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time it is interrupted when something has been said; once a connection is lost, too."""
    file, address = tmp_path / "kept", cluster.scheduler_address
    config = config_of(tmp_path, "0", por=algorithm, checkpoint=file)
    take, lost = office.Office._take, []
    interrupt = Interrupt()

    def mortal(self: office.Office, worker: int, came: Said) -> None:
        take(self, worker, came)
        if isinstance(self, of_clusters._Cluster) and not lost:
            lost.append(worker)
            cut(self, worker)
        elif isinstance(came.what, Batch):
            interrupt.requested = True

    with monkeypatch.context() as patch:
        patch.setattr(office.Office, "_take", mortal)
        for where in ({"cluster": address}, {"workers": 2}, {"cluster": address, "workers": 3}):
            interrupt.requested = False
            again = config.but(resume=file if file.exists() else None, **where)
            found = asked(again, Limits(interrupt=interrupt))
            assert found.result.reason == "interrupted"
            assert "checkpoint" in found.result.statistics
    here = asked(config.but(resume=file))
    there = asked(config.but(resume=file, cluster=address))
    assert lost
    assert numbers(here) == numbers(there) == numbers(asked(config.but(checkpoint=None)))


def test_what_was_known_is_kept_when_a_cluster_fails(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machines end with an error: another process goes on with what they have told."""
    file, config = tmp_path / "kept", config_of(tmp_path, "0")
    keep = of_clusters._Cluster._keep

    def fails(self: of_clusters._Cluster) -> None:
        keep(self)
        if self._committed is not None and self._committed.executions > 0:
            raise WorkerError("nobody is there any more")

    soon_back(monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(of_clusters._Cluster, "_keep", fails)
        found = asked(config.but(cluster=cluster.scheduler_address, checkpoint=file))
        assert found.result.reason == "nobody is there any more"
    resumed = asked(config.but(resume=file))
    assert resumed.result.statistics["resumed"] != "after 0 executions"
    assert numbers(resumed) == numbers(asked(config))


def test_more_workers_than_machines(cluster: LocalCluster, tmp_path: Path) -> None:
    """Those for which there is no machine have no part in the search, and do not get one as the
    others end; who has the whole tree has a machine."""
    config = config_of(tmp_path, "0", por="source")
    alone = asked(config)
    for _ in range(2):
        shared = asked(config.but(cluster=cluster.scheduler_address, workers=7))
        assert numbers(shared) == numbers(alone)
        assert int(str(shared.result.statistics["workers"])) < 7


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_clusters, "_ANSWER", 0.5)
    with pytest.raises(ClusterError, match="nobody answers"), connected("tcp://127.0.0.1:9"):
        pass


def test_not_an_address() -> None:
    with pytest.raises(ClusterError, match="it is no address"), connected("nonsense://x"):
        pass


def test_no_machines() -> None:
    with (
        cluster_of(0) as empty,
        pytest.raises(ClusterError, match="no machines"),
        connected(empty.scheduler_address),
    ):
        pass


def test_no_machine_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """That is seen although who waits is interrupted all the time, as by its own alarms."""

    def interrupt(*_: object) -> None:
        time.sleep(0.002)
        signal.setitimer(signal.ITIMER_REAL, 0.003)  # however long this took, something is done

    def one(_: object) -> int:
        signal.setitimer(signal.ITIMER_REAL, 0.003)
        return 1

    monkeypatch.setattr(of_clusters, "nodes", one)
    monkeypatch.setattr(of_clusters, "ALONE", 0.5)
    monkeypatch.setattr(of_clusters, "LOOK", 0.0049)
    before = signal.signal(signal.SIGALRM, interrupt)
    with cluster_of(0) as empty:
        try:
            with pytest.raises(WorkerError, match=r"has worked for 0 s: is abpress installed"):
                in_cluster(empty.scheduler_address, 1, waits, lambda _: False)
        finally:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)


def test_machines_with_another_version(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(of_clusters, "source_digest", lambda: "another")
    with pytest.raises(ClusterError, match="another version of abpress"):
        asked(config_of(tmp_path, "0", cluster=cluster.scheduler_address))


def test_the_source_is_that_which_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one is installed later."""
    before = node.source_digest()
    monkeypatch.setattr(node, "__file__", str(tmp_path / "parallel" / "node.py"))
    assert node.source_digest.__wrapped__() != before
    assert node.source_digest() == before


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
            time.sleep(0.05)
        process.kill()
        process.wait()
        assert client.submit(int, "5").result(timeout=60) == 5
