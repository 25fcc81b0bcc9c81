"""The table of what asking everything costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.cost import Asked, Cost, table
from experiments.harness import main

PROGRAM = "void reach_error(void); int x; int main(void) { x++; if (x == 2) reach_error(); }\n"


def test_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "program.c"
    file.write_text(PROGRAM, encoding="utf-8")
    asked = ["--property", "unreach-call", "--property", "no-overflow"]
    assert main(["cost", str(file), *asked]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[3] == "0/0"
    assert "programs                          1" in lines


def test_verdicts_that_differ_are_told() -> None:
    alone = {"unreach-call": Asked(2.0, {"unreach-call": "true"})}
    cost = Cost(Path("program.c"), alone, Asked(5.0, {"unreach-call": "false"}))
    assert cost.differing == ["unreach-call"]
    assert "times, worst                   2.50" in list(table([cost]))
