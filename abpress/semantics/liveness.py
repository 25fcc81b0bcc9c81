"""Which registers matter at a location, so that dead values do not tell states apart."""

from __future__ import annotations

from abpress.ir.expr import Expr, registers
from abpress.ir.program import Edge, Template, effect_operands, effect_target
from abpress.semantics.flow import goes_on


def live_registers(template: Template) -> tuple[frozenset[str], ...]:
    """Per location, the registers (also `$tid`, `$arg`) whose value there may still be read.

    The least solution of the backward dataflow equations, as sets of bits: a register is live
    before an edge if the edge reads it, or does not define it and it is live at the target.
    """
    names: dict[str, int] = {}

    def bits(e: Expr) -> int:
        mask = 0
        for name in sorted(registers(e)):
            mask |= 1 << names.setdefault(name, len(names))
        return mask

    def transfer(edge: Edge) -> tuple[int, int]:
        """What the edge reads, and what of its target's live registers it leaves alone."""
        used, kept = 0, -1
        for effect in reversed(edge.effects):
            if (target := effect_target(effect)) is not None:
                bit = 1 << names.setdefault(target.name, len(names))
                used, kept = used & ~bit, kept & ~bit
            for operand in effect_operands(effect):
                used |= bits(operand)
        return used | bits(edge.guard), kept if goes_on(edge) else 0

    count = len(template.locations)
    flow = [
        [(edge.target, *transfer(edge)) for edge in location.edges]
        for location in template.locations
    ]
    sources: list[list[int]] = [[] for _ in range(count)]
    for i, out in enumerate(flow):
        for target, _, kept in out:
            if kept:
                sources[target].append(i)
    live = [0] * count
    todo = list(range(count))  # from the end: mostly in the direction of the flow
    waiting = [True] * count
    while todo:
        i = todo.pop()
        waiting[i] = False
        mask = 0
        for target, used, kept in flow[i]:
            mask |= used | (live[target] & kept)
        if mask != live[i]:
            live[i] = mask
            for source in sources[i]:
                if not waiting[source]:
                    waiting[source] = True
                    todo.append(source)
    return tuple(frozenset(n for n, k in names.items() if mask >> k & 1) for mask in live)
