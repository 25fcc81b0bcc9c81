"""The classification table of the competition."""

from __future__ import annotations

import pytest

from abpress.bench.contained import Ending, Stop
from abpress.bench.judge import failure, judge
from abpress.bench.record import Category

FALSE_FREE = "false(valid-free)"
FALSE_DEREF = "false(valid-deref)"


@pytest.mark.parametrize(
    ("verdict", "expected", "category", "score"),
    [
        ("true", "true", Category.CORRECT, 2),
        ("false", "false", Category.CORRECT, 1),
        ("true", "false", Category.WRONG, -32),
        ("false", "true", Category.WRONG, -16),
        ("unknown", "true", Category.UNKNOWN, 0),
        ("unknown", "false", Category.UNKNOWN, 0),
        ("unknown", None, Category.UNKNOWN, 0),
        ("true", None, Category.UNJUDGED, 0),
        ("false", None, Category.UNJUDGED, 0),
        (FALSE_FREE, FALSE_FREE, Category.CORRECT, 1),
        (FALSE_DEREF, FALSE_FREE, Category.UNKNOWN, 0),
        ("false", FALSE_FREE, Category.UNKNOWN, 0),
        (FALSE_DEREF, "false", Category.CORRECT, 1),
        (FALSE_DEREF, "true", Category.WRONG, -16),
        ("true", FALSE_FREE, Category.WRONG, -32),
        ("unknown", FALSE_FREE, Category.UNKNOWN, 0),
    ],
)
def test_verdicts(verdict: str, expected: str | None, category: Category, score: int) -> None:
    assert judge(verdict, expected) == (category, score)


@pytest.mark.parametrize(
    ("status", "stop", "verdict", "reason", "category"),
    [
        (0, None, "true", "", None),
        (1, None, "false", "", None),
        (1, None, FALSE_DEREF, "", None),
        (2, None, "unknown", "bound", None),
        (2, None, "unknown", "time limit of 5 s", Category.TIMEOUT),
        (2, None, "unknown", "time limit of 5 s, while reading the program", Category.TIMEOUT),
        (2, None, "unknown", "memory limit of 500 MB", Category.OUT_OF_MEMORY),
        (2, None, "unknown", "out of memory", Category.OUT_OF_MEMORY),
        (
            *(2, None, "unknown", "explicit: memory limit of 500 MB; abpress: out of memory"),
            Category.OUT_OF_MEMORY,
        ),
        (2, None, "unknown", "explicit: memory limit of 500 MB; abpress: too many threads", None),
        (1, None, "unknown", "no result, exit status 1: MemoryError", Category.OUT_OF_MEMORY),
        (3, None, "unknown", "unsupported: setjmp", None),
        (3, None, "unknown", "input error: not C", Category.ERROR),
        (4, None, "unknown", "internal error: ValueError", Category.ERROR),
        (-11, None, "unknown", "no result", Category.ERROR),
        (1, None, "true", "", Category.ERROR),
        (0, None, "false", "", Category.ERROR),
        (0, None, "unknown", "", Category.ERROR),
        (4, None, "true", "", Category.ERROR),
        (None, Stop.WALL, "unknown", "", Category.TIMEOUT),
        (None, Stop.CPU, "unknown", "", Category.TIMEOUT),
        (None, Stop.MEMORY, "unknown", "", Category.OUT_OF_MEMORY),
        (None, Stop.WALL, "true", "", Category.TIMEOUT),
    ],
)
def test_failures(
    status: int | None, stop: Stop | None, verdict: str, reason: str, category: Category | None
) -> None:
    assert failure(Ending(status, stop, 0.0, 0.0, 0.0), verdict, reason) is category
