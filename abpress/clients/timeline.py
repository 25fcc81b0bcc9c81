"""A history for people: one line per thread, each call a bar from its beginning to its end.

    main.1  ├ set_add(1) = 1 ───────────┤ ├ set_contains(2) = 0 ┤
    main.2    ├ set_add(2) = 1 ┤

Bars that overlap belong to calls that ran at the same time; how wide they are means nothing. A bar
without an end is a call that does not return. Where the line does not fit, the same is a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from abpress.clients.concurrent import ClientProgram
from abpress.clients.history import History, Made
from abpress.clients.sequential import Results

_MOST_COMBINATIONS = 6
"""Allowed combinations of results that are shown beside those that were seen."""


def timeline(history: History, width: int) -> list[str]:
    """The lines of the drawing, none wider than `width` if a list is not wider."""
    columns = _columns(history)
    threads = list(dict.fromkeys(made.thread for made in history.calls))
    names = max(map(len, threads), default=0) + 2
    total = max(columns.values(), default=0) + 1
    lines = []
    for thread in threads:
        line = thread.ljust(names)
        for made in history.calls:
            if made.thread == thread:
                line = line.ljust(names + columns[made.begin, made.number])
                line += _bar(made, columns, total)
        lines.append(line)
    return lines if names + total <= width else list(_listed(history, names))


def _columns(history: History) -> dict[tuple[int, int], int]:
    """Where a call begins and ends, by the step of the trace and the call's number.

    In the order of time, as far to the left as the texts in the bars allow.
    """
    begins = {(made.begin, made.number): made for made in history.calls}
    # A call of a single step begins and ends with it.
    ends = {(made.end, made.number): made for made in history.calls if made.end is not None}
    moments = sorted([(*m, 0) for m in begins] + [(*m, 1) for m in ends], key=lambda m: (m[0], m[2]))
    columns: dict[tuple[int, int], int] = {}
    raise NotImplementedError
