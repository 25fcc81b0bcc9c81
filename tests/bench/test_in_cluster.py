"""A benchmark whose runs are tasks of a cluster."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from distributed import Client, Future

from abpress.bench import in_cluster
from abpress.bench.execute import Job
from abpress.bench.in_cluster import run_all_in_cluster
from abpress.bench.record import Category, Run, RunLimits, Task
from abpress.bench.runner import Setting, jobs_of, run_all
from abpress.parallel import cluster as of_clusters
from abpress.parallel.node import ClusterError
from tests.clusters import cluster_of

PROGRAMS = {
    "right": '#include "one.h"\nextern void reach_error(void); int main(void)'
    " { if (ONE != 1) reach_error(); return 0; }\n",
    "wrong": '#include "one.h"\nextern void reach_error(void); int main(void)'
    " { if (ONE == 1) reach_error(); return 0; }\n",
    "bad": "int main(void) { return }\n",
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with cluster_of(2) as cluster:
        yield cluster.scheduler_address


def tasks(folder: Path) -> list[Task]:
    (folder / "one.h").write_text("#define ONE 1\n")
    for name, text in PROGRAMS.items():
        (folder / f"{name}.c").write_text(text)
    return [
        Task(name, folder / f"{name}.c", "unreach-call", None if name == "bad" else "true")
        for name in PROGRAMS
    ]


def outcome(run: Run) -> object:
    return run.task, run.verdict, run.category, run.status, run.options, run.trace


def test_the_same_results_and_files(address: str, tmp_path: Path) -> None:
    jobs = jobs_of(tasks(tmp_path), {"default": ()})
    here = Setting(RunLimits(60.0, 60.0, 1000.0), folder=tmp_path / "here")
    there = replace(here, cluster=address, folder=tmp_path / "there")
    alone = sorted((run for _, run in run_all(jobs, here)), key=lambda run: run.task)
    seen: list[int] = []
    ended = run_all_in_cluster(jobs, there, seen.append)
    shared = sorted((run for _, run in ended), key=lambda run: run.task)
    assert [outcome(run) for run in shared] == [outcome(run) for run in alone]
    assert [run.category for run in shared] == [Category.ERROR, Category.CORRECT, Category.WRONG]
    trace = shared[2].trace
    assert trace is not None
    assert (tmp_path / "there" / trace).read_text() == (tmp_path / "here" / trace).read_text()
    assert max(seen) <= len(jobs)


def test_a_file_that_the_machine_has_not_goes_along(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it includes does not: the run says so."""
    [task, *_] = tasks(tmp_path)
    monkeypatch.setattr(in_cluster, "_submitted", _moved)
    [(_, run)] = run_all_in_cluster(
        jobs_of([task], {"default": ()}), Setting(RunLimits(60.0, 60.0), cluster=address), _nothing
    )
    assert run.status == 3
    assert "one.h" in run.reason


def test_an_older_source_is_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_cluster, "source_digest", lambda: "older")
    jobs = jobs_of(tasks(tmp_path), {"default": ()})
    with pytest.raises(ClusterError, match="another version"):
        list(run_all_in_cluster(jobs, Setting(RunLimits(), cluster=address), _nothing))


def test_a_job_that_no_machine_ends_is_an_error(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_cluster, "_run", _die)
    [job, *_] = jobs_of(tasks(tmp_path), {"default": ()})
    setting = Setting(RunLimits(), cluster=address)
    [(_, run)] = run_all_in_cluster([job], setting, _nothing)
    assert (run.category, run.verdict) == (Category.ERROR, "unknown")
    assert "lost by the cluster: KilledWorker" in run.reason


def test_no_machine_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_clusters, "nodes", lambda _: 1)
    monkeypatch.setattr(in_cluster, "ALONE", 0.3)
    with cluster_of(0) as empty, pytest.raises(ClusterError, match="no machine"):
        jobs = jobs_of(tasks(tmp_path), {"default": ()})
        list(
            run_all_in_cluster(
                jobs, Setting(RunLimits(), cluster=empty.scheduler_address), _nothing
            )
        )


def test_the_scheduler_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No job has an error for that: they are run when somebody goes on."""
    monkeypatch.setattr(of_clusters, "nodes", lambda _: 1)
    with cluster_of(0) as lost, pytest.raises(ClusterError, match="the scheduler"):
        jobs = jobs_of(tasks(tmp_path), {"default": ()})
        setting = Setting(RunLimits(), cluster=lost.scheduler_address)
        assert not list(run_all_in_cluster(jobs, setting, lambda _: lost.close()))


def _nothing(running: int) -> None:
    pass


def _die(source: str, data: bytes) -> None:
    os._exit(1)


def _moved(client: Client, job: Job, setting: Setting) -> Future:
    """As where the file system of the machines is another one."""
    text = job.task.file.read_bytes()
    elsewhere = replace(job.task, file=Path("/nowhere") / job.task.file.name)
    sent = in_cluster._Sent(replace(job, task=elsewhere), text, replace(setting, cluster=""))
    return client.submit(in_cluster._run, in_cluster.source_digest(), pickle.dumps(sent))
