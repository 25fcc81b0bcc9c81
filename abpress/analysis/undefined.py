"""Memory that may be read before it has a value.

NOTE(undefined-reads): reading an undefined cell chooses its value and keeps it there, so it is a
write. Only an integer of few bits matters. Of a wider one never all values are tried, so the
verdict "true" is withheld anyway; and a pointer's value is never chosen, its use is a fault.
"""

from __future__ import annotations

from abpress.analysis.live_registers import live_registers
from abpress.analysis.points_to import AbstractObject, Heap, Local, PointsTo, Static
from abpress.ir.expr import Reg
from abpress.ir.program import (
    Alloc,
    Assign,
    Copy,
    Join,
    Load,
    Program,
    Store,
    Template,
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
    copies: list[tuple[set[AbstractObject], set[AbstractObject]]] = []
    for name, template in program.templates.items():
        found.update(Local(name, o.name) for o in template.locals.values() if None in o.initial)
        registers = _undefined_registers(template)
        for i, location in enumerate(template.locations):
            for k, edge in enumerate(location.edges):
                for n, effect in enumerate(edge.effects):
                    match effect:
                        case Alloc(zeroed=False):
                            found.add(Heap(name, i, k, n))
                        case Store(address, Reg(value)) if value in registers:
                            found.update(t.object for t in points_to.targets(name, address))
                        case Copy(to, of):
                            targets = {t.object for t in points_to.targets(name, to)}
                            copies.append(
                                (targets, {t.object for t in points_to.targets(name, of)})
                            )
                        case _:
                            pass
    grown = True
    while grown:
        grown = False
        for targets, sources in copies:
            if not targets <= found and sources & found:
                found |= targets
                grown = True
    return frozenset(found)


def _undefined_registers(template: Template) -> set[str]:
    """The registers that may hold no value where they are copied.

    They are read before they are written, or hold an argument or a result that another thread had
    no value for, or a pointer loaded from undefined memory, or a copy of such a register.
    """
    found = {"$arg", *live_registers(template)[template.entry]}
    moves: list[tuple[str, str]] = []
    for _, edge in edges(template):
        for effect in edge.effects:
            match effect:
                case Join(target):
                    found.add(target.name)
                case Load(Reg(name, PtrType())):
                    found.add(name)
                case Assign(target, Reg(name)):
                    moves.append((target.name, name))
                case _:
                    pass
    grown = True
    while grown:
        grown = False
        for to, of in moves:
            if of in found and to not in found:
                found.add(to)
                grown = True
    return found
