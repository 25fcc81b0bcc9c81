"""Categories and scores of runs, as in the Competition on Software Verification.

Source: the scoring scheme of SV-COMP (correct true +2, correct false +1, wrong false -16, wrong
true -32, everything else 0), and BenchExec's classification (`benchexec/result.py`).
"""

from __future__ import annotations

import re

from abpress.bench.contained import Ending, Stop
from abpress.bench.record import Category

UNKNOWN = "unknown"

_TIMEOUT = re.compile(r"time limit of ")
_MEMORY = re.compile(r"memory limit of |out of memory|MemoryError")


def judge(verdict: str, expected: str | None) -> tuple[Category, int]:
    """Category and score of a verdict: true, false, false(sub-property), or unknown.

    Where a sub-property is expected to be violated, only its violation is right; that of another
    one does not count. Where false is expected, any violation is right.
    """
    if verdict == UNKNOWN:
        return Category.UNKNOWN, 0
    if expected is None:
        return Category.UNJUDGED, 0
    if verdict == expected:
        return Category.CORRECT, 2 if verdict == "true" else 1
    if verdict == "true":
        return Category.WRONG, -32
    if expected == "true":
        return Category.WRONG, -16
    if expected == "false":
        return Category.CORRECT, 1
    return Category.UNKNOWN, 0


def failure(ending: Ending, verdict: str, reason: str) -> Category | None:
    """The category of a run that has no verdict for a reason of its own; None if it may have one.

    `reason` is what the run itself says of a verdict that is unknown, or of its end.
    """
    if ending.stop is Stop.MEMORY:
        return Category.OUT_OF_MEMORY
    if ending.stop is not None:
        return Category.TIMEOUT
    expected_status = {"true": 0, "unknown": 2}.get(verdict, 1)
    if verdict == UNKNOWN and _TIMEOUT.match(reason):
        return Category.TIMEOUT
    if verdict == UNKNOWN and _out_of_memory(reason):
        return Category.OUT_OF_MEMORY
    if ending.status == expected_status:
        return None
    refused = verdict == UNKNOWN and ending.status == 3 and reason.startswith("unsupported: ")
    return None if refused else Category.ERROR


def _out_of_memory(reason: str) -> bool:
    """Whether memory is what every engine lacked (`engine: reason; engine: reason`)."""
    return all(_MEMORY.search(part) for part in reason.split("; "))
