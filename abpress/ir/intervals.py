"""Arithmetic of intervals of integers, without types: what wraps or overflows, callers say."""

from __future__ import annotations

from collections.abc import Iterable

Interval = tuple[int, int]
"""The integers from the first to the second, both included."""


def around(numbers: Iterable[int]) -> Interval:
    """The smallest interval with all the numbers, of which there is one at least."""
    listed = list(numbers)
    return min(listed), max(listed)


def hull(intervals: Iterable[Interval | None]) -> Interval | None:
    """The smallest interval around all of them; None stands for the empty one."""
    some = [i for i in intervals if i is not None]
    return (min(a for a, _ in some), max(b for _, b in some)) if some else None


def within(inner: Interval, outer: Interval) -> bool:
    """Whether one interval is part of the other."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def negative(a: Interval) -> Interval:
    """The values of `-x`."""
    return -a[1], -a[0]


def combined(op: str, a: Interval, b: Interval) -> Interval:
    """The hull of the values of `x op y`; `op` is `+`, `-` or `*`."""
    match op:
        case "+":
            return a[0] + b[0], a[1] + b[1]
        case "-":
            return a[0] - b[1], a[1] - b[0]
        case _:
            return around(x * y for x in a for y in b)


def satisfying(op: str, a: Interval, b: Interval) -> Interval | None:
    """The x of `a` for which `x op y` holds for some y of `b`; None if there is none.

    `op` is a comparison; `!=` excludes nothing here.
    """
    low, high = a
    match op:
        case "==":
            low, high = max(low, b[0]), min(high, b[1])
        case "<":
            high = min(high, b[1] - 1)
        case "<=":
            high = min(high, b[1])
        case ">":
            low = max(low, b[0] + 1)
        case ">=":
            low = max(low, b[0])
        case _:
            pass
    return (low, high) if low <= high else None
