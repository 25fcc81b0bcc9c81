"""Whether the executions that a complete tree stands for come to the end of the program."""

from __future__ import annotations

from collections.abc import Iterator

from abpress.art.node import Node
from abpress.art.tree import Tree
from abpress.engines.abpress.attempt import Problem
from abpress.engines.vacuity import at_places, stops
from abpress.errors import Position
from abpress.itp.path import Feasible, Path, feasibility
from abpress.smt.prover import Prover

_TRIES = 8
"""Paths to the end of the program that are looked at."""
_RLIMIT = 1_000_000
"""Steps of the solver for each, some tenths of a second."""


def vacuity(problem: Problem, tree: Tree) -> str:
    """Why no execution completes, or that none was found; empty if one does."""
    prover = Prover(problem.prover.encoding, _RLIMIT, problem.config.search.seed)
    ends = [n for n in tree.nodes if n.live and not problem.system.threads(n.place.discrete)]
    for node in sorted(ends, key=lambda node: (node.depth, node.number))[:_TRIES]:
        path = Path(problem.initially, tuple(move.step for move in node.path()))
        if isinstance(feasibility(prover, path), Feasible):
            return ""
    told = "no execution was found that completes" if ends else "no execution completes"
    return told + at_places(_stops(problem, tree))


def _stops(problem: Problem, tree: Tree) -> Iterator[Position]:
    """Where threads stand at the nodes from which no step leads on."""
    program, system = problem.program, problem.system
    for node in tree.nodes:
        if node.open and not _goes_on(node):
            for thread in system.threads(node.place.discrete):
                yield from stops(program, *system.location(node.place.discrete, thread))


def _goes_on(node: Node) -> bool:
    return any(child is not None for steps in node.expanded.values() for _, child in steps)
