"""Speed of the stateless search: executions and events per second of processor time.

The families are the programs of benchmarks/executions; each is explored by source-DPOR and optimal
DPOR.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

from abpress.cli.options import positive
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATELESS
from abpress.search.stateless import explore_executions
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from experiments.sampling import REST, Samples, sampling
from experiments.settings import BENCHMARKS, program_of

INTERPRETER = "interpreter"
BOOKKEEPING = "the algorithm's bookkeeping: happens-before, races, sleep sets, wakeup trees"

PARTS = {
    "abpress.semantics": INTERPRETER,
    "abpress.reductions": BOOKKEEPING,
    "abpress.relations": BOOKKEEPING,
    "abpress.search": "the search itself",
}
"""Package -> part."""

PROFILED_RUNS = 10

FAMILIES: Mapping[str, Path] = {
    file.stem: file for file in sorted((BENCHMARKS / "executions").glob("*.c"))
}
"""Programs that have more executions the larger N is, by name."""

DEFAULTS = (("readers", 10), ("lastzero", 8), ("indexer", 14))


def explored(program: Program, algorithm: str) -> ExecutionStatistics:
    """The numbers of a search that explores everything."""
    outcome = explore_executions(
        Interpreter(program), STATELESS[algorithm].make(), PROPERTIES["unreach-call"]
    )
    return outcome.statistics


def part(frame: FrameType) -> str | None:
    """What a frame works for; None: for its caller.

    The constructor of a dataclass works for the dataclass's module, that of a named tuple for its
    caller.
    """
    module: str | None = frame.f_globals.get("__name__")
    if module is None:
        return INTERPRETER  # the code of a step
    return next((name for package, name in PARTS.items() if module.startswith(package)), None)


def breakdown(samples: Samples, events: int) -> None:
    """Prints the parts of the processor time of a run, and of an event."""
    total = sum(samples.seconds.values())
    for name in (*dict.fromkeys(PARTS.values()), REST):
        own = samples.seconds[name]
        print(f"    {own / total:6.1%}  {1e6 * own / events:6.1f} µs per event  {name}")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs."""
    parser.add_argument(
        "sizes",
        nargs="*",
        metavar="FAMILY=N",
        type=size,
        help="default: " + " ".join(f"{family}={n}" for family, n in DEFAULTS),
    )
    parser.add_argument(
        "--profile", action="store_true", help="where the time goes, by samples of several runs"
    )


def size(text: str) -> tuple[str, int]:
    """A family and its size. Raises ArgumentTypeError."""
    family, _, n = text.partition("=")
    if family not in FAMILIES:
        raise argparse.ArgumentTypeError(f"no family {family}: {', '.join(FAMILIES)}")
    return family, positive(n)


def text_of(program: str) -> tuple[str, tuple[str, ...]]:
    """The text of a program, and what is defined."""
    if "=" not in program:
        return Path(program).read_text(encoding="utf-8"), ()
    family, n = size(program)
    return FAMILIES[family].read_text(encoding="utf-8"), (f"N={n}",)


def run(options: argparse.Namespace) -> int:
    """Prints a line per program and algorithm, and the profile."""
    for family, n in options.sizes or DEFAULTS:
        text, defines = text_of(f"{family}={n}")
        p = program_of(text, *defines, every_access=True)
        for algorithm in ("source", "optimal"):
            begin = time.process_time()
            statistics = explored(p, algorithm)
            seconds = time.process_time() - begin
            events = statistics.events
            print(
                f"{family}({n}) {algorithm}: {statistics.executions} executions"
                f" ({statistics.sleep_set_blocked} sleep-set-blocked), {events} events,"
                f" {seconds:.2f} s: {statistics.executions / seconds:.0f} executions/s,"
                f" {events / seconds:.0f} events/s"
            )
            if options.profile:
                runs = [(p, algorithm)] * PROFILED_RUNS
                with sampling(part) as samples:
                    for each in runs:
                        explored(*each)
                breakdown(samples, events * PROFILED_RUNS)
    return 0
