"""What of a program says which guesses are worth their time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import AbstractObject, Target
from abpress.analysis.touching import addresses
from abpress.analysis.visibility import instances
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, PtrAdd, Reg, walk
from abpress.ir.program import (
    Assign,
    Edge,
    Effect,
    Load,
    Program,
    Store,
    Template,
    edges,
    effect_operands,
    effect_target,
)

_Variable = Target | tuple[str, str]
"""A cell, or a register of a template."""


class IndexUses:
    """What the threads of a program do: the variables that they compare, those by which they take
    elements of each object, and what is set to something of each object."""

    def __init__(self, program: Program) -> None:
        self.compared: set[tuple[_Variable, _Variable]] = set()
        self.indices: dict[AbstractObject, set[_Variable]] = {}
        self.kept: set[tuple[_Variable, AbstractObject]] = set()
        self._filled: set[tuple[_Variable, AbstractObject]] = set()
        self._written: set[Target] = set()
        self._facts = Facts.of(program)
        count = instances(program)
        for name, template in program.templates.items():
            if count[name]:
                variables = _Variables(name, template, self._facts)
                for _, edge in edges(template):
                    self._see(name, edge, variables)
                    if name != program.main:
                        self._see_written(name, edge, variables)

    @property
    def compares_indices(self) -> bool:
        """Whether two variables are compared with one another by which elements of one object are
        taken, as the front and the back of a queue."""
        its = self.indices.values()
        return any(a != b and a in found and b in found for found in its for a, b in self.compared)

    @property
    def keeps_elements(self) -> bool:
        """Whether elements of an object are set to variables that are compared with some of it, as
        the least one or the greatest one so far."""
        pairs = self.compared | {(b, a) for a, b in self.compared}
        compared = {(v, e.object) for v, e in pairs if isinstance(e, Target)}
        return any(o in self.indices for _, o in compared & self.kept)

    @property
    def looks_at_one_filled(self) -> bool:
        """Whether the elements of an object that a thread fills, one after the other, are also
        taken by a variable that is not changed once there are threads."""
        fixed = (
            (v, o)
            for o, its in self.indices.items()
            for v in its
            if isinstance(v, Target) and v not in self._written
        )
        return any(o == of and v != by for v, o in fixed for by, of in self._filled)

    def _see_written(self, name: str, edge: Edge, variables: _Variables) -> None:
        """What threads but the first one write."""
        for effect in edge.effects:
            if isinstance(effect, Store):
                by = list(variables.by_which(effect.address))
                for target in self._targets(name, effect.address):
                    if by:
                        self._filled.update((v, target.object) for v in by)
                    else:
                        self._written.add(target)

    def _see(self, name: str, edge: Edge, variables: _Variables) -> None:
        for e in _compared(edge):
            self.compared.update(product(variables.of(e.left), variables.of(e.right)))
        for effect in edge.effects:
            for address, *_ in addresses(effect):
                its = list(variables.by_which(address))
                for target in self._targets(name, address) if its else ():
                    self.indices.setdefault(target.object, set()).update(its)
            match effect:
                case Assign(register, value):
                    changed, of = variables.of(register), variables.of(value)
                case Store(address, value):
                    changed, of = [*self._targets(name, address)], variables.of(value)
                case _:
                    continue
            objects = [its.object for its in of if isinstance(its, Target)]
            self.kept.update(product(changed, objects))

    def _targets(self, template: str, address: Expr) -> tuple[Target, ...]:
        return self._facts.points_to.targets(template, address)


class _Variables:
    """What the registers of a template stand for."""

    def __init__(self, name: str, template: Template, facts: Facts) -> None:
        self._name = name
        self._facts = facts
        self._set: dict[str, list[Effect]] = {}
        for _, edge in edges(template):
            for effect in edge.effects:
                target = effect_target(effect)
                if target is not None:
                    self._set.setdefault(target.name, []).append(effect)

    def of(self, e: Expr) -> list[_Variable]:
        """The variables of which an expression may have the value, but for a number that is added:
        a register that is set once stands for what it is set to."""
        e = _base(e)
        if not isinstance(e, Reg):
            return []
        match self._set.get(e.name, ()):
            case [Assign(_, value)] if isinstance(_base(value), Reg):
                return self.of(value)
            case [Load(_, address)]:
                return list(self._facts.points_to.targets(self._name, address))
            case _:
                return [(self._name, e.name)]

    def by_which(self, address: Expr) -> Iterator[_Variable]:
        """The variables that say which element an address is of."""
        for part in walk(address):
            if isinstance(part, PtrAdd):
                for e in walk(part.bytes):
                    if isinstance(e, Reg):
                        yield from self.of(e)


def _base(e: Expr) -> Expr:
    """An expression without conversions, and numbers that are added to it."""
    while True:
        match e:
            case Convert(arg) | Binary("+" | "-", arg, Const()):
                e = arg
            case _:
                return e


def _compared(edge: Edge) -> Iterator[Compare]:
    """What an edge compares."""
    values = chain.from_iterable(map(effect_operands, edge.effects))
    return (part for e in (edge.guard, *values) for part in walk(e) if isinstance(part, Compare))
