"""How good the estimates are of how many executions a search without stored states has.

Each program is explored to its end, unless that takes too long: families of `bench-explore`
(FAMILY=N), rows of the trace counts of the tests (FAMILY-N), and files of C. By algorithm: the
executions, and the likely number that was estimated, as a multiple of the true one, when a tenth, a
quarter, a half and three quarters of them had been explored. Then quantiles of these columns, and
how often the true number was in the range that was told, and how wide that was (the median of its
end by its beginning).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from abpress.cli.first_options import duration
from abpress.cli.options import positive
from abpress.core import reference
from abpress.core.executions import explore
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATELESS
from abpress.search import stateless
from abpress.search.ledger import POLL_EVENTS
from abpress.search.limits import Limits, StopReason, Watch
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from experiments.bench_explore import text_of
from experiments.settings import program_of
from tests.reductions import trace_count_classics, trace_count_programs

DEFAULTS = (
    "adders=4",
    "indexer=14",
    "lastzero=8",
    "late_index=5",
    "readers=10",
    "ring=10",
    "tickets=6",
    "ainc-6",
    "binc-4",
    "casw-4",
    "circular_buffer-6",
    "control_flow-4",
    "dekker",
    "exponential_bug-1",
    "fib_bench-3",
    "lastwrite-6",
    "myexample-4",
    "opt_lock-5",
    "pgsql",
    "race_parametric-4",
    "redundant_co-3",
)

ALGORITHMS = ("source", "optimal")

PARTS = (0.1, 0.25, 0.5, 0.75)

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)

ROWS = {**vars(trace_count_programs), **vars(trace_count_classics)}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and how long each may take."""
    parser.add_argument("programs", nargs="*", metavar="FAMILY=N|FAMILY-N|FILE", default=DEFAULTS)
    parser.add_argument(
        "--algorithms",
        nargs="+",
        choices=tuple(STATELESS),
        default=ALGORITHMS,
        help=f"default: {' '.join(ALGORITHMS)}",
    )
    parser.add_argument(
        "--time-limit", type=duration, default=60.0, help="for each search (default: 60s)"
    )
    parser.add_argument("--native", action="store_true", help="of searches by the native core")
    parser.add_argument(
        "--least",
        metavar="N",
        type=positive,
        default=300,
        help="leave out what has fewer executions (default: %(default)s)",
    )


def read(name: str) -> Program:
    """The program of this name."""
    family, *parameters = name.split("-")
    if family in ROWS:
        return program_of(ROWS[family](*map(int, parameters)), every_access=True)
    text, defines = text_of(name)
    return program_of(text, *defines, every_access=True)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Numbers of executions: that have been explored, and of all at least, likely, and at most."""

    explored: int
    least: float
    likely: float
    most: float


def watched(
    program: Program, algorithm: str, seconds: float, native: bool
) -> tuple[int, list[Estimate]] | None:
    """The number of executions, and what was estimated on the way; None if it takes longer."""
    seen: list[Estimate] = []
    watch: Watch[ExecutionStatistics] = Watch(Limits(seconds))

    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        left, done = statistics.left, statistics.executions
        if left is not None and (not seen or seen[-1].explored < done):
            parts = (done + its for its in (left.least, left.likely, left.most))
            seen.append(Estimate(done, *parts))
        return watch(statistics)

    if native:
        its = Interpreter(program), algorithm, PROPERTIES["unreach-call"]
        with patch.object(reference, "SLICE", POLL_EVENTS):
            outcome = explore(*its, poll=poll, keep_going=True)
        return (outcome.statistics.executions, seen) if outcome.exhausted else None
    with patch.object(stateless, "ESTIMATE_EVENTS", POLL_EVENTS):
        outcome = explore_executions(
            Interpreter(program),
            STATELESS[algorithm].make(),
            PROPERTIES["unreach-call"],
            keep_going=True,
            hooks=Hooks(poll),
        )
    return (outcome.statistics.executions, seen) if outcome.exhausted else None


def run(options: argparse.Namespace) -> int:
    """Prints a row per program and algorithm, and what the columns have in common."""
    likely: dict[float, list[float]] = {part: [] for part in PARTS}
    within: dict[float, list[bool]] = {part: [] for part in PARTS}
    widths: dict[float, list[float]] = {part: [] for part in PARTS}
    print(f"{'program':30} {'algorithm':10} {'executions':>10} ", *(f"{p:>6.0%}" for p in PARTS))
    for name in options.programs:
        program = read(name)
        for algorithm in options.algorithms:
            found = watched(program, algorithm, options.time_limit, options.native)
            if found is None or found[0] < options.least:
                continue
            total, seen = found
            row = []
            for part in PARTS:
                its = next((its for its in seen if its.explored >= part * total), seen[-1])
                likely[part].append(its.likely / total)
                within[part].append(its.least <= total <= its.most)
                widths[part].append(its.most / its.least)
                row.append(f"{likely[part][-1]:6.2f}")
            print(f"{Path(name).name:30} {algorithm:10} {total:10,} ", *row, flush=True)
    for quantile in QUANTILES:
        told = (f"{_quantile(its, quantile):6.2f}" for its in likely.values())
        print(f"{f'estimate/truth, {quantile:.0%} are at most':52} ", *told)
    print(f"{'the truth is in the range':52} ", *(f"{_mean(i):>6.0%}" for i in within.values()))
    print(f"{'end of the range / its beginning, median':52} ", end=" ")
    print(*(f"{_quantile(its, 0.5):6.2f}" for its in widths.values()))
    return 0


def _quantile(numbers: list[float], part: float) -> float:
    return sorted(numbers)[round(part * (len(numbers) - 1))] if numbers else 0.0


def _mean(numbers: list[bool]) -> float:
    return sum(numbers) / max(1, len(numbers))
