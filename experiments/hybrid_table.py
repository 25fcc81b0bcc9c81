"""Tables I and II of [Hybrid16] again, in small: thread choices, states and seconds.

The programs are benchmarks/heap, written anew in C after what their names say; they are smaller
than the paper's in Java, so only the relations between the columns can be compared.
`hybrid_table.tsv` holds the rows: the search (`complete`, or until the first of the `errors` of the
version with a bug), program, sizes, property, and the paper's numbers of thread choices (`-`: not
within its limits).

A thread choice is a state at which steps of several threads were explored. In the paper, and in
its implementation, it is one at which several threads could move and were to be explored; here a
thread goes on alone also where another one than the last could, so there are fewer for all four.
At the end stands the table of docs/evaluation.md.

Exit status: 0; 1 if hybrid makes more choices than heap-reach+fields in a complete search, or a
verdict is not the expected one; 2 if there are no such rows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from abpress.bench.execute import Job
from abpress.bench.record import Run, Task
from experiments.pages import show
from experiments.paper_table import LIMITED, add_options, beside, number, run_rows, stopped
from experiments.settings import BENCHMARKS, HERE, read_table

PROGRAMS = BENCHMARKS / "heap"

PAPER = {
    "heap-reach": "heap_reach",
    "heap-reach+fields": "hr_fields",
    "stateful-dpor": "dynamic_por",
    "hybrid": "hybrid",
}
"""Our name of an algorithm -> its column in the table."""

WIDTHS = (22, 10, 19, 9, 9, 9, 15)
"""Of the columns of the printed table, the note's aside."""

EXPECTED = {"complete": "true", "errors": "false"}
"""Search -> the verdict of its programs."""


@dataclass(frozen=True, slots=True)
class Row:
    """A program at one size. `paper`: algorithm -> the paper's thread choices."""

    name: str
    search: str
    file: str
    sizes: tuple[str, ...]
    property: str
    paper: Mapping[str, str]

    def label(self) -> str:
        """Its name with that of the search."""
        return f"{self.search}/{self.name}"

    def job(self, algorithm: str) -> Job:
        """The search by the algorithm."""
        defines = tuple(word for size in self.sizes for word in ("-D", size))
        file, expected = PROGRAMS / self.file, EXPECTED[self.search]
        task = Task(self.label(), file, self.property, expected, options=defines)
        asked = ("--engine", "explicit", "--por", algorithm, "--symmetry", "off")
        return Job(task, algorithm, asked)


SEARCHES = {"complete": "all", "errors": "first error"}
"""The same in the words of the page."""


@dataclass(frozen=True, slots=True)
class Line:
    """What came out of a row under an algorithm, beside the paper's number of choices."""

    row: str
    search: str
    algorithm: str
    choices: int
    states: int
    seconds: float
    paper_choices: str
    note: str


CELLS: Mapping[str, Callable[[Line], str]] = {
    "choices": lambda one: number(one.choices, one.note),
    "paper": lambda one: one.paper_choices.replace("-", "–"),
    "s": lambda one: "–" if one.note == LIMITED else f"{one.seconds:.1f}",
}
"""What the page's table has of each algorithm."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which rows, and limits."""
    add_options(parser, "rows SEARCH/NAME")


def run(options: argparse.Namespace) -> int:
    """Exit status as the help says."""
    rows = read_rows(HERE / "hybrid_table.tsv")
    lines = run_rows("hybrid-table", options, rows, PAPER, line, [*Line.__slots__], WIDTHS)
    if not lines:
        return 2
    table = beside("search", lines, lambda one: f"{one.row}, {SEARCHES[one.search]}", CELLS)
    show("hybrid-table", table, options.write)
    wrong = [each.row for each in lines if each.note not in ("", LIMITED)]
    for name in (*wrong, *exceeded(lines)):
        print(f"hybrid-table: not as expected: {name}", file=sys.stderr)
    return 1 if wrong or exceeded(lines) else 0


def read_rows(table: Path) -> list[Row]:
    """The rows of both tables of the paper."""
    return [
        Row(
            line["row"],
            line["search"],
            line["file"],
            tuple(line["sizes"].split()),
            line["property"],
            {name: line[column] for name, column in PAPER.items()},
        )
        for line in read_table(table)
    ]


def line(row: Row, run: Run) -> Line:
    """The run of a row; `note` says what is wrong with it."""
    statistics = run.statistics
    note = ""
    if not run.definite():
        note = stopped(run)
    elif run.verdict != EXPECTED[row.search]:
        note = f"verdict {run.verdict}"
    return Line(
        row.name,
        row.search,
        run.config,
        int(statistics.get("thread_choices", 0)),
        int(statistics.get("states", 0)),
        round(run.cpu_s, 2),
        row.paper[run.config],
        note,
    )


def exceeded(lines: Iterable[Line]) -> list[str]:
    """The rows of complete searches in which hybrid makes more choices than heap-reach+fields."""
    choices = {
        (each.row, each.algorithm): each.choices
        for each in lines
        if each.search == "complete" and not each.note
    }
    return [
        row
        for (row, algorithm), most in choices.items()
        if algorithm == "heap-reach+fields" and choices.get((row, "hybrid"), 0) > most
    ]
