"""`abpress step`: what it shows at a step, and what it refuses."""

from __future__ import annotations

from pathlib import Path

from abpress.cli.step import chosen, length, view
from abpress.verify.page.write import page_of
from tests.verify.page.programs import CAUSES, data_of_run

from .conftest import Command


def test_values_and_places_at_a_step() -> None:
    data = data_of_run(CAUSES / "lost_update_by_copies.c", "unreach-call")
    execution = chosen(data, None)
    assert length(execution) == 8
    third = list(view(data, execution, 3))
    assert ">   10   int copy = balance;  // <-   <- main.1" in third
    assert "main.1  copy = 10" in third
    assert third[-1] == "balance = 10"
    assert list(view(data, execution, 8))[-1] == "balance = 15"
    assert list(view(data, execution, 0))[-1] == "balance = 10"


def test_it_needs_a_terminal_and_an_execution(abpress: Command, tmp_path: Path) -> None:
    data = data_of_run(CAUSES / "race_no_lock.c", "no-data-race")
    page = tmp_path / "index.html"
    page.write_text(page_of(data), encoding="utf-8")
    run = abpress("step", tmp_path)
    assert run.status == 3
    assert "needs a terminal" in run.err
    other = abpress("step", tmp_path, "--property", "no-deadlock")
    assert (other.status, "has no execution for no-deadlock" in other.err) == (3, True)
