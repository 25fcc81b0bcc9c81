"""Future accesses of a thread: the static phase of the analysis of future field accesses.

After [FutureFields11]: for each program point, by a backward data-flow analysis, what a thread that
stands there may access until its end, and the threads that it will create. In the paper a point
covers the rest of its function only, and the call stack of the dynamic state adds the points at
which the callers go on. Here all functions are inlined: a location stands for a call stack, and
covers all of it.

A *field* is a cell of the objects of one declaration; for heap objects, a cell of the elements of
all objects with the same layout, as in the paper one of all objects of a class.
"""

from __future__ import annotations

from abpress.analysis.points_to import AbstractObject, Function, Heap, Local, Static
from abpress.analysis.touching import LIFE
from abpress.ir.program import Alloc, Spawn, edges, goes_on
from abpress.ir.types import Layout
from abpress.semantics.context import Context
from abpress.semantics.naming import OFFSET_MASK, Kin


class FutureAccesses:
    """What may be accessed from each location on (by its pc).

    `touched` are the fields that may be touched, `written` those of them that may be written, and
    `points` the locations from which they may be: those that the thread or a child of it, created
    later, may come to. All are sets of bits; the bit of a location has the number of its pc.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._bits: dict[tuple[Kin, int | None], int] = {}  # None: cells at all other offsets
        self._all: dict[Kin, int] = {}
        self._known: dict[int, int] = {}
        self.touched = [0] * context.pcs
        self.written = [0] * context.pcs
        self.points = [1 << pc for pc in range(context.pcs)]
        self._collect()
        before = self._before()
        for sets in (self.touched, self.written, self.points):
            _propagate(sets, before)

    def field(self, key: int) -> int:
        """The field of a cell or lifetime (a key of `recording.Recorded`), as a bit; 0 if no edge
        accesses its like."""
        bit = self._known.get(key)
        if bit is None:
            bit = self._known[key] = self._field(key)
        return bit

    def _field(self, key: int) -> int:
        info = self._context.objects.find(key)
        if info is None:
            return 0
        offset = key & OFFSET_MASK
        if key == info.life:
            offset = LIFE
        elif isinstance(info.kin, Layout) and info.kin.size:
            offset %= info.kin.size
        return self._bit(info.kin, offset)

    def _bit(self, kin: Kin, offset: int) -> int:
        bit = self._bits.get((kin, offset))
        return self._bits.get((kin, None), 0) if bit is None else bit

    @property
    def count(self) -> int:
        """How many fields there are."""
        return len(self._bits)

    def fields(self, kin: Kin, layout: Layout) -> list[int]:
        """The fields of the cells of an object (for heap objects: of an element), and that of its
        life, by the places of their bits from 1 on; 0: no edge accesses its like."""
        offsets = [*(cell.offset for cell in layout.cells), LIFE]
        return [self._bit(kin, offset).bit_length() for offset in offsets]

    # -- the analysis ---------------------------------------------------------------------------

    def _collect(self) -> None:
        """Numbers the fields, and enters those that each location's edges access."""
        context = self._context
        touching = context.facts.touching
        found = [
            (code.first_pc + i, self._kin(access.object), access)
            for name, code in context.codes.items()
            for i, edge in edges(code.template)
            for access in touching.touched(name, edge)
        ]
        for _, kin, access in found:
            for cell in (None, *(access.cells or ())):
                bit = self._bits.setdefault((kin, cell), 1 << len(self._bits))
                self._all[kin] = self._all.get(kin, 0) | bit
        for pc, kin, access in found:
            fields = self._all[kin] if access.cells is None else 0
            for cell in access.cells or ():
                fields |= self._bits[kin, cell]
            self.touched[pc] |= fields
            if access.writes:
                self.written[pc] |= fields

    def _kin(self, o: AbstractObject) -> Kin:
        match o:
            case Static(name):
                return "", name
            case Local(template, name):
                return template, name
            case Heap(template, location, edge, n):
                locations = self._context.program.templates[template].locations
                effect = locations[location].edges[edge].effects[n]
                assert isinstance(effect, Alloc)
                return self._context.element(effect.element)
            case Function():
                raise AssertionError("functions are not accessed")

    def _before(self) -> list[list[int]]:
        """The pcs from which a thread comes to each pc, or a child that it creates."""
        codes = self._context.codes
        before: list[list[int]] = [[] for _ in self.points]
        for code in codes.values():
            for i, edge in edges(code.template):
                if goes_on(edge):
                    before[code.first_pc + edge.target].append(code.first_pc + i)
                for effect in edge.effects:
                    if isinstance(effect, Spawn):
                        child = codes[effect.template]
                        before[child.first_pc + child.template.entry].append(code.first_pc + i)
        return before


def _propagate(sets: list[int], before: list[list[int]]) -> None:
    """Adds each set to those before it, until nothing changes."""
    todo = [*range(len(sets))]
    while todo:
        target = todo.pop()
        for pc in before[target]:
            if sets[target] & ~sets[pc]:
                sets[pc] |= sets[target]
                todo.append(pc)
