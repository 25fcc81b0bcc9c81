"""Rests: what is known of a number `x` is that `x - rest` is a multiple of a modulus ([Granger89]).

The modulus 0 stands for the number itself, 1 for any number.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

Rest = tuple[int, int]
"""The modulus, and the rest: less than the modulus, if that is not 0."""

ANY: Rest = (1, 0)


def rest(modulus: int, of: int) -> Rest:
    """The rest of a number."""
    return (modulus, of % modulus) if modulus else (0, of)


def either(a: Rest, b: Rest) -> Rest:
    """What holds of numbers of which one or the other holds."""
    return rest(gcd(a[0], b[0], a[1] - b[1]), a[1])


def follows(a: Rest, b: Rest) -> bool:
    """Whether `b` holds of all numbers of which `a` does."""
    return either(a, b) == b


def total(parts: Iterable[tuple[int, Rest]], number: int) -> Rest:
    """The rest of a number and of so many times each of others."""
    modulus, its = 0, number
    for factor, (m, r) in parts:
        modulus = gcd(modulus, factor * m)
        its += factor * r
    return rest(modulus, its)


def least(low: int, of: Rest) -> int:
    """The least number that is not less than a bound."""
    modulus, its = of
    return low + (its - low) % modulus if modulus else low


def most(high: int, of: Rest) -> int:
    """The greatest number that is not greater than a bound."""
    modulus, its = of
    return high - (high - its) % modulus if modulus else high
