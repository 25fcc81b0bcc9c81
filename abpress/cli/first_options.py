"""The options that are wanted before the others can be read: limits, and where the result goes.

The process that watches a command reads them by itself; this imports little.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NoReturn

_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_BYTES = {
    "": 10**6,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
}


def duration(text: str) -> float:
    """Seconds: `5`, `5s`, `500ms`, `2min`, `1h`. Raises ArgumentTypeError."""
    return _quantity(text, _SECONDS, "a time such as 30, 30s or 2min")


def megabytes(text: str) -> float:
    """MiB, as in `Config`, from `500`, `500MB`, `2GB`, `1GiB`. Raises ArgumentTypeError."""
    return _quantity(text, _BYTES, "an amount of memory such as 500MB or 2GB") / 2**20


def _quantity(text: str, units: dict[str, float] | dict[str, int], expected: str) -> float:
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-zA-Z]*)\s*", text)
    unit = units.get(match[2].lower()) if match else None
    if match is None or unit is None or float(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not {expected}")
    return float(match[1]) * unit


@cache
def free_share() -> float | None:
    """Four fifths of the memory that is free when this is first asked, in MiB; None where the
    system does not say (Linux does, in /proc/meminfo)."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except (OSError, ValueError):
        return None
    free = re.search(r"^MemAvailable:\s+(\d+) kB$", text, re.M)
    return None if free is None else int(free[1]) / 1024 * 4 / 5


def add_limit_options(group: argparse._ActionsContainer) -> None:
    """Adds the options of the limits of a command."""
    group.add_argument(
        "--time-limit",
        metavar="TIME",
        type=duration,
        help="wall time: 30, 30s, 2min (default: none)",
    )
    group.add_argument(
        "--memory-limit",
        metavar="SIZE",
        type=megabytes,
        default=free_share(),
        help="resident memory: 500MB, 2GB (default: four fifths of what is free at the begin)",
    )


def add_result_options(group: argparse._ActionsContainer) -> None:
    """Adds the options of how much of a result is printed, and where it is written."""
    group.add_argument(
        "--json",
        metavar="FILE",
        type=Path,
        help="write the result and the trace; - is standard output",
    )
    group.add_argument("--quiet", action="store_true", help="print the verdict and what it assumes")


def add_stats_option(group: argparse._ActionsContainer) -> None:
    """Adds the option that asks for all numbers, of commands that print a summary of them."""
    group.add_argument("--stats", action="store_true", help="print all numbers of the run")


class _Unreadable(Exception):
    """The parser of the whole command line will say why."""


class _FirstParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _Unreadable


def first_options(arguments: Sequence[str]) -> argparse.Namespace | None:
    """What these options are on a command line (without the command); None if that is unclear.

    Where the whole command line can be read, they are there the same: what begins with a dash is
    never the value of another option, and an abbreviation of these that is one of another option,
    too, cannot be read.
    """
    parser = _FirstParser(add_help=False)
    add_limit_options(parser)
    add_result_options(parser)
    add_stats_option(parser)
    parser.add_argument("--property", action="append")
    for name in ("--engine", "--por", "--compare"):
        parser.add_argument(name)
    try:
        return parser.parse_known_args(arguments)[0]
    except _Unreadable:
        return None
