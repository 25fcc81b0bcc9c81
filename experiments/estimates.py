"""How good the estimates of progress are that a search without stored states gives.

Each program is explored to its end, unless that takes too long: families of `bench-explore`
(FAMILY=N) and files of C. By algorithm: the executions, and the number that was estimated, as a
multiple of the true one, when a tenth, a quarter, a half and nine tenths of them had been explored.
"""

from __future__ import annotations

import argparse
from bisect import bisect_left
from pathlib import Path

from abpress.cli.first_options import duration
from abpress.cli.options import positive
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATELESS
from abpress.search.limits import Limits, StopReason, Watch
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from experiments.bench_explore import text_of
from experiments.settings import program_of

DEFAULTS = ("readers=10", "lastzero=8", "indexer=13")

ALGORITHMS = ("source", "optimal")

PARTS = (0.1, 0.25, 0.5, 0.9)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and how long each may take."""
    parser.add_argument("programs", nargs="*", metavar="FAMILY=N|FILE", default=DEFAULTS)
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
    parser.add_argument(
        "--least",
        metavar="N",
        type=positive,
        default=1000,
        help="leave out what has fewer executions (default: %(default)s)",
    )


def watched(
    program: Program, algorithm: str, seconds: float
) -> tuple[int, list[tuple[int, float]]] | None:
    """The number of executions, and what was estimated after how many of them; None if it takes
    longer."""
    seen: list[tuple[int, float]] = []
    watch: Watch[ExecutionStatistics] = Watch(Limits(seconds))

    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        if statistics.share and (not seen or seen[-1][0] < statistics.executions):
            seen.append((statistics.executions, statistics.executions / statistics.share))
        return watch(statistics)

    outcome = explore_executions(
        Interpreter(program),
        STATELESS[algorithm].make(),
        PROPERTIES["unreach-call"],
        keep_going=True,
        hooks=Hooks(poll),
    )
    return (outcome.statistics.executions, seen) if outcome.exhausted else None


def run(options: argparse.Namespace) -> int:
    """Prints a row per program and algorithm, and the middle of each column."""
    columns: dict[float, list[float]] = {part: [] for part in PARTS}
    print(f"{'program':40} {'algorithm':10} {'executions':>10} ", *(f"{p:>6.0%}" for p in PARTS))
    for name in options.programs:
        text, defines = text_of(name)
        program = program_of(text, *defines, every_access=True)
        for algorithm in options.algorithms:
            found = watched(program, algorithm, options.time_limit)
            if found is None or found[0] < options.least:
                continue
            total, seen = found
            row = []
            for part, column in columns.items():
                k = bisect_left(seen, (int(part * total), 0.0))
                if k < len(seen):
                    column.append(seen[k][1] / total)
                    row.append(f"{column[-1]:6.2f}")
                else:
                    row.append(" " * 6)
            print(f"{Path(name).name:40} {algorithm:10} {total:10,} ", *row, flush=True)
    middle = [sorted(its)[len(its) // 2] if its else 0.0 for its in columns.values()]
    print(f"{'median':62} ", *(f"{its:6.2f}" for its in middle))
    return 0
