"""A history for people: one line per thread, each call a bar from its beginning to its end.

    main.1  ├ set_add(1) = 1 ──────────┤ ├ set_contains(2) = 0 ┤
    main.2    ├ set_add(2) = 1 ┤

Bars that overlap belong to calls that ran at the same time; how wide they are means nothing. A bar
without an end is a call that has not returned. Where the lines do not fit, the same is a list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from abpress.clients.history import History, Made
from abpress.clients.sequential import Results

_MOST_COMBINATIONS = 6
"""Allowed combinations of results that are shown beside those that were seen."""


@dataclass(frozen=True, slots=True, order=True)
class _Moment:
    """The beginning or the end of a call, ordered by the step of the trace."""

    step: int
    number: int
    is_end: bool


def timeline(history: History, width: int) -> list[str]:
    """The lines of the drawing, no wider than `width`; of the list if it does not fit."""
    columns = _columns(history)
    names = max((len(made.thread) for made in history.calls), default=0) + 2
    total = max((columns[_begin(made)] + len(str(made)) + 4 for made in history.calls), default=0)
    total = max(total, *columns.values(), 0)
    if names + total > width:
        return list(_listed(history, names))
    lines: dict[str, str] = {}
    for made in sorted(history.calls, key=lambda made: made.begin):
        begin = columns[_begin(made)]
        bar = f"├ {made} "
        end = _end(made)
        if end is None:
            bar = bar.ljust(total - begin, "╌")
        else:
            bar = bar.ljust(columns[end] - begin, "─") + "┤"
        line = lines.get(made.thread, made.thread)
        lines[made.thread] = line.ljust(names + begin) + bar
    return [lines[thread] for thread in sorted(lines)]


def _begin(made: Made) -> _Moment:
    return _Moment(made.begin, made.number, False)


def _end(made: Made) -> _Moment | None:
    return None if made.end is None else _Moment(made.end, made.number, True)


def _moments(history: History) -> dict[_Moment, Made]:
    """When calls begin and end, in the order of time."""
    found = {_begin(made): made for made in history.calls}
    found.update((end, made) for made in history.calls if (end := _end(made)) is not None)
    return dict(sorted(found.items()))


def _columns(history: History) -> Mapping[_Moment, int]:
    """Where to draw each moment: as far to the left as the texts in the bars allow."""
    columns: dict[_Moment, int] = {}
    free = 0
    for moment, made in _moments(history).items():
        column = free
        if moment.is_end:
            column = max(column, columns[_begin(made)] + len(str(made)) + 3)
        columns[moment] = column
        free = column + 2
    return columns


def _listed(history: History, names: int) -> Iterator[str]:
    for moment, made in _moments(history).items():
        what = f"{made.call} begins" if not moment.is_end else f"{made} ends"
        yield made.thread.ljust(names) + what


def comparison(history: History, allowed: Collection[Results]) -> list[str]:
    """A table: what the calls of a complete history returned, and the most similar combinations
    that are allowed, most similar first."""
    seen = {made.number: made.result for made in history.calls}

    def differences(results: Results) -> int:
        return sum(results[number] != result for number, result in seen.items())

    closest = sorted(allowed, key=differences)[:_MOST_COMBINATIONS]
    rows = [["thread", "call", "seen", f"allowed ({len(allowed)} combinations)"]]
    for made in history.calls:
        if made.call.has_result:
            values = [_text(results[made.number]) for results in closest]
            rows.append([made.thread, str(made.call), _text(made.result), *values])
    return _aligned(rows)


def _text(result: int | None) -> str:
    return "?" if result is None else str(result)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows with columns of equal width; the last heading stands above all that is left."""
    head, *body = rows
    fixed = len(head) - 1
    widths = [max(len(row[i]) for row in rows) for i in range(fixed)]
    widest = max((len(text) for row in body for text in row[fixed:]), default=0)
    lines = []
    for row in rows:
        texts = [text.ljust(width) for text, width in zip(row[:fixed], widths, strict=True)]
        texts += [text if row is head else text.rjust(widest) for text in row[fixed:]]
        lines.append("  ".join(texts).rstrip())
    return lines
