"""What random programs tell that several workers have explored: in how many ways they were
compared, and in how many searches workers were killed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Compared:
    """How a program was compared, and how many of what there were."""

    how: str
    figures: Counter[str]


def compared(algorithms: Collection[object], of: int, deaths: Iterable[int]) -> Compared:
    """By these, of so many, in searches in each of which so many workers died."""
    each = tuple(deaths)
    killed = Counter(
        {
            "searches by workers": len(each),
            "of these with workers killed": sum(map(bool, each)),
            "workers killed": sum(each),
        }
    )
    few = f"{len(algorithms)} of {of}" if len(algorithms) < of else f"all {of}"
    return Compared(f"compared in {few} ways" if algorithms else "not compared", killed)
