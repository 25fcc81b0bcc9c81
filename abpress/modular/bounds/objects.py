"""The objects of a program, as proofs of accesses name them: their layouts, and when they live.

Accesses stay in the objects that their addresses are made for, as `abpress.analysis.points_to`
says.
"""

from __future__ import annotations

from functools import cached_property

from abpress.analysis.points_to import AbstractObject, Heap, Local, PointsTo, Static, name_of
from abpress.ir.expr import Addr, FuncAddr
from abpress.ir.program import Alloc, Enter, Leave, Program, Template, edges, goes_on
from abpress.ir.types import Layout
from abpress.modular.apart import PlacesApart
from abpress.modular.bounds.lifetimes import EndsOfLife
from abpress.modular.bounds.members import FRESH, of_place
from abpress.modular.bounds.places import Place, routine
from abpress.modular.threads import SoleThreads


class AccessObjects:
    """The objects, by their names. What is asked for often is remembered.

    `apart` are the places at which no two threads stand at once, as far as that is known.
    """

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
        self.named: dict[str, AbstractObject] = {name_of(o): o for o in points_to.objects}

    def layout(self, object: str) -> Layout | None:
        """How an object, or one of its elements if it is on the heap, looks; None if it has no
        bytes."""
        match self.named.get(of_place(object)):
            case Static(name):
                return self._program.objects[name].layout
            case Local(template, name):
                return self._program.templates[template].locals[name].layout
            case Heap() as site:
                return self._alloc(site).element
            case _:
                return None

    def on_heap(self, object: str) -> bool:
        """Whether the object is one that is allocated."""
        return isinstance(self.named.get(of_place(object)), Heap)

    def in_words(self, object: str) -> str:
        """What an object is, for people: what is allocated is told by its place."""
        match self.named.get(of_place(object)):
            case Local(template, name):
                return f"{name} of {template}"
            case Heap(template, location, edge, _):
                at = self._program.templates[template].locations[location].edges[edge].position
                return f"what is allocated at {at.origin}"
            case _:
                return object

    def _alloc(self, site: Heap) -> Alloc:
        template = self._program.templates[site.template]
        effect = template.locations[site.location].edges[site.edge].effects[site.effect]
        assert isinstance(effect, Alloc)
        return effect

    def begins_set(self, object: str) -> bool:
        """Whether all that an object holds has a value from where it begins."""
        match self.named.get(object):
            case Static():
                return True
            case Heap() as site:
                return self._alloc(site).zeroed
            case _:
                return False

    def is_readonly(self, object: str) -> bool:
        """Whether nobody may write the object."""
        o = self.named.get(of_place(object))
        return isinstance(o, Static) and self._program.objects[o.name].readonly

    def address(self, template: str, location: int, e: Addr | FuncAddr) -> Place | None:
        """Where a constant address points for a thread that stands there; None if the object does
        not live then."""
        if isinstance(e, FuncAddr):
            return routine(e)
        if e.object not in self._program.templates[template].locals:
            return e.object, e.offset, e.offset
        if e.object not in self._entered[template].get(location, frozenset()):
            return None
        return name_of(Local(template, e.object)), e.offset, e.offset

    def lives(self, template: str, location: int, object: str) -> bool:
        """Whether an object lives, to which a thread has a pointer that stands there.

        A pointer to a local object that other threads know points to that of the only thread of
        its template.
        """
        match self.named.get(of_place(object)):
            case Static():
                return True
            case Heap() as site:
                return self._ends.live(site, (template, location))
            case Local(its, name):
                if its == template:
                    left = self._left.get((template, location), frozenset())
                    entered = self._entered[template].get(location, frozenset())
                    return name in entered and name not in left
                return self._ends.stays(its, name, (template, location))
            case _:
                return False

    def may_be_told(self, object: str) -> bool:
        """Whether there is one object of the name at most, or any of them lives as long."""
        o = self.named.get(object)
        told = not isinstance(o, Local) or o.template in self._threads.single
        return told and not object.endswith(FRESH)

    @cached_property
    def _ends(self) -> EndsOfLife:
        return EndsOfLife(self._program, self._points_to, self._threads, self._together)

    @cached_property
    def _left(self) -> dict[tuple[str, int], frozenset[str]]:
        """The local objects that an edge of a location ends before other effects of its."""
        found: dict[tuple[str, int], frozenset[str]] = {}
        for name, template in self._program.templates.items():
            for i, edge in edges(template):
                for effect in edge.effects[:-1]:
                    if isinstance(effect, Leave):
                        at = name, i
                        found[at] = found.get(at, frozenset()) | {effect.object}
        return found

    @cached_property
    def _entered(self) -> dict[str, dict[int, frozenset[str]]]:
        """Per template and location, the local objects that live there on all paths."""
        return {name: _entered(t) for name, t in self._program.templates.items()}


def _entered(template: Template) -> dict[int, frozenset[str]]:
    every = frozenset(template.locals)
    found: dict[int, frozenset[str]] = {template.entry: frozenset()}
    todo = [template.entry]
    while todo:
        i = todo.pop()
        for edge in template.locations[i].edges:
            now = found[i]
            for effect in edge.effects:
                if isinstance(effect, Enter):
                    now |= {effect.object}
                elif isinstance(effect, Leave):
                    now -= {effect.object}
            if not goes_on(edge):
                continue
            new = found.get(edge.target, every) & now
            if new != found.get(edge.target):
                found[edge.target] = new
                todo.append(edge.target)
    return found
