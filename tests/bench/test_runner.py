"""Runs are contained: whatever a command does, it ends, nothing is left, and it is classified."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.bench.execute import Files, Job, verify_command
from abpress.bench.processes import marked, members, snapshot
from abpress.bench.record import Category, Run, RunLimits
from abpress.bench.runner import Setting, in_order, jobs_of, run_all

from .fakes import Fake, a_job, a_task

TIGHT = RunLimits(wall_s=0.2, memory_mb=300)
LOOSE = RunLimits(wall_s=60, memory_mb=300)


def run_one(script: str, limits: RunLimits = LOOSE, job: Job | None = None) -> Run:
    ((_, run),) = run_all([job or a_job()], Setting(limits, command=Fake(script)))
    return run


def alive(pids: Sequence[int]) -> list[int]:
    """Those that are running, zombies not counted."""
    return [pid for pid in pids if pid in snapshot()]


def test_a_verdict() -> None:
    run = run_one("answer('true', 0)")
    assert (run.verdict, run.category, run.score, run.status) == ("true", Category.CORRECT, 2, 0)
    assert (run.engine, run.reduction, run.statistics) == ("fake", "none", {"states": 7})
    assert run.nodes() == 7
    assert run.cpu_s > 0
    assert run.wall_s > 0
    assert run.memory_mb > 1
    assert run.options == ("--data-model", "ILP32")


def test_a_wrong_verdict() -> None:
    run = run_one("answer('false', 1)")
    assert (run.category, run.score) == (Category.WRONG, -16)


def test_a_violation_of_a_sub_property() -> None:
    task = replace(a_task(expected="false(valid-free)"), property="valid-memsafety")
    run = run_one("answer('false', 1, property='valid-free')", job=a_job(task))
    assert (run.verdict, run.category) == ("false(valid-free)", Category.CORRECT)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("", "no result, exit status 0"),
        ("sys.exit('first line\\nlast line')", "no result, exit status 1: last line"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "no result, killed by SIGSEGV"),
        ("open(result, 'wb').write(bytes(range(256)))", "the result cannot be read, exit status 0"),
        ("open(result, 'w').write('{}')", "the result cannot be read, exit status 0"),
        ("open(result, 'w').write('[' * 100000)", "the result cannot be read, exit status 0"),
        ("os.mkdir(result)", "the result cannot be read, exit status 0"),
        ("answer('maybe', 0)", "the result cannot be read, exit status 0"),
        ("answer('true', 0, statistics=[])", "the result cannot be read, exit status 0"),
        ("answer('true', 1)", "verdict true with exit status 1:"),
        ("answer('false', 0)", "verdict false with exit status 0:"),
    ],
)
def test_garbage(script: str, reason: str) -> None:
    run = run_one("import ctypes\n" + script)
    assert (run.category, run.verdict, run.score) == (Category.ERROR, "unknown", 0)
    assert run.reason == reason


def test_much_output_does_no_harm() -> None:
    run = run_one("print('x' * 10**7)\nsys.stderr.write('y' * 10**6 + '\\nend')\nsys.exit(3)")
    assert run.reason == "no result, exit status 3: end"


def test_wall_time_is_limited() -> None:
    run = run_one("time.sleep(600)", TIGHT)
    assert (run.category, run.status, run.reason) == (Category.TIMEOUT, None, "time limit")


def test_a_verdict_after_the_limit_does_not_count() -> None:
    late = "signal.signal(signal.SIGTERM, lambda *_: answer('true', 0))\ntime.sleep(600)"
    run = run_one(late, TIGHT)
    assert (run.category, run.verdict, run.trace) == (Category.TIMEOUT, "unknown", None)


def test_who_ignores_sigterm_is_killed() -> None:
    script = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(600)"
    assert run_one(script, TIGHT).category is Category.TIMEOUT


def test_cpu_time_is_limited_also_of_children() -> None:
    script = "for _ in range(2): os.fork()\nwhile True: pass"
    run = run_one(script, RunLimits(cpu_s=0.3, wall_s=60))
    assert (run.category, run.reason) == (Category.TIMEOUT, "CPU time limit")
    assert run.cpu_s >= 0.3


def test_memory_is_limited() -> None:
    run = run_one("hog = []\nwhile True: hog.append(b'x' * 2**22)")
    assert run.category is Category.OUT_OF_MEMORY


def test_memory_of_children_is_limited() -> None:
    script = "for _ in range(2): os.fork()\nhog = b'x' * (150 * 2**20)\ntime.sleep(600)"
    run = run_one(script)
    assert (run.category, run.reason) == (Category.OUT_OF_MEMORY, "memory limit")
    assert run.memory_mb > 300


def test_the_memory_of_the_runner_is_not_counted() -> None:
    """A process begins as a copy of the one that starts it, and the kernel remembers that."""
    ours = b"x" * (200 * 2**20)
    run = run_one("time.sleep(0.3)\nanswer('true', 0)")
    assert run.memory_mb < len(ours) / 2**20


def test_memory_in_one_go_is_limited() -> None:
    """It is not even used, so that nobody could see it: the kernel refuses it."""
    run = run_one("bytearray(2 * 2**30)")
    assert run.category is Category.OUT_OF_MEMORY
    assert run.reason == "no result, exit status 1: MemoryError"


@pytest.mark.parametrize(
    "detach",
    ["", "os.setpgid(0, 0)", "os.setsid()", "os.setsid()\n        if os.fork(): os._exit(0)"],
)
def test_what_is_left_behind_is_killed(tmp_path: Path, detach: str) -> None:
    """Children that stay when the command has answered, in their own group or session, too."""
    pids = tmp_path / "pids"
    script = f"""
