"""The table of what `auto` loses, and of what techniques give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import process_time, sleep

import pytest

from abpress.bench.record import Task
from abpress.config import Config
from abpress.smt.clauses import Unsolved
from abpress.verify.run import Report, verify
from experiments import choice_table
from experiments.choice_table import TECHNIQUES, Outcome, Uses, gains, losses
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


def test_engines_run_for_as_long_as_auto_would_lose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, float]] = []

    def outcome(_: object, way: str, seconds: float, until: float = 1000.0) -> Outcome:
        asked.append((way, until))
        return Outcome("true", True, 14.0)

    monkeypatch.setattr(choice_table, "_outcome", outcome)
    command = ["choice-table", a_set(tmp_path), "--most", "1.3", "--without", "nothing"]
    assert main([*command, "--only-losses", "--engine", "horn"]) == 0
    assert asked == [("auto", 1000.0), ("horn", 10.0)]
    assert "horn: 1 of 1 decided" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(TECHNIQUES))
def test_techniques_that_are_used_are_noted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    its, used = replace(TECHNIQUES[name], in_vain=lambda *_: True), Uses()
    module, attribute = its.where or (its.module, its.attribute)
    owner = choice_table.import_module(module)
    *path, last = attribute.split(".")
    for part in path:
        owner = getattr(owner, part)
    monkeypatch.setattr(owner, last, lambda *_, **__: "as before")
    its.note(name, used)
    assert not used
    assert getattr(owner, last)() == "as before"
    assert [*used] == [name]
    assert not used[name].counts


def test_what_was_in_vain_is_not_asked_again() -> None:
    used = {"clauses": 1.5, "late facts": None}
    decided = Outcome("true", True, 5.0, used)
    assert decided.without("acceleration") is decided
    assert decided.without("clauses") == Outcome("true", True, 3.5)
    assert decided.without("late facts") is None
    assert Outcome("unknown", None, 5.0, used).without("clauses") is None


def test_a_run_is_stopped_and_limits_count_processor_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p.c").write_text(PROGRAM, encoding="utf-8")
    task = Task("p", tmp_path / "p.c", "unreach-call", "true", "LP64", ())

    def at_work(_: object) -> Report:
        begun, clock = process_time(), choice_table.time.monotonic()
        while process_time() < begun + 0.3:
            pass
        sleep(0.5)
        assert choice_table.time.monotonic() < clock + 0.5
        return verify(Config.of(task.file, property=task.property, engine="explicit"))

    monkeypatch.setattr(choice_table, "verify", at_work)
    stopped = choice_table._outcome(task, "explicit", 20.0, by_processor=True, stop=0.2)
    assert (stopped.verdict, stopped.right) == ("too late", None)
    assert choice_table._outcome(task, "explicit", 20.0, by_processor=True).right


def test_what_is_said_in_vain_is_known() -> None:
    vain = {
        "any number of threads": ("left", "errors", "left"),
        "guesses of pairs": (None,),
        "clauses of threads": (Unsolved("no time"),),
        "orders but the first": (["one"],),
        "linear equations": ([(), ()],),
        "orders of elements": ("hulls", (), (), False, False),
    }
    useful = {
        "any number of threads": ((), "errors", "left"),
        "guesses of pairs": ("a certificate",),
        "clauses of threads": ("labels",),
        "orders but the first": (["one", "two"],),
        "linear equations": ([(), ("f",)],),
        "orders of elements": ("hulls", (), (), False, True),
        "late facts": (None,),
    }
    assert all(TECHNIQUES[name].in_vain(*its) for name, its in vain.items())
    assert not any(TECHNIQUES[name].in_vain(*its) for name, its in useful.items())


def a_set(folder: Path) -> str:
    """A set of one task, of which the verdict is true."""
    (folder / "p.c").write_text(PROGRAM, encoding="utf-8")
    text = "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n"
    text += "  - property_file: unreach-call.prp\n    expected_verdict: true\n"
    (folder / "p.yml").write_text(text, encoding="utf-8")
    check = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
    (folder / "unreach-call.prp").write_text(check, encoding="utf-8")
    (folder / "some.set").write_text("p.yml\n", encoding="utf-8")
    return str(folder / "some.set")


def test_rows_of_a_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["choice-table", a_set(tmp_path), "--seconds", "20"]
    assert main([*command, "--engine", "explicit", "--without", "nothing"]) == 0
    assert "auto: 1 of 1 decided" in capsys.readouterr().out


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
    command += ["--engine", "explicit", "--most", "1000"]
    command += ["--without", "clauses", "--without", "late facts"]
    assert main([*command, "--expected", expected]) == status
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("p.c: auto true")
    assert "-late facts true" in lines[0] and "-clauses" not in lines[0]  # auto did not come to it
    assert lines[1].startswith("auto: 1 of 1 decided")
    assert lines[2].startswith("explicit: 1 of 1 decided")
    assert lines[3].startswith("clauses: only it gives 0, only without it 0")
