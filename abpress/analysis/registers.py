"""Registers for the code generator: those that may be undefined, and those only copied.

A register without a value holds None. Using it chooses a value; copying it does not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence

from abpress.ir.expr import Expr, Reg, registers
from abpress.ir.program import (
    Alloc,
    Assign,
    Edge,
    Effect,
    Finish,
    Havoc,
    Join,
    Load,
    Spawn,
    Store,
    Template,
    edges,
    effect_operands,
    effect_target,
    goes_on,
)
from abpress.ir.types import PtrType

TID = "$tid"
ARGUMENT = "$arg"


def live_after(edge: Edge, live: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Per effect of the edge, the registers that may still be read after it."""
    after = live[edge.target] if goes_on(edge) else frozenset()
    result = []
    for effect in reversed(edge.effects):
        result.append(after)
        target = effect_target(effect)
        if target is not None:
            after = after - {target.name}
        after = after.union(*(registers(e) for e in effect_operands(effect)))
    result.reverse()
    return result


def copied_operand(effect: Effect) -> Expr | None:
    """The operand that the effect copies without looking at it, if it has one."""
    match effect:
        case Assign(_, value) | Store(_, value) | Spawn(_, _, value) | Finish(value):
            return value
        case _:
            return None


def copied(effect: Effect, after: frozenset[str]) -> Reg | None:
    """The register whose value, if undefined, the effect copies as undefined.

    Only where the register is dead afterwards (a copy made undefined, and one that gets a value,
    would disagree); or a pointer, for which a value is never chosen.
    """
    value = copied_operand(effect)
    if isinstance(value, Reg) and (value.name not in after or isinstance(value.type, PtrType)):
        return value
    return None


def used(effect: Effect, after: frozenset[str]) -> frozenset[str]:
    """The registers that have a value once the effect has happened, because it looks at them."""
    raw = copied(effect, after)
    names: frozenset[str] = frozenset()
    for operand in effect_operands(effect):
        if operand is not raw:
            names |= registers(operand)
    return names


def only_copied(template: Template) -> frozenset[str]:
    """Pointer registers that no action of the template looks at."""
    names = {n for n, type in template.registers.items() if isinstance(type, PtrType)}
    for _, edge in edges(template):
        names -= registers(edge.guard)
        for effect in edge.effects:
            value = copied_operand(effect)
            for operand in effect_operands(effect):
                if operand is not value or not isinstance(operand, Reg):
                    names -= registers(operand)
    return frozenset(names)


def after_effect(
    effect: Effect, after: frozenset[str], undefined: frozenset[str], inert: frozenset[str]
) -> frozenset[str]:
    """The registers that may be undefined after an effect; `inert` are the `only_copied`."""
    raw = copied(effect, after)
    was = raw is not None and raw.name in undefined
    undefined = undefined - used(effect, after)
    target = effect_target(effect)
    if target is None:
        return undefined
    match effect:
        case Assign():
            may_be = was
        case Load():
            may_be = target.name in inert or target.name not in after
        case Join():
            may_be = True
        case Havoc():
            may_be = target.name not in after or isinstance(target.type, PtrType)
        case _:
            may_be = target.name not in after
    return undefined | {target.name} if may_be else undefined - {target.name}


def maybe_undefined(
    template: Template, live: Sequence[frozenset[str]], given: Collection[str] = (TID,)
) -> tuple[frozenset[str], ...]:
    """Per location the live registers that may hold no value there; those `given` do at first."""
    inert = only_copied(template)
    result: list[frozenset[str] | None] = [None] * len(template.locations)
    result[template.entry] = live[template.entry].difference(given)
    work = deque([template.entry])
    while work:
        source = work.popleft()
        for edge in template.locations[source].edges:
            if not goes_on(edge):
                continue
            undefined = (result[source] or frozenset()) - registers(edge.guard)
            for effect, after in zip(edge.effects, live_after(edge, live), strict=True):
                undefined = after_effect(effect, after, undefined, inert)
            undefined &= live[edge.target]
            old = result[edge.target]
            if old is None or not undefined <= old:
                result[edge.target] = undefined | (old or frozenset())
                work.append(edge.target)
    return tuple(r if r is not None else frozenset() for r in result)


def counting(template: Template, kind: type[Spawn] | type[Alloc]) -> frozenset[int]:
    """The locations from which a `kind` effect can still be reached."""
    predecessors: dict[int, list[int]] = {}
    work = []
    for source, edge in edges(template):
        if any(isinstance(effect, kind) for effect in edge.effects):
            work.append(source)
        if goes_on(edge):
            predecessors.setdefault(edge.target, []).append(source)
    found = set(work)
    while work:
        for source in predecessors.get(work.pop(), ()):
            if source not in found:
                found.add(source)
                work.append(source)
    return frozenset(found)


def spawned_templates(template: Template) -> Iterator[str]:
    """The templates of the threads that the template creates."""
    for _, edge in edges(template):
        for effect in edge.effects:
            if isinstance(effect, Spawn):
                yield effect.template
