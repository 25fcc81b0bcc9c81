"""Who finds the errors of the programs of a manifest, or proves them, and how fast, by folder.

A manifest is a set of tasks, or tab-separated with the columns path (below --root), property,
expected, category (the folder that is told) and flags. Of their rows those are run that ask for one
of the properties and expect the verdict; a definite verdict that is not expected is printed. There
is a table for each property.

Exit status: 0; 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median

from abpress.bench.execute import Job
from abpress.bench.inputs import read_inputs
from abpress.bench.record import Category, Run, Task
from abpress.bench.runner import in_order, run_all
from experiments.settings import add_limits, setting_of

_USUAL = "unreach-call"

_STRATEGY = re.compile(r"found by (\S+)")


def add_rows(parser: argparse.ArgumentParser, expected: str) -> None:
    """Adds which rows of which manifest are run; `expected` is the default."""
    parser.add_argument("manifest", type=Path, nargs="+", help="or a set of tasks (.set)")
    parser.add_argument("--root", type=Path, default=Path(), help="folder of a manifest's paths")
    parser.add_argument("--property", action="append", help=f"repeatable; default: {_USUAL}")
    parser.add_argument("--expected", default=expected, help="true or false (default: %(default)s)")
    parser.add_argument("--category", action="append", help="only this one (repeatable)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th row")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of them, at random")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default: %(default)s)")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and limits."""
    add_rows(parser, expected="false")
    parser.add_argument("--engine", default="auto", help="of the runs (default: %(default)s)")
    parser.add_argument(
        "--within",
        type=float,
        default=5.0,
        metavar="SECONDS",
        help="processor time that is told apart (default: %(default)g)",
    )
    parser.add_argument("--verbose", action="store_true", help="a line per program")
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if a verdict is wrong."""
    asked = rows(options)
    jobs = [Job(task, "default", ("--engine", options.engine)) for _, task in asked]
    runs: list[tuple[str, Run]] = []
    with contextlib.closing(run_all(jobs, setting_of(options))) as ended:
        for (category, _), (_, its) in zip(asked, in_order(jobs, ended), strict=True):
            runs.append((category, its))
            if options.verbose or its.category is Category.WRONG:
                print(_line(its), flush=True)
    for name in options.property or [_USUAL]:
        print(
            f"\n{name}",
            *table([its for its in runs if its[1].property == name], options.within),
            sep="\n",
        )
    return 1 if any(its.category is Category.WRONG for _, its in runs) else 0


def rows(options: argparse.Namespace) -> list[tuple[str, Task]]:
    """The rows that are run: category and task."""
    each = (row for manifest in options.manifest for row in _rows(manifest, options))
    found = list(each)[:: options.every]
    if options.sample is None:
        return found
    drawn = Random(options.seed).sample(range(len(found)), min(options.sample, len(found)))
    return [found[k] for k in sorted(drawn)]


def _rows(manifest: Path, options: argparse.Namespace) -> Iterator[tuple[str, Task]]:
    if manifest.suffix != ".tsv":
        for name in options.property or [_USUAL]:
            for task in read_inputs([str(manifest)], name).tasks:
                if task.expected == options.expected:
                    yield task.file.parent.name, task
        return
    with manifest.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["property"] not in (options.property or [_USUAL]):
                continue
            if row["expected"] != options.expected:
                continue
            if options.category and row["category"] not in options.category:
                continue
            flags = shlex.split(row["flags"])
            model = "LP64" if "LP64" in flags else "ILP32"
            file_of = options.root / row["path"]
            task = Task(row["path"], file_of, row["property"], row["expected"], model, ())
            yield row["category"], task


def finder(run: Run) -> str:
    """Who has given the verdict: an engine, with the strategy where it was a hunt."""
    strategy = _STRATEGY.search(str(run.statistics.get("hunt", "")))
    return run.engine + (f" ({strategy[1]})" if strategy and run.engine == "hunt" else "")


def table(runs: Sequence[tuple[str, Run]], within: float) -> Iterator[str]:
    """The lines of the table: per folder and together, and who has found how many."""
    width = max((len(category) for category, _ in runs), default=0)
    yield f"{'folder':<{width}}  rows  decided  in {within:g} s  median s  by"
    for category in (*dict.fromkeys(category for category, _ in runs), "all"):
        its = [run for where, run in runs if category in (where, "all")]
        yield f"{category:<{width}}  {_numbers(its, within)}"
    found = Counter(finder(run) for _, run in runs if run.definite())
    yield ""
    yield from (f"{count:6}  {name}" for name, count in found.most_common())


def _numbers(runs: Sequence[Run], within: float) -> str:
    decided = [run for run in runs if run.definite()]
    soon = sum(run.cpu_s <= within for run in decided)
    typical = f"{median(run.cpu_s for run in decided):.2f}" if decided else "-"
    engines = ", ".join(f"{name} {n}" for name, n in _engines(decided))
    return f"{len(runs):4}  {len(decided):7}  {soon:7}  {typical:>8}  {engines}"


def _engines(runs: Iterable[Run]) -> list[tuple[str, int]]:
    return Counter(run.engine for run in runs).most_common()


def _line(run: Run) -> str:
    who = finder(run) if run.definite() else run.reason
    return f"{run.verdict:<22} {run.cpu_s:7.2f} s  {run.task}  {run.property}  {who}"
