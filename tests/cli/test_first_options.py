"""What is read of a command line early is what is read of it later."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from abpress.cli.first_options import first_options
from abpress.cli.first_words import first_words
from abpress.cli.main import build_parser
from abpress.search.limits import MIB
from tests.cli.conftest import environment
from tests.sampling import examples

PARSER = build_parser()
WORDS = (
    "--time-limit", "--time-limit=7s", "--time-limit=2min", "--time", "--ti=500ms", "--t",
    "--memory-limit", "--memory-limit=2GB", "--mem=100", "--m", "--max-threads", "--json",
    "--json=out.json", "--js", "--quiet", "--q", "--engine", "abpress", "--por", "none",
    "--property", "--pro=no-deadlock", "--compare", "source", "--co=source,optimal",
    "--certificate", "--tree-limit", "--client-time-limit", "-D", "-DX=--time-limit=3", "-I",
    "--entry", "--e", "-", "--", "--=5", "file.c", "5", "5s", "300MB", "-5", "--time-limit",
    "9s", "--json", "x", "--json my.json", "a b",
)  # fmt: skip


@settings(max_examples=examples(200, whole=500))
@given(
    st.sampled_from(["verify", "explore", "linearize", "check-proof", "show"]),
    st.lists(st.sampled_from(WORDS), max_size=4),
)
@example("verify", ["--time-limit", "5", "--memory-limit=300MB", "--json", "x"])
@example("verify", ["--time-limit=5", "--"])
@example("check-proof", ["--time", "5", "--"])
def test_early_and_late(command: str, words: list[str]) -> None:
    words = [*words, *["file.c"] * (1 + (command == "check-proof"))]
    early = first_options(words)
    try:
        with redirect_stderr(StringIO()), redirect_stdout(StringIO()):
            late = vars(PARSER.parse_args([command, *words]))
    except SystemExit:
        return  # a usage error, which is told
    assert early is not None
    for name in ("time_limit", "memory_limit", "json", "quiet"):
        if name in late:
            assert getattr(early, name) == late[name]
    assert early.compare is None or "compare" in late


def test_what_is_known() -> None:
    known = first_words(["verify", "x.c", "--time", "5", "--mem=2GB", "--json", "y"])
    assert (known.limits.time, known.limits.memory) == (5, 2 * 10**9 / MIB)
    assert known.words is not None
    assert known.words.file == "y"
    assert first_words(["explore", "x.c", "--compare", "source"]).words is None
    for unclear in ([], ["--help"], ["verify", "--time-limit", "x"], ["verify", "--p", "x"]):
        assert first_words(unclear).limits.time is None


@pytest.mark.parametrize("command", ["verify", "explore", "linearize"])
def test_a_command_that_does_not_begin(command: str, tmp_path: Path) -> None:
    """The process that runs the command is stopped before it can have said anything."""
    target = tmp_path / "result.json"
    script = "from abpress.cli import main; main.perform = lambda *a: __import__('time').sleep(120)"
    begin = time.monotonic()
    process = subprocess.run(
        [
            *(sys.executable, "-c", f"{script}; main.main()"),
            *(command, "x.c", "--time-limit=0.5s", "--json", str(target)),
        ],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert process.returncode == 2, process.stderr
    assert "abpress verdict: unknown (time limit of 0.5 s" in process.stdout
    assert json.loads(target.read_text())["verdict"] == "unknown"
    assert time.monotonic() - begin < 30
