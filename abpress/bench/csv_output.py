"""The runs of a benchmark as CSV (RFC 4180, but lines end in LF): one line per run."""

from __future__ import annotations

import csv
import io
import shlex
from pathlib import Path

from abpress.bench.files import write_whole
from abpress.bench.record import Benchmark, Run

_COLUMNS = (
    *("task", "property", "expected", "config", "options", "verdict", "category", "score"),
    *("status", "reason", "cpu_s", "wall_s", "memory_mb", "nodes", "engine", "reduction"),
    *("trace", "certificate"),
)

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""What begins a formula for spreadsheets."""


def write_csv(benchmark: Benchmark, path: Path) -> None:
    """Writes a table with a header; what a run does not have is empty. Raises InputError.

    After the fixed columns comes one for each of the statistics that any run has, by name, as
    `statistics.NAME`. A text that a spreadsheet would compute stands behind an apostrophe.
    """
    names = sorted({name for run in benchmark.runs for name in run.statistics})
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*_COLUMNS, *(_inert(f"statistics.{name}") for name in names)])
    for run in benchmark.runs:
        cells = (*_fields(run), *(run.statistics.get(name) for name in names))
        table.writerow([_inert(cell) for cell in cells])
    write_whole(path, text.getvalue())


def _inert(cell: object) -> object:
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return cell


def _fields(run: Run) -> list[object]:
    return [
        *(run.task, run.property, run.expected, run.config, shlex.join(run.options)),
        *(run.verdict, run.category.value, run.score, run.status, run.reason),
        *(run.cpu_s, run.wall_s, run.memory_mb, run.nodes(), run.engine, run.reduction),
        *(run.trace, run.certificate),
    ]
