"""The dependence relation between next steps of threads, by access (DESIGN 2).

Two steps of different threads are dependent if one writes a cell that the other reads or writes;
where a step exists only for some values, so does its write: a compare-and-swap that fails is a
read. The creation of a thread is dependent with its steps, its end with joins, and the end of the
program with everything. An atomic block is one step and accesses what its actions access.

The attempt of a thread that waits counts as a step: who is independent of it leaves it waiting. Of
a step with choices, everything that it may access counts, whatever is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """What the next step of a thread accesses: keys as in `semantics.recording.Recorded`.

    `touched` and `written` are the same as bit sets, with bits for the program's being alive
    (touched by all, written by its end) and for the thread's own life. Interned by `Accesses`.
    """

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    ends: bool
    touched: int
    written: int

    def independent(self, other: Access) -> bool:
        """Whether both orders of the two steps are possible and lead to the same."""
        return not (self.written & other.touched or self.touched & other.written)


class Accesses:
    """Makes accesses, one object for equal ones. Mutable."""

    def __init__(self) -> None:
        self._bits: dict[int, int] = {}
        self._known: dict[tuple[int, tuple[int, ...], tuple[int, ...], bool], Access] = {}

    def access(
        self, thread: int, reads: tuple[int, ...], writes: tuple[int, ...], ends: bool
    ) -> Access:
        """The access of a step of the thread."""
        key = (thread, reads, writes, ends)
        access = self._known.get(key)
        if access is None:
            written = self._set(writes) | ends
            touched = self._set((-thread, *reads)) | written | 1
            access = self._known[key] = Access(reads, writes, ends, touched, written)
        return access

    def _set(self, keys: Iterable[int]) -> int:
        found = 0
        for key in keys:
            bit = self._bits.get(key)
            if bit is None:
                bit = self._bits[key] = 2 << len(self._bits)
            found |= bit
        return found
