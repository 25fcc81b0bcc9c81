"""The checked tree of a certificate; its cycles, and threads that go on.

The conditions under which nodes need not be expanded in all threads are in `conditions`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from abpress.logic.formula import Formula, disj
from abpress.proof.certificate import Rejected, require
from abpress.smt.answer import Answer
from abpress.symbolic.discrete import Discrete, SymbolicStep, instances
from abpress.symbolic.exchange import Moves, composed
from abpress.symbolic.system import SymbolicSystem


@dataclass(frozen=True)
class CheckedTree:
    """The nodes that the checker has reached, with the steps that it has computed itself.

    A node is in `coverers` or in `expanded`. `children` has every step of every expanded thread
    that was not proved impossible (maybe some that are), each with the child that it leads to;
    `missing` the unfinished threads in which an expanded node is not expanded, if there are any.
    `go_on(n, threads)` says whether the label of the node implies that one of the threads can do a
    step after which the program goes on. `mentioned` are the variables of the certificate. The step
    to a child, by its node and number there, may be taken only where a formula of `when` holds.
    `moves`: at what covers a node some threads are others, NOTE(symmetric-covers).
    `implied(n, step, when, goals)` says whether all goals hold wherever the node's step is taken.
    """

    system: SymbolicSystem
    mentioned: Collection[str]
    go_on: Callable[[int, Iterable[int]], Answer]
    implied: Callable[[int, SymbolicStep, Formula, Iterable[Formula]], Answer]
    discrete: dict[int, Discrete] = field(default_factory=dict)
    coverers: dict[int, int] = field(default_factory=dict)
    expanded: dict[int, tuple[int, ...]] = field(default_factory=dict)
    missing: dict[int, tuple[int, ...]] = field(default_factory=dict)
    children: dict[int, list[tuple[SymbolicStep, int]]] = field(default_factory=dict)
    when: dict[tuple[int, int], Formula] = field(default_factory=dict)
    moves: dict[int, Moves] = field(default_factory=dict)

    @cached_property
    def representatives(self) -> Mapping[int, int]:
        """Per node, the expanded one that it is or that covers it, directly or through others.

        For a complete tree only. Raises Rejected where nodes cover one another in a circle.
        """
        require_progress({n: (by,) for n, by in self.coverers.items()})
        found = {}
        for n in self.discrete:
            last = n
            while last in self.coverers:
                last = self.coverers[last]
            found[n] = last
        return found

    def through(self, n: int) -> Moves:
        """What the threads at a node are at its representative, of those that are not the same."""
        found: Moves = {}
        while n in self.coverers:
            found = composed(found, self.moves.get(n, {}))
            n = self.coverers[n]
        return found

    def reject(self, n: int, why: str) -> Rejected:
        """The rejection because a node is not expanded in some threads, although it has to be."""
        return Rejected(self._incomplete(n, why))

    def require(self, answer: Answer, n: int, why: str) -> None:
        """Raises that rejection where the answer is no, and Unchecked where the solver gave up."""
        require(answer, self._incomplete(n, why))

    def _incomplete(self, n: int, why: str) -> str:
        names = ", ".join(map(self.system.name, self.missing[n]))
        return f"node {n} is not expanded in {names}: {why}"


def require_progress_of(tree: CheckedTree) -> None:
    """Raises Rejected unless every cycle has a node that is expanded in all threads."""
    partial: dict[int, Iterable[int]] = {n: (by,) for n, by in tree.coverers.items()}
    partial.update((n, [child for _, child in tree.children[n]]) for n in tree.missing)
    require_progress(partial)


def require_progress(edges: Mapping[int, Iterable[int]]) -> None:
    """Raises Rejected for a cycle of `edges`, those of nodes not expanded in all threads."""
    among = {n: [m for m in targets if m in edges] for n, targets in edges.items()}
    try:
        TopologicalSorter(among).prepare()
    except CycleError as error:
        cycle = " -> ".join(str(n) for n in reversed(error.args[1]))
        raise Rejected(f"no node of the cycle {cycle} is expanded in all threads") from error


# -- formulas about steps -------------------------------------------------------------------------


def goes_on(steps: Iterable[SymbolicStep]) -> Formula:
    """A formula that implies that one of the steps is possible, and that the program goes on.

    Arbitrary values are tried out: the least, the greatest, and the one nearest to 0.
    """
    return disj(
        way
        for step in steps
        if step.violation is None and step.fault is None and step.successor.status is None
        for way in instances(step.guard, step.inputs)
    )
