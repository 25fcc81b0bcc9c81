"""What a thread may still access from a location on, whatever happens: for persistent sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from abpress.ir.program import Edge, Enter, Exit, Fail, Finish, Join, Leave, Load, Program, Spawn
from abpress.ir.types import IntType
from abpress.semantics.flow import reachable
from abpress.semantics.points_to import AbstractObject, Function, Local, PointsTo
from abpress.semantics.sharing import addresses
from abpress.semantics.undefined import undefined_objects

AbstractCell = tuple[AbstractObject, int | None]
"""A cell of an object; the offset is None for any cell of it."""


@dataclass(frozen=True, slots=True)
class Future:
    """An over-approximation of the accesses of a thread from a location on, and of the threads
    that it may still create.

    `ends` says that one of them may end the program (or violate a property), `joins` that one may
    look whether another thread has finished.
    """

    reads: frozenset[AbstractCell]
    writes: frozenset[AbstractCell]
    ends: bool
    joins: bool

    def touches(self, cells: Iterable[AbstractCell], writes: bool) -> bool:
        """Whether one of the accesses may conflict with one to one of the cells."""
        for o, offset in cells:
            for mine in (self.writes, self.reads) if writes else (self.writes,):
                if (o, offset) in mine or (o, None) in mine:
                    return True
                if offset is None and any(other == o for other, _ in mine):
                    return True
        return False


class Futures:
    """The futures of all locations of a program, found when they are asked for."""

    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self._program = program
        self._points_to = points_to
        self._undefined = undefined_objects(program, points_to)
        self._locations: dict[tuple[str, int], Future] = {}
        self._found: dict[tuple[str, int], Future] = {}

    def of(self, template: str, location: int) -> Future:
        """The future of a thread of the template at a location."""
        found = self._found.get((template, location))
        if found is None:
            found = self._found[template, location] = self._join(template, location)
        return found

    def _join(self, template: str, location: int) -> Future:
        starts = [(template, location)]
        templates = {template}
        parts = []
        for name, start in starts:  # grows while the loop runs
            for i in sorted(reachable(self._program.templates[name], [start])):
                parts.append(self._at(name, i))
                for edge in self._program.templates[name].locations[i].edges:
                    for effect in edge.effects:
                        if isinstance(effect, Spawn) and (
                            effect.template not in templates or effect.template == template
                        ):
                            templates.add(effect.template)
                            entry = self._program.templates[effect.template].entry
                            if (effect.template, entry) not in starts:
                                starts.append((effect.template, entry))
        return _union(parts)

    def _at(self, template: str, location: int) -> Future:
        """What the edges of one location access."""
        found = self._locations.get((template, location))
        if found is None:
            edges = self._program.templates[template].locations[location].edges
            found = _union([self._edge(template, edge) for edge in edges])
            self._locations[template, location] = found
        return found

    def _edge(self, template: str, edge: Edge) -> Future:
        reads: set[AbstractCell] = set()
        writes: set[AbstractCell] = set()
        for effect in edge.effects:
            match effect:
                case Enter(o) | Leave(o):
                    writes.add((Local(template, o), None))
                case Finish():
                    locals = self._program.templates[template].locals
                    writes.update((Local(template, o), None) for o in locals)
                case _:
                    pass
            settles = isinstance(effect, Load) and isinstance(effect.target.type, IntType)
            for address, size, writing in addresses(effect):
                for target in self._points_to.targets(template, address):
                    if isinstance(target.object, Function):
                        continue
                    offsets = None if size is None else self._points_to.cells(target, size)
                    cells = [(target.object, k) for k in ((None,) if offsets is None else offsets)]
                    (writes if writing else reads).update(cells)
                    if settles and target.object in self._undefined:
                        writes.update(cells)
        return Future(
            frozenset(reads),
            frozenset(writes),
            any(isinstance(effect, Exit | Fail) for effect in edge.effects),
            any(isinstance(effect, Join) for effect in edge.effects),
        )


def _union(parts: Iterable[Future]) -> Future:
    parts = list(parts)
    return Future(
        frozenset().union(*(p.reads for p in parts)),
        frozenset().union(*(p.writes for p in parts)),
        any(p.ends for p in parts),
        any(p.joins for p in parts),
    )
