"""Liveness: the registers that may still be read; assignments to the others are removed.

Backward data-flow analysis.
"""

from __future__ import annotations

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

Registers = frozenset[str]
"""Registers that are live somewhere, by their names."""


class Liveness:
    """The registers that are live at every location of a template."""

    def __init__(self, template: Template) -> None:
        self._reads: dict[Expr, Registers] = {}
        self._live = self._solve(template)

    def at(self, location: int) -> Registers:
        """The registers that may be read before they are written, from `location` on."""
        return self._live[location]

    def behind(self, edge: Edge) -> Registers:
        """The registers that are live after all effects of the edge."""
        return self._live[edge.target] if goes_on(edge) else frozenset()

    def before(self, effect: Effect, live: Registers) -> Registers:
        """The registers that are live before an effect with `live` after it."""
        target = effect_target(effect)
        if target is not None and target.name in live:
            live -= {target.name}
        for operand in effect_operands(effect):
            live |= self._read(operand)
        return live

    def _read(self, e: Expr) -> Registers:
        found = self._reads.get(e)
        if found is None:
            found = self._reads[e] = frozenset(registers(e))
        return found

    def _solve(self, template: Template) -> list[Registers]:
        # per edge: what it reads first, what it defines, where it leads
        summaries: list[list[tuple[Registers, Registers, int]]] = []
        sources: list[list[int]] = [[] for _ in template.locations]
        for i, location in enumerate(template.locations):
            summaries.append([])
            for edge in location.edges:
                read = self._backward(edge)
                targets = map(effect_target, edge.effects)
                defined = frozenset(target.name for target in targets if target is not None)
                summaries[i].append((read, defined, edge.target if goes_on(edge) else -1))
                if goes_on(edge):
                    sources[edge.target].append(i)
        live: list[Registers] = [frozenset()] * len(template.locations)
        pending = list(range(len(template.locations)))
        waiting = set(pending)
        while pending:
            i = pending.pop()
            waiting.discard(i)
            found: Registers = frozenset()
            for read, defined, target in summaries[i]:
                found |= read
                if target >= 0:
                    found |= live[target] - defined
            if found != live[i]:
                live[i] = found
                for source in sources[i]:
                    if source not in waiting:
                        waiting.add(source)
                        pending.append(source)
        return live

    def _backward(self, edge: Edge) -> Registers:
        live: Registers = frozenset()
        for effect in reversed(edge.effects):
            live = self.before(effect, live)
        return live | self._read(edge.guard)


def defines_dead(effect: Effect, live: Registers) -> bool:
    """Whether the effect defines a register that is not among those that are `live` after it."""
    target = effect_target(effect)
    return target is not None and target.name not in live


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
            if defines_dead(effect, live) and _is_pure(effect, overflow):
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
