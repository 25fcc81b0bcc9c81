"""Results as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from abpress.errors import Position
from abpress.properties import PROPERTIES
from abpress.result import Alarm, Result, Verdict
from abpress.verify.measure import Cost
from abpress.verify.run import Report
from abpress.version import __version__
from abpress.witness.rows import Row, rows_of
from abpress.witness.trace import BlockedThread, Trace, place_of, told

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

_KINDS = {
    Verdict.TRUE: ("pass", "none"),
    Verdict.FALSE: ("fail", "error"),
    Verdict.UNKNOWN: ("open", "none"),
}
"""The kind and the level of a result, by verdict."""


def sarif(report: Report, cost: Cost, name: str) -> str:
    """The report as one run of SARIF: a result for each property, a code flow for each violation
    with a thread flow for each thread, and one to review for each alarm."""
    asked = [answer.result for answer in report.answers]
    rules = [r.property for r in asked if r.property in PROPERTIES]
    results = [its for result in asked for its in _results(result, report, rules, name)]
    run = {
        "tool": {
            "driver": {
                "name": "AbPress",
                "semanticVersion": __version__,
                "rules": [
                    {"id": rule, "shortDescription": {"text": PROPERTIES[rule].meaning}}
                    for rule in rules
                ],
            }
        },
        "invocations": [
            {
                "executionSuccessful": report.result.verdict is not Verdict.UNKNOWN,
                "toolExecutionNotifications": [
                    {"level": "warning", "message": {"text": text}} for text in report.warnings
                ],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _results(
    result: Result, report: Report, rules: list[str], name: str
) -> Iterator[dict[str, Any]]:
    kind, level = _KINDS[result.verdict]
    trace = result.trace if result.verdict is Verdict.FALSE else None
    said: dict[str, Any] = {"kind": kind, "level": level, "ruleId": result.property}
    if result.property in rules:
        said["ruleIndex"] = rules.index(result.property)
    if trace is None:
        text = result.reason or f"{result.property} holds"
        assumed = [f"assuming: {assumption}" for assumption in result.assumptions]
        file = [_location(Position(name))]
        yield {**said, **_message("; ".join((text, *assumed))), "locations": file}
    else:
        yield {
            **said,
            **_message(told(trace)),
            "locations": [_location(place_of(trace))],
            "codeFlows": [_code_flow(trace, report)],
            "relatedLocations": [
                _location(its.position.origin, f"{its.thread} {its.text}", i)
                for i, its in enumerate((*trace.ready, *trace.blocked), 1)
            ],
        }
    for alarm in result.alarms:
        yield _alarm(alarm, said)


def _alarm(alarm: Alarm, said: dict[str, Any]) -> dict[str, Any]:
    """What facts leave open, as a result to review."""
    places = [
        _location(Position(a.file, a.line, a.column), f"{a.does} ({a.thread})", i)
        for i, a in enumerate(alarm.accesses)
    ]
    text = "; ".join((alarm.what, *(f"missing: {fact}" for fact in alarm.missing)))
    first = [_location(Position(a.file, a.line, a.column)) for a in alarm.accesses[:1]]
    related = {"locations": first, "relatedLocations": places}
    return {**said, "kind": "review", "level": "none", **_message(text), **related}


def _code_flow(trace: Trace, report: Report) -> dict[str, Any]:
    """The execution: the rows of each thread, with their order among all of them."""
    rows = list(enumerate(rows_of(trace, report.sources), 1))
    flows = []
    for thread in trace.threads:
        places = [_step(order, row) for order, row in rows if row.thread == thread]
        standing = [b for b in (*trace.ready, *trace.blocked) if b.thread == thread]
        places += [_standing(len(rows) + 1, b) for b in standing]
        if places:
            flows.append({"id": thread, "locations": places})
    return {"message": {"text": told(trace)}, "threadFlows": flows}


def _step(order: int, row: Row) -> dict[str, Any]:
    text = "; ".join(row.details()) or row.source
    state = {cell: {"text": values[-1]} for cell, values in row.writes.items() if values}
    its: dict[str, Any] = {"location": _location(row.position, text), "executionOrder": order}
    if state:
        its["state"] = state
    if row.violation:
        its["importance"] = "essential"
    return its


def _standing(order: int, its: BlockedThread) -> dict[str, Any]:
    location = _location(its.position.origin, its.text)
    return {"location": location, "executionOrder": order, "importance": "essential"}


def _message(text: str) -> dict[str, Any]:
    return {"message": {"text": text}}


def _location(position: Position, text: str = "", number: int | None = None) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": uri_of(position.file)}}
    if position.line > 0:
        place["region"] = {"startLine": position.line, "startColumn": max(1, position.column)}
    location: dict[str, Any] = {"physicalLocation": place}
    if number is not None:
        location["id"] = number
    if text:
        location |= _message(text)
    return location


def uri_of(file: str) -> str:
    """A file as a URI: relative to where the command runs, if it is below that."""
    path = os.path.relpath(file) if Path(file).is_absolute() else file
    if path.startswith(".."):
        return Path(file).resolve().as_uri()
    return quote(Path(path).as_posix())
