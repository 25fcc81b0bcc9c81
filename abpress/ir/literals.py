"""String literals that may share memory: the end of one may be another one (C11 6.4.5p7).

NOTE(shared-literals).
"""

from __future__ import annotations

from abpress.ir.expr import Const
from abpress.ir.program import MemoryObject

QUOTE = '"'
"""How the names of string literals begin."""


def may_be_one_byte(a: MemoryObject, i: int | None, b: MemoryObject, j: int | None) -> bool:
    """Whether byte i of an object may be byte j of another one, as both are string literals with
    the same bytes where they overlap; None is any byte."""
    if not (a.name.startswith(QUOTE) and b.name.startswith(QUOTE)):
        return False
    one, other = _bytes(a), _bytes(b)
    shifts = range(1 - len(other), len(one)) if i is None or j is None else (i - j,)
    return any(_fits(one, other, shift) for shift in shifts)


def _bytes(o: MemoryObject) -> list[int | None]:
    return [value.value if isinstance(value, Const) else None for value in o.initial]


def _fits(one: list[int | None], other: list[int | None], shift: int) -> bool:
    """Whether `other` may begin so many bytes behind the begin of `one`, and share some with it."""
    shared = range(max(0, shift), min(len(one), shift + len(other)))
    return len(shared) > 0 and all(one[k] == other[k - shift] for k in shared)
