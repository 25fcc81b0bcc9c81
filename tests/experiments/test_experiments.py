"""Every experiment is in the table, and the table is what can be run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from time import process_time

import pytest

import experiments
from abpress.search import limits
from experiments.harness import EXPERIMENTS, main
from tests.fuzz_of_facts import make_cheap

FOLDER = Path(experiments.__file__).parent
COMMON = {
    "__init__", "__main__", "assertions", "compilers", "contained", "csmith_header",
    "faulty_programs", "feature_objects", "feature_parts", "feature_programs", "harness",
    "observed", "pages", "paper_table", "peers", "sampling", "sanitized", "settings",
}  # fmt: skip


def test_the_table_is_complete() -> None:
    modules = {experiment.module for experiment in EXPERIMENTS.values()}
    own = {f"experiments.{file.stem}" for file in FOLDER.glob("*.py") if file.stem not in COMMON}
    assert modules == own | {"tests.fuzz"}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_tells_what_it_does(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main([name, "--help"])
    assert exit.value.code == 0
    assert re.match(rf"usage: experiments {name} \[-h\].*\n\n[A-Z]", capsys.readouterr().out, re.S)


def test_help_lists_the_experiments() -> None:
    command = [sys.executable, "-m", "experiments", "--help"]
    run = subprocess.run(command, cwd=FOLDER.parent, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0
    for name, experiment in EXPERIMENTS.items():
        assert re.search(rf"^  {name} +{re.escape(experiment.help)}$", run.stdout, re.M)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "required: NAME"),
        (["no-such-thing"], "invalid choice: 'no-such-thing'"),
        (["bench-explore", "writers=3"], "no family writers"),
        (["bench-stateful", "no-such-thing"], "no reduction no-such-thing"),
        (["context-table", "--algorithms", "source,no-such-thing"], "no such algorithms"),
        (["table1", "--limit", "soon"], "invalid float value"),
    ],
)
def test_a_command_line_that_cannot_be_understood(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == 3
    assert complaint in capsys.readouterr().err


def test_no_rows(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("table1", "context-table", "hybrid-table"):
        assert main([name, "--rows", "no such row"]) == 2
        assert name in capsys.readouterr().err


def test_generated_code_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench-interpreter", "--show"]) == 0
    assert "def step(state, i):\n" in capsys.readouterr().out


def test_programs_of_facts_are_drawn_with_the_clock_of_the_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is patched there is there: nothing else runs it but the experiment, by night."""
    make_cheap(monkeypatch)
    assert limits.monotonic is process_time
