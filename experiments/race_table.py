"""Data races of a folder of task definitions: expected, our answer, what ThreadSanitizer sees, and
what another tool has said.

ThreadSanitizer of each compiler that is installed runs the programs with random delays; of a
preprocessed file it gets the C file beside it, if there is one. --other is a result of another tool
as benchexec writes it (XML); a program is found in it by the name of its definition.

Exit status: 0; 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from abpress.bench.execute import Job
from abpress.bench.inputs import read_inputs
from abpress.bench.record import Category, Run, Task
from abpress.bench.runner import in_order, run_all
from experiments.sanitized import Instrumented, installed, seen
from experiments.settings import add_limits, setting_of

PROPERTY = "no-data-race"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and limits."""
    parser.add_argument("tasks", nargs="+", help="folders, task definitions and sets")
    parser.add_argument("--runs", type=int, default=20, help="of each executable; default: 20")
    parser.add_argument("--seed", type=int, default=1, help="of the delays")
    parser.add_argument("--other", type=Path, help="results of another tool, as XML")
    add_limits(parser, seconds=15.0)


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if a verdict is wrong."""
    tasks = read_inputs(options.tasks, PROPERTY).tasks
    others = {} if options.other is None else said_by_other(options.other)
    ways = [way for way in installed() if way.sanitizers == "thread"]
    jobs = [Job(task, "default", ()) for task in tasks]
    runs: list[Run] = []
    told: list[dict[str, str]] = []
    with contextlib.closing(run_all(jobs, setting_of(options))) as ended:
        for task, (_, its) in zip(tasks, in_order(jobs, ended), strict=True):
            runs.append(its)
            row = {"program": task.name, "expected": task.expected or "", "abpress": its.verdict}
            row |= {way.compiler: sanitized(task, way, options) for way in ways}
            if others:
                row["other"] = others.get(Path(task.name).name, "-")
            row["seconds"] = f"{its.cpu_s:.1f}"
            row["by"] = its.engine if its.definite() else its.reason
            told.append(row)
            if len(told) == 1:
                print("\t".join(row))
            print("\t".join(row.values()), flush=True)
    tools = [*(way.compiler for way in ways), *(["other"] if others else [])]
    print(*summary(told, tools), sep="\n")
    return 1 if any(its.category is Category.WRONG for its in runs) else 0


def sanitized(task: Task, way: Instrumented, options: argparse.Namespace) -> str:
    """`race`, `none` seen, or why the program does not run."""
    source = task.file.with_suffix(".c")
    with tempfile.TemporaryDirectory() as folder:
        try:
            file = source if source.exists() else task.file
            its = seen(file, way, options.runs, Path(folder), options.seed)
        except RuntimeError:
            return "not compiled"
    if PROPERTY in its.reports:
        return "race"
    return "none" if its.undecided < its.runs else "not ended"


def said_by_other(file: Path) -> dict[str, str]:
    """Name of a definition -> what a tool has said, of an XML file of benchexec."""
    found = {}
    for each in ElementTree.parse(file).getroot().iter("run"):
        statuses = [c.get("value", "") for c in each.iter("column") if c.get("title") == "status"]
        if statuses and each.get("name"):
            found[Path(each.get("name", "")).stem] = statuses[0]
    return found


def summary(rows: Sequence[Mapping[str, str]], others: Sequence[str]) -> Iterator[str]:
    """How many racy programs each finds racy, and how many others it proves."""
    racy = [row for row in rows if row["expected"].startswith("false")]
    fine = [row for row in rows if row["expected"] == "true"]
    yield ""
    yield f"{len(racy)} programs with a race, {len(fine)} without"
    for who in ("abpress", *others):
        found = sum(bool(re.match("race|false", row[who])) for row in racy)
        wrong = sum(bool(re.match("race|false", row[who])) for row in fine)
        proved = sum(row[who] == "true" for row in fine)
        unsound = sum(row[who] == "true" for row in racy)
        yield (
            f"{who}: {found} races found, {proved} programs proved,"
            f" {wrong} races that are none, {unsound} wrong proofs"
        )
