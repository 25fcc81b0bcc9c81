"""Table 1 of [ContextSensitive19] again: executions, states and seconds of stateless algorithms.

The programs are benchmarks/exploration, written anew after the paper's description; each says in
its first lines what of it is a guess. `context_table.tsv` holds the rows: program, size, whether
the paper determines the program, and its numbers (`21k` is at most 21,000, `>51k` a timeout).

E are executions that came to their end, S the states that were met, T the seconds of processor
time of the whole run, the start of Python included. Ends and joins of threads are steps of their
own here, so S is more than what the paper counts. At the end stands the table of
docs/evaluation.md.

Exit status: 0; 1 if a program that the paper determines has more executions than there, or not all
within the limit; 2 if there are no such rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abpress.bench.execute import Job
from abpress.bench.record import Run, Task
from abpress.reductions.table import STATELESS
from experiments.pages import show
from experiments.paper_table import LIMITED, add_options, beside, number, run_rows, stopped
from experiments.settings import BENCHMARKS, HERE, read_table

PROGRAMS = BENCHMARKS / "exploration"

PAPER = {
    "context-sensitive": "dporcs",
    "observers": "odporob",
    "optimal-cs-observers": "odporcsob",
}
"""Our name of an algorithm -> its columns in the table."""

WIDTHS = (10, 22, 9, 9, 8, 9, 9, 9)
"""Of the columns of the printed table, the note's aside."""

ENDS = ("complete", "deadlocked", "assume_blocked", "violating")


@dataclass(frozen=True, slots=True)
class Row:
    """A program at one size. `paper`: algorithm -> the paper's E, S and T."""

    name: str
    file: str
    n: str
    determined: bool
    paper: Mapping[str, tuple[str, str, str]]

    def label(self) -> str:
        """Its name."""
        return self.name

    def job(self, algorithm: str) -> Job:
        """The exploration by the algorithm."""
        options = ("--engine", "stateless", "--por", algorithm)
        sizes = () if self.n == "-" else ("-D", f"N={self.n}")
        file = PROGRAMS / self.file
        return Job(Task(self.name, file, "unreach-call", None, options=sizes), algorithm, options)


@dataclass(frozen=True, slots=True)
class Line:
    """What came out of a row under an algorithm, beside the paper's numbers; `note` judges E."""

    row: str
    algorithm: str
    E: int
    S: int
    T: float
    paper_E: str
    paper_S: str
    paper_T: str
    note: str


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which rows, which algorithms, and limits."""
    add_options(parser)
    parser.add_argument(
        "--algorithms",
        type=algorithms,
        default=[*PAPER],
        metavar="A,B,...",
        help=f"default: {','.join(PAPER)}",
    )


def algorithms(text: str) -> list[str]:
    """Names between commas. Raises ArgumentTypeError."""
    names = [name for name in text.split(",") if name]
    unknown = [name for name in names if name not in STATELESS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no such algorithms: {', '.join(unknown)}")
    return names


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if a determined row has more executions than in the paper, 2 for no rows."""
    rows = read_rows(HERE / "context_table.tsv")
    lines = run_rows(
        "context-table", options, rows, options.algorithms, line, [*Line.__slots__], WIDTHS
    )
    if not lines:
        return 2
    determined = {row.name for row in rows if row.determined}
    table = beside("program", lines, lambda one: _marked(one.row, determined), CELLS)
    show("context-table", table, options.write)
    return 1 if any(each.note in BAD and each.row in determined for each in lines) else 0


def read_rows(table: Path) -> list[Row]:
    """The rows of the paper."""
    return [
        Row(
            line["row"],
            line["file"],
            line["n"],
            line["determined"] == "y",
            {
                name: (line[f"{column}_E"], line[f"{column}_S"], line[f"{column}_T"])
                for name, column in PAPER.items()
            },
        )
        for line in read_table(table)
    ]


def _marked(row: str, determined: Collection[str]) -> str:
    return row if row in determined else f"{row} \\*"


CELLS: Mapping[str, Callable[[Line], str]] = {
    "E": lambda one: number(one.E, one.note),
    "paper": lambda one: one.paper_E,
    "s": lambda one: "–" if one.note == LIMITED else f"{one.T:.1f}",
    "paper's s": lambda one: one.paper_T,
}
"""What the page's table has of each algorithm."""

MORE = "more"
BAD = (MORE, LIMITED)


def line(row: Row, run: Run) -> Line:
    """The run of a row judged: `fewer`, `equal` or `more` executions, or what stopped it."""
    statistics = run.statistics
    executions = ended(statistics)
    paper = row.paper.get(run.config, ("", "", ""))
    if not run.definite():
        note = stopped(run)
    else:
        note = judged(executions, paper[0])
    states = int(statistics.get("events", 0)) + 1
    return Line(row.name, run.config, executions, states, round(run.cpu_s, 2), *paper, note)


def ended(statistics: Mapping[str, Any]) -> int:
    """The executions that were not given up because what follows has been explored."""
    return sum(int(statistics.get(f"{end}_executions", 0)) for end in ENDS)


def judged(executions: int, paper: str) -> str:
    """How a number of executions compares with the paper's; nothing where that is not known."""
    if not paper or paper.startswith(">"):
        return ""
    thousands = paper.endswith("k")
    number = int(paper.rstrip("k")) * (1000 if thousands else 1)
    if thousands and number - 1000 < executions <= number:
        return "equal"
    return "equal" if executions == number else MORE if executions > number else "fewer"
