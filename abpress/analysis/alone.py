"""Where `main` is the only thread: before it creates one, and where it has joined all of them.

NOTE(before-spawn), NOTE(after-join). Only threads that `main` creates, each at one place that is
executed once at most, are known to be joined. Which one a join is of is known from the register or
cell in which its id has been since it was created.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from abpress.analysis.points_to import AbstractObject, Heap, PointsTo
from abpress.analysis.registers import TID
from abpress.analysis.touching import Touched, Touching
from abpress.ir.expr import Compare, Expr, Reg
from abpress.ir.paths import reachable
from abpress.ir.program import (
    Assign,
    Copy,
    Edge,
    Effect,
    Enter,
    Free,
    Join,
    Leave,
    Load,
    Program,
    Spawn,
    Store,
    Template,
    edges,
    effect_target,
    goes_on,
)
from abpress.ir.types import Scalar

_Site = tuple[int, int]
"""Where `main` creates a thread: location, number of the edge."""

_Cell = tuple[AbstractObject, int]
"""A cell, as object and offset."""

_Holder = str | _Cell
"""Where an id is: a register or a cell."""


_WRITING = (Store, Copy, Enter, Leave, Free)


@dataclass(frozen=True, slots=True)
class _Threads:
    """What is known of threads at a location: which may be `unjoined`, and where ids are."""

    unjoined: frozenset[_Site]
    ids: Mapping[_Holder, _Site]

    def joined(self, other: _Threads) -> _Threads:
        """What is known if either is so."""
        ids = {h: site for h, site in self.ids.items() if other.ids.get(h) == site}
        return _Threads(self.unjoined | other.unjoined, ids)


def alone(program: Program, points_to: PointsTo, touching: Touching) -> frozenset[int]:
    """The locations of `main` at which no other thread exists that has not finished.

    Precondition: one thread at most runs `main`.
    """
    template = program.templates[program.main]
    places = range(len(template.locations))
    created = [site for site, edge in _numbered(template) if _spawns(edge)]
    behind = reachable(template, [template.locations[i].edges[k].target for i, k in created])
    before = frozenset(places) - behind
    others = [t for t in program.templates.values() if t is not template]
    if any(_spawns(edge) for t in others for _, edge in edges(t)):
        return before
    own = _Own(program, points_to, touching)
    known = own.threads()
    return before | {i for i in places if i in known and not known[i].unjoined}


def _numbered(template: Template) -> Iterator[tuple[_Site, Edge]]:
    for i, location in enumerate(template.locations):
        for k, edge in enumerate(location.edges):
            yield (i, k), edge


def _spawns(edge: Edge) -> bool:
    return any(isinstance(effect, Spawn) for effect in edge.effects)


class _Own:
    """What `main` knows of its threads."""

    def __init__(self, program: Program, points_to: PointsTo, touching: Touching) -> None:
        self._template = program.templates[program.main]
        self._id = program.thread_id
        self._points_to = points_to
        self._touching = touching
        others = (t for t in program.templates.values() if t is not self._template)
        self._shared = {t.object for o in others for _, e in edges(o) for t in self._touched(o, e)}

    def _touched(self, template: Template, edge: Edge) -> Iterator[Touched]:
        return self._touching.touched(template.name, edge)

    def threads(self) -> dict[int, _Threads]:
        """What is known at the locations that are reached."""
        template = self._template
        known = {template.entry: _Threads(frozenset(), {})}
        todo = deque([template.entry])
        while todo:
            i = todo.popleft()
            for k, edge in enumerate(template.locations[i].edges):
                if not goes_on(edge) or _is_own_id(edge.guard, known[i].ids):
                    continue
                after = self._after(edge, (i, k), known[i])
                before = known.get(edge.target)
                now = after if before is None else before.joined(after)
                if now != before:
                    known[edge.target] = now
                    todo.append(edge.target)
        return known

    def _after(self, edge: Edge, site: _Site, before: _Threads) -> _Threads:
        unjoined, ids = set(before.unjoined), dict(before.ids)
        several = sum(isinstance(effect, _WRITING) for effect in edge.effects) > 1
        for touched in self._touched(self._template, edge):
            if touched.writes:
                for holder in [h for h in ids if isinstance(h, tuple) and h[0] == touched.object]:
                    del ids[holder]
        for effect in edge.effects:
            if isinstance(effect, Join) and isinstance(effect.thread, Reg):
                its = ids.get(effect.thread.name)
                if its is not None and self._is_once(its):
                    unjoined.discard(its)
            held = self._held(effect, ids)
            if isinstance(effect, Spawn):
                unjoined.add(site)
                held = site
            to = self._holder(effect)
            if to is not None:
                ids.pop(to, None)
                if held is not None and not (isinstance(effect, Store) and several):
                    ids[to] = held
        return _Threads(frozenset(unjoined), ids)

    def _held(self, effect: Effect, ids: Mapping[_Holder, _Site]) -> _Site | None:
        """The thread whose id an effect copies."""
        match effect:
            case Assign(_, Reg(name)) | Store(_, Reg(name)):
                return ids.get(name)
            case Load(_, address):
                cell = self._cell(address, effect.target.type)
                return None if cell is None else ids.get(cell)
            case _:
                return None

    def _holder(self, effect: Effect) -> _Holder | None:
        """Where an effect puts a value."""
        if isinstance(effect, Store):
            return self._cell(effect.address, effect.value.type)
        target = effect_target(effect)
        return None if target is None else target.name

    def _cell(self, address: Expr, type: Scalar) -> _Cell | None:
        """The only cell that an address of an id may be of, if nobody else touches its object."""
        targets = self._points_to.targets(self._template.name, address)
        if type != self._id or len(targets) != 1 or isinstance(targets[0].object, Heap):
            return None
        cells = self._points_to.cells(targets[0], type.size)
        if targets[0].object in self._shared or cells is None or len(cells) != 1:
            return None
        return targets[0].object, cells[0]

    def _is_once(self, site: _Site) -> bool:
        """Whether a place at which a thread is created is executed once at most."""
        i, k = site
        target = self._template.locations[i].edges[k].target
        return i not in reachable(self._template, [target])


def _is_own_id(guard: Expr, ids: Mapping[_Holder, _Site]) -> bool:
    """Whether a guard says that the id of a thread that main has created is its own one."""
    match guard:
        case Compare("==", Reg(a), Reg(b)):
            return (a == TID and b in ids) or (b == TID and a in ids)
        case _:
            return False
