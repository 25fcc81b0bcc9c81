"""Places at which no two threads stand at once, and edges that none takes, by what is known of
single threads.

What the sets of states of two places tell of the program is compared as for accesses that may race
(`abpress.modular.pairs`). At most one of the two places may lie in an atomic block: where both
threads would be in one, no state has them. NOTE(held-cells), NOTE(untaken-edges)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from abpress.modular.analysis import Solution
from abpress.modular.spots import status
from abpress.modular.telling import Telling
from abpress.modular.transfer import FINISHED

At = tuple[str, int]
"""Template and location."""


class PlacesApart:
    """What a solution tells of two places. What is asked for often is remembered."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._sets: dict[tuple[int, Telling], int] = {}
        self._listed: list[tuple[int, Telling]] = []
        self._meet: dict[tuple[int, int], bool] = {}
        self._apart: dict[tuple[At, At], bool] = {}
        self._ended: dict[At, frozenset[str]] = {}
        self._taken: dict[tuple[str, int, int], bool] = {}

    def apart(self, first: At, second: At) -> bool:
        """Whether no two different threads stand there at once."""
        key = first, second
        found = self._apart.get(key)
        if found is None:
            found = not any(
                self._may_meet(a, b)
                for a in self._places.get(first, ())
                for b in self._places.get(second, ())
            )
            self._apart[key] = self._apart[second, first] = found
        return found

    def taken(self, template: str, location: int, index: int) -> bool:
        """Whether a thread may take an edge: its guard may hold there."""
        key = template, location, index
        found = self._taken.get(key)
        if found is None:
            edge = self._solution.program.templates[template].locations[location].edges[index]
            known = self._solution.known
            found = self._taken[key] = any(
                self._solution.transfer(cls).may_take(edge, known[cls, location].values())
                for cls in self._solution.classes.of_template(template)
                if (cls, location) in known
            )
        return found

    def ended(self, template: str, location: int) -> frozenset[str]:
        """The templates of one class of one thread that have ended, and whose thread was created,
        when a thread stands there."""
        key = template, location
        found = self._ended.get(key)
        if found is None:
            found = self._ended[key] = frozenset(self._all_ended(key))
        return found

    def _all_ended(self, at: At) -> Iterator[str]:
        classes = self._solution.classes
        sets = [
            known
            for cls in classes.of_template(at[0])
            for known in self._solution.known.get((cls, at[1]), {}).values()
        ]
        for name in self._solution.program.templates:
            its = classes.of_template(name)
            one = len(its) == 1 and classes.unique(its[0])
            if sets and one and all(known.get(status(its[0])) == FINISHED for known in sets):
                yield name

    @cached_property
    def _places(self) -> dict[At, tuple[int, ...]]:
        """What threads that stand at a place tell of the program, by numbers of `_listed`."""
        found: dict[At, dict[int, None]] = {}
        for at, cls, told in self._told():
            number = self._sets.setdefault((cls, told), len(self._sets))
            if number == len(self._listed):
                self._listed.append((cls, told))
            found.setdefault(at, {})[number] = None
        return {at: tuple(numbers) for at, numbers in found.items()}

    def _told(self) -> Iterator[tuple[At, int, Telling]]:
        classes = self._solution.classes
        for (cls, location), parts in self._solution.known.items():
            for known in parts.values():
                yield (
                    (classes.listed[cls].template, location),
                    cls,
                    self._solution.exclusion.telling(cls, known),
                )

    def _may_meet(self, a: int, b: int) -> bool:
        key = (a, b) if a <= b else (b, a)
        found = self._meet.get(key)
        if found is None:
            found = self._meet[key] = self._solution.exclusion.may_meet(
                *self._listed[a], *self._listed[b]
            )
        return found
