"""`abpress bench`: runs many tasks, each `abpress verify` in its own process, and judges them."""

from __future__ import annotations

import argparse
import contextlib
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from abpress.bench.compare import compare, contradictions
from abpress.bench.expected import check_expected, write_expected
from abpress.bench.inputs import read_inputs
from abpress.bench.outputs import OUTPUTS
from abpress.bench.record import Benchmark, Category, Run, RunLimits
from abpress.bench.runner import Setting, jobs_of
from abpress.bench.session import run_jobs
from abpress.bench.store import NAME, ResultStore, read_runs
from abpress.cli.bench_view import Live, Summary, print_summary
from abpress.cli.failures import guarded
from abpress.cli.first_options import duration, megabytes
from abpress.cli.language_options import add_program_options
from abpress.cli.options import add_cluster_option, add_verify_options, positive
from abpress.cli.parser import Parser
from abpress.errors import InputError
from abpress.properties import PROPERTIES, property_key
from abpress.search.limits import processors
from abpress.verify.reports.table import FORMATS
from abpress.version import __version__

STATUSES = """\
exit status:
  0  no verdict is wrong (as far as it is known what is right)
  1  a wrong verdict, a contradiction between configurations, or a regression
  2  interrupted; what has ended is kept
  3  the input or the command line cannot be read
  4  internal error
"""

_OWN = (
    "property",
    "time_limit",
    "memory_limit",
    "json",
    "certificate",
    "witness",
    "report",
    *FORMATS,
    "quiet",
    "debug",
)
"""What a configuration may not say, because the runner does."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument(
        "tasks",
        nargs="+",
        metavar="TASKS",
        help="task definitions (.yml), sets (.set), folders, quoted patterns, manifests (.tsv:"
        " path, property, expected, flags), or programs",
    )
    parser.add_argument(
        "--property",
        metavar="NAME|FILE.prp",
        help=f"only this property, one of {', '.join(PROPERTIES)} (default: all)",
    )
    parser.add_argument(
        "--config",
        metavar="NAME='OPTIONS'",
        dest="configs",
        action="append",
        type=_config,
        default=[],
        help="run every task with these options of abpress verify (repeatable; default: none)",
    )
    group = parser.add_argument_group("limits of each run")
    group.add_argument(
        "--time-limit",
        metavar="TIME",
        type=duration,
        default=60.0,
        help="wall time: 30, 30s, 2min (default: 60s)",
    )
    group.add_argument(
        "--cpu-limit", metavar="TIME", type=duration, help="CPU time (default: none)"
    )
    group.add_argument(
        "--memory-limit",
        metavar="SIZE",
        type=megabytes,
        default=megabytes("2GB"),
        help="resident memory of all its processes: 500MB, 2GB (default: 2GB)",
    )
    group = parser.add_argument_group("running")
    group.add_argument(
        *("-j", "--jobs"),
        metavar="N",
        type=positive,
        help="how many runs at the same time (default: as many as there are cores for all workers"
        " of a run)",
    )
    add_cluster_option(group, "each run is a task of")
    group.add_argument(
        "--output",
        metavar="DIR",
        type=Path,
        help=f"write results here: {NAME} as they come; at the end pages and tables; traces",
    )
    group.add_argument(
        "--resume", action="store_true", help="keep the results that are in --output already"
    )
    group.add_argument(
        "--certificates", action="store_true", help="keep the certificates of verdicts true, too"
    )
    group.add_argument(
        "--witnesses",
        action="store_true",
        help="keep the standard witnesses of verdicts, too, each as witness.yml",
    )
    group = parser.add_argument_group("comparing")
    group.add_argument(
        "--baseline",
        metavar="FILE",
        type=Path,
        help=f"an older {NAME}: tell what has changed, regressions first",
    )
    group.add_argument(
        "--write-expected",
        metavar="FILE",
        type=Path,
        help="write the verdicts of the (only) configuration, to be kept as they are",
    )
    parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Runs the tasks and tells the results; returns the exit status."""
    return guarded(lambda: _bench(options), options.debug)


