"""What cells hold, as a mapping of which copies share what they have in common.

It is cut into parts. Who changes a cell makes one part anew, as long as another mapping has it as
well; so mappings are copied and compared in the time that their difference takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from functools import lru_cache
from zlib import crc32

from abpress.ir.intervals import Interval

_PARTS = 32

Part = dict[str, Interval]


@lru_cache(maxsize=1 << 16)
def _part_of(cell: str) -> int:
    return crc32(cell.encode()) % _PARTS


class Cells(MutableMapping[str, Interval]):
    """Mutable. The parts that are its `own` no other mapping has."""

    __slots__ = ("_own", "_parts")

    def __init__(self, values: Mapping[str, Interval] | None = None) -> None:
        self._parts: list[Part] = [{} for _ in range(_PARTS)] if values else [_NOTHING] * _PARTS
        self._own = (1 << _PARTS) - 1 if values else 0
        for cell, value in (values or {}).items():
            self._parts[_part_of(cell)][cell] = value

    def copy(self) -> Cells:
        """Another one that says the same."""
        found = Cells()
        found._parts = list(self._parts)
        self._own = 0
        return found

    def __getitem__(self, cell: str) -> Interval:
        return self._parts[_part_of(cell)][cell]

    def __contains__(self, cell: object) -> bool:
        return isinstance(cell, str) and cell in self._parts[_part_of(cell)]

    def __iter__(self) -> Iterator[str]:
        for part in self._parts:
            yield from part

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Cells):
            return self._parts == other._parts
        return isinstance(other, Mapping) and dict(self) == dict(other)

    def __setitem__(self, cell: str, value: Interval) -> None:
        self._changed(cell)[cell] = value

    def __delitem__(self, cell: str) -> None:
        del self._changed(cell)[cell]

    def _changed(self, cell: str) -> Part:
        """The part in which a cell is, to be changed."""
        k = _part_of(cell)
        if not self._own >> k & 1:
            self._parts[k] = dict(self._parts[k])
            self._own |= 1 << k
        return self._parts[k]

    def differing(self, other: Cells) -> Iterator[tuple[str, Interval, Interval | None]]:
        """The cells of this one of which the other one says something else, or nothing, and what
        both say."""
        for mine, its in zip(self._parts, other._parts, strict=True):
            if mine is not its and mine != its:
                for cell, value in mine.items():
                    also = its.get(cell)
                    if also != value:
                        yield cell, value, also


_NOTHING: Part = {}
