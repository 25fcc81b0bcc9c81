"""The table of what `auto` loses, and of what techniques give."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import choice_table
from experiments.choice_table import TECHNIQUES, Outcome, gains, losses
from experiments.harness import main

PROGRAM = "void reach_error(void); int x; int main(void) { if (x) reach_error(); }\n"

FAST, SLOW = Outcome("true", True, 2.0), Outcome("true", True, 5.0)
OPEN = Outcome("unknown", None, 60.0)

FOUND = {
    "alone": {"auto": OPEN, "horn": FAST, "static": OPEN, "-clauses": OPEN},
    "late": {"auto": SLOW, "horn": FAST, "static": OPEN, "-clauses": OPEN},
    "soon": {"auto": FAST, "horn": SLOW, "static": FAST, "-clauses": SLOW},
    "worse": {"auto": OPEN, "horn": OPEN, "static": OPEN, "-clauses": FAST},
}


def test_losses_are_told_of_the_best_engine_alone() -> None:
    assert list(losses(FOUND, ("horn", "static"), 1.3)) == [
        "auto: 2 of 4 decided, 7 s",
        "horn: 3 of 4 decided, 9 s",
        "static: 1 of 4 decided, 2 s",
        "lost: alone, horn decides it in 2.0 s",
        "late: late, 5.0 s, horn 2.0 s",
    ]


def test_gains_are_told_of_rows_that_are_decided_one_way_only() -> None:
    assert list(gains(FOUND, ("clauses",))) == [
        "clauses: only it gives 1, only without it 1; elsewhere 2 s with it, 5 s without",
        "  late",
    ]


@pytest.mark.parametrize("name", sorted(TECHNIQUES))
def test_techniques_are_where_they_are_left_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    its = TECHNIQUES[name]
    module = choice_table.import_module(its.module)
    owner = module
    for part in its.attribute.split("."):
        owner, holder = getattr(owner, part), owner
    last = its.attribute.rsplit(".", 1)[-1]
    monkeypatch.setattr(holder, last, owner)
    its.leave_out()
    assert getattr(holder, last) is not owner


@pytest.mark.parametrize(("expected", "status"), [("true", 0), ("false", 1)])
def test_the_table(
    expected: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.c").write_text(PROGRAM, encoding="utf-8")
    manifest = tmp_path / "manifest.tsv"
    manifest.write_text(
        "path\tproperty\texpected\tcategory\tflags\n"
        f"p.c\tunreach-call\t{expected}\tfolder\t--data-model LP64\n",
        encoding="utf-8",
    )
    command = ["choice-table", str(manifest), "--root", str(tmp_path), "--seconds", "20"]
    command += ["--engine", "explicit", "--without", "clauses", "--most", "1000"]
    assert main([*command, "--expected", expected]) == status
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("p.c: auto true")
    assert lines[1].startswith("auto: 1 of 1 decided")
    assert lines[2].startswith("explicit: 1 of 1 decided")
    assert lines[3].startswith("clauses: only it gives 0, only without it 0")
