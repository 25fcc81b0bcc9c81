"""The options that ask for results in the formats of other tools."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from abpress.cli.output import write_text
from abpress.verify.reports.table import FORMATS

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


def texts(
    options: argparse.Namespace, report: Report, cost: Cost
) -> Iterator[tuple[Path, Callable[[], str]]]:
    """The files that the options ask for, `-` for standard output, and what makes their texts."""
    name = str(options.files[0])
    for entry in FORMATS.values():
        path: Path | None = getattr(options, entry.name, None)
        if path is not None:
            yield path, partial(entry.write, report, cost, name)


def written(
    options: argparse.Namespace, report: Report, cost: Cost
) -> Iterator[Callable[[], None]]:
    """What writes the report in the formats that the options ask for, one by one."""
    for path, text in texts(options, report, cost):
        yield partial(_write, path, text)


def _write(path: Path, text: Callable[[], str]) -> None:
    write_text(path, text())
