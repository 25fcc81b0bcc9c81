"""A trace for people: one column (lane) per thread, time runs downwards.

A row is what one thread does on one source line before another thread, or another line, goes on:
the line, the values read and written, and the locks held. Where the lanes do not fit side by side
the same rows are printed as a list with thread names.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from abpress.errors import Position
from abpress.witness.sources import SourceLines, place_for_people
from abpress.witness.trace import Trace, TraceStep

_NARROWEST = 26
"""A lane of fewer characters is of no use; print a list then."""

_MOST_ROWS = 400
"""Rows of a long trace that are printed: its beginning and, mostly, its end."""

_MOST_VALUES = 6
"""Values of a chain `0 → 1 → … → 9`, and cells of a list, that are printed."""

_COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_cyan", "bright_green")


@dataclass(slots=True)
class Row:
    """Adjacent steps of one thread on one line. Mutable while it is collected."""

    thread: str
    position: Position
    source: str
    reads: dict[str, str] = field(default_factory=dict)
    writes: dict[str, list[str]] = field(default_factory=dict)  # old value first, if it is known
    notes: dict[str, None] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    locks: tuple[str, ...] = ()
    violation: bool = False

    def details(self) -> list[str]:
        """What stands below the source line."""
        values = [_chain(cell, values) for cell, values in self.writes.items()]
        reads = [f"{cell}={value}" for cell, value in self.reads.items() if cell not in self.writes]
        if reads:
            values.append("reads " + _some(reads))
        before = [lock for lock in self.locks if f"locks {lock}" not in self.notes]
        if before:
            values.append("holds " + _some(before))
        inputs = ["input " + _some(self.inputs)] if self.inputs else []
        lines = [*inputs, "; ".join(values), *self.notes]
        return [line for line in lines if line]


def render(trace: Trace, sources: Mapping[str, str], width: int) -> list[Text]:
    """The lines of the view, none wider than `width`.

    `sources` holds the text of each source file, by the name that positions use.
    """
    rows = rows_of(trace, sources)
    home = _home(rows)
    lanes = [name for name in trace.threads if any(row.thread == name for row in rows)]
    colours = {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(trace.threads)}
    at_home = (row for row in rows if row.position.file == home)
    numbers = max((len(place_name(row.position, home)) for row in at_home), default=1)
    column = (width - 3 * (len(lanes) - 1)) // max(1, len(lanes))
    if column >= max(_NARROWEST, numbers + 16):
        body = _side_by_side(rows, lanes, colours, home, numbers, column)
    else:
        body = _listed(rows, lanes, colours, home, numbers, width)
    return [*body, *_ending(trace, sources, home, width)]


# -- rows ----------------------------------------------------------------------------------------


def _home(rows: Sequence[Row]) -> str:
    """The file that most rows are in; of those of the others the name is shown."""
    ((file, _),) = Counter(row.position.file for row in rows).most_common(1) or (("", 0),)
    return file


def rows_of(trace: Trace, sources: Mapping[str, str]) -> list[Row]:
    """The rows of a trace, in its order."""
    lines = SourceLines(sources)
    known: dict[str, str] = {}
    held: dict[str, tuple[str, ...]] = {}
    mutexes = tuple({f"{lock}.": None for step in trace.steps for lock in step.locks})
    rows: list[Row] = []
    for step in trace.steps:
        step = _without_ghosts(step, sources, held.get(step.thread, ()), mutexes, known)
        held[step.thread] = step.locks
        if not (step.reads or step.writes or step.note or step.choices):
            continue
        position = place_for_people(step.position, sources)
        row = rows[-1] if rows else None
        if row is None or not _continues(row, step, position):
            row = Row(step.thread, position, lines.at(position) or step.source)
            rows.append(row)
        _add(row, step, known)
    return rows


def _without_ghosts(
    step: TraceStep,
    sources: Mapping[str, str],
    held: Sequence[str],
    mutexes: tuple[str, ...],
    known: Mapping[str, str],
) -> TraceStep:
    """A step of a library model in the words of its user: no state of mutexes, no inner choices."""
    changes = [f"locks {lock}" for lock in step.locks if lock not in held]
    changes += [f"unlocks {lock}" for lock in held if lock not in step.locks]
    note = ", ".join(filter(None, (*changes, step.note)))
    if step.position.file in sources:
        return replace(step, note=note)
    return replace(
        step,
        note=note,
        choices=(),
        reads=tuple(pair for pair in step.reads if not pair[0].startswith(mutexes)),
        writes=tuple(
            (cell, value)
            for cell, value in step.writes
            if not cell.startswith(mutexes) and known.get(cell) != value
        ),
    )


def _continues(row: Row, step: TraceStep, position: Position) -> bool:
    """Whether the step belongs to the row; the end of a thread belongs to what it did last."""
    same_line = (row.position.file, row.position.line) == (position.file, position.line)
    only_ends = step.note == "ends" and not (step.reads or step.writes)
    return row.thread == step.thread and (same_line or only_ends)


def _add(row: Row, step: TraceStep, known: dict[str, str]) -> None:
    for cell, value in step.reads:
        row.reads[cell] = known[cell] = value
    for cell, value in step.writes:
        chain = row.writes.setdefault(cell, [known[cell]] if cell in known else [])
        chain.append(value)
        known[cell] = value
    if step.note:
        row.notes.setdefault(step.note)
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


def _some(items: Sequence[str]) -> str:
    more = len(items) - _MOST_VALUES
    return ", ".join(items[:_MOST_VALUES]) + (f" and {more} more" if more > 0 else "")


def place_name(position: Position, home: str) -> str:
    """The line of a position; with its file if that is not the one at home."""
    name = "" if position.file == home else PurePath(position.file).name + ":"
    return f"{name}{position.line}"


# -- the two layouts -----------------------------------------------------------------------------


def _side_by_side(
    rows: Sequence[Row],
    lanes: Sequence[str],
    colours: Mapping[str, str],
    home: str,
    numbers: int,
    column: int,
) -> Iterable[Text]:
    bar = Text(" │ ", style="dim")
    functions = _functions(rows)
    yield bar.join(_cell(name, column, f"bold {colours[name]}") for name in lanes)
    if any(functions.values()):
        yield bar.join(_cell(functions.get(name, ""), column, colours[name]) for name in lanes)
    yield Text("─┼─".join("─" * column for _ in lanes), style="dim")
    previous = rows[0].thread if rows else ""
    for row in _shortened(rows):
        if isinstance(row, str):
            yield Text(row, style="dim italic")
            continue
        if row.thread != previous:
            yield Text("╌┼╌".join("╌" * column for _ in lanes), style="dim")
        previous = row.thread
        for text, style in _row_lines(row, home, numbers, column):
            yield bar.join(
                _cell(text, column, style) if name == row.thread else _cell("", column, "")
                for name in lanes
            )


def _listed(
    rows: Sequence[Row],
    lanes: Sequence[str],
    colours: Mapping[str, str],
    home: str,
    numbers: int,
    width: int,
) -> Iterable[Text]:
    names = min(max((len(name) for name in lanes), default=1), max(8, width // 3))
    rest = max(8, width - names - 3)
    previous = ""
    for row in _shortened(rows):
        if isinstance(row, str):
            yield Text(row, style="dim italic")
            continue
        for text, style in _row_lines(row, home, numbers, rest):
            label = row.thread if row.thread != previous else ""
            previous = row.thread
            line = _cell(label, names, f"bold {colours[row.thread]}")
            line.append(" │ ", style="dim")
            yield line.append_text(_cell(text, rest, style))


def _row_lines(row: Row, home: str, numbers: int, width: int) -> Iterable[tuple[str, str]]:
    """The lines of a row with their styles."""
    mark = "▶" if row.violation else " "
    yield (
        f"{place_name(row.position, home):>{numbers}}{mark}{row.source}",
        ("bold red" if row.violation else "bold"),
    )
    indent = " " * (numbers + 2)
    for detail in row.details():
        style = "bold red" if detail.startswith("violation") else ""
        for line in textwrap.wrap(detail, width, initial_indent=indent, subsequent_indent=indent):
            yield line, style


def _cell(text: str, width: int, style: str) -> Text:
    if cell_len(text) > width:
        text = set_cell_size(text, width - 1) + "…"
    return Text(set_cell_size(text, width), style=style)


def _functions(rows: Sequence[Row]) -> dict[str, str]:
    """The function that each thread runs: the outermost of its first row."""
    functions: dict[str, str] = {}
    for row in rows:
        stack = row.position.stack
        function = (stack[0] if stack else row.position).function
        functions.setdefault(row.thread, "" if function == row.thread else function)
    return functions


def _shortened(rows: Sequence[Row]) -> Iterable[Row | str]:
    if len(rows) <= _MOST_ROWS:
        return rows
    head, tail = _MOST_ROWS // 4, _MOST_ROWS - _MOST_ROWS // 4
    left_out = len(rows) - head - tail
    return [*rows[:head], f"… {left_out} rows left out (--json has them all) …", *rows[-tail:]]


# -- what it ends with ---------------------------------------------------------------------------


def _ending(trace: Trace, sources: Mapping[str, str], home: str, width: int) -> Iterable[Text]:
    yield Text("")
    if trace.blocked:
        yield _fit("no thread can move:", width, "bold red")
        lines = SourceLines(sources)
        names = max(len(blocked.thread) for blocked in trace.blocked)
        for blocked in trace.blocked:
            place = place_for_people(blocked.position, sources)
            where = f"{place_name(place, home)} {lines.at(place)}".rstrip()
            yield _fit(f"  {blocked.thread:<{names}}  {blocked.text}: {where}", width, "")
    steps, switches = len(trace.steps), trace.context_switches
    yield _fit(
        f"{trace.message}: after {steps} {'action' if steps == 1 else 'actions'}"
        f" and {switches} context {'switch' if switches == 1 else 'switches'}",
        width,
        "bold",
    )


def _fit(text: str, width: int, style: str) -> Text:
    return Text(text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…", style)
