"""What it gives that facts are handed over: `auto` as it is beside `auto` whose engines are told
nothing of what facts prove in part.

The rows are those of a manifest, as `found-by` takes them. Of each row both runs follow one
another. Without what is handed over engines are asked the whole property, and interleave all
accesses.

Exit status: 0; 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import geometric_mean

from abpress.bench.execute import Files, Job, verify_command
from abpress.bench.record import Category, Run, RunLimits
from abpress.bench.runner import in_order, run_all
from abpress.cli.main import main
from experiments.choice_table import TECHNIQUES
from experiments.found_by import add_rows, rows
from experiments.settings import add_limits, setting_of

GIVEN, KEPT = "given", "kept"

LONG = 2.0
"""Seconds of processor time of the slower run from which on engines matter."""

_MAIN = "from experiments.handed_over import main_without; main_without()"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which rows, and limits."""
    add_rows(parser, expected="true")
    add_limits(parser)


def main_without() -> None:
    """The command `abpress`, where engines are told nothing of what facts say."""
    for name in ("alarms as questions", "synchronised accesses"):
        TECHNIQUES[name].leave_out()
    main()


def command(job: Job, limits: RunLimits, files: Files) -> list[str]:
    """How a job is run."""
    python, *rest = verify_command(job, limits, files)
    return [python, *rest] if job.config == GIVEN else [python, "-c", _MAIN, *rest[2:]]


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if a verdict is wrong."""
    tasks = [task for _, task in rows(options)]
    jobs = [Job(task, config, ()) for task in tasks for config in (GIVEN, KEPT)]
    setting = replace(setting_of(options), command=command)
    runs: list[Run] = []
    with contextlib.closing(run_all(jobs, setting)) as ended:
        for _, its in in_order(jobs, ended):
            runs.append(its)
            if len(runs) % 2 == 0:
                print(_line(*runs[-2:]), flush=True)
    print(*table(list(zip(runs[::2], runs[1::2], strict=True))), sep="\n")
    return 1 if any(its.category is Category.WRONG for its in runs) else 0


def _line(given: Run, kept: Run) -> str:
    times = f"{given.cpu_s:7.2f} {kept.cpu_s:7.2f}"
    said = f"{given.verdict} {kept.verdict}  {given.engine} {kept.engine}"
    return f"{times}  {said}  {given.task} {given.property}"


def table(pairs: Sequence[tuple[Run, Run]]) -> Iterator[str]:
    """What the pairs say together: how many are decided, and ratios of processor time."""
    both = [(a, b) for a, b in pairs if a.definite() and b.definite()]
    later = [(a, b) for a, b in both if {a.engine, b.engine} != {"static"}]
    long = [(a, b) for a, b in later if max(a.cpu_s, b.cpu_s) >= LONG]
    yield ""
    yield f"rows                        {len(pairs):5}"
    yield f"decided with what is given  {sum(a.definite() for a, _ in pairs):5}"
    yield f"decided without             {sum(b.definite() for _, b in pairs):5}"
    for what, its in (("decided by later engines", later), (f"of these, {LONG:g} s", long)):
        if its:
            ratio = geometric_mean(b.cpu_s / a.cpu_s for a, b in its)
            yield f"{what:<27} {len(its):5}  without, as a multiple of with: {ratio:.2f}"
