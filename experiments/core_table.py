"""The native core beside the Python search: states per second of processor time, and memory.

Both search the same programs with the same reduction, in turns, and have to tell the same numbers.
The seconds of the core are with the making of its code, which stands beside the program.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

from abpress.cli.options import positive
from abpress.config import Config
from abpress.core.library import NO_LIMIT, NativeCore
from abpress.core.library import load as load_library
from abpress.core.lower import lower
from abpress.core.reference import FORESEEING
from abpress.core.search import ALGORITHMS, explore
from abpress.core.told import CoreCounts
from abpress.engines.stored import explore_all
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.search.limits import STATES_EXCEEDED, StopReason
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = tuple(
    ROOT / "benchmarks" / name
    for name in (
        "executions/filesystem.c",
        "executions/ring.c",
        "executions/lastzero.c",
        "heap/prod_cons.c",
        "svcomp/pthread/queue_safe.c",
    )
)
PROPERTY = PROPERTIES["unreach-call"]


def measured(program: Program, por: str, native: bool, most: int) -> tuple[float, Statistics]:
    """Seconds of processor time of one search of at most about `most` states, and its numbers."""

    def poll(statistics: Statistics) -> StopReason | None:
        return STATES_EXCEEDED if statistics.states >= most else None

    system = Interpreter(program)
    began = time.process_time()
    if native:
        outcome = explore(system, por, PROPERTY, poll=poll, keep_going=True, most_states=most)
    else:
        outcome = explore_all(system, por, PROPERTY, poll=poll, keep_going=True)
    return time.process_time() - began, outcome.statistics


def stored(program: Program, por: str, most: int) -> CoreCounts:
    """What the core has counted with at most about `most` states."""
    algorithm = ALGORITHMS[por]
    words = lower(Interpreter(program), foresees=algorithm in FORESEEING).words
    core = NativeCore(words, algorithm, lambda *_: 0)
    core.run(NO_LIMIT, most)
    counts = core.counts
    core.close()
    return counts


def bytes_per_state(program: Program, por: str, most: int) -> float:
    """Of the states that the core stores, at most about `most`."""
    counts = stored(program, por, most)
    return counts.bytes / counts.states


def arguments(parser: argparse.ArgumentParser) -> None:
    """Programs, and how large a search of them is."""
    parser.add_argument("files", nargs="*", type=Path, default=PROGRAMS)
    parser.add_argument(
        "--reductions", nargs="+", choices=tuple(ALGORITHMS), default=("none", "s-por")
    )
    parser.add_argument("--states", type=positive, default=300_000, help="at most, of each search")
    parser.add_argument("--rounds", type=positive, default=3, help="the least time counts")
    parser.add_argument("--define", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--alone", action="store_true", help="the core, without Python beside it")


def _alone(options: argparse.Namespace) -> int:
    """Prints what the core stores, once, and the memory that the process takes."""
    print(
        "| program | reduction | states | transitions | s | bytes/state | memory of the process |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for file in options.files:
        program = load(Config.of(file, defines=tuple(options.define))).program
        for por in options.reductions:
            began = time.process_time()
            counts = stored(program, por, options.states)
            seconds = time.process_time() - began
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            print(
                f"| {file.stem} | {por} | {counts.states:,} | {counts.steps:,} | {seconds:,.1f}"
                f" | {counts.bytes / counts.states:.1f} | {most:.2f} GiB |",
                flush=True,
            )
    return 0


def run(options: argparse.Namespace) -> int:
    """Prints the table. Exit status 1 if the numbers differ."""
    load_library()
    if options.alone:
        return _alone(options)
    status = 0
    print("| program | reduction | states | native, per s | python, per s | ratio | bytes/state |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for file in options.files:
        program = load(Config.of(file, defines=tuple(options.define))).program
        began = time.process_time()
        lower(Interpreter(program))
        lowering = time.process_time() - began
        for por in options.reductions:
            times: dict[bool, list[float]] = {True: [], False: []}
            told = []
            for _ in range(options.rounds):
                for native in (True, False):
                    seconds, numbers = measured(program, por, native, options.states)
                    times[native].append(seconds)
                    told.append(numbers.as_dict())
            if any(numbers != told[0] for numbers in told):
                status = 1
            states = int(told[0]["states"])
            native_s, python_s = min(times[True]), min(times[False])
            print(
                f"| {file.stem} ({lowering:.2f} s to lower) | {por} | {states:,}"
                f" | {states / native_s:,.0f} | {states / python_s:,.0f}"
                f" | {python_s / native_s:.1f}"
                f" | {bytes_per_state(program, por, options.states):.0f} |",
                flush=True,
            )
    return status
