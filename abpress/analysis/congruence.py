"""Where addresses point within objects, up to multiples of a stride.

`points_to` knows the offset of a pointer, or nothing of it; here an element of an array has an
offset in its element ([Granger89]'s congruences). Flow-insensitive, per template: what a register
holds joins all that is assigned to it, and what a thread is given all that creations give it; what
comes from memory or from threads that have ended is as `points_to` says. A pointer that is moved
stays in its object, as C demands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from math import gcd

from abpress.analysis.points_to import AbstractObject, Heap, PointsTo
from abpress.analysis.registers import ARGUMENT
from abpress.ir.expr import Addr, Binary, Const, Convert, Expr, FuncAddr, PtrAdd, Reg, Unary
from abpress.ir.program import Alloc, Assign, Program, Spawn, Template, edges, effect_target
from abpress.ir.types import IntType

Congruence = tuple[int, int]
"""An offset and a stride: the number plus any multiple of the stride; of 0, the number itself."""

_ANY: Congruence = (0, 1)
_NARROW = 32
"""Bits of a factor whose product with a size does not wrap around in a distance."""

Aims = dict[AbstractObject, Congruence]


class Congruences:
    """The offsets of the pointers of a program. What is asked for often is remembered."""

    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self._program = program
        self._points_to = points_to

    def targets(self, template: str, address: Expr) -> Aims:
        """The objects that an address may point to, with the offsets there."""
        found = self._value(template, address, self._registers[template])
        aims: Aims = {}
        for o, offset in self._points_to.targets(template, address):
            its = found.get(o, _ANY) if offset is None else self._in_element(o, offset)
            aims[o] = its if o not in aims else _joined(aims[o], its)
        return aims

    @cached_property
    def _registers(self) -> dict[str, dict[str, Aims]]:
        """What the registers of each template hold where effects of it write them, and what its
        threads are given."""
        given = {s.template for t in self._program.templates.values() for s in _spawns(t)}
        known = {name: self._told_of(t, given) for name, t in self._program.templates.items()}
        changed = True
        while changed:
            changed = False
            for name, template in self._program.templates.items():
                for _, edge in edges(template):
                    for effect in edge.effects:
                        match effect:
                            case Assign(target, value):
                                into = known[name].setdefault(target.name, {})
                            case Spawn(_, child, value):
                                into = known[child].setdefault(ARGUMENT, {})
                            case _:
                                continue
                        changed |= _include(into, self._value(name, value, known[name]))
        return known

    def _told_of(self, template: Template, given: Collection[str]) -> dict[str, Aims]:
        """What registers hold that get their values otherwise."""
        written = [
            (target.name, isinstance(effect, Assign))
            for _, edge in edges(template)
            for effect in edge.effects
            if (target := effect_target(effect)) is not None
        ]
        others = template.registers.keys() - {name for name, assigned in written if assigned}
        others |= {name for name, assigned in written if not assigned}
        # What the tool gives a thread is in registers of its own.
        others |= {name for name in template.registers if name.startswith("$")}
        if template.name in given and template.name != self._program.main:
            others -= {ARGUMENT}
        told = ((name, Reg(name, template.registers[name])) for name in sorted(others))
        return {name: self._told(template.name, r) for name, r in told}

    def _told(self, template: str, e: Expr) -> Aims:
        """What `points_to` knows."""
        aims: Aims = {}
        for o, offset in self._points_to.targets(template, e):
            its = _ANY if offset is None else self._in_element(o, offset)
            aims[o] = its if o not in aims else _joined(aims[o], its)
        return aims

    def _in_element(self, o: AbstractObject, offset: int) -> Congruence:
        """An offset; those into heap objects are known up to multiples of the element's size."""
        return (offset, self._size(o)) if isinstance(o, Heap) else (offset, 0)

    def _size(self, site: Heap) -> int:
        template = self._program.templates[site.template]
        effect = template.locations[site.location].edges[site.edge].effects[site.effect]
        assert isinstance(effect, Alloc)
        return effect.element.size or 1

    def _value(self, template: str, e: Expr, known: dict[str, Aims]) -> Aims:
        match e:
            case Reg(name, _):
                return known.get(name, {})
            case PtrAdd(pointer, distance):
                by = _congruence(distance)
                moved = self._value(template, pointer, known).items()
                return {o: _sum(its, by) for o, its in moved}
            case Addr() | FuncAddr() | Const():
                return self._told(template, e)
            case _:
                return dict.fromkeys(self._told(template, e), _ANY)


def _spawns(template: Template) -> Iterator[Spawn]:
    for _, edge in edges(template):
        yield from (effect for effect in edge.effects if isinstance(effect, Spawn))


def _include(into: Aims, new: Aims) -> bool:
    """Adds offsets; returns whether there are more then."""
    changed = False
    for o, its in new.items():
        both = its if o not in into else _joined(into[o], its)
        changed |= both != into.get(o)
        into[o] = both
    return changed


def _joined(a: Congruence, b: Congruence) -> Congruence:
    return _normal(a[0], gcd(a[1], b[1], abs(a[0] - b[0])))


def _sum(a: Congruence, b: Congruence) -> Congruence:
    return _normal(a[0] + b[0], gcd(a[1], b[1]))


def _normal(offset: int, stride: int) -> Congruence:
    return (offset % stride, stride) if stride else (offset, 0)


def _congruence(e: Expr) -> Congruence:
    """What is known of a distance."""
    match e:
        case Const(n, _):
            return n, 0
        case Binary("+", a, b):
            return _sum(_congruence(a), _congruence(b))
        case Binary("-", a, b):
            offset, stride = _congruence(b)
            return _sum(_congruence(a), _normal(-offset, stride))
        case Unary("-", a):
            offset, stride = _congruence(a)
            return _normal(-offset, stride)
        case Binary("*", Convert(factor, IntType() as type), Const(n, _)) if (
            n > 0 and type.bits > _NARROW and factor.type.bits <= _NARROW
        ):
            return 0, n
        case _:
            return _ANY
