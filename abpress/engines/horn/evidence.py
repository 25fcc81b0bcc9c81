"""What certificates are made from: graphs with their labels, as trees."""

from __future__ import annotations

from collections.abc import Mapping

from abpress.art.view import ArtNodeView, ArtView
from abpress.engines.horn.graph import Graph, GraphMove
from abpress.logic.formula import TRUE, Formula, conjuncts
from abpress.proof.certificate import CLAUSES
from abpress.symbolic.discrete import Discrete
from abpress.symbolic.exchange import SymmetricSystem, inverse, names_moved, renamed
from abpress.symbolic.system import SymbolicSystem

REDUCTION, SYMMETRIC_REDUCTION = "preference-order+commuting", "preference-order"
"""The rule of the checker by which threads sleep, and where threads that are alike become one
another."""


def evidence_of(system: SymbolicSystem, graph: Graph, labels: Mapping[int, Formula]) -> ArtView:
    """What a certificate is made from: the graph with its labels. A move behind which threads are
    others leads to a node that is covered by its target."""
    children: dict[int, dict[int, list[GraphMove]]] = {}
    covered: dict[tuple[Discrete, int, tuple[tuple[int, int], ...]], ArtNodeView] = {}

    def child(move: GraphMove) -> int | None:
        if move.target is None or not move.becomes:
            return move.target
        key = move.step.successor, move.target, tuple(sorted(move.becomes.items()))
        if key not in covered:
            number = len(graph.nodes) + len(covered)
            names = names_moved(system, inverse(move.becomes))
            label = tuple(renamed(f, names) for f in _parts(labels, move.target))
            covered[key] = ArtNodeView(
                number, move.step.successor, label, move.target, (), moves=move.becomes
            )
        return covered[key].number

    for move in graph.moves:
        children.setdefault(move.source, {}).setdefault(move.step.thread, []).append(move)
    nodes = []
    for n, node in enumerate(graph.nodes):
        its = {t: children.get(n, {}).get(t, []) for t in node.expanded}
        expansions = tuple(
            (t, tuple((m.step, child(m)) for m in moves)) for t, moves in its.items()
        )
        when = {
            (t, k): move.when
            for t, moves in its.items()
            for k, move in enumerate(moves)
            if move.when is not TRUE
        }
        nodes.append(ArtNodeView(n, node.discrete, _parts(labels, n), None, expansions, when))
    ids = range(1, system.interpreter.views.threads_met() + 1)
    threads = tuple(map(system.name, ids))
    tracked = tuple(sorted(system.tracked))
    symmetric = isinstance(system, SymmetricSystem)
    return ArtView(
        (*nodes, *covered.values()),
        SYMMETRIC_REDUCTION if symmetric else REDUCTION,
        "int",
        threads,
        tracked,
        (),
        format=CLAUSES,
        symmetric=symmetric,
    )


def _parts(labels: Mapping[int, Formula], n: int) -> tuple[Formula, ...]:
    return tuple(f for f in conjuncts(labels.get(n, TRUE)) if f is not TRUE)
