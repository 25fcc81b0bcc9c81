"""Memory that may be read before it has a value.

NOTE(undefined-reads): reading an undefined cell chooses its value and keeps it there, so it is a
write. Only an integer of few bits matters. Of a wider one, and of a pointer, never all values are
tried, so the verdict "true" is withheld anyway.
"""

from __future__ import annotations

from abpress.analysis.live_registers import live_registers
from abpress.analysis.points_to import AbstractObject, Heap, Local, PointsTo, Static
from abpress.analysis.registers import TID
from abpress.ir.expr import Expr, Reg
from abpress.ir.program import (
    Alloc,
    Assign,
    Copy,
    Effect,
    Finish,
    Havoc,
    Join,
    Load,
    Program,
    Spawn,
    Store,
    edges,
)
from abpress.ir.types import IntType, PtrType, Scalar

MAX_CHOSEN_BITS = 16
"""The interpreter enumerates at most 1 << 16 alternatives of a step."""


def may_be_chosen(type: Scalar) -> bool:
    """Whether the arbitrary values of a type can be enumerated."""
    return isinstance(type, IntType) and type.bits <= MAX_CHOSEN_BITS


def undefined_objects(program: Program, points_to: PointsTo) -> frozenset[AbstractObject]:
    """The objects of which a cell may be undefined while it is alive."""
    found: set[AbstractObject] = {
        Static(name) for name, o in program.objects.items() if None in o.initial
    }
    flows = _Flows()
    for name, template in program.templates.items():
        found.update(Local(name, o.name) for o in template.locals.values() if None in o.initial)
        flows.registers |= {(name, r) for r in live_registers(template)[template.entry] - {TID}}
        flows.registers.add((name, "$arg"))
        for i, location in enumerate(template.locations):
            for k, edge in enumerate(location.edges):
                for n, effect in enumerate(edge.effects):
                    if isinstance(effect, Alloc) and not effect.zeroed:
                        found.add(Heap(name, i, k, n))
                    flows.note(name, effect, points_to)
    return flows.closed(found)


def holds_foreign_pointers(program: Program, points_to: PointsTo) -> bool:
    """Whether a pointer in memory may have no value although something was written there: because
    it comes from elsewhere, as the arguments of `main` do, or because a register had none.
    NOTE(never-written)"""
    found: set[AbstractObject] = {
        Static(name)
        for name, o in program.objects.items()
        if any(
            value is None and isinstance(cell.type, PtrType)
            for value, cell in zip(o.initial, o.layout.cells, strict=True)
        )
    }
    flows = _Flows()
    for name, template in program.templates.items():
        begun = live_registers(template)[template.entry] - {TID, "$arg"}
        flows.registers |= {(name, r) for r in begun}
        for _, edge in edges(template):
            for effect in edge.effects:
                match effect:
                    case Spawn(template=its, argument=Reg(argument)):
                        flows.moves.append(((its, "$arg"), (name, argument)))
                    case Finish(Reg(result)):
                        flows.moves.append((_RESULT, (name, result)))
                    case Join(target):
                        flows.moves.append(((name, target.name), _RESULT))
                    case Havoc(Reg(target, PtrType())):
                        flows.registers.add((name, target))
                    case _:
                        flows.note(name, effect, points_to)
    return bool(flows.closed(found))


_RESULT = "$result", ""
"""In the place of a register: what threads return."""


class _Flows:
    """How values that are no values go from registers and objects to others (mutable).

    A register may hold no value where it is read before it is written, holds an argument or a
    result that another thread had no value for, or a pointer loaded from undefined memory, or is a
    copy of such a register.
    """

    def __init__(self) -> None:
        self.registers: set[tuple[str, str]] = set()
        self._loads: list[tuple[tuple[str, str], set[AbstractObject]]] = []
        self.moves: list[tuple[tuple[str, str], tuple[str, str]]] = []
        self._stores: list[tuple[set[AbstractObject], tuple[str, str]]] = []
        self._copies: list[tuple[set[AbstractObject], set[AbstractObject]]] = []

    def note(self, template: str, effect: Effect, points_to: PointsTo) -> None:
        """Notes what an effect of a template moves."""

        def objects(address: Expr) -> set[AbstractObject]:
            return {target.object for target in points_to.targets(template, address)}

        match effect:
            case Join(target):
                self.registers.add((template, target.name))
            case Load(Reg(name, PtrType()), address):
                sources = objects(address)
                self._loads.append(((template, name), sources))
                if not sources:
                    self.registers.add((template, name))
            case Assign(target, Reg(name)):
                self.moves.append(((template, target.name), (template, name)))
            case Store(address, Reg(name)):
                self._stores.append((objects(address), (template, name)))
            case Copy(to, of):
                self._copies.append((objects(to), objects(of)))
            case _:
                pass

    def closed(self, objects: set[AbstractObject]) -> frozenset[AbstractObject]:
        """These objects, and those to which no values go."""
        found, registers = set(objects), self.registers
        while True:
            before = len(found), len(registers)
            registers |= {r for r, sources in self._loads if sources & found}
            registers |= {to for to, of in self.moves if of in registers}
            for targets, register in self._stores:
                if register in registers:
                    found |= targets
            for targets, sources in self._copies:
                if sources & found:
                    found |= targets
            if before == (len(found), len(registers)):
                return frozenset(found)
