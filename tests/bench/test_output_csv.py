"""The CSV reads back as what came out."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.bench.csv_output import write_csv
from tests.bench.output_samples import BENCHMARK


def test_one_line_per_run_reads_back(tmp_path: Path) -> None:
    write_csv(BENCHMARK, tmp_path / "r.csv")
    with (tmp_path / "r.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert len(rows) == len(BENCHMARK.runs)
    for row, run in zip(rows, BENCHMARK.runs, strict=True):
        assert None not in row
        assert (row["task"], row["config"], row["verdict"]) == (run.task, run.config, run.verdict)
        assert row["category"] == run.category.value
        assert int(row["score"]) == run.score
        assert float(row["cpu_s"]) == run.cpu_s
        assert row["nodes"] == ("" if run.nodes() is None else str(run.nodes()))
        assert row["expected"] == (run.expected or "")
        assert row["status"] == ("" if run.status is None else str(run.status))
        assert row["statistics.states"] == str(run.statistics.get("states", ""))
    assert rows[1]["options"] == "'--por s-por"
    assert rows[0]["certificate"] == "proofs/peterson 1.json"


@pytest.mark.parametrize("text", ["=1+2", "+1", "-1", "@SUM(A1)", "\t=1", "'=1", "a=1", "1", ""])
def test_no_cell_is_a_formula(text: str, tmp_path: Path) -> None:
    run = replace(BENCHMARK.runs[0], task=text, reason=text, score=-16)
    write_csv(replace(BENCHMARK, runs=(run,)), tmp_path / "r.csv")
    with (tmp_path / "r.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file, strict=True)
    expected = text if text[:1] in ("", "'", "a", "1") else f"'{text}"
    assert (row["task"], row["reason"], row["score"]) == (expected, expected, "-16")


def test_odd_text_survives(tmp_path: Path) -> None:
    write_csv(BENCHMARK, tmp_path / "r.csv")
    content = (tmp_path / "r.csv").read_bytes()
    assert b"\\udcff" in content
    assert b"\r" not in content
