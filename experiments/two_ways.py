"""Two ways to ask `abpress verify`, run by run in turns: what one decides more, and what it costs.

A way is options, as `--first='--workers 1' --second='--workers 2'`. The tasks are what `abpress
bench` takes: definitions, sets, folders, manifests, programs. Of each `--repeat` runs of both ways
follow one another, and the fastest of each counts. Told are wall and processor time of those, their
ratios, and what both have said; and together: how many each has decided, medians of processor
time, and the geometric means of the ratios, of the tasks that both have decided, and of those of
them that take long by the first way.

Only the ratios within one run of this mean something if the machine has other things to do, and
those of wall time only if it has a core for each process.

Exit status: 0; 1 if a verdict is wrong, or two contradict each other.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import random
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from abpress.bench.compare import contradictions
from abpress.bench.execute import Job
from abpress.bench.inputs import read_inputs
from abpress.bench.record import Category, Run, Task
from abpress.bench.runner import in_order, run_all
from abpress.cli.options import positive
from experiments.settings import add_limits, setting_of

LONG = 2.0
"""Seconds of wall time by the first way from which on a task counts as long."""

WAYS = "first", "second"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which tasks, how many workers, and limits."""
    parser.add_argument("tasks", nargs="+", metavar="TASKS")
    parser.add_argument("--property", help="only the questions of this one")
    for way in WAYS:
        parser.add_argument(f"--{way}", required=True, metavar="='OPTIONS'", type=shlex.split)
    parser.add_argument("--sample", type=positive, metavar="N", help="so many of them, at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeat", type=positive, default=1, metavar="N", help="(%(default)s)")
    add_limits(parser, 20.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """The fastest run of a task by either way."""

    first: Run
    second: Run

    @property
    def wall(self) -> float:
        """Wall time by the second way, as a multiple of the first one's."""
        return self.second.wall_s / self.first.wall_s

    @property
    def cpu(self) -> float:
        """The same of processor time."""
        return self.second.cpu_s / self.first.cpu_s

    @property
    def decided(self) -> bool:
        """Whether both have a verdict."""
        return self.first.definite() and self.second.definite()


def run(options: argparse.Namespace) -> int:
    """Runs, and prints a line for each task, and what they say together."""
    tasks: Sequence[Task] = read_inputs(options.tasks, options.property).tasks
    if options.sample is not None and options.sample < len(tasks):
        tasks = random.Random(options.seed).sample(tasks, options.sample)
    ways = {way: tuple(getattr(options, way)) for way in WAYS}
    jobs = [
        Job(task, way if k == 0 else f"{way} {k + 1}", its)
        for task in tasks
        for k in range(options.repeat)
        for way, its in ways.items()
    ]
    pairs: list[Pair] = []
    runs: list[Run] = []
    print(f"{'wall s':>15} {'ratio':>5} {'cpu s':>15} {'ratio':>5}  first, second, by")
    each = options.repeat * len(ways)
    with contextlib.closing(run_all(jobs, setting_of(options))) as ended:
        for _, its in in_order(jobs, ended):
            runs.append(its)
            if len(runs) % each == 0:
                pairs.append(_pair(runs[-each:]))
                print(_line(pairs[-1]), flush=True)
    print(*table(pairs), sep="\n")
    wrong = any(its.category is Category.WRONG for its in runs)
    return 1 if wrong or _contradict(pairs) else 0


def _pair(runs: Iterable[Run]) -> Pair:
    def fastest(config: str) -> Run:
        its = [run for run in runs if run.config.split()[0] == config]
        return min(its, key=lambda run: (not run.definite(), run.wall_s))

    runs = list(runs)
    first, second = map(fastest, WAYS)
    return Pair(first, second)


def _contradict(pairs: Sequence[Pair]) -> bool:
    return bool(contradictions(run for pair in pairs for run in (pair.first, pair.second)))


def _line(pair: Pair) -> str:
    first, second = pair.first, pair.second
    said = f"{first.verdict} {second.verdict}  {first.engine} {second.engine}"
    wrong = "  WRONG" if Category.WRONG in (first.category, second.category) else ""
    return (
        f"{first.wall_s:7.2f} {second.wall_s:7.2f} {pair.wall:5.2f}"
        f" {first.cpu_s:7.2f} {second.cpu_s:7.2f} {pair.cpu:5.2f}"
        f"  {said}  {first.task} {first.property}{wrong}"
    )


def table(pairs: Sequence[Pair]) -> Iterator[str]:
    """What the runs say together."""
    every = [run for pair in pairs for run in (pair.first, pair.second)]
    wrong = sum(run.category is Category.WRONG for run in every)
    yield ""
    yield f"tasks                  {len(pairs):5}"
    for way in WAYS:
        of_it: list[Run] = [getattr(pair, way) for pair in pairs]
        seconds = [run.cpu_s for run in of_it]
        yield (
            f"{'decided, ' + way:<22} {sum(run.definite() for run in of_it):5}"
            f"  median cpu {median(seconds):.2f} s, all {sum(seconds):.0f} s"
        )
    yield f"wrong                  {wrong:5}"
    both = [pair for pair in pairs if pair.decided]
    for name, its in (
        ("decided by both", both),
        (f"of {LONG:g} s first", [p for p in both if p.first.wall_s >= LONG]),
    ):
        if its:
            wall, cpu = (_mean([getattr(p, what) for p in its]) for what in ("wall", "cpu"))
            worst = max(pair.wall for pair in its)
            sums = [sum(p.second.wall_s for p in its), sum(p.first.wall_s for p in its)]
            yield (
                f"{name + ':':<22} {len(its):5}  wall {wall:.2f} cpu {cpu:.2f} (geometric means),"
                f" worst wall {worst:.2f}, wall of all {sums[0] / sums[1]:.2f}"
            )


def _mean(ratios: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))
