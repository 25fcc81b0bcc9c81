"""A command that cannot look at its limits is ended by the process that watches it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from abpress.cli.watch import USED_UP
from abpress.verify.page.write import data_at
from tests.cli.conftest import environment

SCRIPT = """
import ctypes, os, sys
from pathlib import Path
from abpress.cli.main import ended
from abpress.cli.output import open_streams, say
from abpress.cli.overseen import overseen
from abpress.cli.overseer import REASON, LastWords
from abpress.search.limits import Limits

def nap():
    ctypes.CDLL(None).sleep(120)  # as a query of the solver

def hoard():
    kept = []
    while True:
        try:
            kept.append(bytearray(1 << 20))
        except MemoryError:
            nap()

def action(overseer):
    data = {"verdict": "unknown", "reason": REASON}
    overseer.last_words(LastWords([f"unknown ({REASON})"], {"states": "7"}, sys.argv[1], data))
    {body}
    return 1

open_streams()
ended(overseen(action))
"""
NAP = 'overseer.limits(Limits(0.2)); print("begun", flush=True); nap()'


def start(body: str, target: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT.replace("{body}", body), str(target)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (NAP, 2, "time limit of 0.2 s"),
        ("overseer.limits(Limits(memory=100)); hoard()", 2, "memory limit of 104.9 MB"),
        ("os.kill(os.getpid(), 11)", 4, "internal error: ended by SIGSEGV"),
        ("os.kill(os.getpid(), 9)", 2, "killed, perhaps because the machine is out of memory"),
        ("os.kill(os.getpid(), 24)", 2, USED_UP),
    ],
    ids=["time", "memory", "crash", "killed", "used-up"],
)
def test_last_words(body: str, status: int, reason: str, tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    process = start(body, target)
    out, err = process.communicate(timeout=60)
    assert process.returncode == status, err
    assert f"unknown ({reason})" in out.splitlines()
    assert "states" in out
    assert json.loads(target.read_text())["reason"] == reason
    assert ("please report it" in err) == (status == 4)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_stop(number: signal.Signals, tmp_path: Path) -> None:
    process = start(NAP.replace("0.2", "1000"), tmp_path / "result.json")
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(number)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 2
    assert out.startswith("unknown (interrupted)")


def test_a_request_to_stop_as_soon_as_there_is_a_command(tmp_path: Path) -> None:
    """The process that watches is not yet watching when the request arrives."""
    slow = "os.setpgid = lambda child, group: time.sleep(0.5 if child else 0)\n\nopen_streams()"
    body = "overseer.limits(Limits(1000)); os.kill(os.getppid(), signal.SIGINT); nap()"
    script = SCRIPT.replace("import ctypes", "import signal, time, ctypes").replace("{body}", body)
    process = subprocess.run(
        [sys.executable, "-c", script.replace("open_streams()", slow), str(tmp_path / "r.json")],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert process.returncode == 2, process.stderr
    assert process.stdout.startswith("unknown (interrupted)")


def test_an_answer_is_passed_on(tmp_path: Path) -> None:
    process = start(
        "overseer.limits(Limits(100, 1000)); print('false', flush=True)", tmp_path / "result.json"
    )
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "false\n")
    assert not list(tmp_path.iterdir())


def test_an_answer_that_nobody_reads_is_no_verdict(tmp_path: Path) -> None:
    body = "overseer.limits(Limits(0.2)); overseer.answers(); print('x' * 10**6, flush=True)"
    process = start(body, tmp_path / "result.json")
    assert process.stderr is not None
    assert "while the answer was written" in process.stderr.read()
    assert process.wait(60) == 2
    process.communicate(timeout=60)


def test_the_verdict_is_said_if_what_is_written_beside_it_takes_too_long(tmp_path: Path) -> None:
    body = "overseer.limits(Limits(0.2)); overseer.answers(['one', 'two']); nap()"
    process = start(body, tmp_path / "result.json")
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "one\ntwo\n")


@pytest.mark.parametrize("waits", [True, False])
def test_a_command_that_waits_for_a_processor_may_end_its_answer(
    waits: bool, tmp_path: Path
) -> None:
    """Time that others take counts against nobody; as much as that of a machine with load."""
    busy = "import abpress.cli.watch as o, time; o.waited = lambda pid: time.monotonic()\n"
    body = "overseer.limits(Limits(0.1)); overseer.answers(['told'], 0.6)"
    script = SCRIPT.replace(
        "{body}", body + "; import time; time.sleep(1.6); print('whole', flush=True)"
    )
    process = subprocess.run(
        [sys.executable, "-c", (busy if waits else "") + script, str(tmp_path / "r.json")],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (process.returncode, process.stdout) == ((1, "whole\n") if waits else (2, "told\n"))


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    body = "overseer.limits(Limits(1000)); print(os.getpid(), flush=True); nap()"
    process = start(body, tmp_path / "result.json")
    assert process.stdout is not None
    child = int(process.stdout.readline())
    process.kill()
    process.communicate(timeout=60)
    for _ in range(600):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("the command runs on")


SETTLED = """
import ctypes, os, signal
from abpress.cli.main import main
from abpress.verify.account import Account

take = Account.take

def take_and_nap(account, turn):
    take(account, turn)
    if account.decided:
        os.kill(os.getppid(), signal.SIGINT)
        ctypes.PyDLL(None).sleep(120)

Account.take = take_and_nap
main()
"""


@pytest.mark.parametrize(
    ("index", "expected", "status"), [("n & 1", "true", 2), ("n & 3", "false(valid-deref)", 1)]
)
def test_what_is_decided_is_said_if_the_run_is_ended(
    index: str, expected: str, status: int, tmp_path: Path
) -> None:
    file, result = tmp_path / "x.c", tmp_path / "result.json"
    file.write_text(f"int a[2];\nint main(int n, char **v) {{ return a[{index}]; }}\n")
    sarif, junit, page = tmp_path / "x.sarif", tmp_path / "x.xml", tmp_path / "page"
    asked = ["verify", "--property", "valid-deref,no-deadlock", "--json", str(result), str(file)]
    asked += ["--sarif", str(sarif), "--junit", str(junit), "--report", str(page)]
    process = subprocess.run(
        [sys.executable, "-c", SETTLED, *asked],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert process.returncode == status, process.stderr
    lines = process.stdout.splitlines()
    assert f"abpress verdict (valid-deref): {expected}" in lines
    assert "abpress verdict (no-deadlock): unknown (interrupted)" in lines
    assert any("violation: access out" in line for line in lines) == (status == 1)
    results = json.loads(result.read_text())["results"]
    verdicts = {its["property"]: (its["verdict"], its["reason"]) for its in results}
    assert verdicts["valid-deref"][0] == expected.partition("(")[0]
    assert verdicts["no-deadlock"] == ("unknown", "interrupted")
    (told,) = json.loads(sarif.read_text())["runs"]
    levels = {its["ruleId"]: its["kind"] for its in told["results"]}
    assert levels == {"valid-deref": "fail" if status == 1 else "pass", "no-deadlock": "open"}
    assert 'type="unknown" message="interrupted"' in junit.read_text()
    shown = {its["property"]: its for its in data_at(page)["answers"]}
    assert shown["no-deadlock"]["reason"] == "interrupted"
    assert (shown["valid-deref"]["execution"] is not None) == (status == 1)
    assert data_at(page)["files"][0]["lines"] == file.read_text().splitlines()
