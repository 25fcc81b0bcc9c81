"""The states of a program by the definition of the semantics, where every action is a step; what a
search says of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from abpress.config import Config
from abpress.ir.program import Edge, Program
from abpress.result import Result, Verdict
from abpress.semantics.reference import Configuration, ReferenceInterpreter
from abpress.semantics.reference_expressions import Unspecified
from abpress.verify.run import verify

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
    program: Program,
    most: int,
    reference: ReferenceInterpreter | None = None,
    left: list[Configuration] | None = None,
) -> Iterator[Configuration]:
    """States that executions reach, no more than about so many. `left` gets those that are not
    looked at, if they are more."""
    reference = reference or ReferenceInterpreter(program)
    first = reference.initial()
    todo = [] if left is None else left
    seen = {first.key()}
    todo.append(first)
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


IN_PART = " (enumerated in part)"
"""Behind what is proved of a program whose states are too many."""


def enumerated(file: Path, property: str, seconds: float, por: str = "none") -> Result:
    """What enumeration says of a property that is proved: that it is not violated, as far as it
    gets in so many seconds."""
    oracle = Config.of(file, property=property, engine="explicit", por=por, time_limit=seconds)
    result = verify(oracle).result
    assert result.verdict is not Verdict.FALSE, f"{property}: {file.read_text()}"
    return result


def told(property: str, other: Result) -> str:
    """That a property is proved, and whether all states were looked at. Where some behaviour is
    undefined executions end."""
    whole = other.verdict is Verdict.TRUE or "undefined" in other.reason
    return f"{property} true{'' if whole else IN_PART}"
