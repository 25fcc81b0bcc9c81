"""Which registers and cells matter for where pointers point: of them differences are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from abpress.analysis.points_to import Heap, name_of
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, PtrAdd, Reg, walk
from abpress.ir.program import (
    Alloc,
    Assign,
    Effect,
    Load,
    Program,
    Spawn,
    Store,
    Template,
    edges,
    effect_operands,
)
from abpress.ir.types import IntType, PtrType
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.places import carried, count_of
from abpress.modular.bounds.values import is_small
from abpress.modular.handed import ARGUMENT


@dataclass(frozen=True, slots=True)
class Tracked:
    """Per template, registers and cells: what distances and sizes are computed from, and what that
    is compared with. Such numbers are also read from `members`."""

    variables: Mapping[str, frozenset[str]]
    members: frozenset[str]


def tracked(program: Program, memory: AccessMemory) -> Tracked:
    """What matters for where pointers point."""
    found: dict[str, set[str]] = {name: set() for name in program.templates}
    cells = {member.filled for member in memory.members.filled}
    for name, template in program.templates.items():
        if memory.indexed[name]:
            found[name].update(_counters(template))
        for i, edge in edges(template):
            for k, e in enumerate(template.locations[i].edges):
                if e is not edge:
                    continue
                found[name].update(_distances(edge.guard))
                for n, effect in enumerate(edge.effects):
                    if isinstance(effect, Alloc):
                        cells.add(count_of(name_of(Heap(name, i, k, n))))
                        found[name].update(_integers(effect.count))
                    for operand in effect_operands(effect):
                        found[name].update(_distances(operand))
    while True:
        before = sum(map(len, found.values())), len(cells)
        for name, template in program.templates.items():
            its = found[name]
            for _, edge in edges(template):
                for a, b in _compared(edge.guard):
                    both = {*_integers(a), *_integers(b)}
                    if not its.isdisjoint(both):
                        its |= both
                for effect in edge.effects:
                    _follow(name, effect, its, cells, memory)
                    if isinstance(effect, Spawn) and carried(ARGUMENT) in found[effect.template]:
                        its.update(_integers(effect.argument))
        if before == (sum(map(len, found.values())), len(cells)):
            variables = {
                name: frozenset(filter(partial(_is_small, memory, name), its | cells))
                | memory.limits[name].keys()
                for name, its in found.items()
            }
            return Tracked(variables, frozenset(cells & memory.numbers.named.keys()))


def _counters(template: Template) -> Iterator[str]:
    """The numbers that are counted up or down: pointers may move as often."""
    for _, edge in edges(template):
        for effect in edge.effects:
            match effect:
                case Assign(Reg(name, IntType()), Binary("+" | "-", Reg(its, _), Const())):
                    if its == name:
                        yield name
                case _:
                    pass


def _is_small(memory: AccessMemory, template: str, name: str) -> bool:
    """Whether what is known of a variable is told in certificates."""
    type = memory.types[template].get(name)
    return type is not None and is_small(type)


def _follow(
    name: str, effect: Effect, its: set[str], cells: set[str], memory: AccessMemory
) -> None:
    def members_at(address: Expr, size: int) -> Iterator[str]:
        return (m.name for m in memory.numbers.at(name, address, size).members)

    match effect:
        case Assign(target, value) if isinstance(target.type, PtrType):
            if carried(target.name) in its:
                its.update(_integers(value))
        case Assign(target, value):
            if target.name in its:
                its.update(_integers(value))
            elif isinstance(value, Reg) and value.name in its:
                its.add(target.name)
        case Load(target, address) if isinstance(target.type, IntType):
            reached = memory.reached(name, address, target.type.size)[0]
            if target.name in its:
                cells.update(reached, members_at(address, target.type.size))
            elif not cells.isdisjoint(reached):
                its.add(target.name)
        case Store(address, value) if isinstance(value.type, IntType):
            size = value.type.size
            reached = memory.reached(name, address, size)[0]
            if not cells.isdisjoint((*reached, *members_at(address, size))):
                its.update(_integers(value))
        case _:
            pass


def _integers(e: Expr) -> Iterator[str]:
    """The registers with integers in an expression, and the numbers in pointers."""
    for s in walk(e):
        if isinstance(s, Reg):
            yield s.name if isinstance(s.type, IntType) else carried(s.name)


def _distances(e: Expr) -> Iterator[str]:
    for s in walk(e):
        if isinstance(s, PtrAdd):
            yield from _integers(s.bytes)


def _compared(guard: Expr) -> Iterable[tuple[Expr, Expr]]:
    return [
        (_bare(s.left), _bare(s.right))
        for s in walk(guard)
        if isinstance(s, Compare) and isinstance(s.left.type, IntType)
    ]


def _bare(e: Expr) -> Expr:
    return _bare(e.arg) if isinstance(e, Convert) else e
