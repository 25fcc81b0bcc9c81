"""How much the tests look at: a sample, the same in every run, or with `--whole` everything.

A test that says `sample`, `in_turn` or `examples` asks the same of whatever it looks at: the whole
finds what the sample finds, and rarer faults. `scripts/check --whole PATH` runs the whole of some
tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Row = TypeVar("Row")
Way = TypeVar("Way")

_whole = False


def look_at_everything() -> None:
    """From now on nothing is left out: for modules of tests that are imported after this."""
    global _whole
    _whole = True


def sample(rows: Sequence[Row], every: int, start: int = 0) -> Sequence[Row]:
    """One of so many rows, from one of the first ones on."""
    return rows if _whole else rows[start::every]


def in_turn(rows: Sequence[Row], ways: Sequence[Way]) -> Sequence[tuple[Row, Way]]:
    """Every row in every way, or each row in one way and each way with a row, by turns."""
    if _whole:
        return [(row, way) for row in rows for way in ways]
    turns = range(max(len(rows), len(ways)))
    return [(rows[n % len(rows)], ways[n % len(ways)]) for n in turns]


def examples(few: int, whole: int) -> int:
    """How many random programs, or other things, are drawn."""
    return whole if _whole else few
