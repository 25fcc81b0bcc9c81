"""Results survive: they are read back as they were, and a killed benchmark goes on where it was."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abpress.bench.execute import Job
from abpress.bench.processes import snapshot
from abpress.bench.record import Category, Run, RunLimits
from abpress.bench.store import NAME, ResultStore, read_runs
from abpress.errors import InputError

from .fakes import a_job, a_task
from .killed import jobs_for, session

ROOT = Path(__file__).resolve().parent.parent.parent
LIMITS = RunLimits(wall_s=5, memory_mb=100)


def a_run(job: Job, **changes: Any) -> Run:
    run = Run(
        task=job.task.name,
        property=job.task.property,
        config=job.config,
        options=job.search_options,
        expected=job.task.expected,
        verdict="true",
        reason="",
        status=0,
        category=Category.CORRECT,
        score=2,
        cpu_s=1.5,
        wall_s=2.5,
        memory_mb=30.0,
        engine="explicit",
        reduction="none",
        statistics={"states": 3, "engines": "explicit"},
    )
    return replace(run, **changes)


@given(
    st.builds(
        Run,
        options=st.lists(st.text()).map(tuple),
        category=st.sampled_from(Category),
        cpu_s=st.floats(0, 1e6),
        wall_s=st.floats(0, 1e6),
        memory_mb=st.floats(0, 1e6),
        statistics=st.dictionaries(st.text(), st.integers() | st.text()),
    )
)
def test_a_run_is_read_back(run: Run) -> None:
    assert Run.from_json(json.loads(json.dumps(run.to_json()))) == run


@pytest.mark.parametrize(
    "change",
    [{"category": "perfect"}, {"category": 1}, {"options": None}, {"statistics": []}],
)
def test_other_data_is_refused(change: dict[str, Any]) -> None:
    data = {**a_run(a_job()).to_json(), **change}
    with pytest.raises((KeyError, TypeError, ValueError)):
        Run.from_json(data)
    data = a_run(a_job()).to_json()
    del data["engine"]
    with pytest.raises(KeyError):
        Run.from_json(data)


@pytest.fixture
def job(tmp_path: Path) -> Job:
    program = tmp_path / "p.c"
    program.write_text("int main(void) {}")
    return a_job(a_task(file=program), options=("--por", "none"))


def stored(folder: Path, *jobs: Job) -> None:
    with ResultStore(folder, LIMITS, "1.0", resume=True) as store:
        for job in jobs:
            store.add(job, a_run(job))


def done(folder: Path, job: Job, limits: RunLimits = LIMITS, version: str = "1.0") -> list[Run]:
    with ResultStore(folder, limits, version, resume=True) as store:
        return list(store.done([job]).values())


def test_what_was_run_is_done(tmp_path: Path, job: Job) -> None:
    stored(tmp_path / "new" / "folder", job)
    assert done(tmp_path / "new" / "folder", job) == [a_run(job)]
    assert read_runs(tmp_path / "new" / "folder" / NAME) == [a_run(job)]


def test_other_conditions_are_run_again(tmp_path: Path, job: Job) -> None:
    stored(tmp_path, job)
    assert done(tmp_path, replace(job, config="d")) == []
    assert done(tmp_path, replace(job, options=())) == []
    assert done(tmp_path, replace(job, task=replace(job.task, name="u"))) == []
    assert done(tmp_path, replace(job, task=replace(job.task, property="no-deadlock"))) == []
    assert done(tmp_path, replace(job, task=replace(job.task, data_model="LP64"))) == []
    assert done(tmp_path, job, limits=replace(LIMITS, cpu_s=1.0)) == []
    assert done(tmp_path, job, version="1.1") == []
    assert done(tmp_path, job) != []
    job.task.file.write_text("int main(void) { return 0; }")
    assert done(tmp_path, job) == []


def test_a_verdict_is_judged_by_what_is_expected_now(tmp_path: Path, job: Job) -> None:
    stored(tmp_path, job)
    (run,) = done(tmp_path, replace(job, task=replace(job.task, expected="false")))
    assert (run.expected, run.category, run.score) == ("false", Category.WRONG, -32)


def test_old_results_are_not_mixed_up_unasked(tmp_path: Path, job: Job) -> None:
    stored(tmp_path, job)
    with pytest.raises(InputError, match=r"is there already: --resume goes on"):
        ResultStore(tmp_path, LIMITS, "1.0", resume=False)
    assert len(read_runs(tmp_path / NAME)) == 1


def test_one_writer_only(tmp_path: Path) -> None:
    with (
        ResultStore(tmp_path, LIMITS, "1.0", resume=True),
        pytest.raises(InputError, match="in use by another run"),
    ):
        ResultStore(tmp_path, LIMITS, "1.0", resume=True)
    ResultStore(tmp_path, LIMITS, "1.0", resume=False).__exit__()


@pytest.mark.parametrize("cut", [1, 20, -1])
def test_an_unfinished_line_is_cut_off(tmp_path: Path, job: Job, cut: int) -> None:
    other = replace(job, config="d")
    stored(tmp_path, job)
    whole = (tmp_path / NAME).read_bytes()
    stored(tmp_path, other)
    both = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(whole + both[len(whole) :][:cut])
    assert read_runs(tmp_path / NAME) == [a_run(job)]
    assert done(tmp_path, other) == []
    stored(tmp_path, other)
    assert (tmp_path / NAME).read_bytes() == both


@pytest.mark.parametrize("line", ["{}", "[]", "x", '{"task": 1}', "[" * 100_000])
def test_a_malformed_line_has_a_place(tmp_path: Path, job: Job, line: str) -> None:
    stored(tmp_path, job)
    with (tmp_path / NAME).open("a") as out:
        out.write(line + "\n")
    for reader in (read_runs, lambda path: done(path.parent, job)):
        with pytest.raises(InputError, match=rf"{NAME}:2: not the result of a run"):
            reader(tmp_path / NAME)


def test_the_later_of_two_runs_counts(tmp_path: Path, job: Job) -> None:
    with ResultStore(tmp_path, LIMITS, "1.0", resume=True) as store:
        store.add(job, a_run(job))
        store.add(job, a_run(job, cpu_s=9.0))
    assert [run.cpu_s for run in read_runs(tmp_path / NAME)] == [9.0]
    assert [run.cpu_s for run in done(tmp_path, job)] == [9.0]


def test_no_file() -> None:
    with pytest.raises(InputError, match="cannot read /no/such/file: No such file"):
        read_runs(Path("/no/such/file"))
    with pytest.raises(InputError, match="cannot write /dev/null/results"):
        ResultStore(Path("/dev/null"), LIMITS, "1.0", resume=False)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_killed_benchmark_goes_on_where_it_was(tmp_path: Path, number: signal.Signals) -> None:
    """It is killed while the fourth of six jobs runs; then nothing is lost or repeated."""
    folder, log = tmp_path / "out", tmp_path / "log"
    folder.mkdir()
    (folder / "wait").touch()
    command = [sys.executable, "-m", "tests.bench.killed", str(folder), str(log), "6"]
    process = subprocess.Popen(command, cwd=ROOT)
    lines = folder / NAME
    while not (lines.exists() and len(lines.read_bytes().splitlines()) == 3):
        assert process.poll() is None
        time.sleep(0.01)
    while not (children := [p.pid for p in snapshot().values() if p.parent == process.pid]):
        time.sleep(0.01)
    (child,) = children
    process.send_signal(number)
    assert process.wait(30) == (-number if number is signal.SIGKILL else 2)
    for _ in range(3000):  # the kernel kills it; that may take a moment
        if child not in snapshot():
            break
        time.sleep(0.01)
    else:
        pytest.fail("the command outlives the benchmark")
    assert [run.task for run in read_runs(folder / NAME)] == ["0", "1", "2"]
    (folder / "wait").unlink()
    runs, cut_short = session(folder, log, jobs_for(6))
    assert not cut_short
    assert sorted(task for task, _, _ in runs) == list("012345")
    assert log.read_text().split() == list("012345")
    assert [run.task for run in read_runs(folder / NAME)] == list("012345")
