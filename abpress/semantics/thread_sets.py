"""Sets of threads as bits: a thread costs one, whatever it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload


class ThreadSet(Sequence[int]):
    """Threads as bits, ascending."""

    __slots__ = ("_bits", "_quiet")

    def __init__(self, bits: int, quiet: int = 0) -> None:
        self._bits = bits
        self._quiet = quiet

    @property
    def quiet(self) -> ThreadSet:
        """Those of them that have no visible edge in their next step."""
        return ThreadSet(self._quiet, self._quiet)

    def __iter__(self) -> Iterator[int]:
        return members(self._bits)

    def __len__(self) -> int:
        return self._bits.bit_count()

    def __contains__(self, t: object) -> bool:
        return isinstance(t, int) and t >= 0 and bool(self._bits >> t & 1)

    @overload
    def __getitem__(self, k: int) -> int: ...

    @overload
    def __getitem__(self, k: slice) -> tuple[int, ...]: ...

    def __getitem__(self, k: int | slice) -> int | tuple[int, ...]:
        return tuple(self)[k]

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)


_WORD = 256


def members(bits: int) -> Iterator[int]:
    """The numbers of the bits, ascending."""
    for start in range(0, bits.bit_length(), _WORD):
        word = bits >> start & (1 << _WORD) - 1
        while word:
            low = word & -word
            yield start + low.bit_length() - 1
            word ^= low
