"""Conditions for leaving threads out at nodes: somebody goes on, and no cycle is idle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abpress.art.node import Move, Node
from abpress.ir.components import components, is_cycle
from abpress.ir.expr import Const, Expr
from abpress.logic.formula import Formula, conj, disj, substitute


def can_go_on(moves: Iterable[Move]) -> Formula:
    """A formula that implies that one of the moves is possible, and that the program goes on.

    Inputs are tried at a few values only.
    """
    ways = []
    for move in moves:
        step = move.step
        if step.violation is None and step.fault is None and step.successor.status is None:
            guard = conj(step.guard)
            ways.append(guard if not step.inputs else disj(_instances(guard, move)))
    return disj(ways)


def _instances(guard: Formula, move: Move) -> Iterator[Formula]:
    inputs = move.step.inputs
    for picked in zip(*(i.trials for i in inputs), strict=True):
        pairs = zip(inputs, picked, strict=True)
        values: dict[str, Expr] = {i.name: Const(value, i.type) for i, value in pairs}
        yield substitute(guard, values)


def unproductive(nodes: Iterable[Node]) -> list[Node]:
    """Reduced nodes without which no cycle of tree and cover edges has reduced nodes only."""
    graph: dict[int, set[int]] = {}
    by_number = {}
    for node in nodes:
        if not node.open or node.full:
            continue
        by_number[node.number] = node
        successors = graph[node.number] = set()
        for children in node.expanded.values():
            for _, child in children:
                if child is not None:
                    target = child.representative()
                    if not target.full:
                        successors.add(target.number)
    found = []
    todo = [graph]
    while todo:
        part = todo.pop()
        for component in components(part):
            if is_cycle(component, part):
                first = min(component)
                found.append(first)
                rest = component - {first}
                todo.append({n: part[n] & rest for n in rest})
    return [by_number[number] for number in sorted(found)]
