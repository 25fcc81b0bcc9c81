"""Views of a complete tree: for certificates, and where its steps may overflow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from abpress.art.labels.policy import Labels
from abpress.art.node import Node
from abpress.art.tree import Tree
from abpress.errors import Position
from abpress.logic.formula import Formula
from abpress.proof.certificate import FORMAT
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import Discrete, SymbolicStep
from abpress.symbolic.exchange import SymmetricSystem
from abpress.symbolic.system import SymbolicSystem


@dataclass(frozen=True, slots=True)
class ArtNodeView:
    """A node of a complete tree.

    `expansions`: per expanded thread, its steps with the number of the child; None says that the
    step is impossible under the label. A covered node has none. `when`, by threads and numbers
    there: the step leads to this child where the formula holds. `moves`: which threads are others
    at the node that covers it.
    """

    number: int
    discrete: Discrete
    label: tuple[Formula, ...]
    covered_by: int | None
    expansions: tuple[tuple[int, tuple[tuple[SymbolicStep, int | None], ...]], ...]
    when: Mapping[tuple[int, int], Formula] = field(default_factory=dict)
    moves: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArtView:
    """A complete tree, for certificates. The first node is the root; numbers are indices.

    `threads` are the names of threads in the order of their ids, from 1 on; `tracked` are the
    static objects whose values belong to the discrete part where they are known.
    `vocabulary` are formulas: the cells that they mention count for the reduction, with those that
    are known somewhere. It is empty if all cells count. `symmetric`: `main` joins threads that are
    alike together.
    """

    nodes: tuple[ArtNodeView, ...]
    reduction: str
    encoding: str
    threads: tuple[str, ...]
    tracked: tuple[str, ...]
    vocabulary: tuple[Formula, ...]
    format: str = FORMAT
    symmetric: bool = False


def view(
    tree: Tree,
    labels: Labels,
    system: SymbolicSystem,
    reduction: str,
    encoding: str,
    vocabulary: tuple[Formula, ...],
) -> ArtView:
    """The live nodes of a complete tree, numbered anew."""
    ids = range(1, system.interpreter.views.threads_met() + 1)
    threads = tuple(map(system.name, ids))
    live = [node for node in tree.nodes if node.live]
    numbers = {node.number: i for i, node in enumerate(live)}
    nodes = tuple(_node(node, labels, numbers) for node in live)
    tracked = tuple(sorted(system.tracked))
    symmetric = isinstance(system, SymmetricSystem)
    return ArtView(nodes, reduction, encoding, threads, tracked, vocabulary, symmetric=symmetric)


def _node(node: Node, labels: Labels, numbers: Mapping[int, int]) -> ArtNodeView:
    covered_by, expansions = None, node.expanded
    if node.coverer is not None:
        covered_by, expansions = numbers[node.coverer.number], {}
    steps = tuple(
        (
            thread,
            tuple((m.step, None if c is None else numbers[c.number]) for m, c in children),
        )
        for thread, children in expansions.items()
    )
    label = labels.formulas(node.label)
    discrete, moves = node.place.discrete, node.moves
    return ArtNodeView(numbers[node.number], discrete, label, covered_by, steps, moves=moves)


def overflows(
    tree: Tree, labels: Labels, system: SymbolicSystem, prover: Prover
) -> Iterator[Position]:
    """Where operations of steps may overflow."""
    seen: set[Position] = set()
    for node in tree.nodes:
        if node.open:
            label = labels.formulas(node.label)
            for thread in node.expanded:
                found = system.overflows(node.place.discrete, thread)
                for f, where in found.items():
                    if where in seen or prover.satisfiable((*label, f)) is Answer.NO:
                        continue
                    seen.add(where)
                    yield where
