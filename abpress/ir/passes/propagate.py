"""Propagation of constants, addresses, copies and conditions into the uses of registers.

A forward data-flow analysis finds the definitions `register := value` that hold on every path to
a location (available copies: Aho, Lam, Sethi, Ullman, Compilers, 9.1, 9.4); uses are replaced
where the definition holds, so a register that may be undefined at a use stays.

Precondition: the program is well-formed. Preserves all executions: a value is substituted only
when it cannot fault, and a value with an operator only up to the next effect on memory or
threads, so that no larger set of registers is live between two steps.
"""

from __future__ import annotations

from dataclasses import replace

from abpress.ir.expr import Addr, Compare, Const, Convert, Expr, FuncAddr, Reg, registers, rewrite
from abpress.ir.passes.liveness import Liveness
from abpress.ir.passes.rewrite import (
    REGISTER_ONLY,
    forwards,
    map_operands,
    map_templates,
    may_fault,
    node_count,
)
from abpress.ir.program import (
    Assign,
    Edge,
    Effect,
    Location,
    Overflow,
    Program,
    Template,
    effect_target,
    goes_on,
)

Available = dict[str, Expr]
"""Register -> a value that it has for certain."""

LARGEST_VALUE = 4
"""Nodes of an expression that may be evaluated again at each use."""


def propagate(program: Program) -> Program:
    """The program with known values in place of registers; the definitions stay."""
    return map_templates(program, lambda t: propagate_template(t, program.signed_overflow))


def propagate_template(template: Template, overflow: Overflow) -> Template:
    """As `propagate`, for one template."""
    available = _Analysis(template, overflow).solve()
    locations = []
    for i, location in enumerate(template.locations):
        known = available[i]
        if known is None:  # unreachable
            locations.append(location)
            continue
        edges = tuple(_transfer(edge, dict(known), overflow)[0] for edge in location.edges)
        locations.append(Location(edges, location.atomic))
    return replace(template, locations=tuple(locations))


class _Analysis:
    """Available values per location, by iteration from above (None: not reached yet)."""

    def __init__(self, template: Template, overflow: Overflow) -> None:
        self._template = template
        self._overflow = overflow
        self._liveness = Liveness(template)
        self._order = forwards(template)

    def solve(self) -> list[Available | None]:
        locations = self._template.locations
        at: list[Available | None] = [None] * len(locations)
        at[self._template.entry] = {}
        changed = set(self._order)
        while changed:
            for i in self._order:
                known = at[i]
                if i not in changed or known is None:
                    changed.discard(i)
                    continue
                changed.discard(i)
                for edge in locations[i].edges:
                    if not goes_on(edge):
                        continue
                    after = _transfer(edge, dict(known), self._overflow)[1]
                    if self._crosses_block(i, edge):
                        _keep_simple(after)
                    target = edge.target
                    met = self._meet(at[target], after, target)
                    if met != at[target]:
                        at[target] = met
                        changed.add(target)
        return at

    def _crosses_block(self, i: int, edge: Edge) -> bool:
        locations = self._template.locations
        return locations[i].atomic != locations[edge.target].atomic

    def _meet(self, old: Available | None, new: Available, location: int) -> Available:
        if old is None:
            # a value of a dead register is of no use, its source may be one
            live = self._liveness.at(location)
            return {name: e for name, e in new.items() if name in live}
        return {name: e for name, e in old.items() if new.get(name) == e}


def _transfer(edge: Edge, known: Available, overflow: Overflow) -> tuple[Edge, Available]:
    """The edge with known values substituted, and what is known after it (`known` is used up)."""

    def leaf(e: Expr) -> Expr:
        return known.get(e.name, e) if isinstance(e, Reg) else e

    def substituted(e: Expr) -> Expr:
        return rewrite(e, leaf) if known and not isinstance(e, Const | Addr | FuncAddr) else e

    guard = substituted(edge.guard)
    effects: list[Effect] = []
    for effect in edge.effects:
        new = map_operands(effect, substituted)
        effects.append(new)
        if not isinstance(effect, REGISTER_ONLY):
            _keep_simple(known)
        target = effect_target(effect)
        if target is not None:
            _forget(known, target.name)
        if isinstance(new, Assign) and _is_propagated(new.value, new.target.name, overflow):
            known[new.target.name] = new.value
    if guard != edge.guard or tuple(effects) != edge.effects:
        edge = replace(edge, guard=guard, effects=tuple(effects))
    return edge, known


def _forget(known: Available, name: str) -> None:
    known.pop(name, None)
    for other in [k for k, e in known.items() if name in registers(e)]:
        del known[other]


def _keep_simple(known: Available) -> None:
    for name in [k for k, e in known.items() if not isinstance(e, Const | Addr | FuncAddr | Reg)]:
        del known[name]


def _is_propagated(value: Expr, target: str, overflow: Overflow) -> bool:
    match value:
        case Const() | Addr() | FuncAddr():
            return True
        case Reg(name, _):
            # a named variable is not replaced by the temporary that carried its value
            return name != target and (target.startswith("%") or not name.startswith("%"))
        case Compare() | Convert():
            return (
                node_count(value) <= LARGEST_VALUE
                and target not in registers(value)
                and not may_fault(value, overflow)
            )
        case _:
            return False
