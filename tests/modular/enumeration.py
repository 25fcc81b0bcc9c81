"""The states of a program by the definition of the semantics, where every action is a step."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from abpress.ir.program import Edge, Program
from abpress.semantics.reference import Configuration, ReferenceInterpreter
from abpress.semantics.reference_expressions import Unspecified

Place = tuple[str, int, int]
"""Template, location, and index of an edge."""


class Watching(ReferenceInterpreter):
    """Notes the edges at which executions end like that, by the name of what is raised."""

    def __init__(self, program: Program, end: str) -> None:
        super().__init__(program)
        self.ended: set[Place] = set()
        self._watched = end

    def _edge(self, before: Configuration, name: str, edge: Edge) -> list[Configuration]:
        seen, self.lost = self.lost, set()
        found = super()._edge(before, name, edge)
        if self._watched in self.lost:
            thread = before.threads[name]
            assert thread.location is not None
            its = self.program.templates[thread.template].locations[thread.location]
            index = next(k for k, other in enumerate(its.edges) if other is edge)
            self.ended.add((thread.template, thread.location, index))
        self.lost |= seen
        return found


def reached(
    program: Program, most: int, reference: ReferenceInterpreter | None = None
) -> Iterator[Configuration]:
    """States that executions reach, no more than about so many."""
    reference = reference or ReferenceInterpreter(program)
    first = reference.initial()
    seen, todo = {first.key()}, [first]
    while todo and len(seen) < most:
        now = todo.pop()
        yield now
        try:
            for _, after in reference.steps(now):
                key = after.key()
                if key not in seen:
                    seen.add(key)
                    todo.append(after)
        except (Unspecified, NotImplementedError):
            continue


def walked(reference: ReferenceInterpreter, walks: int) -> Iterator[Configuration]:
    """States on so many random executions, the same ones each time."""
    random = Random(walks)
    for _ in range(walks):
        now: Configuration | None = reference.initial()
        while now is not None:
            yield now
            try:
                following = [after for _, after in reference.steps(now)]
            except (Unspecified, NotImplementedError):
                following = []
            now = random.choice(following) if following else None
