"""Results as annotations: commands that GitHub Actions finds in what a step prints."""

from __future__ import annotations

from collections.abc import Iterator

from abpress.result import Verdict
from abpress.verify.measure import Cost
from abpress.verify.reports.sarif import uri_of
from abpress.verify.run import Report
from abpress.witness.trace import place_of, told

_IN_TEXT = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_VALUES = {**_IN_TEXT, ":": "%3A", ",": "%2C"}


def github(report: Report, cost: Cost, name: str) -> str:
    """A line for each violation (error), and for each answer that is unknown (warning)."""
    return "".join(f"{line}\n" for line in _lines(report, name))


def _lines(report: Report, name: str) -> Iterator[str]:
    for result in (answer.result for answer in report.answers):
        trace = result.trace
        title = f"AbPress: {result.property}"
        if result.verdict is Verdict.FALSE and trace is not None:
            place = place_of(trace)
            at = {"file": uri_of(place.file), "line": str(place.line), "col": str(place.column)}
            yield _command("error", {**at, "title": title}, told(trace))
        elif result.verdict is Verdict.UNKNOWN:
            at = {"file": uri_of(name), "title": title}
            yield _command("warning", at, f"unknown: {result.reason}")


def _command(level: str, values: dict[str, str], text: str) -> str:
    its = ",".join(f"{key}={_escaped(value, _IN_VALUES)}" for key, value in values.items())
    return f"::{level} {its}::{_escaped(text, _IN_TEXT)}"


def _escaped(text: str, signs: dict[str, str]) -> str:
    return "".join(signs.get(c, c) for c in text)
