"""Which cells a thread may rely on while others move; the analysis and the checker share it.

A cell is *kept* by a thread that stands somewhere if no other thread can stand before a write of it
meanwhile: what the thread knows of it stays true. It is *hidden* if no other thread can stand
before a read of it, either: then what is written need not be told yet. NOTE(held-cells),
NOTE(hidden-cells)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from abpress.analysis.points_to import Heap
from abpress.ir.components import components
from abpress.ir.program import Alloc, Effect, Enter, Load, Program, Store, edges, goes_on
from abpress.modular.apart import At, PlacesApart
from abpress.modular.numbers.memory import NumericMemory
from abpress.modular.threads import SoleThreads


class NumericHolding:
    """What holds of the cells of a program. What is asked for often is remembered.

    `apart` are the places at which no two threads stand at once, as far as that is known.
    """

    def __init__(
        self, program: Program, memory: NumericMemory, apart: PlacesApart | None = None
    ) -> None:
        self.program = program
        self.memory = memory
        self.threads = SoleThreads(program)
        self._together = apart
        self._alone: dict[tuple[str, int, str, bool], bool] = {}

    def taken(self, template: str, location: int, index: int) -> bool:
        """Whether a thread may take an edge, by what is known of single threads."""
        return self._together is None or self._together.taken(template, location, index)

    def undisturbed(self, template: str, location: int) -> bool:
        """Whether no other thread moves while one is there."""
        return self.threads.undisturbed(template, location)

    def keeps(self, template: str, location: int, cell: str) -> bool:
        """Whether no other thread can write the cell while one is there."""
        if self.hides(template, location, cell) or cell in self.kept[template]:
            return True
        return cell in self.memory.exact and self._is_apart(template, location, cell, True)

    def unwritten(self, template: str, location: int, cell: str) -> bool:
        """Whether no other thread can write any of the scalars that a cell stands for while one is
        there."""
        if self.undisturbed(template, location):
            return True
        return self._is_apart(template, location, cell, True)

    def hides(self, template: str, location: int, cell: str) -> bool:
        """Whether no other thread can access the cell while one is there."""
        if cell in self.memory.own[template] or self.undisturbed(template, location):
            return True
        return cell in self.memory.exact and self._is_apart(template, location, cell, False)

    def held(
        self, template: str, location: int | None, cells: Iterable[str]
    ) -> Iterator[tuple[str, bool, bool]]:
        """Cells, each with whether it is hidden and whether it is kept where a thread comes to;
        none is if it comes nowhere."""
        alone = location is not None and self.undisturbed(template, location)
        if location is None or alone:
            yield from ((cell, alone, alone) for cell in cells)
            return
        mine, kept = self.memory.own[template], self.kept[template]
        for cell in cells:
            told = self._together is not None and cell in self.memory.exact
            hidden = cell in mine or (told and self._is_apart(template, location, cell, False))
            if hidden or cell in kept:
                yield cell, hidden, True
            else:
                yield cell, False, told and self._is_apart(template, location, cell, True)

    def is_past(self, template: str, location: int, cell: str) -> bool:
        """Whether a thread of the template accesses the cell no more from a location on."""
        places, last = self._last_accesses[template]
        return places.get(location, 0) > last.get(cell, -1)

    @cached_property
    def _last_accesses(self) -> dict[str, tuple[dict[int, int], dict[str, int]]]:
        """Per template the places of the locations, so that no path leads to earlier ones, and the
        last ones at which a cell may be accessed."""
        found: dict[str, tuple[dict[int, int], dict[str, int]]] = {}
        for name, template in self.program.templates.items():
            graph = {
                i: [e.target for e in location.edges if goes_on(e)]
                for i, location in enumerate(template.locations)
            }
            ordered = reversed(list(components(graph)))
            found[name] = {i: k for k, part in enumerate(ordered) for i in part}, {}
        for cell, places in self.accesses.items():
            for name, location in places:
                where, last = found[name]
                last[cell] = max(where[location], last.get(cell, -1))
        return found

    def prepares(self, template: str, location: int, cell: str) -> bool:
        """Whether the first thread is alone there, and the cell one scalar: what it writes does not
        count before others may see it. NOTE(growth)"""
        return cell in self.memory.exact and self.threads.is_alone(template, location)

    def is_revealed(self, template: str, location: int, target: int | None) -> bool:
        """Whether what the first thread has prepared counts from an edge on, which leads to another
        location, or to the thread's end."""
        alone = self.threads.is_alone
        return alone(template, location) and (target is None or not alone(template, target))

    def _is_apart(self, template: str, location: int, cell: str, writes: bool) -> bool:
        """Whether no other thread can stand before an access to the cell, or a write of it."""
        together = self._together
        if together is None:
            return False
        key = template, location, cell, writes
        found = self._alone.get(key)
        if found is None:
            places = (self.writers if writes else self.accesses).get(cell, ())
            found = all(together.apart((template, location), place) for place in places)
            self._alone[key] = found
        return found

    @cached_property
    def writers(self) -> dict[str, tuple[At, ...]]:
        """The places at which threads may be about to write a cell."""
        found: dict[str, dict[At, None]] = {}
        for cell, template, location in self._writes():
            found.setdefault(cell, {})[template, location] = None
        return {cell: tuple(places) for cell, places in found.items()}

    @cached_property
    def accesses(self) -> dict[str, tuple[At, ...]]:
        """The places at which threads may be about to read or write a cell."""
        found = {cell: dict.fromkeys(places) for cell, places in self.writers.items()}
        for name, template in self.program.templates.items():
            for i, edge in edges(template):
                for effect in edge.effects:
                    if isinstance(effect, Load):
                        size = effect.target.type.size
                        for cell in self.memory.access(name, effect.address, size).cells:
                            found.setdefault(cell, {})[name, i] = None
        return {cell: tuple(places) for cell, places in found.items()}

    @cached_property
    def kept(self) -> dict[str, frozenset[str]]:
        """Per template, the cells that, once there are several threads, only its thread writes, or
        none: each is one scalar."""
        found: dict[str, frozenset[str]] = {}
        for name in self.program.templates:
            mine = {name} & self.threads.single
            found[name] = frozenset(cell for cell, its in self._writers.items() if its <= mine)
        return found

    @cached_property
    def constant(self) -> frozenset[str]:
        """The kept cells that no thread writes once there are several."""
        return frozenset(cell for cell, its in self._writers.items() if not its)

    @cached_property
    def _writers(self) -> dict[str, set[str]]:
        """The templates that write a cell that is one scalar, once there are several threads."""
        found: dict[str, set[str]] = {cell: set() for cell in self.memory.exact}
        for cell, template, location in self._writes():
            if cell in found and not self.threads.is_alone(template, location):
                found[cell].add(template)
        return found

    @cached_property
    def counters(self) -> dict[str, frozenset[str]]:
        """Per template, the kept cells that only stores write."""
        begun = {
            cell
            for name, template in self.program.templates.items()
            for local in template.locals
            for cell in self.memory.begun(name, local)
        }
        begun |= {cell for cell in self.memory.exact if self.memory.is_allocated(cell)}
        return {name: cells - begun for name, cells in self.kept.items()}

    def _writes(self) -> Iterator[tuple[str, str, int]]:
        """Each cell that may be written, with template and location."""
        for name, template in self.program.templates.items():
            for i, location in enumerate(template.locations):
                for k, edge in enumerate(location.edges):
                    for n, effect in enumerate(edge.effects):
                        cells = self._written(name, effect, Heap(name, i, k, n))
                        yield from ((cell, name, i) for cell in cells)

    def _written(self, template: str, effect: Effect, site: Heap) -> tuple[str, ...]:
        match effect:
            case Store(address, value):
                return self.memory.access(template, address, value.type.size).cells
            case Enter(name):
                return tuple(self.memory.begun(template, name))
            case Alloc(zeroed=zeroed):
                return tuple(self.memory.allocated(site, zeroed))
            case _:
                return ()
