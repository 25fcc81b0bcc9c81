"""Where in a program a thread may stand before an access that can race, and with what.

A thread *stands before* the accesses of the next visible edge; where that begins an atomic block,
before all accesses that the block may make. Two of them *conflict* if they share a byte and one
writes. They race unless both are operations that exclude one another (C11 atomics, accesses of
atomic blocks), or one is the library's (`AccessKind`). What is invisible conflicts with nothing
that can happen at the same time. To free an object is to write all of it (C17 7.22.3p2), so that
both orders of a race of it with an access are undefined; other ends of lifetimes are no accesses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from abpress.analysis.points_to import AbstractObject, Function, PointsTo
from abpress.analysis.touching import addresses
from abpress.analysis.visibility import Edges, instances
from abpress.errors import Position
from abpress.ir.paths import reachable
from abpress.ir.program import AccessKind, Edge, Free, Join, Program, Template, edges, goes_on


class Masks(NamedTuple):
    """Cells as bits: which may be accessed at all, written, accessed plainly, written plainly."""

    all: int
    written: int
    plain: int
    plainly_written: int

    def races(self, other: Masks) -> bool:
        """Whether accesses of the one may race with some of the other."""
        return bool(
            self.plainly_written & other.all
            | self.plain & other.written
            | self.written & other.plain
            | self.all & other.plainly_written
        )

    def joined(self, other: Masks) -> Masks:
        """The cells of both."""
        a, b, c, d = other
        return Masks(self.all | a, self.written | b, self.plain | c, self.plainly_written | d)


NOTHING = Masks(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a thread at a location stands before. `block`: it may begin an atomic block there."""

    masks: Masks
    block: bool


def counted(template: Template, location: int, edge: Edge) -> AccessKind:
    """How the accesses of an edge count: PLAIN, SECTION, ATOMIC or LIBRARY."""
    if edge.access is AccessKind.EXPOSED:
        return AccessKind.PLAIN
    inside = template.locations[location].atomic or (
        goes_on(edge) and template.locations[edge.target].atomic
    )
    return AccessKind.SECTION if inside and edge.access is AccessKind.PLAIN else edge.access


_Cells = tuple[AbstractObject, tuple[int, ...] | None]
"""Cells of an object by their offsets; None is all of it."""


@dataclass(frozen=True, slots=True)
class _Access:
    """Cells that a thread at a location may access there."""

    cells: _Cells
    writes: bool
    plain: bool


