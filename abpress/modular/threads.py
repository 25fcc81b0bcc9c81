"""Which threads there are when: templates with one thread, and where a thread is alone."""

from __future__ import annotations

from functools import cached_property

from abpress.ir.paths import comes_again, reachable
from abpress.ir.program import Effect, Program, Spawn, edges, goes_on


class SoleThreads:
    """What the text of a program tells of its threads. What is asked for often is remembered."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._spawns = [
            (name, i, effect)
            for name, template in program.templates.items()
            for i, edge in edges(template)
            for effect in edge.effects
            if isinstance(effect, Spawn)
        ]

    @cached_property
    def single(self) -> frozenset[str]:
        """The templates of which there is one thread at most: the first one's, and what one such
        thread creates in one place that it passes once."""
        main = self._program.main
        found = {main} if all(s.template != main for _, _, s in self._spawns) else set()
        grown = True
        while grown:
            grown = False
            for name in self._program.templates.keys() - found:
                where = [(t, i) for t, i, s in self._spawns if s.template == name]
                if len(where) == 1 and where[0][0] in found and not self.again(*where[0]):
                    found.add(name)
                    grown = True
        return frozenset(found)

    @property
    def creates_many(self) -> bool:
        """Whether threads are created in a loop."""
        return any(self.again(template, location) for template, location, _ in self._spawns)

    def again(self, template: str, location: int) -> bool:
        """Whether a thread may come to a location twice."""
        return comes_again(self._program.templates[template], location)

    @cached_property
    def alone(self) -> frozenset[int]:
        """The locations of the first thread at which no other thread has been created."""
        main = self._program.templates[self._program.main]
        if main.name not in self.single:
            return frozenset()
        behind = [e.target for _, e in edges(main) if goes_on(e) and spawns(e.effects)]
        return reachable(main, [main.entry]) - reachable(main, behind)

    def is_alone(self, template: str, location: int) -> bool:
        """Whether no other thread has been created while one is there."""
        return template == self._program.main and location in self.alone

    def undisturbed(self, template: str, location: int) -> bool:
        """Whether no other thread moves while one is there."""
        if self._program.templates[template].locations[location].atomic:
            return True
        return self.is_alone(template, location)


def spawns(effects: tuple[Effect, ...]) -> bool:
    """Whether effects create a thread."""
    return any(isinstance(effect, Spawn) for effect in effects)
