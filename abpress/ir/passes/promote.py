"""Local objects whose address is not taken become registers, one per cell (mem2reg).

Precondition: the program is well-formed. Preserves all executions, faults included: an object is
promoted only if each of its accesses hits exactly one cell while the object is certainly alive,
so no access to it could fault. A cell without initial value becomes an arbitrary value of the
register, chosen when the object's lifetime begins (`sink` moves that choice to the first use):
all reads of an uninitialised variable see the same value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from abpress.ir.expr import Addr, Convert, Expr, Reg, named_objects
from abpress.ir.passes.rewrite import map_templates, with_effects
from abpress.ir.program import (
    Assign,
    Copy,
    Edge,
    Effect,
    Enter,
    Havoc,
    Leave,
    Load,
    Location,
    MemoryObject,
    Program,
    Store,
    Template,
    edges,
    effect_operands,
    goes_on,
)
from abpress.ir.types import Cell, IntType, PtrType, Scalar

MOST_CELLS = 64
"""A local object with more cells stays in memory."""


def promote(program: Program) -> Program:
    """The program with local objects turned into registers where possible."""
    return map_templates(program, promote_template)


def promote_template(template: Template, keep_pointers: bool = False) -> Template:
    """As `promote`, for one template; with `keep_pointers` not for objects that hold pointers."""
    promoted = _promotable(template, keep_pointers)
    if not promoted:
        return template
    registers = dict(template.registers)
    cells: dict[str, dict[int, Reg]] = {}
    for o in promoted.values():
        cells[o.name] = {}
        for cell in o.layout.cells:
            register = Reg(_fresh(o.name + cell.path, registers), cell.type)
            registers[register.name] = cell.type
            cells[o.name][cell.offset] = register
    rewriter = _Rewriter(promoted, cells)
    return replace(
        template,
        registers=registers,
        locals={name: o for name, o in template.locals.items() if name not in promoted},
        locations=tuple(
            Location(tuple(map(rewriter.edge, location.edges)), location.atomic)
            for location in template.locations
        ),
    )


def _fresh(name: str, taken: dict[str, Scalar]) -> str:
    k, fresh = 1, name
    while fresh in taken:
        k += 1
        fresh = f"{name}#{k}"
    return fresh


# -- which objects -------------------------------------------------------------------------------


def _promotable(template: Template, keep_pointers: bool) -> dict[str, MemoryObject]:
    refused = {
        value.object
        for o in template.locals.values()
        for value in o.initial
        if isinstance(value, Addr)
    }
    refused |= {o.name for o in template.locals.values() if len(o.layout.cells) > MOST_CELLS}
    if keep_pointers:
        refused |= {o.name for o in template.locals.values() if holds_pointers(o)}
    copies: list[tuple[str, str]] = []
    for _, edge in edges(template):
        refused.update(named_objects(edge.guard))
        for effect in edge.effects:
            refused.update(_refused_by(effect, template.locals, copies))
    refused.update(_accessed_when_dead(template, set(template.locals) - refused))
    changed = True
    while changed:  # a copy needs both of its ends
        changed = False
        for pair in copies:
            if any(name in refused or name not in template.locals for name in pair):
                changed = changed or not refused.issuperset(pair)
                refused.update(pair)
    return {name: o for name, o in template.locals.items() if name not in refused}


def holds_pointers(o: MemoryObject) -> bool:
    """Whether a cell of the object has a pointer type."""
    return any(isinstance(cell.type, PtrType) for cell in o.layout.cells)


def _refused_by(
    effect: Effect, local: Mapping[str, MemoryObject], copies: list[tuple[str, str]]
) -> Iterator[str]:
    """Objects that the effect keeps from being promoted; copies between objects are noted."""
    match effect:
        case Load(target, Addr(name, offset, _)):
            if name in local and _cell(local[name], offset, target.type) is None:
                yield name
        case Store(Addr(name, offset, _), value):
            yield from named_objects(value)
            if name in local and (
                local[name].readonly or _cell(local[name], offset, value.type) is None
            ):
                yield name
        case Copy(Addr(a, i, _), Addr(b, j, _), size) if a in local and b in local:
            if a == b or local[a].readonly or _pairs(local[a], i, local[b], j, size) is None:
                yield from (a, b)
            copies.append((a, b))
        case _:
            for operand in effect_operands(effect):
                yield from named_objects(operand)


def _cell(o: MemoryObject, offset: int, t: Scalar) -> Cell | None:
    """The cell that an access of type `t` hits exactly; integers of one size go together."""
    index = o.layout.index.get(offset)
    if index is None:
        return None
    cell = o.layout.cells[index]
    same = cell.type == t or (
        isinstance(t, IntType) and isinstance(cell.type, IntType) and t.bits == cell.type.bits
    )
    return cell if same else None


def _pairs(
    target: MemoryObject, i: int, source: MemoryObject, j: int, size: int
) -> list[tuple[Cell, Cell]] | None:
    """The cells that a copy of `size` bytes pairs up; None where they do not correspond."""
    a, b = _within(target, i, size), _within(source, j, size)
    if a is None or b is None or len(a) != len(b):
        return None
    for x, y in zip(a, b, strict=True):
        if (x.offset - i, x.type) != (y.offset - j, y.type):
            return None
    return list(zip(a, b, strict=True))


def _within(o: MemoryObject, start: int, size: int) -> list[Cell] | None:
    """The cells in a range of bytes; None if the range is not inside or cuts a cell."""
    end = start + size
    if start < 0 or end > o.layout.size:
        return None
    cells = []
    for cell in o.layout.cells:
        inside = start <= cell.offset and cell.offset + cell.type.size <= end
        outside = cell.offset + cell.type.size <= start or end <= cell.offset
        if not inside and not outside:
            return None
        if inside:
            cells.append(cell)
    return cells


def _accessed_when_dead(template: Template, candidates: set[str]) -> set[str]:
    """Objects with an access at which they may not be alive (a forward must-analysis)."""
    bits = {name: 1 << k for k, name in enumerate(n for n in template.locals if n in candidates)}
    alive: list[int | None] = [None] * len(template.locations)
    alive[template.entry] = 0
    pending = [template.entry]
    while pending:
        i = pending.pop()
        for edge in template.locations[i].edges:
            if not goes_on(edge):
                continue
            mask = alive[i]
            assert mask is not None
            for effect in edge.effects:
                mask = _lifetime(effect, mask, bits)
            old = alive[edge.target]
            met = mask if old is None else old & mask
            if met != old:
                alive[edge.target] = met
                pending.append(edge.target)
    dead: set[str] = set()
    for i, edge in edges(template):
        mask = alive[i] or 0
        for effect in edge.effects:
            for operand in effect_operands(effect):
                if isinstance(operand, Addr) and not mask & bits.get(operand.object, -1):
                    dead.add(operand.object)
            mask = _lifetime(effect, mask, bits)
    return dead


def _lifetime(effect: Effect, mask: int, bits: dict[str, int]) -> int:
    match effect:
        case Enter(name):
            return mask | bits.get(name, 0)
        case Leave(name):
            return mask & ~bits.get(name, 0)
        case _:
            return mask


# -- the rewriting -------------------------------------------------------------------------------


class _Rewriter:
    """Replaces the effects on promoted objects; `cells` has the register of each cell."""

    def __init__(self, promoted: dict[str, MemoryObject], cells: dict[str, dict[int, Reg]]) -> None:
        self._promoted = promoted
        self._cells = cells

    def edge(self, edge: Edge) -> Edge:
        return with_effects(edge, tuple(new for e in edge.effects for new in self._effect(e)))

    def _effect(self, effect: Effect) -> Iterator[Effect]:
        match effect:
            case Load(target, Addr(name, offset, _)) if name in self._promoted:
                yield Assign(target, _as(self._cells[name][offset], target.type))
            case Store(Addr(name, offset, _), value) if name in self._promoted:
                register = self._cells[name][offset]
                yield Assign(register, _as(value, register.type))
            case Copy(Addr(a, i, _), Addr(b, j, _), size) if a in self._promoted:
                pairs = _pairs(self._promoted[a], i, self._promoted[b], j, size)
                assert pairs is not None
                for x, y in pairs:
                    yield Assign(self._cells[a][x.offset], self._cells[b][y.offset])
            case Enter(name) if name in self._promoted:
                yield from self._initialised(self._promoted[name])
            case Leave(name) if name in self._promoted:
                return
            case _:
                yield effect

    def _initialised(self, o: MemoryObject) -> Iterator[Effect]:
        for cell, value in zip(o.layout.cells, o.initial, strict=True):
            register = self._cells[o.name][cell.offset]
            if value is not None:
                yield Assign(register, value)
            else:
                variable = o.name.partition("#")[0] + cell.path
                yield Havoc(register, f"uninitialised variable {variable}")


def _as(e: Expr, t: Scalar) -> Expr:
    return e if e.type == t else Convert(e, t)
