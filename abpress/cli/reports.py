"""The options that ask for results in the formats of other tools."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from abpress.bench.files import write_whole
from abpress.verify.reports.table import FORMATS, Format

if TYPE_CHECKING:
    from abpress.verify.measure import Cost
    from abpress.verify.run import Report


def add_report_options(group: argparse._ActionsContainer) -> None:
    """Adds an option for each format."""
    for entry in FORMATS.values():
        group.add_argument(
            f"--{entry.name}",
            metavar="FILE",
            type=Path,
            help=f"write {entry.meaning}; - for standard output",
        )


def written(
    options: argparse.Namespace, report: Report, cost: Cost
) -> Iterator[Callable[[], None]]:
    """What writes the report in the formats that the options ask for, one by one."""
    name = str(options.files[0])
    for entry in FORMATS.values():
        path: Path | None = getattr(options, entry.name, None)
        if path is not None:
            yield partial(_write, entry, path, report, cost, name)


def _write(entry: Format, path: Path, report: Report, cost: Cost, name: str) -> None:
    text = entry.write(report, cost, name)
    if str(path) == "-":
        print(text, end="")
    else:
        write_whole(path, text)
