"""What writing a witness costs: processor time of runs with and without --witness, in turns.

A line says both for a program, the smallest of several runs each, and the ratio; the last line is
about all of them. Other processes on the machine disturb both alike, but not at the same time: the
more turns, the better.

Exit status: 0; 1 if all runs together take more than the share that is allowed; 3 if a run fails.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from abpress.cli.options import positive


def arguments(parser: argparse.ArgumentParser) -> None:
    """The programs, the question, and how often."""
    parser.add_argument("programs", metavar="FILE", nargs="+", type=Path, help="programs in C")
    parser.add_argument("--property", default="unreach-call", help="default: %(default)s")
    parser.add_argument("--turns", type=positive, default=5, metavar="N", help="default: 5")
    parser.add_argument(
        "--allowed",
        type=float,
        default=5.0,
        metavar="PERCENT",
        help="that it may cost (default: 5)",
    )


def run(options: argparse.Namespace) -> int:
    """Measures, and prints the lines."""
    without, beside = 0.0, 0.0
    print(f"{'program':<40} {'without':>9} {'with':>9}  ratio")
    with tempfile.TemporaryDirectory() as folder:
        witness = ("--witness", str(Path(folder) / "witness.yml"))
        for program in options.programs:
            plain: list[float] = []
            written: list[float] = []
            for turn in range(options.turns):
                pair = [(plain, ()), (written, witness)]
                for times, more in pair if turn % 2 else reversed(pair):
                    seconds = cpu_seconds(program, options.property, more)
                    if seconds is None:
                        print(f"witness-cost: {program} has no verdict", file=sys.stderr)
                        return 3
                    times.append(seconds)
            print(line(program.name, min(plain), min(written)), flush=True)
            without += min(plain)
            beside += min(written)
    print(line("all", without, beside))
    return int(beside > without * (1 + options.allowed / 100))


def line(name: str, without: float, beside: float) -> str:
    """A line of the table."""
    return f"{name[:40]:<40} {without:>7.2f} s {beside:>7.2f} s  {beside / without:.3f}"


def cpu_seconds(program: Path, property: str, more: tuple[str, ...]) -> float | None:
    """The processor time of a run; None if its answer is neither true nor false."""
    asked = [sys.executable, "-m", "abpress", "verify", "--quiet", "--property", property, *more]
    process = subprocess.Popen(
        [*asked, str(program)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime if process.returncode in (0, 1) else None
