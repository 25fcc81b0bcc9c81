"""Covers by nodes in which threads that are alike are one another: NOTE(symmetric-covers).

The place of what covers a node is not known from that of the node, as handles differ: such covers
are checked when all else has been.
"""

from __future__ import annotations

from collections.abc import Mapping

from abpress.analysis.alike import TellsApart
from abpress.ir.program import Program
from abpress.logic.formula import Formula
from abpress.proof.certificate import Rejected, require
from abpress.proof.consequences import Consequences
from abpress.proof.expansion import CheckedTree
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options
from abpress.symbolic.discrete import Discrete
from abpress.symbolic.exchange import Moves, SymmetricSystem, inverse, names_moved, renamed

Labels = Mapping[int, tuple[Formula, ...]]
"""The labels of nodes."""


def symmetric_system(
    program: Program, options: Options, interpreter: Interpreter, tracked: frozenset[str]
) -> SymmetricSystem:
    """The steps in which threads are joined together. Raises Rejected where none are alike."""
    try:
        return SymmetricSystem(program, options, interpreter, tracked)
    except TellsApart as why:
        raise Rejected(f"threads can be told apart: {why}") from why


class CoversByOthers:
    """The covers by others that are not yet checked. Mutable."""

    def __init__(
        self,
        system: SymmetricSystem | None,
        tree: CheckedTree,
        labels: Labels,
        known: Consequences,
    ) -> None:
        self._system = system
        self._tree = tree
        self._labels = labels
        self._known = known
        self._pairs: dict[int, tuple[int, Mapping[str, str]]] = {}

    def __len__(self) -> int:
        return len(self._pairs)

    def add(self, n: int, by: int, names: Mapping[str, str]) -> None:
        """Takes in that a node is covered by another one, where the threads are those named."""
        self._pairs[n] = by, names

    def check_one(self) -> None:
        """Checks one of them. Raises Rejected and Unchecked."""
        discrete = self._tree.discrete
        n = next((n for n, (by, _) in self._pairs.items() if by in discrete), None)
        if n is None:
            n, (by, _) = next(iter(self._pairs.items()))
            raise Rejected(f"node {n} is covered by node {by}, which is not reached")
        by, names = self._pairs.pop(n)
        system, d, other = self._system, discrete[n], discrete[by]
        if system is None:
            raise Rejected(f"node {n} is covered by one of other threads, without symmetry")
        moves = self._moves(n, d, names)
        why = system.why_not(d, other, moves)
        if why:
            raise Rejected(f"node {n} is covered by node {by}, which has another place: {why}")
        back = names_moved(system, inverse(moves))
        known = self._known.given(d, self._labels[n])
        for formula in self._labels[by]:
            goal = self._known.settled(d, renamed(self._known.settled(other, formula), back))
            require(
                self._known.judge.implied(known, goal),
                f"node {n} does not imply what covers it, node {by}: {formula}",
            )
        self._tree.coverers[n] = by
        self._tree.moves[n] = moves

    def _moves(self, n: int, d: Discrete, names: Mapping[str, str]) -> Moves:
        """What the threads of a node are at the one that covers it. Raises Rejected."""
        ids = {self._tree.system.name(part.id): part.id for part in d.threads}
        for name in (*names, *names.values()):
            if name not in ids:
                raise Rejected(f"node {n}: there is no thread {name:.80}")
        return {ids[a]: ids[b] for a, b in names.items() if a != b}
