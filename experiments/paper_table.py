"""Tables of programs run beside a paper's numbers, for the experiments that print some."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from abpress.bench.execute import Job
from abpress.bench.record import Category, Run
from abpress.bench.runner import in_order, run_all
from experiments.pages import add_write, markdown
from experiments.settings import add_limits, setting_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class Judged(Protocol):
    """A line: of whose run it is."""

    @property
    def algorithm(self) -> str:
        """The algorithm."""


class Asked(Protocol):
    """A row: what `--rows` is matched with, and the job for an algorithm."""

    def label(self) -> str:
        """The text that is searched for the pattern of `--rows`."""

    def job(self, algorithm: str, /) -> Job:
        """The run of the row under an algorithm."""


Row = TypeVar("Row", bound=Asked)
Line = TypeVar("Line", bound="DataclassInstance")
Told = TypeVar("Told", bound=Judged)

LIMITED = "limit"
"""The note of a run that a limit has stopped."""


def add_options(parser: argparse.ArgumentParser, rows: str = "rows") -> None:
    """Adds the limits of a run, which rows (in the words of the help), and how the table is
    written."""
    add_limits(parser)
    add_write(parser)
    parser.add_argument("--rows", default="", metavar="PATTERN", help=f"{rows} that match")
    parser.add_argument("--tsv", action="store_true", help="print tab-separated values")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the lines to a file, too")


def run_rows(
    prog: str,
    options: argparse.Namespace,
    rows: Iterable[Row],
    algorithms: Iterable[str],
    line: Callable[[Row, Run], Line],
    columns: Sequence[str],
    widths: Sequence[int],
) -> list[Line]:
    """Runs the rows that match with the algorithms and prints the line of each run, with a heading,
    as they come; returns the lines. If there are none, that is said.

    `widths` are those of all columns but the last.
    """
    matching = [row for row in rows if re.search(options.rows, row.label())]
    asked = {row.job(algorithm): row for row in matching for algorithm in algorithms}
    if not asked:
        print(f"{prog}: nothing to run", file=sys.stderr)
        return []
    setting = setting_of(options)

    def show(values: Sequence[str]) -> None:
        if options.tsv:
            print("\t".join(values), flush=True)
        else:
            cells = (f"{v:<{w}}" for v, w in zip(values, (*widths, 0), strict=True))
            print("".join(cells).rstrip(), flush=True)

    show(columns)
    lines: list[Line] = []
    for job, run in in_order(list(asked), run_all(list(asked), setting)):
        lines.append(line(asked[job], run))
        show([str(value) for value in asdict(lines[-1]).values()])
    if options.json is not None:
        text = json.dumps([asdict(each) for each in lines], indent=1)
        options.json.write_text(text + "\n", encoding="utf-8")
    return lines


def beside(
    first: str,
    lines: Iterable[Told],
    row: Callable[[Told], str],
    cells: Mapping[str, Callable[[Told], str]],
) -> str:
    """The table of a page: a line for each row, with cells for each algorithm. `lines` have the
    field `algorithm`; `first` is the name of the first column."""
    found: dict[str, dict[str, Told]] = {}
    for each in lines:
        found.setdefault(row(each), {})[each.algorithm] = each
    algorithms = list(dict.fromkeys(name for its in found.values() for name in its))
    columns = [first, *(f"{name}: {cell}" for name in algorithms for cell in cells)]
    told = (
        [name, *(cell(its[a]) if a in its else "–" for a in algorithms for cell in cells.values())]
        for name, its in found.items()
    )
    return markdown(columns, told)


def number(value: int, note: str) -> str:
    """A number of a run, for such a table; a dash if the run did not come to its end."""
    return "–" if note == LIMITED else f"{value:,}"


def stopped(run: Run) -> str:
    """The note of a run without a verdict."""
    limited = run.category in (Category.TIMEOUT, Category.OUT_OF_MEMORY)
    return LIMITED if limited else f"failed: {run.reason}"