for _ in range(3):
    if os.fork() == 0:
        {detach or "pass"}
        with open({str(pids)!r}, "a") as out:
            out.write(f"{{os.getpid()}}\\n")
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True: time.sleep(600)
while not os.path.exists({str(pids)!r}) or len(open({str(pids)!r}).readlines()) < 3:
    time.sleep(0.01)
answer("true", 0)
"""
    assert run_one(script).category is Category.CORRECT
    children = [int(line) for line in pids.read_text().split()]
    assert len(children) == 3
    assert alive(children) == []


def test_a_process_that_has_left_is_still_a_member() -> None:
    """One that was seen stays known when its parents are gone, but not a later one of its id."""
    (here,) = [p for p in snapshot().values() if p.pid == os.getpid()]
    orphan = replace(here, pid=10, parent=1, session=10, start=5)
    child = replace(here, pid=11, parent=10, session=11, start=6)
    other = replace(here, pid=12, parent=1, session=12, start=7)
    every = {p.pid: p for p in (orphan, child, other)}
    assert members(every, 9, {}) == {}
    assert set(members(every, 9, {10: 5})) == {10, 11}
    assert members(every, 9, {10: 4}) == {}
    assert set(members({**every, 9: replace(here, pid=9, session=9)}, 9, {})) == {9}


def test_processes_are_found_by_their_environment() -> None:
    every = snapshot()
    assert os.getpid() in every
    assert marked(every, b"NO_SUCH_VARIABLE=1") == {}


def test_all_jobs_run_and_few_at_a_time() -> None:
    jobs = jobs_of([a_task(str(i)) for i in range(7)], {"a": (), "b": ("--por", "none")})
    most = 0

    def tick(running: int) -> None:
        nonlocal most
        most = max(most, running)

    setting = Setting(LOOSE, parallel=3, command=Fake("answer('true', 0)"))
    runs = {job.key: run for job, run in run_all(jobs, setting, tick)}
    assert sorted(runs) == sorted(job.key for job in jobs)
    assert most == 3
    assert runs["0", "unreach-call", "b"].options == ("--data-model", "ILP32", "--por", "none")


def test_all_are_killed_when_it_is_cut_short(tmp_path: Path) -> None:
    """The consumer gives up after the first result, while others run."""
    pids = tmp_path / "pids"
    script = f"""
if task == "quick":
    while not os.path.exists({str(pids)!r}): time.sleep(0.01)
    answer("true", 0)
