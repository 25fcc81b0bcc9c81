"""One edge in numbers: from what is known before it to what is known behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from abpress.analysis.points_to import Heap
from abpress.ir.bounds import scalar_bounds
from abpress.ir.expr import Expr, Reg
from abpress.ir.intervals import Interval, hull, within
from abpress.ir.program import (
    Alloc,
    Assign,
    Cut,
    Effect,
    Enter,
    Exit,
    Havoc,
    Load,
    Program,
    Spawn,
    Store,
    effect_operands,
    effect_target,
    goes_on,
)
from abpress.ir.types import IntType, PtrType
from abpress.modular.handed import ARGUMENT
from abpress.modular.numbers.box import Box, Form, Report, assume, form_of, number_of, value_of
from abpress.modular.numbers.executions import added
from abpress.modular.numbers.holding import NumericHolding
from abpress.modular.numbers.memory import NumericAccess, NumericMemory

Told = Callable[[str, Interval], None]
"""Told of a value that a cell may get, so that other threads may see it."""


@dataclass(slots=True)
class Stored:
    """A store: the cells, and what is written; `step` is what it adds to what the only cell holds,
    if that is known and does not wrap around. `begins`: there was no store, others may see from now
    on what was prepared."""

    cells: tuple[str, ...]
    value: Interval
    form: Form | None
    step: int | None
    begins: bool = False


@dataclass
class NumericSteps:
    """The edges of a program. Mutable: `handed` collects the templates of threads that are
    created, with the numbers that they are given; None if that is not known. `cuts` collects the
    bounds of the tool that are reached.

    `shared` are the values that cells have where other threads may write them; a cell that is left
    out has not been there yet. Of cells that are `bounded` these are claimed, and nothing is told.
    """

    holding: NumericHolding
    shared: Mapping[str, Interval]
    bounded: frozenset[str] = frozenset()
    program: Program = field(init=False)
    memory: NumericMemory = field(init=False)
    handed: dict[str, Interval | None] = field(default_factory=dict)
    cuts: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.program, self.memory = self.holding.program, self.holding.memory

    def entry(self, template: str) -> Box:
        """What is known where a thread of the template begins."""
        box = Box()
        handed = self.handed.get(template)
        if handed is not None and template != self.program.main:
            box.regs[ARGUMENT] = handed
        entry = self.program.templates[template].entry
        if template == self.program.main and self.holding.undisturbed(template, entry):
            for name in self.program.objects:
                for cell in self.memory.static(name):
                    if cell in self.memory.exact:
                        box.cells[cell] = self.memory.initial[cell]
        return box

    def behind(
        self,
        template: str,
        location: int,
        index: int,
        box: Box,
        told: Told,
        report: Report,
        stored: Callable[[Stored], None] | None = None,
    ) -> Box | None:
        """What is known behind an edge; None if it is not taken, or the thread ends there."""
        edge = self.program.templates[template].locations[location].edges[index]
        value_of(edge.guard, box, report)
        after = assume(edge.guard, box)
        if after is None or not self.holding.taken(template, location, index):
            return None
        after = after.copy() if after is box else after
        for n, effect in enumerate(edge.effects):
            for e in effect_operands(effect):
                value_of(e, after, report)
            if not self._effect(template, (location, index, n), effect, after, told, stored):
                return None
        if stored is not None:
            target = edge.target if goes_on(edge) else None
            self._begin_to_count(template, location, target, after, stored)
        if not goes_on(edge):
            if not isinstance(edge.effects[-1], Exit):
                self._publish(template, None, after, told)
            return None
        self._publish(template, edge.target, after, told)
        return after

    def _begin_to_count(
        self,
        template: str,
        location: int,
        target: int | None,
        box: Box,
        stored: Callable[[Stored], None],
    ) -> None:
        """Others may be there from now on, and see what was prepared."""
        if self.holding.is_revealed(template, location, target):
            for cell in sorted(self.memory.exact):
                value = box.cells.get(cell, scalar_bounds(self.memory.types[cell]))
                stored(Stored((cell,), value, None, None, True))

    def _publish(self, template: str, target: int | None, box: Box, told: Told) -> None:
        """Others see what cells hold that are not hidden where the thread comes to, or all if it
        comes nowhere, and may write those that it does not keep. A thread need not know more than
        all do of cells that it will not access, or that nobody writes any more."""
        if target is not None and self.holding.undisturbed(template, target):
            return
        own, is_past = self.memory.own[template], self.holding.is_past
        if target is not None:
            for cell in [c for c in box.cells if c in own and is_past(template, target, c)]:
                del box.cells[cell]
                box.same.pop(cell, None)
        cells = [cell for cell in box.cells if cell not in own]
        for cell, hidden, kept in self.holding.held(template, target, cells):
            if not hidden and cell not in self.bounded:
                told(cell, box.cells[cell])
                kept = kept and not self._is_known_to_all(cell, box)
            past = target is not None and not hidden and is_past(template, target, cell)
            if past or not kept:
                del box.cells[cell]
                box.same.pop(cell, None)

    def _is_known_to_all(self, cell: str, box: Box) -> bool:
        """Whether what is known of a cell is what others see, and nobody writes it any more."""
        return cell in self.holding.constant and self.shared.get(cell) == box.cells[cell]

    def _effect(
        self,
        template: str,
        at: tuple[int, int, int],
        effect: Effect,
        box: Box,
        told: Told,
        stored: Callable[[Stored], None] | None,
    ) -> bool:
        """Changes the box; returns whether the effect is possible."""
        match effect:
            case Assign(target, value):
                form = form_of(value, box)
                pointer = isinstance(target.type, PtrType)
                result = number_of(value, box) if pointer else value_of(value, box)
                same = [
                    c for c, r in box.same.items() if isinstance(value, Reg) and r == value.name
                ]
                if value != target:
                    box.assign(target.name, result, form)
                    box.same.update((cell, target.name) for cell in same)
            case Load(target, address):
                return self._load(template, at[0], target, address, box)
            case Spawn(target, child, argument):
                self._hand(child, number_of(argument, box))
                box.forget(target.name)
            case Store(address, value):
                self._store(template, at[0], address, value, box, told, stored)
            case Havoc(target, _, low, high) if isinstance(target.type, IntType):
                type = target.type
                least = type.minimum if low is None else max(low, type.minimum)
                most = type.maximum if high is None else min(high, type.maximum)
                box.assign(target.name, (least, most), None)
            case Cut(reason):
                self.cuts[reason] = None
            case Enter(name):
                self._begun(template, at[0], self.memory.begun(template, name), box, told, stored)
            case Alloc(target, _, _, zeroed):
                cells = self.memory.allocated(Heap(template, *at), zeroed)
                self._begun(template, at[0], cells, box, told, stored)
                box.forget(target.name)
            case _:
                written = effect_target(effect)
                if written is not None:
                    box.forget(written.name)
        return True

    def _hand(self, child: str, number: Interval | None) -> None:
        """A thread is created that is given a number, or something else."""
        known = self.handed.get(child, number)
        both = None if number is None or known is None else hull((known, number))
        self.handed[child] = both

    # -- memory ---------------------------------------------------------------------------------

    def _begun(
        self,
        template: str,
        location: int,
        cells: Mapping[str, Interval],
        box: Box,
        told: Told,
        stored: Callable[[Stored], None] | None,
    ) -> None:
        """The lifetime of an object begins."""
        for cell, begun in cells.items():
            if stored is not None:
                stored(Stored((cell,), begun, None, None))
            access = NumericAccess((cell,), cell in self.memory.exact, True)
            self._set(template, location, access, begun, box, told)

    def _claim(self, template: str, location: int, cell: str) -> Interval | None:
        """What is claimed of a cell that counts already."""
        if cell not in self.bounded or self.holding.prepares(template, location, cell):
            return None
        return self.shared.get(cell)

    def content(self, template: str, location: int, cell: str, box: Box) -> Interval | None:
        """What a cell may hold now; None if it is not there yet."""
        known = box.cells.get(cell)
        if known is not None:
            claim = self._claim(template, location, cell) or known
            low, high = max(known[0], claim[0]), min(known[1], claim[1])
            return (low, high) if low <= high else None
        prepared = cell in self.bounded and self.holding.prepares(template, location, cell)
        if prepared or (cell in self.memory.own[template] and cell in self.memory.exact):
            return scalar_bounds(self.memory.types[cell])
        return self.shared.get(cell)

    def _load(self, template: str, location: int, target: Reg, address: Expr, box: Box) -> bool:
        type = target.type
        if not isinstance(type, IntType):
            box.forget(target.name)
            return True
        access = self.memory.access(template, address, type.size)
        full = scalar_bounds(type)
        if not access.complete or not access.cells:
            box.assign(target.name, full, None)
            return True
        found = hull(self.content(template, location, cell, box) for cell in access.cells)
        if found is None:
            return False
        within_type = full[0] <= found[0] and found[1] <= full[1]
        one = access.cells[0] if len(access.cells) == 1 else None
        seen = one is not None and self._is_seen(template, location, one, found)
        form = Form(((one, 1),), 0, 0) if one is not None and seen else None
        box.assign(target.name, found if within_type else full, form if within_type else None)
        if access.exact and one is not None and within_type:
            box.cells[one] = found
            box.same[one] = target.name
        return True

    def _is_seen(self, template: str, location: int, cell: str, value: Interval) -> bool:
        """Whether a value of a cell is among those by which sums of cells are bounded: what is
        hidden, or prepared, need not be. NOTE(growth)"""
        if self.holding.prepares(template, location, cell):
            return False
        return cell in self.shared and within(value, self.shared[cell])

    def _store(
        self,
        template: str,
        location: int,
        address: Expr,
        value: Expr,
        box: Box,
        told: Told,
        stored: Callable[[Stored], None] | None,
    ) -> None:
        access = self.memory.access(template, address, value.type.size)
        found = value_of(value, box)
        form = form_of(value, box)
        if found is None:
            found = scalar_bounds(self.memory.types[access.cells[0]]) if access.cells else (0, 0)
        if stored is not None:
            step = self._step(access, value, box)
            stored(Stored(access.cells, found, form, step))
        self._set(template, location, access, found, box, told)
        cell = access.cells[0] if access.exact else None
        if cell is not None and isinstance(value, Reg) and box.cells.get(cell) == found:
            box.same[cell] = value.name

    def _step(self, access: NumericAccess, value: Expr, box: Box) -> int | None:
        found = added(value)
        if found is None or not access.exact:
            return None
        cell, type = access.cells[0], self.memory.types[access.cells[0]]
        low, high = box.cells.get(cell, scalar_bounds(type))
        if value.type != type or box.same.get(cell) != found[0]:
            return None
        fits = type.signed or within((low + found[1], high + found[1]), scalar_bounds(type))
        return found[1] if fits else None

    def _set(
        self,
        template: str,
        location: int,
        access: NumericAccess,
        value: Interval,
        box: Box,
        told: Told,
    ) -> None:
        for cell in access.cells:
            type = self.memory.types[cell]
            fits = type.minimum <= value[0] and value[1] <= type.maximum
            new = value if fits else scalar_bounds(type)
            claim = self._claim(template, location, cell)
            if claim is not None and max(new[0], claim[0]) <= min(new[1], claim[1]):
                new = max(new[0], claim[0]), min(new[1], claim[1])
            box.same.pop(cell, None)
            if access.exact:
                box.cells[cell] = new
                continue
            if cell in box.cells:
                box.cells[cell] = hull((box.cells[cell], new)) or new
            if cell not in self.memory.own[template] and cell not in self.bounded:
                told(cell, new)


def stores(
    steps: NumericSteps, states: Mapping[tuple[str, int], list[Box]]
) -> Iterator[tuple[tuple[str, int, int], Stored]]:
    """All stores that are possible in the states, with the edges where they happen."""
    found: list[Stored] = []
    for (template, location), boxes in states.items():
        for box in boxes:
            for k in range(len(steps.program.templates[template].locations[location].edges)):
                steps.behind(
                    template, location, k, box, lambda *_: None, lambda _: None, found.append
                )
                yield from (((template, location, k), s) for s in found)
                found.clear()
