"""Loops that may only wait: a thread can go round in them, and it is as if it had not.

NOTE(useless-rounds) has the argument; searches find out which rounds are such (`search.awaits`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import NamedTuple

from abpress.analysis.fresh_objects import FreshCell, FreshObjects, touched_cell
from abpress.ir.components import components, is_cycle
from abpress.ir.expr import registers
from abpress.ir.program import (
    Alloc,
    Copy,
    Edge,
    Enter,
    Free,
    Leave,
    Load,
    Spawn,
    Store,
    Template,
    effect_operands,
    effect_target,
    goes_on,
)

_WRITING = (Store, Copy, Enter, Leave, Alloc, Free, Spawn)

MOST_OWN = 32
"""Cells of fresh objects that rounds of a loop may write."""


@dataclass(frozen=True, slots=True, eq=False)
class QuietCycles:
    """Cycles of edges that write nothing, but for cells of fresh objects, with all that share a
    location with one of them.

    `remembered`: where a thread has been on them may matter: a round may take more than one step,
    or a thread may read again in one step what it has read in several.
    """

    remembered: bool


class OwnCell(NamedTuple):
    """A cell of a fresh object: a register that holds the object's address, if one is known, and
    the distance from there."""

    register: str | None
    offset: int


@dataclass(frozen=True, slots=True)
class WaitingPlace:
    """A location on quiet cycles, or before some.

    `cycles`: those that it is on. `own`: the cells that their edges write. `alive`: those of them,
    by their numbers, that somebody may read before they are overwritten. `sources`: the locations
    from which one step may read anew all that differs from round to round, write anew what is
    alive, and come here. `source`: it is among those of a location.
    """

    cycles: QuietCycles | None
    own: tuple[OwnCell, ...] = ()
    alive: tuple[int, ...] = ()
    sources: frozenset[int] = frozenset()
    source: bool = False


def waiting_places(
    template: Template, boundaries: AbstractSet[int], live: Sequence[frozenset[str]]
) -> tuple[WaitingPlace | None, ...]:
    """Per location what it has to do with quiet cycles; None where it has nothing to do with any.

    `live` are the registers whose value may still be read.
    """
    return _Waiting(template, boundaries, live).places()


class _Waiting:
    def __init__(
        self, template: Template, boundaries: AbstractSet[int], live: Sequence[frozenset[str]]
    ) -> None:
        self._template = template
        self._boundaries = boundaries
        self._live = live
        self._fresh = FreshObjects(template, live)
        self._before: list[list[int]] = [[] for _ in template.locations]
        for i, location in enumerate(template.locations):
            for edge in location.edges:
                if goes_on(edge):
                    self._before[edge.target].append(i)

    def places(self) -> tuple[WaitingPlace | None, ...]:
        found: list[WaitingPlace | None] = [None] * len(self._template.locations)
        entries: list[tuple[int, tuple[FreshCell, ...]]] = []
        for component, cells, sources in self._components():
            long = len(component & self._boundaries) > 1
            cycles = QuietCycles(remembered=long or bool(sources))
            for i in component:
                own, alive = self._own(i, cells), self._alive(i, cells)
                found[i] = WaitingPlace(cycles, own, alive, sources.get(i, frozenset()))
            entries += ((i, cells) for its in sources.values() for i in its)
        for i, cells in sorted(entries):
            its = found[i] or WaitingPlace(None)
            more = [cell for cell in self._own(i, cells) if cell not in its.own]
            found[i] = replace(its, own=(*its.own, *more)[:MOST_OWN], source=True)
        return tuple(found)

    # -- cycles ---------------------------------------------------------------------------------

    def _components(
        self,
    ) -> Iterator[tuple[frozenset[int], tuple[FreshCell, ...], dict[int, frozenset[int]]]]:
        """The cycles with the cells of fresh objects that their edges write, and the sources.

        Cells are taken for the objects of others if no thread could be compared otherwise.
        """
        shared: set[FreshCell] = set()
        while True:
            found = []
            useless: set[FreshCell] = set()
            graph = {
                i: [e.target for k, e in enumerate(loc.edges) if self._is_quiet(i, k, e, shared)]
                for i, loc in enumerate(self._template.locations)
            }
            for component in components(graph):
                if is_cycle(component, graph):
                    cells = self._written(component)
                    sources = self._sources(component, cells)
                    here = component & self._boundaries
                    compared = sources or not all(self._alive(i, cells) for i in here)
                    if not compared or len(cells) > MOST_OWN:
                        useless |= set(cells)
                    found.append((component, cells, sources))
            if not useless:
                yield from found
                return
            shared |= useless

    def _is_quiet(self, i: int, k: int, edge: Edge, shared: AbstractSet[FreshCell]) -> bool:
        if not goes_on(edge):
            return False
        if not any(isinstance(effect, _WRITING) for effect in edge.effects):
            return True
        return all(
            (cell := touched_cell(effect, fresh)) is not None and cell not in shared
            for effect, fresh in self._fresh.effects(i, k)
            if isinstance(effect, _WRITING)
        )

    def _written(self, component: AbstractSet[int]) -> tuple[FreshCell, ...]:
        found: set[FreshCell] = set()
        for i in component:
            for k, edge in enumerate(self._template.locations[i].edges):
                if goes_on(edge) and edge.target in component:
                    found |= self._stored(i, k)
        return tuple(sorted(found))

    def _stored(self, i: int, k: int) -> frozenset[FreshCell]:
        """The cells of fresh objects that the edge writes."""
        return frozenset(
            cell
            for effect, fresh in self._fresh.effects(i, k)
            if isinstance(effect, Store) and (cell := touched_cell(effect, fresh)) is not None
        )

    def _own(self, i: int, cells: Sequence[FreshCell]) -> tuple[OwnCell, ...]:
        at, live = self._fresh.at(i), self._live[i]
        pointers = {site: sorted(holders.pointers & live) for site, holders in at.items()}
        return tuple(
            OwnCell(next(iter(pointers.get(cell.site, ())), None), cell.offset) for cell in cells
        )

    def _alive(self, i: int, cells: Sequence[FreshCell]) -> tuple[int, ...]:
        return tuple(k for k, cell in enumerate(cells) if i not in self._fresh.dead(cell))

    # -- sources --------------------------------------------------------------------------------

    def _sources(
        self, component: frozenset[int], cells: tuple[FreshCell, ...]
    ) -> dict[int, frozenset[int]]:
        """The sources of boundaries in the component, where there are some."""
        varying = self._varying(component)
        found: dict[int, set[int]] = {}
        for source in self._leading_to(component) if varying else ():
            for target in self._known_anew(source, component, cells, varying):
                found.setdefault(target, set()).add(source)
        return {target: frozenset(its) for target, its in found.items()}

    def _varying(self, component: frozenset[int]) -> frozenset[str]:
        """The registers that edges of the component define, if one of them may still be read at a
        boundary in it; else none."""
        defined: set[str] = set()
        for i in component:
            for edge in self._template.locations[i].edges:
                if goes_on(edge) and edge.target in component:
                    targets = map(effect_target, edge.effects)
                    defined.update(target.name for target in targets if target is not None)
        some = any(not defined.isdisjoint(self._live[i]) for i in component & self._boundaries)
        return frozenset(defined) if some else frozenset()

    def _leading_to(self, component: frozenset[int]) -> list[int]:
        """The boundaries from which a step may lead to a boundary in the component."""
        found: set[int] = set()
        seen: set[int] = set()
        todo = sorted(component & self._boundaries)
        while todo:
            for i in self._before[todo.pop()]:
                if i in self._boundaries:
                    found.add(i)
                elif i not in seen:
                    seen.add(i)
                    todo.append(i)
        return sorted(found)

    def _known_anew(
        self,
        source: int,
        component: frozenset[int],
        cells: tuple[FreshCell, ...],
        varying: frozenset[str],
    ) -> Iterator[int]:
        """The boundaries in the component of which `source` is a source, as far as some path of a
        step says; a search asks what the step does.

        On it a thread reads something, and writes the cells that are alive at its end. What it
        computes of all that varies, and may still be read, does not depend on what has varied
        before, but for what it keeps.
        """
        every = frozenset(self._template.registers)
        first = self._after_a_step(source, cells, every)
        for j in sorted(component & first.keys()):
            seen = first[j]
            alive = {cells[n] for n in self._alive(j, cells)}
            if seen.reads and alive <= seen.written:
                differing = varying - seen.kept
                again = self._after_a_step(source, cells, every - differing)
                if varying & self._live[j] <= again[j].known:
                    yield j

    def _after_a_step(
        self, source: int, cells: tuple[FreshCell, ...], known: frozenset[str]
    ) -> dict[int, _Seen]:
        """What is seen on some path of quiet edges from a source to each boundary."""
        seen = {source: _Seen(known, frozenset(self._template.registers), frozenset(), False)}
        ends: dict[int, _Seen] = {}
        todo = [source]
        while todo:
            i = todo.pop()
            for k, edge in enumerate(self._template.locations[i].edges):
                stored = self._stored(i, k)
                if not self._is_quiet(i, k, edge, frozenset()) or not stored <= {*cells}:
                    continue
                j, after = edge.target, seen[i].after(edge, stored)
                if j in self._boundaries:
                    ends[j] = after.joined(ends.get(j))
                elif after.joined(seen.get(j)) != seen.get(j):
                    seen[j] = after.joined(seen.get(j))
                    todo.append(j)
        return ends


class _Seen(NamedTuple):
    """On the way from a source, on some path: registers that depend alone on those that were known
    there; those that were not defined since; cells that were written; and whether it reads."""

    known: frozenset[str]
    kept: frozenset[str]
    written: frozenset[FreshCell]
    reads: bool

    def after(self, edge: Edge, stored: frozenset[FreshCell]) -> _Seen:
        known, kept, reads = self.known, self.kept, self.reads
        for effect in edge.effects:
            reads |= isinstance(effect, Load)
            target = effect_target(effect)
            if target is not None:
                used = frozenset[str]().union(*map(registers, effect_operands(effect)))
                known = known | {target.name} if used <= known else known - {target.name}
                kept -= {target.name}
        return _Seen(known, kept, self.written | stored, reads)

    def joined(self, other: _Seen | None) -> _Seen:
        if other is None:
            return self
        return _Seen(
            self.known | other.known,
            self.kept | other.kept,
            self.written | other.written,
            self.reads or other.reads,
        )