def _bench(options: argparse.Namespace) -> int:
    configs = _configs(options)
    key = None if options.property is None else property_key(options.property)
    inputs = read_inputs(options.tasks, key, complaint)
    if not inputs.tasks:
        skipped = "".join(f"; {what}: {count}" for what, count in inputs.skipped.items())
        raise InputError(f"there are no tasks{skipped}")
    if options.write_expected is not None:
        check_expected(options.write_expected)  # now, not when all has been run
    baseline = None if options.baseline is None else _baseline(options.baseline)
    limits = RunLimits(options.cpu_limit, options.time_limit, options.memory_limit)
    parallel = options.jobs or _jobs(configs)
    setting = Setting(
        limits,
        parallel,
        options.output,
        options.certificates,
        cluster=options.cluster,
        witnesses=options.witnesses,
    )
    jobs = jobs_of(inputs.tasks, configs)
    started = datetime.now(UTC).isoformat(timespec="seconds")

    if options.resume and options.output is None:
        raise InputError("--resume needs --output")
    with contextlib.ExitStack() as stack:
        store, done = None, {}
        if options.output is not None:
            opened = ResultStore(options.output, limits, __version__, options.resume)
            store = stack.enter_context(opened)
            done = store.done(jobs)
        live = stack.enter_context(Live(list(configs), len(jobs), list(done.values())))
        runs, interrupted = run_jobs(jobs, setting, store, done, live)
    ordered = tuple(runs[job.key] for job in jobs if job.key in runs)
    benchmark = Benchmark(ordered, configs, limits, started, __version__)
    written: list[Path] = []
    if options.output is not None:
        written.append(options.output / NAME)
        for write in OUTPUTS.values():
            written += write(benchmark, options.output)
    if options.write_expected is not None and not interrupted:
        write_expected(options.write_expected, ordered, inputs.definitions)
        written.append(options.write_expected)
    comparison = None if baseline is None else compare(baseline, ordered)
    summary = Summary(
        benchmark, len(jobs), inputs.skipped, contradictions(ordered), comparison, written
    )
    print_summary(summary, sys.stdout)
    if interrupted:
        hint = "; --resume goes on" if options.output is not None else ""
        print(f"abpress: interrupted{hint}", file=sys.stderr)
        return 2
    return 1 if _bad(summary) else 0


def _bad(summary: Summary) -> bool:
    wrong = any(run.category is Category.WRONG for run in summary.benchmark.runs)
    worse = summary.comparison is not None and summary.comparison.worse
    return wrong or bool(summary.contradictions) or worse


def _configs(options: argparse.Namespace) -> dict[str, tuple[str, ...]]:
    configs: dict[str, tuple[str, ...]] = {}
    for name, given in options.configs or [("default", ())]:
        if name in configs:
            raise InputError(f"two configurations are called {name}")
        configs[name] = given
    if options.write_expected is not None and len(configs) > 1:
        raise InputError("--write-expected wants one configuration only")
    return configs


def _jobs(configs: Mapping[str, Sequence[str]]) -> int:
    """How many runs at the same time have a core for each of their workers."""
    workers = max(_parsed(given)["workers"] for given in configs.values())
    return max(1, processors() // int(workers))


def _config(text: str) -> tuple[str, tuple[str, ...]]:
    name, equals, given = text.partition("=")
    if not equals or not re.fullmatch(r"[\w+][\w.+-]*", name):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME='OPTIONS'")
    try:
        options = tuple(shlex.split(given))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from error
    wrong = complaint(options)
    if wrong is not None:
        raise argparse.ArgumentTypeError(f"{name}: {wrong}")
    return name, options


def _baseline(path: Path) -> list[Run]:
    return read_runs(path / NAME if path.is_dir() else path)


class _Complaint(Exception):
    """Options that `abpress verify` does not understand."""


class _VerifyParser(Parser):
    def error(self, message: str) -> NoReturn:
        raise _Complaint(message)


@cache
def _verify_parser() -> _VerifyParser:
    parser = _VerifyParser(add_help=False)
    add_program_options(parser)
    add_verify_options(parser)
    return parser


def _parsed(options: Sequence[str]) -> dict[str, Any]:
    return vars(_verify_parser().parse_args(["program.c", *options]))


def complaint(options: Sequence[str]) -> str | None:
    """What is wrong with options for `abpress verify`; None if nothing is."""
    try:
        given = _parsed(options)
    except _Complaint as error:
        return str(error)
    if len(given["files"]) > 1:
        return f"unrecognized arguments: {given['files'][1]}"
    for name in _OWN:
        if given[name] != _verify_parser().get_default(name):
            return f"--{name.replace('_', '-')} is for abpress bench to say"
    return None
