"""The evaluation of [Pragmatic23] on sampled clients of the libraries in benchmarks/clients.

Two parts, each a benchmark of its own with a page of quantile plots:

- `all`: clients of the libraries as they are; every algorithm explores all states.
- `first`: clients of the two lists with a bug switched on, in all, half, or one of the calls; until
  the first error, for threads in each fixed order and for random orders. The rows are about the
  clients on which all algorithms find an error.

Times are seconds of processor time, memory is the peak in MiB, both of the whole run with the start
of Python and the reading of the program; `states` are those that are stored.

Exit status: 0; 1 if an answer is wrong; 2 after an interruption (the same command goes on).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path
from statistics import geometric_mean, mean
from typing import TypeVar

from abpress.bench.execute import Files, Job
from abpress.bench.outputs import OUTPUTS
from abpress.bench.record import Benchmark, Category, Run, RunLimits, Task
from abpress.bench.runner import Setting, jobs_of
from abpress.bench.session import run_jobs
from abpress.bench.store import ResultStore
from abpress.cli.options import positive
from abpress.clients.check import Checker
from abpress.clients.generate import ClientShape, sampled_clients
from abpress.clients.library import read_library
from abpress.config import Config
from abpress.search.limits import Limits
from abpress.version import __version__
from experiments.pages import add_write, markdown, show
from experiments.settings import BENCHMARKS, add_limits, limits_of

LIBRARIES = BENCHMARKS / "clients"

ALGORITHMS = ("stateful", "s-por", "de-s-por", "dl-s-por", "o-dpor", "stateful-dpor", "hybrid")
"""In the columns of the first table."""

BASE = "s-por"
"""What the others are compared with."""

BUGS = {
    ("set_list_rwlock", "BUG_ADD"): "set_add",
    ("set_list_rwlock", "BUG_REMOVE"): "set_remove",
    ("set_list_optimistic", "BUG_ADD"): "set_add",
    ("set_list_optimistic", "BUG_REMOVE"): "set_remove",
}
"""Library and bug switch -> the operation that has the bug."""

SHARES = ("all", "half", "one")

FIRST = ("s-por", "dl-s-por")
"""The algorithms of the second table, as in the paper."""

SEEDS = 3


@dataclass(frozen=True, slots=True)
class Part:
    """One of the two benchmarks: its clients, and how each is run."""

    name: str
    tasks: tuple[Task, ...]
    configs: Mapping[str, tuple[str, ...]]
    table: Callable[[Sequence[Run]], Iterator[list[str]]]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which clients, limits, and where the results go."""
    parser.add_argument("output", type=Path, help="a folder for clients, results, pages and plots")
    parser.add_argument("--clients", type=positive, default=10, help="of each library (10)")
    parser.add_argument("--calls", type=positive, default=9, help="of each client (9)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (0)")
    add_limits(parser)
    parser.add_argument(
        "--rows", default="", metavar="PATTERN", help="libraries, or LIBRARY-BUG, that match (all)"
    )
    add_write(parser)
    parser.add_argument("--part", choices=("all", "first"), help="only this part")


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if a verdict is wrong or missing for no limit, 2 after an interruption."""
    status = 0
    for part in _parts(options):
        runs, interrupted = _run(part, options)
        columns, *rows = part.table(runs)
        for line in _aligned([columns, *rows]):
            print(line)
        if interrupted:
            return 2
        show(f"stateful-table {part.name}", markdown(columns, rows, words=3), options.write)
        if any(each.category in (Category.WRONG, Category.ERROR) for each in runs):
            status = 1
    return status


def _parts(options: argparse.Namespace) -> Iterator[Part]:
    if options.part in (None, "all"):
        configs = {name: ("--algorithm", name, "--all-states") for name in ALGORITHMS}
        tasks = [
            task
            for file in sorted(LIBRARIES.glob("*.c"))
            if re.search(options.rows, file.stem)
            for task in _clients(
                options, file, file.stem, ClientShape(3, options.calls), (), "true"
            )
        ]
        yield Part("all", tuple(tasks), configs, table_all)
    if options.part in (None, "first"):
        orders: dict[str, tuple[str, ...]] = {
            "".join(name[-1] for name in order): ("--order", ",".join(order))
            for order in permutations(("main.1", "main.2", "main.3"))
        }
        for seed in range(SEEDS):
            orders[f"random{seed}"] = ("--order", "random", "--seed", str(seed))
        both = {
            f"{name}+{order}": ("--algorithm", name, *how)
            for name in FIRST
            for order, how in orders.items()
        }
        bad: list[Task] = []
        for (name, switch), operation in BUGS.items():
            if not re.search(options.rows, f"{name}-{switch}"):
                continue
            for share in SHARES:
                plan = ClientShape(3, options.calls, focus=(operation,), share=share)
                folder = f"{name}-{switch}-{share}"
                defines = ("-D", f"{switch}=1")
                file = LIBRARIES / f"{name}.c"
                bad += _clients(options, file, folder, plan, defines, None)
        yield Part("first", tuple(bad), both, table_first)


def _clients(
    options: argparse.Namespace,
    file: Path,
    name: str,
    plan: ClientShape,
    defines: tuple[str, ...],
    expected: str | None,
) -> Iterator[Task]:
    """The tasks of a library; their programs are written to a folder of that name."""
    folder = options.output / "clients" / name
    folder.mkdir(parents=True, exist_ok=True)
    library = read_library(file)
    checker = Checker(library, library, Config.of(file), False, False, Limits(), None, folder)
    clients = sampled_clients(library, plan, options.clients, options.seed)
    for number, client in enumerate(clients):
        written = checker.write(client, f"client-{number:02}")
        task = f"{name}/client-{number:02}"
        yield Task(task, written.file, "unreach-call", expected, options=defines)


def _explore(job: Job, limits: RunLimits, files: Files) -> list[str]:
    """`abpress explore`, as `abpress.bench.execute.verify_command` is `abpress verify`."""
    return [
        *(sys.executable, "-m", "abpress", "explore", str(job.task.file), "--quiet"),
        *("--property", job.task.property, "--json", str(files.result)),
        *job.search_options,
        *("--time-limit", f"{limits.wall_s:.6f}s"),
        *("--memory-limit", f"{limits.memory_mb:.6f}MiB"),
    ]


class _Dots:
    """Says on the terminal how many runs there are to do."""

    def __init__(self, left: int) -> None:
        self._left = left

    def add(self, run: Run) -> None:
        self._left -= 1

    def tick(self, running: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{self._left} runs left ", end="", file=sys.stderr, flush=True)


def _run(part: Part, options: argparse.Namespace) -> tuple[list[Run], bool]:
    """The runs of a part, those of an earlier call included, and whether it was interrupted."""
    folder = options.output / part.name
    limits = limits_of(options)
    jobs = jobs_of(part.tasks, part.configs)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    with ResultStore(folder, limits, __version__, resume=True) as store:
        done = store.done(jobs)
        setting = Setting(limits, options.jobs, folder, command=_explore)
        runs, interrupted = run_jobs(jobs, setting, store, done, _Dots(len(jobs) - len(done)))
    ordered = [runs[job.key] for job in jobs if job.key in runs]
    benchmark = Benchmark(tuple(ordered), part.configs, limits, started, __version__)
    for write in OUTPUTS.values():
        for path in write(benchmark, folder):
            print(f"wrote {path}")
    return ordered, interrupted


# -- tables --------------------------------------------------------------------------------------


def table_all(runs: Sequence[Run]) -> Iterator[list[str]]:
    """Of each library and algorithm: what it solved; sums over the clients that all solved."""
    yield ["library", "algorithm", "solved", "states", "time", "memory", f"{BASE}/time"]
    for library, its in _by(runs, lambda run: run.task.split("/")[0]):
        yield from _algorithms(library, its)
    yield from _algorithms("together", runs)


def _algorithms(name: str, runs: Sequence[Run]) -> Iterator[list[str]]:
    for algorithm, its, common in _common(runs):
        base = {run.task: run.cpu_s for run in runs if run.config == BASE}
        speedups = [base[run.task] / run.cpu_s for run in common if run.task in base]
        yield [
            name,
            algorithm,
            f"{sum(run.definite() for run in its)}/{len(its)}",
            f"{sum(run.nodes() or 0 for run in common):,}" if common else "–",
            f"{sum(run.cpu_s for run in common):.1f}" if common else "–",
            f"{max(run.memory_mb for run in common):.0f}" if common else "–",
            f"{mean(speedups):.2f}" if speedups else "–",
        ]


def table_first(runs: Sequence[Run]) -> Iterator[list[str]]:
    """Of each share of bad calls, algorithm and kind of order: the time to the first error."""
    yield ["bad calls", "algorithm", "order", "clients", "mean", "mean of best", "geometric mean"]
    for share, its in _by(runs, lambda run: run.task.split("/")[0].rsplit("-", 1)[1]):
        found = {run.task for run in its if run.verdict.startswith("false")}
        good = found - {run.task for run in its if not run.verdict.startswith("false")}
        kept = [run for run in its if run.task in good]
        for (algorithm, kind), those in _by(kept, _strategy):
            best = [min(run.cpu_s for run in group) for _, group in _by(those, lambda r: r.task)]
            times = [run.cpu_s for run in those]
            yield [
                *(share, algorithm, kind, str(len(best))),
                *(f"{value:.2f}" for value in (mean(times), mean(best), geometric_mean(times))),
            ]


def _strategy(run: Run) -> tuple[str, str]:
    algorithm, order = run.config.split("+")
    return algorithm, "random" if order.startswith("random") else "sequential"


def _common(runs: Sequence[Run]) -> Iterator[tuple[str, list[Run], list[Run]]]:
    """Each algorithm with its runs, and with those of the tasks that all have solved."""
    unsolved = {run.task for run in runs if not run.definite()}
    for algorithm, its in _by(runs, lambda run: run.config):
        yield algorithm, its, [run for run in its if run.task not in unsolved]


K = TypeVar("K")


def _by(runs: Iterable[Run], key: Callable[[Run], K]) -> list[tuple[K, list[Run]]]:
    groups: dict[K, list[Run]] = {}
    for run in runs:
        groups.setdefault(key(run), []).append(run)
    return list(groups.items())


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(text.ljust(w) for text, w in zip(row, widths, strict=True)).rstrip()
