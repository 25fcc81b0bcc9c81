"""The contract of `abpress verify`: verdict line, statuses, JSON, limits, interruption."""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from abpress.cli.watch import USED_UP

from .conftest import COMMAND, Command, Run, environment

SAFE = """\
#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
  pthread_mutex_lock(&m);
  LOCKED_INCREMENT
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
""".replace("LOCKED_INCREMENT", "x = x + 1;")

UNSAFE = SAFE.replace("pthread_mutex_lock(&m);", "").replace("pthread_mutex_unlock(&m);", "")

DEADLOCK = """\
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  return 0;
}
"""

ENDLESS = """\
#include <pthread.h>
unsigned x, y;
void *worker(void *arg) { while (1) { x++; } return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  while (1) { y++; x = x + y; }
  return 0;
}
"""

STATISTICS = {"threads", "states", "transitions", "executions"}


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str, name: str = "program.c") -> Path:
        file = tmp_path / name
        file.write_text(text)
        return file

    return write


def _check_schema(data, property: str = "unreach-call") -> None:
    assert list(data) == [
        "version",
        "verdict",
        "property",
        "reason",
        "vacuous",
        "engine",
        "reduction",
        "cpu_s",
        "wall_s",
        "peak_memory_mb",
        "statistics",
        "trace",
        "assumptions",
        "warnings",
        "data_model",
        "command",
    ]
    assert data["property"] == property
    assert data["cpu_s"] >= 0
    assert data["wall_s"] > 0
    assert data["peak_memory_mb"] > 1


def test_true(abpress: Command, write) -> None:
    run = abpress("verify", write(SAFE))
    assert (run.status, run.verdict, run.err) == (0, "true", "")
    _check_schema(run.data)
    assert run.data["verdict"] == "true"
    assert run.data["engine"] == "explicit"
    assert run.data["reduction"] == "s-por"
    assert run.data["trace"] is None
    assert run.data["statistics"].keys() >= STATISTICS
    assert run.data["statistics"]["threads"] == 3
    verdict, *_, searched, spent = run.out.splitlines()
    assert verdict == "abpress verdict: true"
    assert re.fullmatch(r"  true by explicit, LP64, 3 threads, \d+ states, .*", searched)
    assert re.fullmatch(r"  [\d.]+ s CPU, [\d.]+ s, \d+ MB \(--stats: all numbers\)", spent)


def test_all_numbers(abpress: Command, write) -> None:
    run = abpress("verify", write(SAFE), "--stats")
    for word in (*STATISTICS, "data model", "cpu time", "wall time", "peak memory"):
        assert f"\n  {word}" in run.out
    assert "--stats" not in run.out


def test_true_says_what_it_assumes(abpress: Command, write) -> None:
    text = "int __VERIFIER_nondet_int(void);\nint main() { int x = 2147483647; "
    text += "if (__VERIFIER_nondet_int() == 7) x = x + 1; return 0; }\n"
    run = abpress("verify", write(text))
    if run.verdict == "true":  # the condition may be too wide an input for the engine
        assert "assuming: no signed overflow" in run.out
    text = "_Bool __VERIFIER_nondet_bool(void);\nint main() { int x = 2147483647; "
    text += "if (__VERIFIER_nondet_bool()) x = x + 1; return x; }\n"
    run = abpress("verify", write(text))
    assert run.verdict == "true"
    assert "assuming: no signed overflow" in run.out
    assert any("signed overflow" in assumption for assumption in run.data["assumptions"])
    run = abpress("verify", write(text), "--signed-overflow", "wrap")
    assert run.verdict == "true"
    assert run.data["assumptions"] == []


def test_false_comes_with_a_trace(abpress: Command, write) -> None:
    run = abpress("verify", write(UNSAFE))
    assert (run.status, run.verdict, run.err) == (1, "false(unreach-call)", "")
    _check_schema(run.data)
    trace = run.data["trace"]
    assert trace["threads"][:3] == ["main", "main.1", "main.2"]
    assert trace["context_switches"] <= 5
    error, verdict, assumed, empty, *view, searched, _ = run.out.splitlines()
    assert ": error: assertion x == 2 fails" in error
    assert verdict == "abpress verdict: false(unreach-call)"
    assert (assumed.partition(":")[0], empty) == ("assuming", "")
    for text in ("main.1", "main.2", "x = x + 1;", "x: 0 → 1", "assert(x == 2);", "violation"):
        assert text in "\n".join(view)
    assert view[-2].startswith("assertion x == 2 fails: after ")
    assert searched.startswith("  false by ")
    assert max(map(len, view)) <= 100
    assert "\x1b" not in run.out


def test_false_in_the_last_step_is_at_the_assertion(abpress: Command, write) -> None:
    run = abpress("verify", write(UNSAFE))
    last = run.data["trace"]["steps"][-1]
    assert last["thread"] == "main"
    assert last["position"]["line"] == 17
    assert last["note"].startswith("violation")
    assert "assert" in last["source"]


