"""Whether the executions that a complete tree stands for come to the end of the program."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count, islice

from abpress.art.node import Move, Node
from abpress.art.tree import Tree
from abpress.engines.abpress.attempt import Problem
from abpress.engines.vacuity import at_places, stops
from abpress.errors import Position
from abpress.itp.path import Feasible, Path, feasibility
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import SymbolicStep

_TRIES = 8
"""Ways to the end of the program that are asked the solver of."""
_WAYS = 4096
"""Ways that are looked at, to the end or to anywhere."""
_RLIMIT = 1_000_000
"""Steps of the solver for each, some tenths of a second."""


def vacuity(problem: Problem, tree: Tree) -> str:
    """Why no execution completes, or that none was found; empty if one does."""
    prover = Prover(problem.prover.encoding, _RLIMIT, problem.config.search.seed)
    for steps in islice(_ways(problem, tree), _TRIES):
        if isinstance(feasibility(prover, Path(problem.initially, steps)), Feasible):
            return ""
    if any(node.moves for node in tree.nodes):  # the other threads' ways are not looked at
        return ""
    ends = any(n.live and not problem.system.threads(n.place.discrete) for n in tree.nodes)
    told = "no execution was found that completes" if ends else "no execution completes"
    return told + at_places(_stops(problem, tree))


def _ways(problem: Problem, tree: Tree) -> Iterator[tuple[SymbolicStep, ...]]:
    """Ways through the tree to the end of the program, short ones first. A way that comes to a
    covered node goes on below the one that is explored in its place: which of the executions
    complete may be told apart by what comes before that."""
    left = _distances(problem, tree)
    numbers = count()
    ways: list[tuple[int, int, int, Node, tuple[SymbolicStep, ...]]] = []

    def add(node: Node, steps: tuple[SymbolicStep, ...]) -> None:
        if (more := left.get(id(node))) is not None:
            heappush(ways, (len(steps) + more, more, next(numbers), node, steps))

    add(tree.nodes[0], ())
    for _ in range(_WAYS):
        if not ways:
            return
        *_, node, steps = heappop(ways)
        if not left[id(node)]:
            yield steps
        for move, child in _below(node):
            add(child, (*steps, move.step))


def _distances(problem: Problem, tree: Tree) -> dict[int, int]:
    """How many steps the nodes are from the end of the program, of those that come there."""
    above: dict[int, list[Node]] = {}
    for node in tree.nodes:
        for _, child in _below(node):
            above.setdefault(id(child), []).append(node)
    ends = [n for n in tree.nodes if n.live and not problem.system.threads(n.place.discrete)]
    left = {id(node): 0 for node in ends}
    for node in ends:  # it grows
        for parent in above.get(id(node), ()):
            if id(parent) not in left:
                left[id(parent)] = left[id(node)] + 1
                ends.append(parent)
    return left


def _below(node: Node) -> Iterator[tuple[Move, Node]]:
    if node.through():
        return
    for children in node.representative().expanded.values():
        for move, child in children:
            if child is not None and child.live:
                yield move, child


def _stops(problem: Problem, tree: Tree) -> Iterator[Position]:
    """Where threads stand at the nodes from which no step leads on."""
    program, system = problem.program, problem.system
    for node in tree.nodes:
        if node.open and not _goes_on(node):
            for thread in system.threads(node.place.discrete):
                yield from stops(program, *system.location(node.place.discrete, thread))


def _goes_on(node: Node) -> bool:
    return any(child is not None for steps in node.expanded.values() for _, child in steps)
