"""What the checker of accesses requires of one effect, and what is known behind it.
NOTE(valid-accesses)"""

from __future__ import annotations

from dataclasses import dataclass

from abpress.analysis.points_to import Heap
from abpress.config import Place
from abpress.ir.expr import Compare, Const, Convert, Expr, Reg
from abpress.ir.program import (
    VALID_DEREF,
    Alloc,
    Assign,
    Copy,
    Cut,
    Edge,
    Effect,
    Fault,
    Finish,
    Havoc,
    Load,
    Program,
    Store,
    effect_target,
)
from abpress.ir.types import IntType, PtrType
from abpress.logic.formula import FALSE, conj, holds
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.places import COUNT, carried, closer, count_of
from abpress.proof.bounds.certificate import BoundsCertificate
from abpress.proof.bounds.pointers import PointerChecks
from abpress.proof.bounds.telling import TellingChecks
from abpress.proof.bounds.terms import NOT_MOVED, Pointed, between, converted, wide_type
from abpress.proof.bounds.walk import EdgeWalk
from abpress.proof.bounds.written import NumberChecks
from abpress.smt.answer import Answer

PROPERTY = VALID_DEREF


@dataclass
class EffectChecks:
    """Mutable: `accesses` counts those that were checked; those of edges that are `left_open` are
    not."""

    program: Program
    certificate: BoundsCertificate
    memory: AccessMemory
    tells: TellingChecks
    pointers: PointerChecks
    numbers: NumberChecks
    left_open: frozenset[Place]
    accesses: int = 0

    def apply(self, walk: EdgeWalk, edge: Edge, site: Heap, effect: Effect) -> None:
        at = site.template, site.location
        match effect:
            case Assign(target, value):
                self._assign(walk, target, value)
            case Load(target, address):
                self._access(walk, site, address, target.type.size)
                self._load(walk, effect, target, address, site.edge)
            case Store(address, value):
                self._access(walk, site, address, value.type.size, True)
                self.numbers.store(walk, effect, f"at {edge.position}")
                if not self.pointers.store(walk, effect, at, f"at {edge.position}"):
                    self._store(walk, edge, address, value)
                self.numbers.give(walk, effect, f"at {edge.position}")
            case Copy(target_, source, size):
                if size:
                    self._access(walk, site, target_, size, True)
                    self._access(walk, site, source, size)
                self.numbers.copy(walk, target_, f"at {edge.position}")
                self.pointers.copy(walk, target_, source, at, f"at {edge.position}")
            case Havoc(target, _, low, high) if isinstance(target.type, IntType):
                variable = walk.variable(target.type)
                least = target.type.minimum if low is None else low
                most = target.type.maximum if high is None else high
                walk.known.update(between(variable, (least, most)))
                self._set(walk, target.name, variable, None)
            case Alloc():
                self.numbers.allocate(walk, effect, site, f"at {edge.position}")
                self._allocate(walk, edge, site, effect)
            case Finish(result):
                self.pointers.publish_carried(walk, result, f"at {edge.position}")
            case Cut(reason):
                self.tells.require(
                    walk.template, walk, FALSE, f"a bound of the tool may be reached: {reason}"
                )
            case Fault(kind, property) if property == PROPERTY:
                if (site.template, site.location, site.edge) not in self.left_open:
                    what = f"{kind} may happen at {edge.position}"
                    self.tells.require(walk.template, walk, FALSE, what)
            case _:
                target_of = effect_target(effect)
                if target_of is not None:
                    self.forget(walk, target_of)

    def _set(self, walk: EdgeWalk, name: str, value: Expr | None, pointed: Pointed | None) -> None:
        walk.values.pop(name, None)
        walk.pointers.pop(name, None)
        walk.overwritten(name)
        if value is not None:
            walk.values[name] = value
        if pointed is not None:
            walk.pointers[name] = pointed

    def forget(self, walk: EdgeWalk, r: Reg) -> None:
        self._set(walk, r.name, walk.variable(r.type), None)

    def _assign(self, walk: EdgeWalk, target: Reg, value: Expr) -> None:
        if value == target:
            return
        if isinstance(target.type, PtrType):
            number = self.handed(walk, value)
            self._set(walk, target.name, None, walk.address(value))
            if number is not None and carried(target.name) in walk.types:
                walk.values[carried(target.name)] = number
        elif isinstance(value, Reg) and value.name in self.memory.wild[walk.template]:
            self.forget(walk, target)
        else:
            self._set(walk, target.name, walk.evaluate(value), None)

    def handed(self, walk: EdgeWalk, pointer: Expr) -> Expr | None:
        """The number that a pointer is, if it has a value; None if that is not known.
        NOTE(handed-numbers)"""
        if isinstance(pointer, Reg) and pointer.name in self.memory.wild[walk.template]:
            return None
        number = walk.number_in(pointer)
        return None if number is None else walk.evaluate(number)

    def _load(self, walk: EdgeWalk, effect: Load, target: Reg, address: Expr, k: int) -> None:
        cells, exact = self.memory.reached(walk.template, address, target.type.size)
        if not exact:
            given = self.numbers.pointer(walk, effect)
            self.pointers.read(walk, effect)
            self.numbers.read(walk, effect)
            if given:
                places, moved = walk.pointers.get(target.name, (None, NOT_MOVED))
                known = places if moved == NOT_MOVED else None
                walk.pointers[target.name] = closer(known, given), NOT_MOVED
            return
        cell = cells[0]
        type = walk.types[cell]
        if isinstance(type, PtrType):
            pointed = walk.pointers.get(cell)
            content = self.certificate.always.get(cell)
            alone = self.memory.is_alone(walk.template, walk.location)
            if pointed is None and not alone and isinstance(content, frozenset):
                pointed = content, NOT_MOVED
            if pointed is not None:
                places, moved = pointed
                read = self.memory.read(walk.template, walk.location, k, cell, places)
                walk.impossible |= bool(places) and not read
                pointed = read, moved
            self._set(walk, target.name, None, pointed)
        else:
            value = walk.values.get(cell, Reg(cell, type))
            its = value if type == target.type else Convert(value, target.type)
            self._set(walk, target.name, its, None)

    def _store(self, walk: EdgeWalk, edge: Edge, address: Expr, value: Expr) -> None:
        cells, exact = self.memory.reached(walk.template, address, value.type.size)
        for cell in cells:
            type = walk.types[cell]
            what = f"what is written to {cell} at {edge.position} is not among what it may hold"
            if isinstance(type, PtrType):
                pointed = walk.address(value)
                self.tells.told(walk, cell, None, pointed, what)
                told = pointed is not None and self.pointers.may_be_in_cell(walk, pointed[0])
                self._set(walk, cell, None, pointed if exact and told else None)
                continue
            wild = isinstance(value, Reg) and value.name in self.memory.wild[walk.template]
            new: Expr = walk.variable(type) if wild else walk.evaluate(value)
            if new.type != type:
                new = Convert(new, type)
            self.tells.told(walk, cell, new, None, what)
            self._set(walk, cell, new if exact else walk.variable(type), None)

    def _allocate(self, walk: EdgeWalk, edge: Edge, site: Heap, effect: Alloc) -> None:
        object = self.pointers.allocate(walk, effect, site, f"at {edge.position}")
        count = count_of(object)
        type = wide_type(effect.count.type)
        number = converted(walk.evaluate(effect.count), type)
        least = self.certificate.always.get(count)
        if isinstance(least, tuple):
            what = f"what is allocated at {edge.position} may be smaller"
            enough = holds(Compare(">=", number, Const(least[0], type)))
            self.tells.require(walk.template, walk, enough, what)
        fits = conj(between(number, (COUNT.minimum, COUNT.maximum)))
        exact = self.memory.is_one(count)
        exact = exact and self.tells.follows(walk.template, walk, fits) is Answer.YES
        self._set(walk, count, Convert(number, COUNT) if exact else walk.variable(COUNT), None)
        self._set(walk, effect.target.name, None, (frozenset({(object, 0, 0)}), NOT_MOVED))

    def _access(
        self, walk: EdgeWalk, site: Heap, address: Expr, size: int, writes: bool = False
    ) -> None:
        place = site.template, site.location, site.edge
        if place in self.left_open:
            return
        self.accesses += 1
        goal = walk.access(address, size, writes)
        edge = self.program.templates[site.template].locations[site.location].edges[site.edge]
        what = f"the access at {edge.position} may be invalid"
        self.tells.require(walk.template, walk, goal, what)