with open({str(pids)!r}, "w") as out: out.write(str(os.getpid()))
time.sleep(600)
"""
    jobs = [a_job(a_task("slow")), a_job(a_task("quick"))]
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    stream = run_all(jobs, Setting(LOOSE, parallel=2, command=Fake(script)))
    job, _ = next(stream)
    assert job.task.name == "quick"
    stream.close()
    assert alive([int(pids.read_text())]) == []
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask


def test_an_exception_of_the_listener_kills_all() -> None:
    def tick(running: int) -> None:
        if running and any(p.parent == os.getpid() for p in snapshot().values()):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(run_all([a_job()], Setting(LOOSE, command=Fake("time.sleep(600)")), tick))
    assert not [p for p in snapshot().values() if p.parent == os.getpid() and p.session == p.pid]


def test_traces_and_certificates_are_kept(tmp_path: Path) -> None:
    class WithCertificate(Fake):
        def __call__(self, job: Job, limits: RunLimits, files: Files) -> list[str]:
            assert files.certificate is not None
            files.certificate.write_text("proof")
            return super().__call__(job, limits, files)

    script = "answer(*(('true', 0) if 'safe' in task else ('false', 1)), trace={'steps': []})"
    setting = Setting(LOOSE, 1, tmp_path, certificates=True, command=WithCertificate(script))
    jobs = [a_job(a_task("group/safe")), a_job(a_task("group/bad"))]
    safe, bad = (run for _, run in run_all(jobs, setting))
    assert (safe.trace, bad.certificate) == (None, None)
    assert safe.certificate == "certificates/c/group/safe.unreach-call.json"
    assert bad.trace == "traces/c/group/bad.unreach-call.json"
    assert (tmp_path / safe.certificate).read_text() == "proof"
    assert (tmp_path / bad.trace).read_text() == '{\n "steps": []\n}\n'


def test_witnesses_have_the_name_of_the_competition(tmp_path: Path) -> None:
    class WithWitness(Fake):
        def __call__(self, job: Job, limits: RunLimits, files: Files) -> list[str]:
            if files.witness is not None and "safe" in job.task.name:
                files.witness.write_text("seen")
            return super().__call__(job, limits, files)

    command = WithWitness("answer('true', 0)")
    jobs = [a_job(a_task("group/safe")), a_job(a_task("group/other"))]
    for wanted in (False, True):
        list(run_all(jobs, Setting(LOOSE, 1, tmp_path, command=command, witnesses=wanted)))
        kept = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("witness.yml")}
        expected = {"witnesses/c/group/safe.unreach-call/witness.yml"} if wanted else set()
        assert kept == expected


def test_the_command_line() -> None:
    task = replace(a_task(file=Path("d/p.c")), options=("-DN=2",), data_model="LP64")
    job = Job(task, "c", ("--por", "none"))
    command = verify_command(job, RunLimits(1, 2.5, 100), Files(Path("r"), Path("p")))
    assert command[1:] == [
        *("-m", "abpress", "verify", "d/p.c", "--property", "unreach-call"),
        *("--json", "r", "--quiet", "--data-model", "LP64", "-DN=2", "--por", "none"),
        *("--time-limit", "2.500000s", "--memory-limit", "100.000000MiB", "--certificate", "p"),
    ]
    assert "--time-limit" not in verify_command(job, RunLimits(1), Files(Path("r"), None))
    witness = verify_command(job, RunLimits(1), Files(Path("r"), None, Path("w")))
    assert witness[-4:-1] == ["--witness", "w", "--invariants-time"]


def test_in_order() -> None:
    jobs = [a_job(a_task(str(number))) for number in range(4)]
    run = run_one("answer('true', 0)")
    ended = iter([(jobs[i], run) for i in (2, 0, 1, 3)])
    order = in_order(jobs, ended)
    assert next(order)[0] is jobs[0]
    assert next(ended)[0] is jobs[1], "asked for more than was needed"
    assert [job for job, _ in in_order(jobs, [(jobs[i], run) for i in (3, 1, 2, 0)])] == jobs
