"""Table 1 of [AbPress14] again, on the tasks of benchmarks/svcomp.

The tasks are programs of the same families, written anew: times and nodes can be compared in their
order of magnitude only. `table1.tsv` holds the rows: the tasks, the numbers of the paper, and the
options under which the tasks are run; with options the answer to expect is the row's, `safe`.
At the end stands the table of docs/evaluation.md, with a line for each task.

Exit status: 0; 1 if a verdict is wrong; 2 if there are no such rows.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from abpress.bench.inputs import read_inputs
from abpress.bench.record import Category, Run, Task
from abpress.bench.runner import in_order, jobs_of, run_all
from abpress.engines.table import ENGINES
from experiments.pages import add_write, markdown, show
from experiments.settings import BENCHMARKS, HERE, add_limits, read_table, setting_of

TASKS = BENCHMARKS / "svcomp"

_DEFAULT = "auto"
"""The way that is not a reduction of the tree."""


@dataclass(frozen=True, slots=True)
class Row:
    """A program of the paper: our tasks, and what AbPress said there (seconds, nodes, SMT), and
    others: nodes of the tool with the peephole reduction, its seconds, CBMC's and Threader's.

    With `options` the expected answer is the row's, `safe`, not the one of the task definitions.
    """

    name: str
    tasks: tuple[str, ...]
    paper: tuple[str, str, str]
    others: tuple[str, str, str, str]
    safe: bool
    options: tuple[str, ...]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which rows, and limits."""
    add_limits(parser)
    add_write(parser)
    parser.add_argument("--rows", default="", metavar="PATTERN", help="rows or tasks that match")
    parser.add_argument("--way", choices=ways(), action="append", help="(default: all)")


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if a verdict is wrong, 2 if there are no such rows."""
    rows = [row for row in read_rows(HERE / "table1.tsv") if _wanted(row, options.rows)]
    if not rows:
        print(f"table1: no rows match {options.rows}", file=sys.stderr)
        return 2
    its_ways = {name: way for name, way in ways().items() if name in (options.way or ways())}
    asked = {job: row for row in rows for job in jobs_of(_tasks(row), its_ways)}
    runs: list[Run] = []
    shown: dict[tuple[str, str], tuple[Row, dict[str, Run]]] = {}
    print(_HEADER)
    for job, its in in_order(list(asked), run_all(list(asked), setting_of(options))):
        runs.append(its)
        _, found = shown.setdefault((asked[job].name, its.task), (asked[job], {}))
        found[its.config] = its
        print(_line(asked[job], its), flush=True)
    for name in its_ways:
        print(_summary(name, [its for its in runs if its.config == name]))
    columns, lines = _page(list(its_ways), shown)
    show("table1", markdown(columns, lines, words=2), options.write)
    return 1 if any(its.category is Category.WRONG for its in runs) else 0


def read_rows(table: Path) -> list[Row]:
    """The rows of the paper."""
    return [
        Row(
            line["row"],
            tuple(line["tasks"].split()),
            (line["abpress_s"], line["abpress_nodes"], line["abpress_smt_s"]),
            (line["fmcad13_nodes"], line["fmcad13_s"], line["cbmc_s"], line["threader_s"]),
            line["safe"] == "y",
            tuple(line["options"].split()),
        )
        for line in read_table(table)
    ]


def ways() -> dict[str, tuple[str, ...]]:
    """The ways to run a task, by name: the default, and the engine with each reduction."""
    found: dict[str, tuple[str, ...]] = {_DEFAULT: ()}
    for por in sorted(ENGINES["abpress"].reductions):
        found[por] = ("--engine", "abpress", "--por", por)
    return found


def _wanted(row: Row, pattern: str) -> bool:
    return any(re.search(pattern, name) for name in (row.name, *row.tasks))


def _tasks(row: Row) -> list[Task]:
    """The reachability tasks of a row."""
    found = []
    for name in row.tasks:
        (task,) = read_inputs([str(TASKS / f"{name}.yml")], "unreach-call").tasks
        task = replace(task, name=name)
        if row.options:
            task = replace(task, options=row.options, expected=str(row.safe).lower())
        found.append(task)
    return found


_WIDTHS = "{:<22} {:<38} {:<16} {:<7} {:<13} {:>6} {:>9} {:>6}  {:>6} {:>7} {:>6}  {}"
_HEADER = _WIDTHS.format(
    *("row", "task", "way", "verdict", "", "s", "nodes", "smt s"),
    *("paper s", "nodes", "smt s", "note"),
)


def _line(row: Row, run: Run) -> str:
    numbers = run.statistics
    nodes = run.nodes()
    note = str(numbers.get("engines", "")) if run.definite() else run.reason
    return _WIDTHS.format(
        *(row.name, run.task, run.config, run.verdict, run.category.value),
        *(f"{run.wall_s:.1f}", "" if nodes is None else nodes, numbers.get("smt_s", "")),
        *(*row.paper, note),
    ).rstrip()


def _page(
    ways: Sequence[str], shown: Mapping[tuple[str, str], tuple[Row, Mapping[str, Run]]]
) -> tuple[list[str], list[list[str]]]:
    """The table of the page: its columns, and a line for each task. A dash is a limit, or nothing
    that is known."""
    columns = ["task", "answer", *(f"{way}: s" for way in ways)]
    columns += [f"`{way}`: nodes" for way in ways if way != _DEFAULT]
    columns += [
        "paper: s",
        "paper: nodes",
        "FMCAD13: nodes",
        "FMCAD13: s",
        "CBMC: s",
        "Threader: s",
    ]
    lines = []
    for (_, task), (row, runs) in shown.items():
        answers = {run.verdict.partition("(")[0] for run in runs.values() if run.definite()}
        malloc = f" `{' '.join(row.options)}`" if row.options else ""
        cells = [task + malloc, " ".join(sorted(answers)) or "–"]
        cells += [f"{runs[w].cpu_s:.1f}" if runs[w].definite() else "–" for w in ways]
        cells += [_nodes(runs[way]) for way in ways if way != _DEFAULT]
        seconds, nodes, _ = row.paper
        lines.append([*cells, *(cell or "–" for cell in (seconds, nodes, *row.others))])
    return columns, lines


def _nodes(run: Run) -> str:
    nodes = run.nodes()
    return f"{nodes:,}" if run.definite() and nodes is not None else "–"


def _summary(way: str, runs: list[Run]) -> str:
    counts = Counter(run.category for run in runs)
    told = ", ".join(f"{counts[category]} {category.value}" for category in counts)
    seconds = sum(run.wall_s for run in runs)
    return f"{way}: {len(runs)} runs, {told}, {seconds:.0f} s"
