"""The table of data races: what another tool has said is read, and rows are counted."""

from __future__ import annotations

from pathlib import Path

from experiments.race_table import said_by_other, summary

RESULTS = """<?xml version="1.0"?>
<result tool="other">
  <run name="../c/races/handover.yml" files="[../c/races/handover.i]">
    <column title="cputime" value="0.3s"/>
    <column title="status" value="false(no-data-race)"/>
  </run>
  <run name="../c/races/handover-2.yml"><column title="status" value="true"/></run>
</result>
"""


def test_results_of_another_tool(tmp_path: Path) -> None:
    file = tmp_path / "results.xml"
    file.write_text(RESULTS)
    assert said_by_other(file) == {"handover": "false(no-data-race)", "handover-2": "true"}


def test_the_summary_counts() -> None:
    rows = [
        {"expected": "false", "abpress": "false(no-data-race)", "gcc": "none"},
        {"expected": "false", "abpress": "true", "gcc": "race"},
        {"expected": "true", "abpress": "true", "gcc": "not compiled"},
    ]
    lines = list(summary(rows, ["gcc"]))
    assert "2 programs with a race, 1 without" in lines
    assert (
        "abpress: 1 races found, 1 programs proved, 0 races that are none, 1 wrong proofs" in lines
    )
    assert "gcc: 1 races found, 0 programs proved, 0 races that are none, 0 wrong proofs" in lines