class Racing:
    """The locations of a program at which a thread may stand before an access that can race.

    `counting` are the edges whose accesses count, by template: the visible ones, or some of them.
    """

    def __init__(
        self, program: Program, points_to: PointsTo, counting: Mapping[str, Edges]
    ) -> None:
        self._program = program
        self._points_to = points_to
        self.counting = counting
        accesses: dict[tuple[str, int], list[_Access]] = {}
        blocks: set[tuple[str, int]] = set()
        for name, template in program.templates.items():
            for i, edge in edges(template):
                begins = goes_on(edge) and template.locations[edge.target].atomic
                if template.locations[i].atomic:
                    continue
                if begins:
                    blocks.add((name, i))
                for at, k, taken in _taken(template, i, edge) if begins else _alone(template, i):
                    if (at, k) in counting[name]:
                        found = self._accesses(template, at, taken)
                        accesses.setdefault((name, i), []).extend(found)
        bits = _numbered(a.cells for of in accesses.values() for a in of)
        count = instances(program)
        standing: dict[tuple[str, int], Masks] = {}
        everything = dict.fromkeys(program.templates, NOTHING)
        for (name, i), of in accesses.items():
            standing[name, i] = _masks(of, bits)
            everything[name] = everything[name].joined(standing[name, i])
        self.at: Mapping[tuple[str, int], Standing] = {
            (name, i): Standing(masks, (name, i) in blocks)
            for (name, i), masks in standing.items()
            if count[name]
            and any(
                masks.races(others)
                for other, others in everything.items()
                if count[other] > (other == name)
            )
        }
        """By template and location: where a thread may stand before an access that can race."""

    def among(self, places: frozenset[tuple[str, int, int]]) -> Racing:
        """The same for accesses of these edges only: template, location, and number there."""
        counting = {
            name: frozenset((i, k) for i, k in its if (name, i, k) in places)
            for name, its in self.counting.items()
        }
        return Racing(self._program, self._points_to, counting)

    def entangled(self) -> Iterator[Position]:
        """Where atomic blocks that may race join a thread; or access memory that they expose after
        other memory, on which that may depend. NOTE(races-in-cuts)."""
        for (name, i), standing in self.at.items():
            template = self._program.templates[name]
            for edge in template.locations[i].edges if standing.block else ():
                if goes_on(edge) and template.locations[edge.target].atomic:
                    yield from self._entangled(template, i, edge)

    def _entangled(self, template: Template, location: int, begins: Edge) -> Iterator[Position]:
        outside = frozenset(i for i, at in enumerate(template.locations) if not at.atomic)
        taken = tuple(_taken(template, location, begins))
        shared = [(i, edge) for i, k, edge in taken if (i, k) in self.counting[template.name]]
        accessing = [edge for _, edge in shared if goes_on(edge) and _touches_memory(edge)]
        later = reachable(template, [edge.target for edge in accessing], outside)
        for i, edge in shared:
            exposed = edge.access is AccessKind.EXPOSED and _touches_memory(edge)
            if (exposed and i in later) or any(isinstance(e, Join) for e in edge.effects):
                yield edge.position

    def _accesses(self, template: Template, location: int, edge: Edge) -> Iterator[_Access]:
        kind = counted(template, location, edge)
        if kind is AccessKind.LIBRARY:
            return
        for effect in edge.effects:
            if isinstance(effect, Free) and effect.automatic:
                continue
            for address, size, writes in addresses(effect):
                for target in self._points_to.targets(template.name, address):
                    if not isinstance(target.object, Function):
                        cells = None if size is None else self._points_to.cells(target, size)
                        yield _Access((target.object, cells), writes, kind is AccessKind.PLAIN)


def _numbered(accessed: Iterable[_Cells]) -> Mapping[_Cells, int]:
    """The bits of cells; those of all of an object include each that somebody accesses."""
    found = dict.fromkeys(accessed)
    bits: dict[AbstractObject, dict[int | None, int]] = {}
    number = 0
    for o, cells in found:
        numbers = bits.setdefault(o, {})
        for cell in (None,) if cells is None else cells:
            if cell not in numbers:
                numbers[cell] = 1 << number
                number += 1
    whole = {o: sum(numbers.values()) for o, numbers in bits.items()}
    return {
        (o, cells): whole[o] if cells is None else sum(bits[o][cell] for cell in set(cells))
        for o, cells in found
    }


def _masks(accesses: Iterable[_Access], bits: Mapping[_Cells, int]) -> Masks:
    masks = [0, 0, 0, 0]
    for access in accesses:
        for k, holds in enumerate((True, access.writes)):
            if holds:
                masks[k] |= bits[access.cells]
                masks[k + 2] |= bits[access.cells] if access.plain else 0
    return Masks(*masks)


def _touches_memory(edge: Edge) -> bool:
    return any(True for effect in edge.effects for _ in addresses(effect))


def _alone(template: Template, location: int) -> Iterator[tuple[int, int, Edge]]:
    """The edges of a location."""
    yield from ((location, k, edge) for k, edge in enumerate(template.locations[location].edges))


def _taken(template: Template, location: int, edge: Edge) -> Iterator[tuple[int, int, Edge]]:
    """The edges that a thread may take in the atomic block that an edge begins."""
    locations = template.locations
    outside = frozenset(i for i, at in enumerate(locations) if not at.atomic)
    yield from _alone(template, location)
    for i in sorted(reachable(template, [edge.target], outside)):
        if locations[i].atomic:
            yield from _alone(template, i)
