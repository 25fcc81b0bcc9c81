"""Table 1 of [AbPress14] on the tasks of benchmarks/svcomp; see `--help`.

The tasks are programs of the same families, written anew: times and nodes can be compared in their
order of magnitude only. `table1.tsv` holds the rows: the tasks, the numbers of the paper, and the
options under which the tasks are run; with options the answer to expect is the row's, `safe`.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from abpress.bench.inputs import read_inputs
from abpress.bench.record import Category, Limits, Run, Task
from abpress.bench.runner import Setting, in_order, jobs_of, run_all
from abpress.cli.options import megabytes
from abpress.engines.table import ENGINES

HERE = Path(__file__).resolve().parent
TASKS = HERE.parent / "benchmarks" / "svcomp"


@dataclass(frozen=True, slots=True)
class Row:
    """A program of the paper: our tasks, and what AbPress said there (seconds, nodes, SMT).

    With `options` the expected answer is the row's, `safe`, not the one of the task definitions.
    """

    name: str
    tasks: tuple[str, ...]
    paper: tuple[str, str, str]
    safe: bool
    options: tuple[str, ...]


def main() -> int:
    """Exit status 1 if a verdict is wrong, 2 if there are no such rows."""
    parser = argparse.ArgumentParser(
        prog="table1",
        description="Table 1 of the AbPress paper again: verdict, time, nodes and SMT time.",
        epilog="exit status: 0, 1 if a verdict is wrong, 2 if there are no such rows",
    )
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per run (60)")
    parser.add_argument("--rows", default="", metavar="PATTERN", help="rows or tasks that match")
    parser.add_argument(
        "--memory-limit", type=megabytes, default=megabytes("2GB"), help="per run (2GB)"
    )
    parser.add_argument("-j", "--jobs", type=int, default=1, help="runs at the same time (1)")
    options = parser.parse_args()
    rows = [row for row in read_rows(HERE / "table1.tsv") if _wanted(row, options.rows)]
    if not rows:
        print(f"table1: no rows match {options.rows}", file=sys.stderr)
        return 2
    asked = {job: row for row in rows for job in jobs_of(_tasks(row), ways())}
    setting = Setting(Limits(None, options.limit, options.memory_limit), options.jobs)
    runs: list[Run] = []
    print(_HEADER)
    for job, run in in_order(list(asked), run_all(list(asked), setting)):
        runs.append(run)
        print(_line(asked[job], run), flush=True)
    for name in ways():
        print(_summary(name, [run for run in runs if run.config == name]))
    return 1 if any(run.category is Category.WRONG for run in runs) else 0


def read_rows(table: Path) -> list[Row]:
    """The rows of the paper."""
    with table.open(encoding="utf-8", newline="") as file:
        return [
            Row(
                line["row"],
                tuple(line["tasks"].split()),
                (line["abpress_s"], line["abpress_nodes"], line["abpress_smt_s"]),
                line["safe"] == "y",
                tuple(line["options"].split()),
            )
            for line in csv.DictReader(file, delimiter="\t")
        ]


def ways() -> dict[str, tuple[str, ...]]:
    """The ways to run a task, by name: the default, and the engine with each reduction."""
    found: dict[str, tuple[str, ...]] = {"auto": ()}
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


def _summary(way: str, runs: list[Run]) -> str:
    counts = Counter(run.category for run in runs)
    told = ", ".join(f"{counts[category]} {category.value}" for category in counts)
    seconds = sum(run.wall_s for run in runs)
    return f"{way}: {len(runs)} runs, {told}, {seconds:.0f} s"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
