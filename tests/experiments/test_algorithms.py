"""docs/algorithms.md is what the tables say."""

from __future__ import annotations

import csv

import pytest

from abpress.reductions.table import REDUCTIONS
from experiments.algorithms import COUNTS, PAGE, PROGRAMS, TABLES, filled
from experiments.harness import main


def test_the_page_is_up_to_date() -> None:
    assert main(["algorithms"]) == 0, "python -m experiments algorithms --write"


def test_a_page_that_is_not_is_found() -> None:
    page = "before\n<!-- table: engines -->\nold\n<!-- end -->\nafter\n"
    assert filled(page).startswith("before\n<!-- table: engines -->\n| `--engine` |")
    assert filled(page).endswith("<!-- end -->\nafter\n")
    assert filled(filled(page)) == filled(page)
    with pytest.raises(KeyError):
        filled("<!-- table: none such -->\n<!-- end -->")


def test_the_page_has_all_tables() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"<!-- table: {name} -->" in text for name in TABLES)
    assert all(f"| `{entry.name}`" in text for entry in REDUCTIONS.values())


def test_everything_was_counted() -> None:
    with COUNTS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    counted = {(row["family"], row["name"], row["program"]) for row in rows}
    assert counted == {
        (e.family.name.lower(), e.name, program)
        for e in REDUCTIONS.values()
        for program in PROGRAMS
    }
