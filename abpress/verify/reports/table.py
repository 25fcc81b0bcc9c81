"""Results in the formats of other tools: each is a function from a report to a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
            later("abpress.verify.reports.sarif", "sarif"),
        ),
        Format(
            "junit",
            "JUnit XML, a test for each property, for CI servers",
            later("abpress.verify.reports.junit", "junit"),
        ),
        Format(
            "github",
            "annotations of the lines, as commands of GitHub Actions",
            later("abpress.verify.reports.github", "github"),
        ),
    )
}
