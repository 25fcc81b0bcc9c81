"""An execution as data: its rows, what orders them, and what they leave behind."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from abpress.errors import printable
from abpress.verify.page.sources import ShownFiles
from abpress.witness.order import order_of
from abpress.witness.rows import Row, functions_of, rows_of
from abpress.witness.sources import SourceLines
from abpress.witness.trace import LifeEvent, Trace, TraceStep

_MENTIONED = re.compile(r"(?P<thread>\bmain(?:\.\d+)*\b)|(?:\bline |:)(?P<line>\d+)\b")
"""A thread, or a line, in the text of a diagnosis."""

_WORD = re.compile(r"[A-Za-z_]\w*")

_ENDED = "ended"
"""What has happened to an object by itself: its row says so."""

_MOST_MARKED = 24
"""Rows that are marked as those that the diagnosis tells of; the last ones."""

_MOST_RACES = 200


def execution_data(trace: Trace, files: ShownFiles) -> dict[str, Any]:
    """The execution, for JSON; docs/report.md says what the members are."""
    rows = rows_of(trace, files.sources)
    numbers = {name: k for k, name in enumerate(trace.threads)}
    functions = functions_of(rows)
    index = _RowIndex(rows)
    order = order_of(trace)
    told = [_row(row, numbers, files) for row in rows]
    for row, values in _locals(trace, rows, files).items():
        told[row]["locals"] = [
            [printable(name), printable(value)] for name, value in values.items()
        ]
    for edge in order.edges:
        before = index.until(trace.steps[edge.before].thread, edge.before)
        after = index.since(trace.steps[edge.after].thread, edge.after)
        if before is not None and after is not None and before < after:
            edges = told[after].setdefault("after", [])
            if [before, edge.by] not in edges:
                edges.append([before, printable(edge.by)])
    for row in _marked(trace, rows):
        told[row]["marked"] = True
    history = [_event(its, trace, index, files) for its in trace.history]
    for event in history:
        if event["what"] == _ENDED and "row" in event:
            told[event["row"]]["says"].append(f"ends the lifetime of {event['object']}")
    standing = ((trace.ready, "ready"), (trace.blocked, "blocked"))
    return {
        "message": printable(trace.message),
        "cause": _cause(trace),
        "threads": [
            {"name": n, "function": printable(functions.get(n, ""))} for n in trace.threads
        ],
        "initial": [
            [printable(cell), printable(value)]
            for cell, value in trace.initial
            if any(cell in row.reads or cell in row.writes for row in rows)
        ],
        "rows": told,
        "standing": [
            {
                "thread": numbers.get(its.thread, 0),
                "kind": kind,
                "text": printable(its.text),
                "object": printable(its.object),
                **files.place(its.position),
            }
            for threads, kind in standing
            for its in threads
        ],
        "history": history,
        "races": [
            {
                "cell": printable(pair.cell),
                "rows": [index.until(trace.steps[n].thread, n) for n in (pair.first, pair.second)],
            }
            for pair in order.races[:_MOST_RACES]
        ],
        "actions": len(trace.steps),
        "switches": trace.context_switches,
    }


def _cause(trace: Trace) -> dict[str, str] | None:
    cause = trace.diagnosis
    return (
        None if cause is None else {"name": printable(cause.cause), "text": printable(cause.text)}
    )


def _row(row: Row, numbers: Mapping[str, int], files: ShownFiles) -> dict[str, Any]:
    """A row; members that are empty are left out."""
    its: dict[str, Any] = {
        "thread": numbers.get(row.thread, 0),
        **files.line(row.position.file, row.position.line),
        "says": [printable(detail) for detail in row.details()],
        "reads": [[printable(cell), printable(value)] for cell, value in row.reads.items()],
        "writes": [[printable(cell), printable(values[-1])] for cell, values in row.writes.items()],
        "locks": [printable(lock) for lock in row.locks],
        "ends": "ends" in row.notes,
        "violation": row.violation,
    }
    kept = ("thread", "file", "says")
    return {name: value for name, value in its.items() if value or name in kept}


class _RowIndex:
    """Finds rows by the steps of the trace that they are made of."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows: dict[str, list[int]] = {}
        self._first: dict[str, list[int]] = {}
        self._last: dict[str, list[int]] = {}
        for k, row in enumerate(rows):
            self._rows.setdefault(row.thread, []).append(k)
            self._first.setdefault(row.thread, []).append(row.steps[0])
            self._last.setdefault(row.thread, []).append(row.steps[-1])

    def since(self, thread: str, step: int) -> int | None:
        """The first row of the thread that has this step or a later one."""
        k = bisect_left(self._last.get(thread, []), step)
        rows = self._rows.get(thread, [])
        return rows[k] if k < len(rows) else None

    def of(self, thread: str, step: int) -> int | None:
        """The row that has the step; of one that is not shown the next one, or the last."""
        row = self.since(thread, step)
        return self.until(thread, step) if row is None else row

    def until(self, thread: str, step: int) -> int | None:
        """The last row of the thread that has this step or an earlier one."""
        k = bisect_right(self._first.get(thread, []), step)
        return self._rows[thread][k - 1] if k else None


