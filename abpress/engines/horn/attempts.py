"""How far the engine has come with each preference order: its graph, and the parts of it that have
no labels yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from abpress.engines.horn.graph import MOST_NODES, Building, Graph, GraphMove
from abpress.engines.horn.orders import PreferenceOrder
from abpress.engines.horn.solving import SoFar
from abpress.engines.horn.spans import Spans
from abpress.logic.formula import Formula
from abpress.semantics.naming import MAIN


@dataclass(slots=True)
class ErrorPart:
    """The graph with some of its errors, and whose places may be enough to exclude them (nobody's:
    all places are told apart). Mutable. `accelerates`: many rounds of loops are one clause; `spans`
    has what is known of its clauses by models, `so_far` what else is."""

    graph: Graph
    focus: frozenset[int] = frozenset()
    accelerates: bool = True
    spans: Spans | None = None
    so_far: SoFar = field(default_factory=SoFar)

    def whole(self) -> None:
        """Tells all places apart from now on."""
        self.focus, self.so_far = frozenset(), SoFar()


@dataclass(slots=True)
class OrderAttempt:
    """How far an order has come. Mutable. `parts` of its graph have no labels yet; `ended`: more
    time would not help. It is looked for equations by models where it `spans`."""

    order: PreferenceOrder
    building: Building
    spans: bool = False
    graph: Graph | None = None
    parts: list[ErrorPart] = field(default_factory=list)
    labels: dict[int, Formula] = field(default_factory=dict)
    clauses: int = 0
    variables: int = 0
    ended: bool = False

    @property
    def size(self) -> int:
        """The relations of the errors that are asked first: the nodes of most graphs are many more,
        from which no such error is reached."""
        if self.graph is None or not self.parts:
            return MOST_NODES
        return len({move.source for move in self.parts[0].graph.to_errors()})


def parts_of(graph: Graph) -> list[ErrorPart]:
    """The graph with some of its errors each: first violations, then the faults of each thread.

    What excludes some and what excludes others are kept by all steps, so both together are. Where
    no access may be invalid, fewer variables count. Whether an access of a thread is valid seldom
    depends on where threads stand but this one and main; but where threads become others it is not
    known which one this is.
    """
    parts: dict[int, list[GraphMove]] = {}
    for move in graph.moves:
        if move.target is None:
            parts.setdefault(0 if move.step.fault is None else move.step.thread, []).append(move)
    others = [move for move in graph.moves if move.target is not None]
    named = not graph.has_others
    return [
        ErrorPart(
            Graph(graph.nodes, others + parts[k]),
            frozenset({k, MAIN} if k and named else ()),
            accelerates=named,
        )
        for k in sorted(parts)
    ]