def test_deadlock(abpress: Command, write) -> None:
    file = write(DEADLOCK)
    run = abpress("verify", file)
    assert (run.status, run.verdict) == (0, "true")
    run = abpress("verify", file, "--property", "no-deadlock")
    assert (run.status, run.verdict) == (1, "false(no-deadlock)")
    _check_schema(run.data, "no-deadlock")
    assert [b["thread"] for b in run.data["trace"]["blocked"]] == ["main", "main.1"]
    assert "no thread can move:" in run.out
    prp = write("CHECK( init(main()), LTL(G ! deadlock) )\n", "any-name.prp")
    assert abpress("verify", file, "--property", prp).verdict == "false(no-deadlock)"


def test_unknown(abpress: Command, write) -> None:
    text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
    text += "int main() { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n"
    text += "  assert(x % 1000 * (y % 1000) != 1000003); return 0; }\n"
    run = abpress("verify", write(text), "--engine", "explicit")
    assert run.status == 2
    assert run.verdict.startswith("unknown (")
    assert all(line in run.out.splitlines() for line in run.data.pop("advice"))
    _check_schema(run.data)
    assert run.data["verdict"] == "unknown"
    assert "symbolic input" in run.data["reason"]
    assert "program.c:3" in run.data["reason"]


@pytest.mark.parametrize("por", ["none", "s-por"])
def test_reductions_agree(abpress: Command, write, por: str) -> None:
    assert abpress("verify", write(SAFE), "--por", por).verdict == "true"
    assert abpress("verify", write(UNSAFE), "--por", por).verdict == "false(unreach-call)"


def test_quiet(abpress: Command, write) -> None:
    for text in (SAFE, UNSAFE):
        run = abpress("verify", write(text), "--quiet")
        assumed = [f"assuming: {assumption}" for assumption in run.data["assumptions"]]
        assert run.out.splitlines() == [f"abpress verdict: {run.verdict}", *assumed]
        assert run.err == ""


def test_defines_includes_and_preprocessed_input(abpress: Command, write, tmp_path: Path) -> None:
    folder = tmp_path / "include"
    folder.mkdir()
    (folder / "goal.h").write_text("#define GOAL 3\n")
    text = '#include <assert.h>\n#include "goal.h"\nint main() { assert(N == GOAL); return 0; }\n'
    file = write(text)
    assert abpress("verify", file, "-I", folder, "-D", "N=3").verdict == "true"
    assert abpress("verify", file, f"-I{folder}", "-DN=4").verdict == "false(unreach-call)"
    assert abpress("verify", file, f"-I{folder}").status == 3


def test_data_model(abpress: Command, write) -> None:
    file = write("#include <assert.h>\nint main() { assert(sizeof(long) == 4); return 0; }\n")
    assert abpress("verify", file, "--data-model", "ILP32").verdict == "true"
    assert abpress("verify", file, "--data-model", "LP64").verdict == "false(unreach-call)"


def test_max_threads_withholds_true(abpress: Command, write) -> None:
    run = abpress("verify", write(SAFE), "--max-threads", "2")
    assert run.status == 2
    assert "thread" in run.verdict


def test_time_limit_is_kept(abpress: Command, write) -> None:
    start = time.monotonic()
    run = abpress("verify", write(ENDLESS), "--engine", "explicit", "--time-limit", "2s")
    assert time.monotonic() - start < 30
    assert run.status == 2
    assert "time limit" in run.verdict
    assert run.data["statistics"]["states"] > 0


def test_time_limit_covers_reading(abpress: Command, write) -> None:
    text = "int x;\nint main() {\n" + "x = x + 1;\n" * 300_000 + "return 0; }\n"
    start = time.monotonic()
    run = abpress("verify", write(text), "--time-limit", "0.5s")
    assert time.monotonic() - start < 20
    assert run.status == 2
    assert "time limit" in run.verdict


