"""Conditions for leaving threads out at nodes: somebody goes on, and no cycle is idle."""

from __future__ import annotations

from collections.abc import Iterable

from abpress.art.node import Move, Node
from abpress.ir.components import components, is_cycle
from abpress.logic.formula import Formula, disj
from abpress.symbolic.discrete import instances


def can_go_on(moves: Iterable[Move]) -> Formula:
    """A formula that implies that one of the moves is possible, and that the program goes on.

    Inputs are tried at a few values only.
    """
    ways = []
    for move in moves:
        step = move.step
        if step.violation is None and step.fault is None and step.successor.status is None:
            ways.append(disj(instances(step.guard, step.inputs)))
    return disj(ways)


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
