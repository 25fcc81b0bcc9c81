"""Results in the formats of other tools: each is a function from a report to a text."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from abpress.bench.files import write_whole
from abpress.later import later

if TYPE_CHECKING:
    from abpress.verify.measure import Cost
    from abpress.verify.run import Report

Write = Callable[["Report", "Cost", str], str]
"""The text for a report, what it has cost, and the name of what was verified."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format, as `--NAME FILE` asks for it."""

    name: str
    meaning: str
    write: Write


FORMATS = {
    entry.name: entry
    for entry in (
        Format(
            "sarif",
            "SARIF 2.1.0, with the execution as thread flows, for code scanning and editors",
            later("abpress.cli.reports.sarif", "sarif"),
        ),
        Format(
            "junit",
            "JUnit XML, a test for each property, for CI servers",
            later("abpress.cli.reports.junit", "junit"),
        ),
        Format(
            "github",
            "annotations of the lines, as commands of GitHub Actions",
            later("abpress.cli.reports.github", "github"),
        ),
    )
}


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