def test_memory_limit_is_kept(abpress: Command, write) -> None:
    run = abpress(
        "verify",
        write(ENDLESS),
        "--engine",
        "explicit",
        "--memory-limit",
        "120MB",
        "--time-limit",
        "50s",
    )
    assert run.status == 2
    assert "memory limit" in run.verdict
    assert run.data["peak_memory_mb"] < 200


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda n: n.name)
def test_interrupt(write, tmp_path: Path, number: signal.Signals) -> None:
    result = tmp_path / "result.json"
    asked = ("--property", "unreach-call", "--engine", "explicit", "--json", str(result))
    process = subprocess.Popen(
        [*COMMAND, "verify", str(write(ENDLESS)), *asked],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _wait_until_caught(process.pid, signal.SIGTERM)
        time.sleep(0.5)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 2
    assert re.search(r"^abpress verdict: unknown \(.*interrupted", out, re.MULTILINE)
    assert "Traceback" not in err
    data = json.loads(result.read_text())
    assert "interrupted" in data["reason"]


RACE_AND_MORE = """
#include <pthread.h>
int x, y;
void *other(void *p) { x++; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  x++;
  pthread_join(t, 0);
  for (unsigned long i = 0;; i++)
    if (i % 1000003 == 1000002)
      y = y * 3 + 1;
}
"""


@pytest.mark.parametrize("more", [resource.RLIM_INFINITY, 0], ids=["may-answer", "killed"])
def test_the_system_ends_it_when_a_violation_is_known(write, tmp_path: Path, more: int) -> None:
    """Its processor time is over: it is asked to stop, or killed at once."""
    witness, seconds = tmp_path / "witness.yml", 2
    asked = ("--property", "no-data-race,unreach-call", "--engine", "explicit")
    process = subprocess.run(
        [*COMMAND, "verify", str(write(RACE_AND_MORE)), *asked, "--witness", str(witness)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=100,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, more or seconds)),
    )
    assert process.returncode == 1, process.stdout + process.stderr
    reason = "interrupted" if more else re.escape(USED_UP)
    assert re.search(rf"unreach-call\): unknown \(.*{reason}", process.stdout), process.stdout
    assert "internal error" not in process.stderr
    assert "G ! data-race" in witness.read_text()


def _wait_until_caught(pid: int, number: signal.Signals) -> None:
    """Returns when the process has a handler for the signal."""
    for _ in range(600):
        status = Path(f"/proc/{pid}/status").read_text()
        caught = next(line for line in status.splitlines() if line.startswith("SigCgt"))
        if int(caught.split()[1], 16) >> (number - 1) & 1:
            return
        time.sleep(0.1)
    raise AssertionError("no handler was installed")


def _on_a_terminal(*arguments: str, timeout: float = 60) -> str:
    """What a run writes to a terminal of 120 columns."""
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        env={**environment(), "TERM": "xterm-256color", "COLUMNS": "120"},
        stdin=end,
        stdout=end,
        stderr=end,
    )
    os.close(end)
    output = b""
    try:
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            output += piece
        process.wait(timeout)
    finally:
        process.kill()
        os.close(terminal)
    return output.decode("utf-8", errors="replace")


def test_a_terminal_gets_progress_and_colours(write) -> None:
    output = _on_a_terminal(
        "verify",
        str(write(ENDLESS)),
        "--property",
        "unreach-call",
        "--engine",
        "explicit",
        "--time-limit",
        "4s",
    )
    assert "searching: " in output
    assert "abpress verdict: unknown (time limit of 4 s)" in output
    output = _on_a_terminal("verify", str(write(UNSAFE)), "--property", "unreach-call")
    assert "\x1b[" in output
    assert "x: 0 → 1" in output
    quiet = _on_a_terminal("verify", str(write(UNSAFE)), "--property", "unreach-call", "--quiet")
    verdict, *assumed = quiet.strip().splitlines()
    assert verdict == "abpress verdict: false(unreach-call)"
    assert all(line.startswith("assuming: ") for line in assumed)


def test_broken_pipe(write) -> None:
    process = subprocess.Popen(
        [*COMMAND, "show", str(write(SAFE))],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=120)
    assert err == ""
    assert process.returncode == 0


def test_ascii_terminals(write) -> None:
    run = subprocess.run(
        [*COMMAND, "verify", str(write(UNSAFE)), "--property", "unreach-call"],
        env={**environment(), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 1
    assert "abpress verdict: false(unreach-call)" in run.stdout


def numbers(run: Run) -> dict[str, Any]:
    """What is told of a run; only what is named as seconds may be different in the next one."""
    told = {name: run.data[name] for name in ("verdict", "statistics", "trace")}
    times = {name for name in told["statistics"] if name.endswith("_s")}
    return told | {"statistics": {k: v for k, v in told["statistics"].items() if k not in times}}


def test_the_same_numbers_every_time(abpress: Command, write) -> None:
    first, second = (abpress("verify", write(UNSAFE)) for _ in range(2))
    assert numbers(first) == numbers(second)


def test_shown_text_is_input_again(abpress: Command, write) -> None:
    shown = abpress("show", write(UNSAFE))
    assert shown.status == 0
    again = write(shown.out, "program.abp")
    assert abpress("show", again).out == shown.out
    run = abpress("verify", again)
    assert run.verdict == "false(unreach-call)"
    assert "x = x + 1;" in run.out  # the C file is still there
    dot = abpress("show", write(UNSAFE), "--dot")
    assert dot.out.startswith("digraph")


def test_relative_paths_in_messages(abpress: Command, write, tmp_path: Path) -> None:
    write("int main() { return y; }\n")
    run = abpress("verify", os.path.join(".", "program.c"))
    assert run.err.startswith(("program.c:1:", "./program.c:1:"))
