"""Which threads a node is expanded in. Labels are abstract: what a reduction needs is proved.

*s-por*: one thread with an invisible step alone suffices (see `abpress.por.s_por` for the theorem
and its conditions), here in the following form. Let n be a node, t a thread whose next step at n is
invisible.

1. In every state of n, some step of t is possible and goes on: the label implies the disjunction of
   the guards of t's steps that end neither in an error nor in a fault. (A step that is possible
   under the label need not be possible in each of its states: t may wait there at an assumption.)
2. All moves of t are explored.
3. On every cycle of tree and cover edges some node is expanded in all threads (DESIGN 4.1). This is
   established when everything else is done: while there is a cycle of reduced nodes only, one of
   them is expanded in its other threads.

Theorem: if a state s of a node n has an execution w to a violation, then the complete tree has an
error node. By induction on the length of w, then on the distance from n to the next fully expanded
node: it is finite by 3. If n is expanded fully, the first step of w leads to a child (or to what
covers it): w shrinks. Else, if t moves in w, its first step there commutes to the front: w shrinks.
If not, take a step of t that goes on from s, by 1; w is still possible behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import networkx as nx

from abpress.art.node import Move, Node
from abpress.ir.expr import Compare, Const, Expr, Reg
from abpress.ir.formula import FALSE, Formula, conj, disj, holds, neg, substitute


def can_go_on(moves: Iterable[Move]) -> Formula:
    """A formula that implies that one of the moves is possible and ends the execution in no error.

    Inputs are tried at a few values only.
    """
    ways = []
    for move in moves:
        step = move.step
        if step.violation is None and step.fault is None:
            guard = conj(step.guard)
            ways.append(guard if not step.inputs else disj(_instances(guard, move)))
    return disj(ways)


def possible_for_all_inputs(moves: Iterable[Move]) -> Formula:
    """A formula that implies that one of the moves is possible, whatever the inputs are.

    Its variables include the inputs. An input has one range, or else nothing is implied.
    """
    moves = tuple(moves)
    ranges: dict[str, set[Formula]] = {}
    for move in moves:
        for input in move.step.inputs:
            value = Reg(input.name, input.type)
            low, high = (Const(bound, input.type) for bound in (input.low, input.high))
            inside = conj((holds(Compare(">=", value, low)), holds(Compare("<=", value, high))))
            ranges.setdefault(input.name, set()).add(inside)
    if any(len(found) > 1 for found in ranges.values()):
        return FALSE
    outside = [neg(f) for found in ranges.values() for f in found]
    return disj((*outside, *(conj(move.step.guard) for move in moves)))


def _instances(guard: Formula, move: Move) -> Iterator[Formula]:
    for pick in (min, max):
        values: dict[str, Expr] = {
            input.name: Const(pick(input.low, input.high), input.type) for input in move.step.inputs
        }
        yield substitute(guard, values)
    values = {
        input.name: Const(min(max(0, input.low), input.high), input.type)
        for input in move.step.inputs
    }
    yield substitute(guard, values)


def unproductive(nodes: Iterable[Node]) -> list[Node]:
    """Nodes to be expanded fully: one of every set of reduced nodes that lie on a common cycle."""
    graph: nx.DiGraph = nx.DiGraph()
    for node in nodes:
        if node.coverer is not None or node.full:
            continue
        graph.add_node(node.number, node=node)
        for children in node.expanded.values():
            for _, child in children:
                if child is not None:
                    target = child.representative()
                    if not target.full:
                        graph.add_edge(node.number, target.number)
    found = []
    for component in nx.strongly_connected_components(graph):
        first = min(component)
        if len(component) > 1 or graph.has_edge(first, first):
            found.append(graph.nodes[first]["node"])
    return sorted(found, key=lambda node: node.number)
