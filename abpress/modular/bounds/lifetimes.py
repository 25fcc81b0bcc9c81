"""Whether objects may have ended where a thread stands: what was allocated, and local objects of
the first thread. NOTE(lifetimes)"""

from __future__ import annotations

from functools import cached_property

from abpress.analysis.points_to import AbstractObject, Heap, PointsTo
from abpress.ir.paths import reachable
from abpress.ir.program import Alloc, Finish, Free, Leave, Program, edges, goes_on
from abpress.modular.apart import At, PlacesApart
from abpress.modular.threads import SoleThreads


class EndsOfLife:
    """Where the lifetimes of objects end. What is asked for often is remembered."""

    def __init__(
        self,
        program: Program,
        points_to: PointsTo,
        threads: SoleThreads,
        apart: PlacesApart | None,
    ) -> None:
        self._program = program
        self._points_to = points_to
        self._threads = threads
        self._together = apart
        self._live: dict[tuple[Heap, At], bool] = {}
        self._behind: dict[At, frozenset[int]] = {}

    def live(self, site: Heap, at: At) -> bool:
        """Whether what a place allocates, and a thread has a pointer to that stands there, has not
        been freed."""
        key = site, at
        found = self._live.get(key)
        if found is None:
            found = all(self._before(free, at) for free in self._frees.get(site, ()))
            if self._is_automatic(site):  # it ends with its thread, too
                found &= at[0] == site.template and at[0] in self._threads.single
            self._live[key] = found
        return found

    def stays(self, template: str, name: str, at: At) -> bool:
        """Whether a local object of the first thread, to which another thread has a pointer that
        stands there, still lives; of other threads that is not known."""
        if template != self._program.main or template not in self._threads.single:
            return False
        its = self._program.templates[template]
        if self._finishes(template, frozenset(range(len(its.locations)))):
            return False
        left = {
            i
            for i, edge in edges(its)
            for x in edge.effects
            if isinstance(x, Leave) and x.object == name
        }
        return all(self._before((template, i), at) for i in left)

    def _before(self, free: At, at: At) -> bool:
        """Whether no effect of a place has freed anything while a thread stands at the other."""
        if free[0] not in self._threads.single:
            return False
        behind = self._reached(free)
        if free[0] == at[0]:
            return at[1] not in behind and (at != free or self._is_last(free))
        if self._together is None or self._finishes(free[0], behind | {free[1]}):
            return False
        return all(self._together.apart(at, (free[0], i)) for i in behind)

    def _reached(self, free: At) -> frozenset[int]:
        """Where a thread may be that has freed something at a place."""
        found = self._behind.get(free)
        if found is None:
            template = self._program.templates[free[0]]
            targets = [e.target for e in template.locations[free[1]].edges if goes_on(e)]
            found = self._behind[free] = reachable(template, targets)
        return found

    def _finishes(self, name: str, behind: frozenset[int]) -> bool:
        """Whether the thread may end from there while the program goes on."""
        return any(
            isinstance(effect, Finish)
            for i in behind
            for edge in self._program.templates[name].locations[i].edges
            for effect in edge.effects
        )

    def _is_last(self, free: At) -> bool:
        """Whether an edge does nothing behind what it frees."""
        location = self._program.templates[free[0]].locations[free[1]]
        return not any(isinstance(x, Free) for edge in location.edges for x in edge.effects[:-1])

    def _is_automatic(self, site: Heap) -> bool:
        location = self._program.templates[site.template].locations[site.location]
        effect = location.edges[site.edge].effects[site.effect]
        return isinstance(effect, Alloc) and effect.automatic

    @cached_property
    def _frees(self) -> dict[AbstractObject, tuple[At, ...]]:
        """Per object, the places at which threads may be about to free it."""
        found: dict[AbstractObject, dict[At, None]] = {}
        for name, template in self._program.templates.items():
            for i, edge in edges(template):
                for effect in edge.effects:
                    if isinstance(effect, Free):
                        for target in self._points_to.targets(name, effect.address):
                            found.setdefault(target.object, {})[name, i] = None
        return {o: tuple(places) for o, places in found.items()}
