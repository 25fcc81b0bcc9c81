"""Rows of a trace for people.

A row is what one thread does on one source line before another thread, or another line, goes on:
the line, the values read and written, and the locks held.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from abpress.errors import Position
from abpress.witness.library import is_kept
from abpress.witness.sources import SourceLines, place_for_people
from abpress.witness.trace import Trace, TraceStep

_MOST_VALUES = 6
"""Values of a chain `0 → 1 → … → 9`, and cells of a list, that are printed."""

_MOST_CELLS = 40
"""Cells of which all are printed that a row writes."""

CREATES = "creates "
"""How the note of a creation begins; the name of the thread follows."""

_FIRST = 2
"""Notes of a kind that are printed of many."""

_OF_THREADS = ("creates", "joins")
"""What notes of these kinds name last is a thread."""


@dataclass(slots=True)
class Row:
    """Adjacent steps of one thread on one line: `steps` are their numbers in the trace. Mutable
    while it is collected."""

    thread: str
    position: Position
    source: str
    reads: dict[str, str] = field(default_factory=dict)
    writes: dict[str, list[str]] = field(default_factory=dict)  # old value first, if it is known
    notes: dict[str, None] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    locks: tuple[str, ...] = ()
    violation: bool = False
    steps: list[int] = field(default_factory=list)

    def details(self) -> list[str]:
        """What stands below the source line."""
        values = [_chain(cell, values) for cell, values in self.writes.items()]
        if len(values) > _MOST_CELLS:
            values = [
                *values[:_MOST_VALUES],
                f"{len(values) - _MOST_VALUES:,} more cells are written",
            ]
        reads = [f"{cell}={value}" for cell, value in self.reads.items() if cell not in self.writes]
        if reads:
            values.append("reads " + _some(reads))
        before = [lock for lock in self.locks if f"locks {lock}" not in self.notes]
        if before:
            values.append("holds " + _some(before))
        inputs = ["input " + _some(self.inputs)] if self.inputs else []
        lines = [*inputs, "; ".join(values), *_some_notes(tuple(self.notes))]
        return [line for line in lines if line]


def rows_of(trace: Trace, sources: Mapping[str, str]) -> list[Row]:
    """The rows of a trace, in its order."""
    lines = SourceLines(sources)
    known: dict[str, str] = {}
    rows: list[Row] = []
    events = _events(trace)
    for number, step in enumerate(trace.steps):
        step = _in_words(step, sources, known)
        if number in events and not step.note:
            step = replace(step, note=events[number])
        if not (step.reads or step.writes or step.note or step.said or step.choices):
            continue
        position = place_for_people(step.position, sources)
        row = rows[-1] if rows else None
        if row is None or not _continues(row, step, position):
            row = Row(step.thread, position, lines.at(position) or step.source)
            rows.append(row)
        row.steps.append(number)
        _add(row, step, known)
    return rows


LIVES = {"allocated": "allocates", "freed": "frees"}
"""What has happened to an object by a call of its own, as what a thread does."""


def _events(trace: Trace) -> dict[int, str]:
    """The steps, by their numbers, that do what the history tells of, and what that is."""
    last = {(step.thread, step.position): number for number, step in enumerate(trace.steps)}
    return {
        last[event.thread, event.position]: f"{LIVES[event.what]} {event.object}"
        for event in trace.history
        if event.what in LIVES and (event.thread, event.position) in last
    }


def _in_words(step: TraceStep, sources: Mapping[str, str], known: Mapping[str, str]) -> TraceStep:
    """A step of a library model in the words of its user: nothing of what models keep, no inner
    choices."""
    if step.position.file in sources:
        return step
    return replace(
        step,
        choices=(),
        reads=tuple(pair for pair in step.reads if not is_kept(step.position, pair[0])),
        writes=tuple(
            (cell, value)
            for cell, value in step.writes
            if not is_kept(step.position, cell) and known.get(cell) != value
        ),
    )


def _continues(row: Row, step: TraceStep, position: Position) -> bool:
    """Whether the step belongs to the row; the end of a thread belongs to what it did last."""
    same_line = (row.position.file, row.position.line) == (position.file, position.line)
    only_ends = step.note == "ends" and not (step.reads or step.writes or step.said)
    return row.thread == step.thread and (same_line or only_ends)


def _add(row: Row, step: TraceStep, known: dict[str, str]) -> None:
    for cell, value in step.reads:
        row.reads[cell] = known[cell] = value
    for cell, value in step.writes:
        chain = row.writes.setdefault(cell, [known[cell]] if cell in known else [])
        chain.append(value)
        known[cell] = value
    for note in (*step.said, step.note):
        if note:
            row.notes.setdefault(note)
    row.inputs += [f"{what} = {value}" if what else str(value) for what, value in step.choices]
    row.locks = step.locks
    row.violation = row.violation or "violation: " in step.note


def _chain(cell: str, values: Sequence[str]) -> str:
    if len(values) == 1:
        return f"{cell} = {values[0]}"
    shown = list(values)
    if len(shown) > _MOST_VALUES:
        shown = [*shown[:3], "…", *shown[-2:]]
    return f"{cell}: {' → '.join(shown)}"


def _some_notes(notes: Sequence[str]) -> list[str]:
    """The notes; of more than a few of a kind, as that threads are joined in a loop, the first two,
    and the number of the others."""
    alike: dict[str, list[str]] = {}
    for note in notes:
        alike.setdefault(_kind(note), []).append(note)
    many = {kind: its[_FIRST:] for kind, its in alike.items() if len(its) > _MOST_VALUES}
    hidden = {note for its in many.values() for note in its[1:]}
    more = {its[0]: _more(kind, len(its)) for kind, its in many.items()}
    return [more.get(note, note) for note in notes if note not in hidden]


def _more(kind: str, number: int) -> str:
    of_threads = kind in _OF_THREADS
    return f"{kind} {number:,} more threads like this" if of_threads else f"… {number:,} more such"


def _kind(note: str) -> str:
    return note.partition(" ")[0]


def _some(items: Sequence[str]) -> str:
    more = len(items) - _MOST_VALUES
    return ", ".join(items[:_MOST_VALUES]) + (f" and {more:,} more" if more > 0 else "")


def functions_of(rows: Sequence[Row]) -> dict[str, str]:
    """The function that each thread runs: the outermost of its first row."""
    functions: dict[str, str] = {}
    for row in rows:
        stack = row.position.stack
        function = (stack[0] if stack else row.position).function
        functions.setdefault(row.thread, "" if function == row.thread else function)
    return functions


def place_name(position: Position, home: str) -> str:
    """The line of a position; with its file if that is not the one at home."""
    name = "" if position.file == home else PurePath(position.file).name + ":"
    return f"{name}{position.line}"
