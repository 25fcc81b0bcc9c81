"""Repetitions of a trace, told in one line: rounds of a loop, and threads that do the same.

A *block* is some adjacent rows. Blocks are *alike* if their rows are at the same places with notes
of the same kind, and either in the same threads, or each block is that of a thread of its own. Of
many blocks alike in a row the first two and the last are shown, and between them a line that tells
how many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abpress.witness.rows import CREATES, Row
from abpress.witness.trace import BlockedThread

_SHORT = 60
"""Rows of a trace of which nothing is left out."""

_LONGEST = 12
"""Rows of a block at most."""

_FEWEST = 8
"""Blocks alike that are folded at least."""

_SHOWN = 2
"""Blocks that are shown before the line."""


def folded(rows: Sequence[Row]) -> list[Row | str]:
    """The rows with lines in place of those that repeat others."""
    if len(rows) <= _SHORT:
        return list(rows)
    runs = _Runs(rows)
    shown: list[Row | str] = []
    at = 0
    while at < len(rows):
        length, blocks = runs.longest(at)
        if blocks < _FEWEST:
            shown.append(rows[at])
            at += 1
            continue
        first, last = at + _SHOWN * length, at + (blocks - 1) * length
        shown += [*rows[at:first], _line(rows[first:last], length), *rows[last : last + length]]
        at = last + length
    return shown


class _Runs:
    """Where blocks of some rows are alike."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._threads = [row.thread for row in rows]
        keys = [_key(row) for row in rows]
        count = len(rows)
        self._same: list[list[int]] = []  # by length: so many rows from here on are as those then
        for length in range(1, min(_LONGEST, count // _FEWEST) + 1):
            same = [0] * (count + 1)
            for i in range(count - length - 1, -1, -1):
                same[i] = same[i + 1] + 1 if keys[i] == keys[i + length] else 0
            self._same.append(same)

    def longest(self, at: int) -> tuple[int, int]:
        """The length of the blocks alike that begin here, and how many there are: those that cover
        most, and the shortest of these."""
        best = 1, 1
        for length, same in enumerate(self._same, 1):
            blocks = 1 + same[at] // length
            if blocks >= _FEWEST:
                blocks = self._of_like_threads(at, length, blocks)
                if blocks * length > best[0] * best[1]:
                    best = length, blocks
        return best

    def _of_like_threads(self, at: int, length: int, blocks: int) -> int:
        """How many of the blocks have the same threads as the first; or, if more, one each."""
        first = self._threads[at : at + length]
        same = alone = 0
        met: set[str] = set()
        for k in range(blocks):
            block = self._threads[at + k * length : at + (k + 1) * length]
            same += same == k and block == first
            alone += alone == k and len(set(block)) == 1 and block[0] not in met
            met.add(block[0])
            if same <= k and alone <= k:
                break
        return max(same, alone)


def _key(row: Row) -> object:
    kinds = dict.fromkeys(note.partition(" ")[0] for note in row.notes)
    return row.position.file, row.position.line, tuple(kinds), row.violation


def _line(rows: Sequence[Row], length: int) -> str:
    """The line in place of rows that are blocks of this length."""
    blocks = len(rows) // length
    if len({row.thread for row in rows}) == blocks > 1:
        return f"… {blocks:,} more threads do the same …"
    created = sum(note.startswith(CREATES) for row in rows for note in row.notes)
    if created:
        return f"… {rows[0].thread} creates {created:,} more threads like this …"
    return f"… {blocks:,} more rounds like this …"


def some_blocked(blocked: Sequence[BlockedThread]) -> Iterator[tuple[BlockedThread, int]]:
    """The threads that wait, each with the number of others that are left out behind it: of many
    that wait at one place for the same the first ones are shown."""
    alike: dict[object, list[BlockedThread]] = {}
    for thread in blocked:
        alike.setdefault((thread.position, thread.text), []).append(thread)
    for threads in alike.values():
        shown = _SHOWN if len(threads) >= _FEWEST else len(threads)
        yield from ((thread, 0) for thread in threads[: shown - 1])
        yield threads[shown - 1], len(threads) - shown
