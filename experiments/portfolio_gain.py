"""What engines side by side gain: `verify --workers N` beside `--workers 1`, run by run in turns.

The tasks are what `abpress bench` takes: definitions, sets, folders, manifests, programs. Of each
`--repeat` runs alone and as many side by side follow one another, and the fastest of each counts.
Told are wall and processor time of those, their ratios, and what both have said; and together:
how many each has decided, and the geometric means of the ratios, of the tasks that both have
decided, and of those of them that take long enough alone for engines to matter.

Only the ratios within one run of this mean something if the machine has other things to do, and
those of wall time only if it has a core for each worker.

Exit status: 0; 1 if a verdict is wrong, or two contradict each other.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from abpress.bench.compare import contradictions
from abpress.bench.execute import Job
from abpress.bench.inputs import read_inputs
from abpress.bench.record import Category, Run, Task
from abpress.bench.runner import in_order, run_all
from abpress.cli.options import positive
from experiments.settings import add_limits, setting_of

LONG = 2.0
"""Seconds of wall time alone from which on a task counts as long."""

ALONE, TOGETHER = "alone", "together"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which tasks, how many workers, and limits."""
    parser.add_argument("tasks", nargs="+", metavar="TASKS")
    parser.add_argument("--property", help="only the questions of this one")
    parser.add_argument("--workers", type=positive, default=2, metavar="N", help="(%(default)s)")
    parser.add_argument("--sample", type=positive, metavar="N", help="so many of them, by a seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeat", type=positive, default=1, metavar="N", help="(%(default)s)")
    add_limits(parser, 20.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """The fastest run of a task alone, and side by side."""

    alone: Run
    together: Run

    @property
    def wall(self) -> float:
        """Wall time side by side, as a multiple of that alone."""
        return self.together.wall_s / self.alone.wall_s

    @property
    def cpu(self) -> float:
        """The same of processor time."""
        return self.together.cpu_s / self.alone.cpu_s

    @property
    def decided(self) -> bool:
        """Whether both have a verdict."""
        return self.alone.definite() and self.together.definite()


def run(options: argparse.Namespace) -> int:
    """Runs, and prints a line for each task, and what they say together."""
    tasks: Sequence[Task] = read_inputs(options.tasks, options.property).tasks
    if options.sample is not None and options.sample < len(tasks):
        tasks = random.Random(options.seed).sample(tasks, options.sample)
    configs = {ALONE: 1, TOGETHER: options.workers}
    job = partial(_job, configs)
    jobs = [job(t, c, k) for t in tasks for k in range(options.repeat) for c in configs]
    pairs: list[Pair] = []
    runs: list[Run] = []
    print(f"{'wall s':>15} {'ratio':>5} {'cpu s':>15} {'ratio':>5}  alone, together, by")
    each = options.repeat * len(configs)
    with contextlib.closing(run_all(jobs, setting_of(options))) as ended:
        for _, its in in_order(jobs, ended):
            runs.append(its)
            if len(runs) % each == 0:
                pairs.append(_pair(runs[-each:]))
                print(_line(pairs[-1]), flush=True)
    print(*table(pairs), sep="\n")
    wrong = any(its.category is Category.WRONG for its in runs)
    return 1 if wrong or _contradict(pairs) else 0


def _job(configs: dict[str, int], task: Task, config: str, repeat: int) -> Job:
    name = config if repeat == 0 else f"{config} {repeat + 1}"
    return Job(task, name, ("--workers", str(configs[config])))


def _pair(runs: Iterable[Run]) -> Pair:
    def fastest(config: str) -> Run:
        its = [run for run in runs if run.config.split()[0] == config]
        return min(its, key=lambda run: (not run.definite(), run.wall_s))

    runs = list(runs)
    return Pair(fastest(ALONE), fastest(TOGETHER))


def _contradict(pairs: Sequence[Pair]) -> bool:
    return bool(contradictions(run for pair in pairs for run in (pair.alone, pair.together)))


def _line(pair: Pair) -> str:
    alone, together = pair.alone, pair.together
    said = f"{alone.verdict} {together.verdict}  {alone.engine} {together.engine}"
    wrong = "  WRONG" if Category.WRONG in (alone.category, together.category) else ""
    return (
        f"{alone.wall_s:7.2f} {together.wall_s:7.2f} {pair.wall:5.2f}"
        f" {alone.cpu_s:7.2f} {together.cpu_s:7.2f} {pair.cpu:5.2f}"
        f"  {said}  {alone.task} {alone.property}{wrong}"
    )


def table(pairs: Sequence[Pair]) -> Iterator[str]:
    """What the runs say together."""
    every = [run for pair in pairs for run in (pair.alone, pair.together)]
    wrong = sum(run.category is Category.WRONG for run in every)
    yield ""
    yield f"tasks                  {len(pairs):5}"
    yield f"decided alone          {sum(pair.alone.definite() for pair in pairs):5}"
    yield f"decided together       {sum(pair.together.definite() for pair in pairs):5}"
    yield f"wrong                  {wrong:5}"
    both = [pair for pair in pairs if pair.decided]
    for name, its in (
        ("decided by both", both),
        (f"of {LONG:g} s alone", [p for p in both if p.alone.wall_s >= LONG]),
    ):
        if its:
            wall, cpu = (_mean([getattr(p, what) for p in its]) for what in ("wall", "cpu"))
            worst = max(pair.wall for pair in its)
            sums = [sum(p.together.wall_s for p in its), sum(p.alone.wall_s for p in its)]
            yield (
                f"{name + ':':<22} {len(its):5}  wall {wall:.2f} cpu {cpu:.2f} (geometric means),"
                f" worst wall {worst:.2f}, wall of all {sums[0] / sums[1]:.2f}"
            )


def _mean(ratios: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))
