"""A step executed along a given path, with given values for what is arbitrary."""

from __future__ import annotations

from collections.abc import Sequence

from abpress.result import Soundness
from abpress.semantics.choices import Chooser, Domain, Given, bits_of
from abpress.semantics.context import Context
from abpress.semantics.naming import ScalarKind
from abpress.semantics.tracing import StepKeyRecorder


class OtherPath(Exception):
    """The step does not take the path, or not with these values."""


class AtLoad(int):
    """A value for what a load (by its number in the step) reads, if that has no value yet."""

    load: int

    def __new__(cls, value: int, load: int) -> AtLoad:
        self = super().__new__(cls, value)
        self.load = load
        return self


class GivenPath(StepKeyRecorder):
    """The edges that a step shall take, compared with those that it takes."""

    def __init__(self, context: Context, thread: int, edges: Sequence[tuple[int, int]]) -> None:
        super().__init__(context, thread)
        self._context = context
        self._edges = edges
        self._passed = 0
        self.loads = 0

    @property
    def next(self) -> int:
        """The index of the edge that is to be taken now."""
        if self._passed >= len(self._edges):
            raise OtherPath
        return self._edges[self._passed][1]

    @property
    def complete(self) -> bool:
        return self._passed == len(self._edges)

    def edge(self, pc: int, edge: int) -> None:
        location = self._context.locate(pc)[1]
        if self._passed >= len(self._edges) or self._edges[self._passed] != (location, edge):
            raise OtherPath
        self._passed += 1

    def read(self, address: int, kind: ScalarKind, value: int | None) -> None:
        super().read(address, kind, value)
        self.loads += 1


class Guide(Chooser):
    """Chooses the edges of a path, and the given values in the order of their use.

    A value `AtLoad` is left out where the load has nothing to choose.
    """

    __slots__ = ("_path", "_values")

    def __init__(self, path: GivenPath, values: Sequence[int]) -> None:
        super().__init__((), Soundness())
        self._path = path
        self._values = list(reversed(values))

    @property
    def complete(self) -> bool:
        """Whether all values were used."""
        return all(isinstance(value, AtLoad) for value in self._values)

    def edge(self, open: Sequence[int]) -> int:
        if self._path.next not in open:
            raise OtherPath
        if len(open) > 1:
            self._take(open.index(self._path.next))
        return self._path.next

    def pick(self, domain: Domain) -> int:
        value = self._value()
        if not domain.contains(value):
            raise OtherPath
        self._take(Given(value))
        return value

    def bit(self, mask: int) -> int:
        bits = bits_of(mask)
        value = self._value() & ((1 << max(mask.bit_length(), 1)) - 1)
        if value not in bits:
            raise OtherPath
        if len(bits) > 1:
            self._take(bits.index(value))
        return value

    def _value(self) -> int:
        while self._values:
            value = self._values.pop()
            if not isinstance(value, AtLoad) or value.load == self._path.loads:
                return int(value)
        raise OtherPath

    def _take(self, choice: int) -> None:
        self.taken.append(choice)
