"""Liveness: the registers that may still be read; assignments to the others are removed.

Backward data-flow analysis; a set of registers is a bit mask.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from abpress.ir.expr import Expr, registers
from abpress.ir.passes.rewrite import may_fault, with_effects
from abpress.ir.program import (
    Assign,
    ChooseBit,
    Edge,
    Effect,
    Havoc,
    Location,
    Overflow,
    Program,
    Template,
    effect_operands,
    effect_target,
    goes_on,
)


class Liveness:
    """The registers that are live at every location of a template."""

    def __init__(self, template: Template) -> None:
        self._bits = {name: 1 << k for k, name in enumerate(template.registers)}
        self._reads: dict[Expr, int] = {}
        self._live = self._solve(template)

    def at(self, location: int, name: str) -> bool:
        """Whether register `name` may be read before it is written, from `location` on."""
        return self.is_live(name, self._live[location])

    def names(self, location: int) -> Iterator[str]:
        """The live registers of the location, in the order of their declaration."""
        return (name for name, bit in self._bits.items() if self._live[location] & bit)

    def behind(self, edge: Edge) -> int:
        """The mask of the registers that are live after all effects of the edge."""
        return self._live[edge.target] if goes_on(edge) else 0

    def before(self, effect: Effect, live: int) -> int:
        """The mask before an effect with `live` after it."""
        target = effect_target(effect)
        if target is not None:
            live &= ~self._bits[target.name]
        for operand in effect_operands(effect):
            live |= self._read(operand)
        return live

    def defines_dead(self, effect: Effect, live: int) -> bool:
        """Whether the effect defines a register that is not in the mask `live`."""
        target = effect_target(effect)
        return target is not None and not live & self._bits[target.name]

    def is_live(self, name: str, live: int) -> bool:
        """Whether register `name` is in the mask `live`."""
        return bool(live & self._bits[name])

    def _read(self, e: Expr) -> int:
        mask = self._reads.get(e)
        if mask is None:
            mask = sum(self._bits[name] for name in registers(e))
            self._reads[e] = mask
        return mask

    def _solve(self, template: Template) -> list[int]:
        # per edge: what it reads first, what it defines first, where it leads
        summaries: list[list[tuple[int, int, int]]] = []
        every = sum(self._bits.values())
        sources: list[list[int]] = [[] for _ in template.locations]
        for i, location in enumerate(template.locations):
            summaries.append([])
            for edge in location.edges:
                read = self._backward(edge, 0)
                passed = self._backward(edge, every)
                summaries[i].append((read, passed, edge.target if goes_on(edge) else -1))
                if goes_on(edge):
                    sources[edge.target].append(i)
        live = [0] * len(template.locations)
        pending = list(range(len(template.locations)))
        waiting = set(pending)
        while pending:
            i = pending.pop()
            waiting.discard(i)
            mask = 0
            for read, passed, target in summaries[i]:
                mask |= read | (passed & live[target] if target >= 0 else 0)
            if mask != live[i]:
                live[i] = mask
                for source in sources[i]:
                    if source not in waiting:
                        waiting.add(source)
                        pending.append(source)
        return live

    def _backward(self, edge: Edge, live: int) -> int:
        for effect in reversed(edge.effects):
            live = self.before(effect, live)
        return live | self._read(edge.guard)


def remove_dead(program: Program) -> Program:
    """The program without register-only effects whose register is not read and that cannot fault.

    Precondition: the program is well-formed. Preserves all executions up to unread registers and
    unread arbitrary values.
    """
    return replace(
        program,
        templates={
            name: remove_dead_in(t, program.signed_overflow)
            for name, t in program.templates.items()
        },
    )


def remove_dead_in(template: Template, overflow: Overflow) -> Template:
    """As `remove_dead`, for one template."""
    liveness = Liveness(template)

    def cleaned(edge: Edge) -> Edge:
        live = liveness.behind(edge)
        kept: list[Effect] = []
        for effect in reversed(edge.effects):
            if _is_self_copy(effect):
                continue
            if liveness.defines_dead(effect, live) and _is_pure(effect, overflow):
                continue
            live = liveness.before(effect, live)
            kept.append(effect)
        if len(kept) == len(edge.effects):
            return edge
        return with_effects(edge, tuple(reversed(kept)))

    return replace(
        template,
        locations=tuple(
            Location(tuple(map(cleaned, location.edges)), location.atomic)
            for location in template.locations
        ),
    )


def _is_pure(effect: Effect, overflow: Overflow) -> bool:
    match effect:
        case Assign(_, value) | ChooseBit(_, value):
            return not may_fault(value, overflow)
        case Havoc():
            return True
        case _:
            return False


def _is_self_copy(effect: Effect) -> bool:
    return isinstance(effect, Assign) and effect.value == effect.target
