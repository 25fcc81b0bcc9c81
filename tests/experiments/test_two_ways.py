"""The table of two ways to ask."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from abpress.bench.execute import Job, run_of
from abpress.bench.record import Category, Run, Task
from experiments.harness import main
from experiments.two_ways import Pair, table

PROGRAM = "void reach_error(void); int x; int main(void) { if (x == 0) reach_error(); }\n"


@pytest.mark.parametrize(("expected", "status"), [("false", 0), ("true", 1)])
def test_one_program(
    expected: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "program.c").write_text(PROGRAM, encoding="utf-8")
    manifest = tmp_path / "manifest.tsv"
    manifest.write_text(f"path\texpected\nprogram.c\t{expected}\n", encoding="utf-8")
    ways = ["--first=--workers 1", "--second=--engine explicit"]
    assert main(["two-ways", str(manifest), *ways]) == status
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[6:8] == ["false", "false"]
    assert ("WRONG" in lines[1]) == bool(status)
    assert any(line.startswith("decided, second            1  median cpu") for line in lines)


def test_ratios() -> None:
    job = Job(Task("t", Path("t.c"), "unreach-call", None), "first", ())
    none = run_of(job, "unknown", "", Category.UNKNOWN)

    def pair(first: float, second: float, verdict: str = "true") -> Pair:
        def run(name: str, its: str, seconds: float) -> Run:
            return replace(none, config=name, verdict=its, wall_s=seconds, cpu_s=2 * seconds)

        return Pair(run("first", "true", first), run("second", verdict, second))

    lines = list(table([pair(1.0, 2.0), pair(4.0, 2.0), pair(9.0, 1.0, "unknown")]))
    assert lines[1:4] == [
        "tasks                      3",
        "decided, first             3  median cpu 8.00 s, all 28 s",
        "decided, second            2  median cpu 4.00 s, all 10 s",
    ]
    assert lines[5].split()[3:6] == ["2", "wall", "1.00"]
    assert lines[6].split()[4:7] == ["1", "wall", "0.50"]