def _locals(trace: Trace, rows: Sequence[Row], files: ShownFiles) -> dict[int, dict[str, str]]:
    """Row -> the local variables that its thread has assigned since its row before."""
    at = {step: k for k, row in enumerate(rows) for step in row.steps}
    following = _following(trace)
    lines = SourceLines(files.sources)
    open_values: dict[str, dict[str, str]] = {}
    last: dict[str, int] = {}
    found: dict[int, dict[str, str]] = {}
    for number, step in enumerate(trace.steps):
        waiting = open_values.setdefault(step.thread, {})
        if step.locals:
            words = set(_WORD.findall(lines.at(step.position)))
            then = following[number]
            own = then is not None and not then.position.in_model
            waiting.update((name, value) for name, value in step.locals if own or name in words)
        row = at.get(number)
        if row is not None:
            last[step.thread] = row
            found.setdefault(row, {}).update(waiting)
            waiting.clear()
    for thread, values in open_values.items():
        if thread in last:
            found[last[thread]].update(values)
    return {row: values for row, values in found.items() if values}


def _following(trace: Trace) -> list[TraceStep | None]:
    """Of each step the next one of its thread."""
    following: list[TraceStep | None] = []
    next_of: dict[str, TraceStep] = {}
    for step in reversed(trace.steps):
        following.append(next_of.get(step.thread))
        next_of[step.thread] = step
    return following[::-1]


def _marked(trace: Trace, rows: Sequence[Row]) -> list[int]:
    """The rows that the diagnosis tells of: those of its threads at its lines."""
    if trace.diagnosis is None:
        return []
    places = set(_places(trace.diagnosis.text))
    marked = [
        k
        for k, row in enumerate(rows)
        if (row.thread, row.position.line) in places or ("", row.position.line) in places
    ]
    return marked[-_MOST_MARKED:]


def _places(text: str) -> Iterator[tuple[str, int]]:
    """Each line of a text, with the thread that is named last before it, if one is."""
    thread = ""
    for found in _MENTIONED.finditer(text):
        thread = found["thread"] or thread
        if found["line"]:
            yield thread, int(found["line"])


def _event(event: LifeEvent, trace: Trace, index: _RowIndex, files: ShownFiles) -> dict[str, Any]:
    """What has happened to an object, with its row if that is shown."""
    steps = [
        n
        for n, step in enumerate(trace.steps)
        if step.thread == event.thread and step.position == event.position
    ]
    row = index.of(event.thread, steps[-1]) if steps else None
    return {
        "object": printable(event.object),
        "what": event.what,
        "thread": event.thread,
        **files.place(event.position),
        **({} if row is None else {"row": row}),
    }
