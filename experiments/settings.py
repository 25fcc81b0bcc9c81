"""What experiments share: the benchmarks' folder, limits of runs, programs, tables in files."""

from __future__ import annotations

import argparse
import csv
import tempfile
from pathlib import Path

from abpress.bench.record import RunLimits
from abpress.bench.runner import Setting
from abpress.cli.first_options import megabytes
from abpress.cli.options import positive
from abpress.config import Config
from abpress.ir.program import Program
from abpress.verify.load import load

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
        "--cpu-limit", metavar="SECONDS", type=float, help="of processor time, per run"
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
    return RunLimits(options.cpu_limit, options.limit, options.memory_limit)


def setting_of(options: argparse.Namespace) -> Setting:
    """How the options ask jobs to be run."""
    return Setting(limits_of(options), options.jobs)


def program_of(text: str, *defines: str, every_access: bool = False) -> Program:
    """The program of a text in C with these macros; `every_access` as of `load`."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.c"
        file.write_text(text, encoding="utf-8")
        return load(Config.of(file, defines=defines), every_access=every_access).program


def read_table(file: Path) -> list[dict[str, str]]:
    """The lines of a table with a heading and tab-separated values."""
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))
