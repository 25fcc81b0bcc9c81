"""Classes of threads: the code that they run, and the history of their creation.

A class is named by the class of its creator, the edge that creates it, and, where creations of one
edge are told apart, which of them it is. A chain of creations in which an edge comes back is cut
there: the class is its own ancestor's. `unique`: at most one thread of the class ever exists.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from abpress.ir.program import Program, Template

MOST_CLASSES = 48
"""Beyond, classes are by the creating edge alone."""


@dataclass(frozen=True, slots=True)
class ThreadClass:
    """A class. `site` is the (location, edge) that creates it, in the code of class `parent`.

    `occurrence` is which creation by one thread it is, from 0 on; None stands for any of them.
    `parent` is None for the first thread, and for classes that have creators of several classes.
    """

    number: int
    template: str
    parent: int | None = None
    creator: str = ""
    site: tuple[int, int] = (-1, -1)
    occurrence: int | None = 0

    def __str__(self) -> str:
        which = "" if not self.occurrence else f"#{self.occurrence + 1}"
        return f"{self.template}{which}@{self.number}"


@dataclass(slots=True)
class ThreadClasses:
    """The classes that are known. Mutable: they are found as the analysis goes on.

    `many` are those of which several threads may exist.
    """

    program: Program
    listed: list[ThreadClass] = field(default_factory=list)
    many: set[int] = field(default_factory=set)
    _found: dict[tuple[int | None, str, tuple[int, int], int | None], int] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        if not self.listed:
            self.listed.append(ThreadClass(0, self.program.main))

    def adopt(self, listed: Iterable[ThreadClass], many: Iterable[int]) -> None:
        """Makes the classes those that are given."""
        self.listed = list(listed)
        self.many = set(many)
        self._found = {
            (c.parent, c.creator, c.site, c.occurrence): c.number for c in self.listed[1:]
        }

    def unique(self, number: int) -> bool:
        """Whether at most one thread of the class exists."""
        return number not in self.many

    def template(self, number: int) -> Template:
        """The code of the class."""
        return self.program.templates[self.listed[number].template]

    def of_template(self, name: str) -> list[int]:
        """The classes that run a template."""
        return [c.number for c in self.listed if c.template == name]

    def created(
        self, parent: int, site: tuple[int, int], template: str, occurrence: int | None
    ) -> int:
        """The class of the threads that a class creates at an edge."""
        creator = self.listed[parent].template
        above = self._above(parent, creator, site)
        if above is not None:
            self.many.add(above)
            return above
        maker: int | None = parent
        if len(self.listed) >= MOST_CLASSES:
            maker, occurrence = None, None
        key = (maker, creator, site, occurrence)
        number = self._found.get(key)
        if number is None:
            number = self._found[key] = len(self.listed)
            self.listed.append(ThreadClass(number, template, maker, creator, site, occurrence))
            if maker is None or occurrence is None or maker in self.many:
                self.many.add(number)
        return number

    def _above(self, parent: int, creator: str, site: tuple[int, int]) -> int | None:
        """The ancestor, or the parent itself, that the same edge has created."""
        number: int | None = parent
        while number is not None:
            c = self.listed[number]
            if (c.creator, c.site) == (creator, site):
                return number
            number = c.parent
        return None

    def settle(self) -> None:
        """Makes the classes many whose creators are."""
        for c in self.listed:
            if c.parent in self.many:
                self.many.add(c.number)
