"""The visible edges: another thread can see or influence what they do.

An edge is *invisible* if, in every reachable state, it commutes with every action of every other
thread and neither enables nor disables one. These edges are visible in any case: Spawn, Join,
Finish, Exit and Fail effects, NOTE(exits-are-steps), and the edges that begin an atomic block,
NOTE(atomic-blocks). Of the others, those are visible that access a cell which another thread may
write, or write one which another thread may access, or whose address is not known to point
anywhere.

Who may access a cell is over-approximated by templates and how often each is instantiated, with
`abpress.analysis.points_to`:

- An *instance* of a template accesses what its edges touch (`abpress.analysis.touching`).
- A local or heap object *escapes* if another thread than the one that created it may come to hold
  its address. Addresses go from thread to thread through static objects, escaped objects, Spawn
  arguments and Finish results only. What does not escape is accessed by its creator only, although
  one name stands for the objects of all instances of the template.
- A read is dependent on writes only: what no other thread writes (it may be this one that does) is
  read invisibly.

NOTE(before-spawn), NOTE(after-join): accesses of `main` at locations where no other thread exists
(none is created yet, or `main` has joined all of them; see `abpress.analysis.alone`) are invisible,
and do not count as accesses of `main` to the others. There is one instance of `main`, else the rule
is not used. In such a state {main} is all threads there are: the provisos of S-POR hold trivially,
and no step is cut differently for another thread, because Spawn and Join are visible and begin a
step of their own. And those accesses happen before, or after, everything that another thread does,
so no interleaving reverses them: to the other threads they are like initial values, or not there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from abpress.analysis.alone import alone
from abpress.analysis.points_to import AbstractObject, Function, Heap, Local, PointsTo, Static
from abpress.analysis.touching import Touched, Touching, addresses
from abpress.ir.paths import reachable
from abpress.ir.program import (
    Edge,
    Effect,
    Exit,
    Fail,
    Finish,
    Join,
    Program,
    Spawn,
    Template,
    edges,
    goes_on,
)

_VISIBLE = (Spawn, Join, Finish, Exit, Fail)

_Site = tuple[str, int, int]
"""Where a Spawn is: template, location, index of the edge."""


Edges = frozenset[tuple[int, int]]
"""Edges of a template, as (location, index of the edge)."""


def visible_edges(program: Program, points_to: PointsTo, touching: Touching) -> dict[str, Edges]:
    """Per template, the visible edges."""
    sharing = _Sharing(program, points_to, touching)
    return {
        name: frozenset(
            (i, k)
            for i, location in enumerate(template.locations)
            for k, edge in enumerate(location.edges)
            if _begins_atomic(template, i, edge) or sharing.visible(name, i, edge)
        )
        for name, template in program.templates.items()
    }


def instances(program: Program) -> dict[str, int]:
    """Per template, how many threads of it one execution may have: 0, 1, or 2 for many.

    A template has one if one Spawn at most can be executed, at most once: all that name it are in
    one template, which has one instance, and none leads to another or back to itself.
    """
    sites: dict[str, list[_Site]] = {name: [] for name in program.templates}
    for creator, template in program.templates.items():
        for i, location in enumerate(template.locations):
            for k, edge in enumerate(location.edges):
                for effect in edge.effects:
                    if isinstance(effect, Spawn):
                        sites[effect.template].append((creator, i, k))
    once = {name for name, places in sites.items() if _exclusive(program, places)}
    count = dict.fromkeys(program.templates, 0)
    count[program.main] = 1
    todo = [program.main]
    while todo:
        creator = todo.pop()
        for name, places in sites.items():
            if not any(place[0] == creator for place in places):
                continue
            many = count[creator] > 1 or name not in once or name == program.main
            now = 2 if many else max(count[name], 1)
            if now != count[name]:
                count[name] = now
                todo.append(name)
    return count


def _exclusive(program: Program, places: list[_Site]) -> bool:
    """Whether a run of one template executes at most one of the Spawns, at most once."""
    if len({creator for creator, _, _ in places}) != 1 or len(set(places)) != len(places):
        return False
    template = program.templates[places[0][0]]
    again = reachable(template, [template.locations[i].edges[k].target for _, i, k in places])
    return not any(i in again for _, i, _ in places)


def _begins_atomic(template: Template, location: int, edge: Edge) -> bool:
    locations = template.locations
    return goes_on(edge) and not locations[location].atomic and locations[edge.target].atomic


@dataclass(slots=True)
class _Users:
    """The templates that may read and write a cell (mutable)."""

    readers: dict[str, None] = field(default_factory=dict)
    writers: dict[str, None] = field(default_factory=dict)


class _Sharing:
    """Who accesses what in a program."""

    def __init__(self, program: Program, points_to: PointsTo, touching: Touching) -> None:
        self._points_to = points_to
        self._instances = instances(program)
        one_main = self._instances[program.main] == 1
        self._alone = alone(program, points_to, touching) if one_main else frozenset()
        self._main = program.main
        self._escaped = self._escaping(program)
        self._touching = touching
        self._users: dict[AbstractObject, dict[int | None, _Users]] = {}
        for name, template in program.templates.items():
            for i, edge in edges(template):
                if self._concurrent(name, i):
                    for access in self._touching.touched(name, edge):
                        self._enter(name, access)

    def visible(self, template: str, location: int, edge: Edge) -> bool:
        """Whether an effect of the edge is visible."""
        if any(isinstance(effect, _VISIBLE) for effect in edge.effects):
            return True
        if template == self._main and location in self._alone:
            return False
        return any(self._dangling(template, effect) for effect in edge.effects) or any(
            self._contended(template, access) for access in self._touching.touched(template, edge)
        )

    # -- accesses -------------------------------------------------------------------------------

    def _concurrent(self, template: str, location: int) -> bool:
        """Whether the template's accesses at the location can be concurrent with anything."""
        if template == self._main and location in self._alone:
            return False
        return self._instances[template] > 0

    def _dangling(self, template: str, effect: Effect) -> bool:
        """Whether an address of the effect points to no cell that is known."""
        for address, size, _ in addresses(effect):
            targets = self._points_to.targets(template, address)
            if size is None:
                if all(isinstance(target.object, Function) for target in targets):
                    return True
            elif all(self._points_to.cells(target, size) == () for target in targets):
                return True
        return False

    def _enter(self, template: str, access: Touched) -> None:
        users = self._users.setdefault(access.object, {})
        for cell in (None,) if access.cells is None else access.cells:
            of = users.setdefault(cell, _Users())
            (of.writers if access.writes else of.readers)[template] = None

    def _contended(self, template: str, access: Touched) -> bool:
        """Whether an access of another thread may conflict with this one."""
        o = access.object
        if isinstance(o, (Local, Heap)) and o not in self._escaped:
            return False
        users = self._users.get(o, {})
        cells = users if access.cells is None else (*access.cells, None)
        for cell in cells:
            of = users.get(cell)
            if of is None:
                continue
            for other in (*of.writers, *of.readers) if access.writes else of.writers:
                if other != template or self._instances[other] > 1:
                    return True
        return False

    # -- escape ---------------------------------------------------------------------------------

    def _escaping(self, program: Program) -> set[AbstractObject]:
        """The objects that a thread may reach that has not created them, and the static ones."""
        found: dict[AbstractObject, None] = {Static(name): None for name in program.objects}
        for name, template in program.templates.items():
            for _, edge in edges(template):
                for effect in edge.effects:
                    match effect:
                        case Spawn(argument=e) | Finish(e):
                            targets = self._points_to.targets(name, e)
                            found.update((target.object, None) for target in targets)
                        case _:
                            pass
        todo = list(found)
        while todo:
            for o in self._points_to.content(todo.pop()):
                if o not in found:
                    found[o] = None
                    todo.append(o)
        return set(found)
