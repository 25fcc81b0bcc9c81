"""Settings that experiments share: the benchmarks' folder, limits of runs, tables in files."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from abpress.bench.record import RunLimits
from abpress.bench.runner import Setting
from abpress.cli.options import megabytes, positive

HERE = Path(__file__).resolve().parent
"""The folder of the tables of rows."""

BENCHMARKS = HERE.parent / "benchmarks"


def add_limits(parser: argparse.ArgumentParser, seconds: float = 60.0) -> None:
    """Adds the limits of one run and how many there are at a time; `seconds` is the default."""
    parser.add_argument(
        *("--limit", "--time-limit"),
        dest="limit",
        metavar="SECONDS",
        type=float,
        default=seconds,
        help="per run (default: %(default)g)",
    )
    parser.add_argument(
        "--memory-limit",
        metavar="SIZE",
        type=megabytes,
        default=megabytes("2GB"),
        help="per run (default: 2GB)",
    )
    parser.add_argument(
        *("-j", "--jobs"),
        metavar="N",
        type=positive,
        default=1,
        help="runs at the same time (default: %(default)s)",
    )


def limits_of(options: argparse.Namespace) -> RunLimits:
    """The limits that the options ask for."""
    return RunLimits(None, options.limit, options.memory_limit)


def setting_of(options: argparse.Namespace) -> Setting:
    """How the options ask jobs to be run."""
    return Setting(limits_of(options), options.jobs)


def read_table(file: Path) -> list[dict[str, str]]:
    """The lines of a table with a heading and tab-separated values."""
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))
