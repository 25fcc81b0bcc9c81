"""Numbers that are the same in several processes, whichever of them meets a name first.

Forked processes have the same numbers when they begin. From then on there is one list of the names
that are new, kept by somebody, and each process numbers what is on the list in its order. Who is
about to number a name asks for it to be put on the list, and takes in what it did not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from abpress.semantics.context import Context
from abpress.semantics.naming import NewName

Ask = Callable[[int, NewName], Sequence[NewName]]
"""Puts a name on the list, unless it is there; returns the list from this place on."""


class CommonNames:
    """The names of a process, as far as they are on the list. Mutable."""

    def __init__(self, context: Context, ask: Ask) -> None:
        self._context = context
        self._ask = ask
        self._known = 0
        context.share(self._meet)

    def _meet(self, name: NewName) -> None:
        self.take_in(self._known, self._ask(self._known, name))

    def take_in(self, first: int, names: Sequence[NewName]) -> None:
        """Numbers these names; `first` is the place of the first one on the list."""
        for name in names[self._known - first :]:
            self._context.meet(name)
        self._known = max(self._known, first + len(names))


class NameList:
    """The list. Mutable."""

    def __init__(self) -> None:
        self._names: list[NewName] = []
        self._met: set[NewName] = set()

    def __len__(self) -> int:
        return len(self._names)

    def add(self, name: NewName) -> None:
        """Puts a name on the list, unless it is there."""
        if name not in self._met:
            self._met.add(name)
            self._names.append(name)

    def since(self, place: int) -> tuple[NewName, ...]:
        """The names from a place on."""
        return tuple(self._names[place:])
