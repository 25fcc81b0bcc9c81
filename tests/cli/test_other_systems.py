"""Where processes cannot be copied, and there are no limits of the system, as on Windows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

LESS = """
import os, signal, sys

sys.modules.update(dict.fromkeys(("fcntl", "resource", "termios", "tty")))
for word in ("SIGHUP", "SIGTTOU", "SIGTSTP", "SIGXCPU", "pthread_sigmask"):
    delattr(signal, word)
del os.fork, os.sched_getaffinity, os.wait4, os.setpgid
from abpress.cli.main import main

main()
"""

MOVES = """
#include <assert.h>
#include <pthread.h>
int x;
void *up(void *a) { for (int i = 0; i < TURNS; i++) x++; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, up, 0);
  up(0);
  pthread_join(t, 0);
  assert(x >= 2);
}
"""


def ran(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "moves.c").write_text(MOVES, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-c", LESS, *arguments, str(folder / "moves.c")],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'frontend'}", "HOME": str(folder)},
        timeout=120,
    )


@pytest.mark.parametrize(("turns", "verdict"), [("2", "true"), ("1", "false(unreach-call)")])
def test_it_verifies_in_one_process(turns: str, verdict: str, tmp_path: Path) -> None:
    options = "--engine explicit --property unreach-call --time-limit 60 --memory-limit 2GB"
    run = ran(tmp_path, "verify", *options.split(), "-D", f"TURNS={turns}")
    assert f"abpress verdict: {verdict}\n" in run.stdout, run.stderr


def test_what_needs_more_says_so(tmp_path: Path) -> None:
    run = ran(tmp_path, "bench")
    assert (run.returncode, run.stderr) == (
        3,
        "abpress: this system has no resource, which this needs\n",
    )
    run = ran(tmp_path, "verify", "--workers", "2", "-D", "TURNS=1")
    assert "this system cannot fork processes" in run.stderr
    assert run.returncode == 3
