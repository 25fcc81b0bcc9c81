"""The native core beside the Python search without stored states: executions per second of
processor time.

Both explore the same programs with the same algorithm, in turns, and have to tell the same numbers.
The seconds of the core are with the making of its code.
"""

from __future__ import annotations

import argparse
import time

from abpress.cli.options import positive
from abpress.core.executions import ALGORITHMS, explore
from abpress.core.library import load as load_library
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from experiments.bench_explore import explored, size, text_of
from experiments.settings import program_of

SIZES = (
    *(("readers", 10), ("lastzero", 8), ("indexer", 14), ("filesystem", 18)),
    *(("adders", 3), ("ring", 3), ("late_index", 5), ("tickets", 3)),
)


def measured(program: Program, algorithm: str, native: bool) -> tuple[float, ExecutionStatistics]:
    """Seconds of processor time of one search, and its numbers."""
    began = time.process_time()
    if native:
        property = PROPERTIES["unreach-call"]
        statistics = explore(Interpreter(program), algorithm, property).statistics
    else:
        statistics = explored(program, algorithm)
    return time.process_time() - began, statistics


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs and algorithms."""
    parser.add_argument("sizes", nargs="*", metavar="FAMILY=N", type=size, default=SIZES)
    parser.add_argument(
        "--algorithms", nargs="+", choices=tuple(ALGORITHMS), default=("source", "optimal")
    )
    parser.add_argument("--rounds", type=positive, default=3, help="the least time counts")


def run(options: argparse.Namespace) -> int:
    """Prints the table. Exit status 1 if the numbers differ."""
    load_library()
    status = 0
    print(
        "| program | algorithm | executions | blocked | events"
        " | native, per s | python, per s | ratio |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for family, n in options.sizes:
        text, defines = text_of(f"{family}={n}")
        program = program_of(text, *defines, every_access=True)
        for algorithm in options.algorithms:
            times: dict[bool, list[float]] = {True: [], False: []}
            told = []
            for _ in range(options.rounds):
                for native in (True, False):
                    seconds, numbers = measured(program, algorithm, native)
                    times[native].append(seconds)
                    told.append(numbers)
            if any(numbers.as_dict() != told[0].as_dict() for numbers in told):
                status = 1
            its, native_s, python_s = told[0], min(times[True]), min(times[False])
            print(
                f"| {family}({n}) | {algorithm} | {its.executions:,} | {its.sleep_set_blocked:,}"
                f" | {its.events:,} | {its.executions / native_s:,.0f}"
                f" | {its.executions / python_s:,.0f} | {python_s / native_s:.1f} |",
                flush=True,
            )
    return status
