"""A trace for people: one column (lane) per thread, time runs downwards.

What is repeated often is told in one line (`abpress.witness.folding`), and only threads of rows
that are shown have lanes. Where the lanes do not fit side by side the same rows are printed as a
list with thread names.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from abpress.witness.folding import folded, some_blocked
from abpress.witness.rows import Row, functions_of, place_name, rows_of
from abpress.witness.sources import SourceLines, place_for_people
from abpress.witness.trace import BlockedThread, Trace

_NARROWEST = 26
"""A lane of fewer characters is of no use; print a list then."""

_MOST_ROWS = 400
"""Rows of a long trace that are printed: its beginning and, mostly, its end."""

_COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_cyan", "bright_green")


def render(trace: Trace, sources: Mapping[str, str], width: int) -> list[Text]:
    """The lines of the view, none wider than `width`.

    `sources` holds the text of each source file, by the name that positions use.
    """
    shown = _shortened(folded(rows_of(trace, sources)))
    rows = [row for row in shown if isinstance(row, Row)]
    home = _home(rows)
    moving = {row.thread for row in rows}
    lanes = [name for name in trace.threads if name in moving]
    colours = {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(trace.threads)}
    at_home = (row for row in rows if row.position.file == home)
    numbers = max((len(place_name(row.position, home)) for row in at_home), default=1)
    column = (width - 3 * (len(lanes) - 1)) // max(1, len(lanes))
    if column >= max(_NARROWEST, numbers + 16):
        body = _side_by_side(shown, lanes, colours, home, numbers, column)
    else:
        body = _listed(shown, lanes, colours, home, numbers, width)
    return [*_cause(trace, width), *body, *_ending(trace, sources, home, width)]


def _home(rows: Sequence[Row]) -> str:
    """The file that most rows are in; of those of the others the name is shown."""
    ((file, _),) = Counter(row.position.file for row in rows).most_common(1) or (("", 0),)
    return file


# -- the two layouts -----------------------------------------------------------------------------


def _side_by_side(
    rows: Sequence[Row | str],
    lanes: Sequence[str],
    colours: Mapping[str, str],
    home: str,
    numbers: int,
    column: int,
) -> Iterable[Text]:
    bar = Text(" │ ", style="dim")
    functions = functions_of([row for row in rows if isinstance(row, Row)])
    yield bar.join(_cell(name, column, f"bold {colours[name]}") for name in lanes)
    if any(functions.values()):
        yield bar.join(_cell(functions.get(name, ""), column, colours[name]) for name in lanes)
    yield Text("─┼─".join("─" * column for _ in lanes), style="dim")
    previous = rows[0].thread if rows and isinstance(rows[0], Row) else ""
    for row in rows:
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
    rows: Sequence[Row | str],
    lanes: Sequence[str],
    colours: Mapping[str, str],
    home: str,
    numbers: int,
    width: int,
) -> Iterable[Text]:
    names = min(max((len(name) for name in lanes), default=1), max(8, width // 3))
    rest = max(8, width - names - 3)
    previous = ""
    for row in rows:
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


def _shortened(rows: Sequence[Row | str]) -> Sequence[Row | str]:
    if len(rows) <= _MOST_ROWS:
        return rows
    head, tail = _MOST_ROWS // 4, _MOST_ROWS - _MOST_ROWS // 4
    left_out = len(rows) - head - tail
    return [*rows[:head], f"… {left_out} rows left out (--json has them all) …", *rows[-tail:]]


def _cause(trace: Trace, width: int) -> Iterable[Text]:
    """Why it happens, if that is known."""
    if trace.diagnosis is not None:
        told = f"cause: {trace.diagnosis.cause}. {trace.diagnosis.text}."
        yield from (Text(line, style="bold") for line in textwrap.wrap(told, width))
        yield Text("")


# -- what it ends with ---------------------------------------------------------------------------


def _ending(trace: Trace, sources: Mapping[str, str], home: str, width: int) -> Iterable[Text]:
    yield Text("")
    if trace.blocked:
        all_wait = trace.message == "deadlock"
        who = "no thread can move:" if all_wait else "threads that wait for one another:"
        yield _fit(who, width, "bold red")
        yield from _standing(trace.blocked, sources, home, width)
    if trace.ready:
        yield _fit("both threads stand ready:", width, "bold red")
        yield from _standing(trace.ready, sources, home, width)
    steps, switches = len(trace.steps), trace.context_switches
    ending = (
        f"{trace.message}: after {steps} {'action' if steps == 1 else 'actions'}"
        f" and {switches} context {'switch' if switches == 1 else 'switches'}"
    )
    for line in textwrap.wrap(ending, width):
        yield Text(line, style="bold")
    for event in trace.history:
        if event.what != "begun":
            place = place_for_people(event.position, sources)
            lasts = event.what in ("held", "awaited")
            where = f"by {event.thread} {'since' if lasts else 'at'} {place_name(place, home)}"
            if event.what == "signalled":
                where += ", when nobody waited"
            what = "the lifetime ended" if event.what == "ended" else event.what
            yield _fit(f"  {event.object}: {what} {where}", width, "")


def _standing(
    threads: Sequence[BlockedThread], sources: Mapping[str, str], home: str, width: int
) -> Iterable[Text]:
    lines = SourceLines(sources)
    names = max(len(blocked.thread) for blocked in threads)
    for blocked, hidden in some_blocked(threads):
        place = place_for_people(blocked.position, sources)
        where = f"{place_name(place, home)} {lines.at(place)}".rstrip()
        yield _fit(f"  {blocked.thread:<{names}}  {blocked.text}: {where}", width, "")
        if hidden:
            yield _fit(f"  … {hidden:,} more threads wait so …", width, "dim italic")


def _fit(text: str, width: int, style: str) -> Text:
    return Text(text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…", style)
