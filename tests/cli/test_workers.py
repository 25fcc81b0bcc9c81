"""`abpress verify --workers`: no process is left behind, whoever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from abpress.bench.processes import Process, members, snapshot
from abpress.cli import bench, options
from abpress.cli.main import build_parser
from tests.cli.conftest import COMMAND, Command, environment

ENDLESS = """
#include <assert.h>
#include <pthread.h>
unsigned x, y, z;
void *t(void *p) { for (;;) { x += 3; y ^= x; } return 0; }
void *u(void *p) { for (;;) { z += y; x = z; } return 0; }
int main(void) {
  pthread_t h, i;
  pthread_create(&h, 0, t, 0);
  pthread_create(&i, 0, u, 0);
  for (;;) { assert(x != 0xdeadbeef || y != 0x1234567 || z != 77777); }
}
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The command with an endless program and three workers, which have begun."""
    file = tmp_path / "endless.c"
    file.write_text(ENDLESS)
    arguments = [*COMMAND, "verify", str(file), "--property=unreach-call", "--workers=3"]
    process = subprocess.Popen(
        [*arguments, "--time-limit=150", "--memory-limit=1500MB"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + 40
        while len(everybody(process)) < 5 and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(1.0)
        assert len(everybody(process)) == 5  # overseer, command, workers
        yield process
    finally:
        for pid in everybody(process):
            os.kill(pid, signal.SIGKILL)
        process.kill()
        process.wait()
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        process.stderr.close()


def everybody(process: subprocess.Popen[str]) -> dict[int, Process]:
    return members(snapshot(), process.pid, {})


def left_after_a_while(process: subprocess.Popen[str]) -> dict[int, Process]:
    """Who has not ended within a minute."""
    end = time.monotonic() + 60
    while everybody(process) and time.monotonic() < end:
        time.sleep(0.05)
    return everybody(process)


def below(process: subprocess.Popen[str], pid: int) -> list[int]:
    return [its.pid for its in everybody(process).values() if its.parent == pid]


def test_all_end_with_who_has_started_them(running: subprocess.Popen[str]) -> None:
    os.kill(running.pid, signal.SIGKILL)
    assert left_after_a_while(running) == {}


def test_all_end_with_the_command(running: subprocess.Popen[str]) -> None:
    (command,) = below(running, running.pid)
    os.kill(command, signal.SIGKILL)
    out, _ = running.communicate(timeout=100)
    assert "abpress verdict: unknown (killed" in out
    assert left_after_a_while(running) == {}


def test_a_worker_that_is_killed_ends_its_part_only(running: subprocess.Popen[str]) -> None:
    (command,) = below(running, running.pid)
    first, *others = sorted(below(running, command))
    os.kill(first, signal.SIGKILL)
    time.sleep(1.0)
    assert sorted(below(running, command)) == others
    for other in others:
        os.kill(other, signal.SIGKILL)
    out, err = running.communicate(timeout=100)
    assert running.returncode == 2, err
    assert "its worker is gone: it was ended by SIGKILL" in out
    assert everybody(running) == {}


def test_a_request_to_stop(running: subprocess.Popen[str]) -> None:
    os.kill(running.pid, signal.SIGINT)
    begun = time.monotonic()
    out, _ = running.communicate(timeout=100)
    assert "abpress verdict: unknown (interrupted)" in out
    assert time.monotonic() - begun < 60
    assert everybody(running) == {}


def test_workers_pause_with_the_command(running: subprocess.Popen[str]) -> None:
    def states() -> set[str]:
        found = set()
        for pid in everybody(running):
            text = Path(f"/proc/{pid}/stat").read_text()
            found.add(text.rsplit(")", 1)[1].split()[0])
        return found

    os.kill(running.pid, signal.SIGTSTP)
    end = time.monotonic() + 60
    while states() != {"T"} and time.monotonic() < end:
        time.sleep(0.05)
    assert states() == {"T"}
    os.kill(running.pid, signal.SIGCONT)
    while "T" in states() and time.monotonic() < end:
        time.sleep(0.05)
    assert "T" not in states()


def test_the_answer_names_workers_and_engines(abpress: Command, tmp_path: Path) -> None:
    file = tmp_path / "endless.c"
    file.write_text(ENDLESS.replace("x != 0xdeadbeef", "x != 3"))
    run = abpress("verify", file, "--workers", "2", "--time-limit", "6")
    assert run.data["statistics"]["workers"] == 2
    assert "abpress" in run.data["statistics"]["engines"]
    assert "explicit" in run.data["statistics"]["engines"]
    refused = abpress("verify", file, "--workers", "2", "--engine", "abpress")
    assert refused.status == 3
    assert refused.verdict.startswith("unknown (unsupported: --workers: engine abpress")


def test_benchmarks_have_a_core_for_each_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert bench._jobs({"a": ()}) == 8
    assert bench._jobs({"a": (), "b": ("--workers", "3")}) == 2
    assert bench._jobs({"a": ("--workers=100",)}) == 1


def test_what_a_cluster_needs_is_needed_by_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "find_spec", lambda _: None)
    parser = build_parser("explore")
    assert parser.parse_args(["explore", "program.c"]).cluster == ""
    with pytest.raises(SystemExit):
        parser.parse_args(["explore", "program.c", "--cluster", "tcp://host:8786"])
