"""Random executions by the native core beside those by Python: steps per second of processor time.

Both hunt in the same programs with the same seed, in turns, and have to tell the same numbers. The
seconds of the core are with the making of its code.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from abpress.cli.options import positive
from abpress.config import Config
from abpress.core.hunt import NativeHunt
from abpress.core.library import load as load_library
from abpress.core.reference import CoreRefused
from abpress.ir.program import Program
from abpress.properties import PROPERTIES, Property
from abpress.search.hunt.hunt import Hunt, Hunted
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options
from abpress.verify.load import load

FILES = tuple(
    Path("benchmarks/everyday") / f"{name}.c"
    for name in ("relock", "timer", "lock_free_stack", "keys", "pool", "pipeline", "spin_flag")
)


def measured(
    program: Program, property: Property, steps: int, native: bool
) -> tuple[float, Hunted]:
    """Seconds of processor time of a hunt, and what it tells. Raises CoreRefused."""
    system = Interpreter(program, Options(max_threads=1 << 20))
    began = time.process_time()
    hunt = Hunt(system, property, 0, NativeHunt if native else None)
    found = hunt.search(steps, lambda _: None)
    return time.process_time() - began, found


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and how long."""
    parser.add_argument("files", nargs="*", metavar="FILE", type=Path, default=FILES)
    parser.add_argument("--property", choices=sorted(PROPERTIES), default="unreach-call")
    parser.add_argument("--steps", type=positive, default=1_000_000, help="of each hunt")
    parser.add_argument("--rounds", type=positive, default=1, help="the least time counts")


def run(options: argparse.Namespace) -> int:
    """Prints the table. Exit status 1 if the numbers differ."""
    load_library()
    status, property = 0, PROPERTIES[options.property]
    print("| program | executions | steps | native, per s | python, per s | ratio |")
    print("| --- | --- | --- | --- | --- | --- |")
    for file in options.files:
        program = load(Config.of(file)).program
        times: dict[bool, list[float]] = {True: [], False: []}
        told = []
        try:
            for native in (True, False) * options.rounds:
                seconds, found = measured(program, property, options.steps, native)
                times[native].append(seconds)
                told.append((found.statistics, [its.schedule for its in found.violations]))
        except CoreRefused as why:
            print(f"| {file.stem} | {why} | | | | |")
            continue
        if any(its != told[0] for its in told):
            status = 1
        its, native_s, python_s = told[0][0], min(times[True]), min(times[False])
        print(
            f"| {file.stem} | {its.executions:,} | {its.steps:,} | {its.steps / native_s:,.0f}"
            f" | {its.steps / python_s:,.0f} | {python_s / native_s:.1f} |",
            flush=True,
        )
    return status
