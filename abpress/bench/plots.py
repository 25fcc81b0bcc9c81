"""The numbers behind the plots of a benchmark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from abpress.bench.record import Category, Run

METRICS: Mapping[str, tuple[str, Callable[[Run], float | int | None]]] = {
    "cpu": ("CPU time (s)", lambda run: run.cpu_s),
    "wall": ("wall time (s)", lambda run: run.wall_s),
    "memory": ("memory (MiB)", lambda run: run.memory_mb),
    "nodes": ("nodes or states", lambda run: run.nodes()),
}
"""Key -> label of an axis, and the value of a run (None: not told)."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A logarithmic axis; its ends are 1, 2 or 5 times a power of ten, and `low` < `high`."""

    low: float
    high: float


def axis(values: Iterable[float]) -> Axis:
    """The shortest axis on which all positive values lie (1 to 2 without any).

    Values of zero, which have no logarithm, are drawn at its low end.
    """
    positive = [value for value in values if value > 0] or [1.0]
    least, most = min(positive), max(positive)
    first, last = math.floor(math.log10(least)) - 1, math.ceil(math.log10(most)) + 1
    round_ones = [float(f"{n}e{power}") for power in range(first, last + 1) for n in (1, 2, 5)]
    low = max(value for value in round_ones if value <= least)
    return Axis(low, min(value for value in round_ones if value >= most and value > low))


def solved(run: Run) -> bool:
    """Whether the run gave the answer, as far as that is known."""
    return run.category in (Category.CORRECT, Category.UNJUDGED)


@dataclass(frozen=True, slots=True)
class Point:
    """The `run`-th of the runs that a quantile plot is made of, and where it is drawn."""

    x: int
    y: float
    run: int


def quantile_by_score(runs: Sequence[Run]) -> tuple[Point, ...]:
    """The score-based quantile plot of the competition ([SvComp13]).

    The correct results from the fastest to the slowest, each at the score that it and all before
    it make together with all (negative) scores of wrong results, and at its CPU time.
    """
    x = sum(run.score for run in runs if run.score < 0)
    points = []
    for index in _fastest_first(runs, lambda run: run.category is Category.CORRECT):
        x += runs[index].score
        points.append(Point(x, runs[index].cpu_s, index))
    return tuple(points)


def quantile_by_count(runs: Sequence[Run]) -> tuple[Point, ...]:
    """The n-th fastest of the tasks that were solved, at n and its CPU time."""
    order = _fastest_first(runs, solved)
    return tuple(Point(n, runs[index].cpu_s, index) for n, index in enumerate(order, start=1))


def _fastest_first(runs: Sequence[Run], chosen: Callable[[Run], bool]) -> list[int]:
    indices = [index for index, run in enumerate(runs) if chosen(run)]
    return sorted(indices, key=lambda index: runs[index].cpu_s)
