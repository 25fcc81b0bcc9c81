"""A proof that no memory is lost, without a search: every allocated object is held all the time.

For each Alloc effect, a forward analysis of its template finds *holders*: registers, cells of local
objects, and cells of static objects that certainly hold the object's address, as long as it is
allocated. It is lost nowhere if

- from the Alloc on there is always a holder that lasts: a register that is live, or a cell of a
  local object of which nobody has the address, until its lifetime or its thread ends;
- until the object is freed through a holder; or until its address is stored in a *last* cell: one
  of a static object that no other effect of the program may write, by a store that is executed once
  at most. From there on that cell holds it for ever, whatever the threads do.

So other threads need not be looked at, but for whether they may write the last cell. The program is
one in which variables that hold pointers are objects (NOTE(lost-is-stable)). Executions are meant
as the semantics defines them: they end at undefined behaviour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import Static
from abpress.analysis.registers import live_after
from abpress.analysis.touching import addresses
from abpress.analysis.visibility import instances
from abpress.ir.expr import Addr, Expr, Reg, named_objects
from abpress.ir.paths import reachable
from abpress.ir.program import (
    Alloc,
    Assign,
    Copy,
    Edge,
    Effect,
    Enter,
    Finish,
    Free,
    Leave,
    Load,
    Program,
    Store,
    Template,
    edges,
    effect_operands,
    effect_target,
    goes_on,
)
from abpress.ir.types import PtrType

Holder = tuple[str, int]
"""A register (its name, -1), or the cell of a local object at an offset."""

Holders = frozenset[Holder] | None
"""What certainly holds the object; None if it is freed, or held for ever."""

_Site = tuple[str, int, int, int]
"""An effect: template, location, edge, and its number there."""


def keeps_track(program: Program) -> bool:
    """Whether the analysis proves that no execution loses memory, in a program that is not cut by
    a bound of the tool; false allows everything."""
    proof = _Kept(program)
    return all(
        proof.is_kept(site)
        for site, effect in _effects(program)
        if isinstance(effect, Alloc) and not effect.automatic
    )


def _effects(program: Program) -> Iterator[tuple[_Site, Effect]]:
    for name, template in program.templates.items():
        for i, location in enumerate(template.locations):
            for k, edge in enumerate(location.edges):
                for n, effect in enumerate(edge.effects):
                    yield (name, i, k, n), effect


class _Kept:
    """The analysis of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        facts = Facts.of(program)
        self._live = facts.live
        self._points_to = facts.points_to
        self._instances = instances(program)
        self._private = {name: private_pointers(t) for name, t in program.templates.items()}
        self._writers: Counter[tuple[str, int]] = Counter()
        for (name, *_), effect in _effects(program):
            for address, size, writes in addresses(effect):
                if writes and not isinstance(effect, Free):
                    self._count(name, address, size)

    def _count(self, template: str, address: Expr, size: int | None) -> None:
        """Counts a writer of static cells."""
        written: set[tuple[str, int]] = set()
        for target in self._points_to.targets(template, address):
            if isinstance(target.object, Static):
                name = target.object.name
                cells = None if size is None else self._points_to.cells(target, size)
                if cells is None:
                    cells = tuple(c.offset for c in self._program.objects[name].layout.cells)
                written.update((name, offset) for offset in cells)
        self._writers.update(written)

    # -- one allocation -------------------------------------------------------------------------

    def is_kept(self, site: _Site) -> bool:
        """Whether the objects that the Alloc effect allocates are never lost."""
        name, location, k, n = site
        template = self._program.templates[name]
        edge = template.locations[location].edges[k]
        alloc = edge.effects[n]
        assert isinstance(alloc, Alloc)
        first = frozenset({(alloc.target.name, -1)})
        found: dict[int, Holders] = {}
        todo: list[int] = []

        def arrive(target: int, holders: Holders) -> None:
            if target not in found:
                found[target] = holders
                todo.append(target)
                return
            old = found[target]
            new = holders if old is None else old if holders is None else old & holders
            if new != old:
                found[target] = new
                todo.append(target)

        if alloc.target.name not in live_after(edge, self._live[name])[n]:
            return False
        ok, after = self._through((name, location, k), edge, first, n + 1)
        if not ok:
            return False
        if goes_on(edge):
            arrive(edge.target, after)
        while todo:
            at = todo.pop()
            for j, edge in enumerate(template.locations[at].edges):
                end = n if (at, j) == (location, k) else len(edge.effects)
                ok, after = self._through((name, at, j), edge, found[at], 0, end)
                if not ok or (end == n and (at, j) == (location, k) and after is not None):
                    return False
                if goes_on(edge) and (at, j) != (location, k):
                    arrive(edge.target, after)
        return True

    def _through(
        self,
        place: tuple[str, int, int],
        edge: Edge,
        holders: Holders,
        begin: int,
        end: int | None = None,
    ) -> tuple[bool, Holders]:
        """Whether there is always a holder during these effects, and the holders after them."""
        live = self._live[place[0]]
        lives = live_after(edge, live)
        for n, effect in list(enumerate(edge.effects))[begin:end]:
            if holders is None:
                return True, None
            holders = self._after((*place, n), effect, holders)
            if holders is not None:
                if isinstance(effect, Finish):
                    return False, holders
                if goes_on(edge) or n + 1 < len(edge.effects):
                    holders = frozenset(h for h in holders if h[1] >= 0 or h[0] in lives[n])
                    if not holders:
                        return False, holders
        if holders is not None and not edge.effects and goes_on(edge):
            holders = frozenset(h for h in holders if h[1] >= 0 or h[0] in live[edge.target])
            if not holders:
                return False, holders
        return True, holders

    def _after(self, site: _Site, effect: Effect, holders: frozenset[Holder]) -> Holders:
        """The holders after an effect, if those before it are these."""
        template = site[0]
        private = self._private[template]
        match effect:
            case Assign(target, Reg(name, PtrType())) if (name, -1) in holders:
                return holders | {(target.name, -1)}
            case Load(target, Addr(name, offset, _)) if (name, offset) in holders and isinstance(
                target.type, PtrType
            ):
                return holders | {(target.name, -1)}
            case Store(Addr(name, offset, _), Reg(value, PtrType())) if (value, -1) in holders:
                if self._is_last(site, name, offset):
                    return None
                cell = frozenset({(name, offset)} if name in private else ())
                return self._without_object(holders, name) | cell
            case Store(Addr(name), _) | Enter(name) | Leave(name) | Copy(Addr(name), _, _):
                return self._without_object(holders, name)
            case Free(Reg(name)) if (name, -1) in holders:
                return None
            case _:
                written = effect_target(effect)
                gone = None if written is None else (written.name, -1)
                return frozenset(h for h in holders if h != gone)

    def _without_object(self, holders: frozenset[Holder], name: str) -> frozenset[Holder]:
        return frozenset(h for h in holders if h[0] != name or h[1] < 0)

    def _is_last(self, site: _Site, name: str, offset: int) -> bool:
        """Whether the store of the site is executed once at most, into a pointer of a static object
        that nothing else writes."""
        template_name, location, k, _ = site
        template = self._program.templates[template_name]
        if name in template.locals or name not in self._program.objects:
            return False
        layout = self._program.objects[name].layout
        index = layout.index.get(offset)
        if index is None or not isinstance(layout.cells[index].type, PtrType):
            return False
        again = reachable(template, [template.locations[location].edges[k].target])
        return (
            self._writers[name, offset] == 1
            and self._instances[template_name] == 1
            and location not in again
        )


def private_pointers(template: Template) -> frozenset[str]:
    """The local pointer variables of which nobody has the address."""
    found = {
        name
        for name, o in template.locals.items()
        if len(o.layout.cells) == 1 and isinstance(o.layout.cells[0].type, PtrType)
    }
    for o in template.locals.values():
        found -= {value.object for value in o.initial if isinstance(value, Addr)}
    for _, edge in edges(template):
        found -= set(named_objects(edge.guard))
        for effect in edge.effects:
            operands = effect_operands(effect)
            if isinstance(effect, Load | Store) and isinstance(effect.address, Addr):
                operands = operands[1:]
            for operand in operands:
                found -= set(named_objects(operand))
    return frozenset(found)
