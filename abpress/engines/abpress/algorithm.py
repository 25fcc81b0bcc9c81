"""Algorithm 1 of [AbPress14]: Impact [Impact06] fused with source sets [ODPOR14] by summaries.

| paper | here | why different |
| --- | --- | --- |
| main | `AbPress.main` | |
| Q | `Tree.pop` | a node is put there when it is made, if nothing covers it |
| Choose(v) | `TreeReduction.choose` | all where none surely goes on: NOTE(blocked-threads) |
| Expand(v), error(v) | `AbPress.expand` | an error is a move from v, refined before v is expanded |
| Expand-thread(T, v) | `Tree.expand` | only moves that the label permits; each child is closed |
| phi(v), ITP | `Node.label`, `Labels` | see below |
| Close(v), v covered by w | `AbPress.close`, `Tree.close` | covers are also forced [Impact06] |
| only older nodes cover | `Labels.covers` | with impact only: else labels do not change |
| lost covers in Refine | `Tree.strengthen`, `Tree.uncover` | NOTE(lost-covers) |
| Refine(v) | `AbPress.refine` | an execution is replayed before it is believed |
| Backtrack(v) | `TreeReduction.backtrack` | not on each path when it ends, but when Q is empty |
| SSet(v) | `Node.expanded` | |
| ComputeBT(u, v) | `source_sets.compute_bt` | a summary has no path: NOTE(ghost-events) |
| S(v), Sig, sum | `Summaries`, `Footprints` | NOTE(hiding-writes), NOTE(summaries-grow) |
| (nothing) | `progress.unproductive` | a thread could be ignored for ever: NOTE(ignoring) |
| sleep sets | (nothing) | a cover would have to respect them: NOTE(cover-sleep) |
| P is safe | `Ended.COMPLETE` | a certificate of the tree is checked |

`TreeReduction` is an interface (`reductions.tree.protocol`); the paper's is `TreeSourceSets` in
`reductions.tree.partial`. `source_sets`, `Summaries`, `Footprints` and `progress` are beside it,
`Tree` and `Node` in `art`, `Labels` in `art.labels.policy`.

The default labels are not those of Impact. `--labels predicates` is Cartesian predicate abstraction
[Cartesian01] over one pool of all interpolants that were found, also with like threads in one
another's place: what was learned on one interleaving is tried on all others, and a cover is a test
of subsets. After a refinement the tree is built anew (`Refined.REBUILD`), mostly from remembered
answers. `--labels impact` is the paper's: a new node knows nothing, the k-th interpolant goes into
the k-th node, the tree stays. Prototypes of that needed 20 to 50 times as many nodes; here forced
covers have made up for most of it (26 small programs of benchmarks/svcomp, --por source+summaries,
nodes of all trees: 0.25 to 3.5 times as many with impact; up to 17 times without forced covers).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto

from abpress.art.node import Node
from abpress.art.tree import ErrorPath
from abpress.engines.abpress.attempt import Attempt
from abpress.engines.abpress.counterexample import execution
from abpress.engines.abpress.refinement import Refined, exclude
from abpress.itp.path import Feasible, Infeasible, Unknown, feasibility
from abpress.search.ledger import Found
from abpress.semantics.outcome import State
from abpress.symbolic.discrete import EndShown


class Ended(Enum):
    """Why the algorithm has ended."""

    COMPLETE = auto()  # the tree is complete
    VIOLATED = auto()  # an error is real: `AbPress.counterexample`
    REBUILD = auto()  # the labels can make use of a refinement in a new tree only
    OTHER_PRECISION = auto()  # the attempt is to be given up for one that tracks other objects
    STOPPED = auto()  # a limit is exceeded: `Attempt.stopped`


_ENDS = {
    Refined.REBUILD: Ended.REBUILD,
    Refined.OTHER_PRECISION: Ended.OTHER_PRECISION,
    Refined.REAL: Ended.VIOLATED,
}


_UNTOLD: Mapping[EndShown | None, str] = {
    EndShown.DEADLOCK: "whether all threads wait for one another",
    EndShown.CIRCLE: "whether some threads wait for one another",
    EndShown.RACE: "whether two threads stand before accesses that race",
}
"""What an execution has not shown that a model does."""


class AbPress:
    """The algorithm on one tree. Mutable."""

    def __init__(self, attempt: Attempt) -> None:
        self.attempt = attempt
        self.labels = attempt.problem.labels
        self.reduction, self.tree = attempt.problem.tree()
        self.counterexample: Found[State] | None = None
        self._expiry = Ended.STOPPED

    def main(self) -> Ended:
        """Procedure main: closes or expands the nodes of the queue until nothing is missing."""
        while True:
            while (node := self.tree.pop()) is not None:
                if self.expired():
                    return self._expiry
                if self.close(node):
                    continue
                ended = self.expand(node, self.reduction.choose(node))
                if ended is not None:
                    return ended
            ended = self.backtrack()
            if ended is not None:
                return ended

    def expand(self, node: Node, threads: tuple[int, ...]) -> Ended | None:
        """Procedure expand: refines the errors that the threads commit; then adds children.

        What its states may show is an error of the node, if it is asked for: that threads wait for
        one another, or that two stand before accesses that race.
        """
        for error in self._errors(node, threads):
            ended = _ENDS.get(self.refine(error))
            if ended is not None:
                return ended
        if node.open:
            self.tree.expand(node, threads)
        return None

    def _errors(self, node: Node, threads: tuple[int, ...]) -> Iterator[ErrorPath]:
        """The errors at the node that bear on the property, as `Tree.errors` finds them."""
        attempt = self.attempt
        for what in attempt.looks_for if not node.expanded else ():
            if node.open:
                yield from self.tree.shown(node, what)
        if node.open:
            errors = self.tree.errors(node, threads)
            yield from (error for error in errors if attempt.is_error(error.move.step))

    def close(self, node: Node) -> bool:
        """Procedure close: covers the node, if need be with stronger labels; whether it is done."""
        if self.tree.close(node):
            return True
        for other in self.labels.candidates(node):
            if self.reduction.may_cover(other, node):
                labelling = self.labels.force(node, other)
                if labelling is not None and self.tree.force_cover(node, other, labelling):
                    return True
        return False

    def refine(self, error: ErrorPath) -> Refined:
        """Procedure refine: excludes the error by interpolants, or finds an execution to it."""
        attempt, step = self.attempt, error.move.step
        fault = None if attempt.violates(step) else step.fault
        if fault is not None and not attempt.soundness.complete:
            return Refined.UNDECIDED
        path = attempt.problem.path(error)
        match feasibility(attempt.problem.prover, path):
            case Infeasible(core):
                return exclude(attempt, self.tree, error, path, core)
            case Unknown(reason):
                attempt.lose(step, f"a path was not decided: {reason}")
            case Feasible() as model if fault is not None:
                attempt.soundness.lose(fault)
                if step.violation is not None and attempt.fault is None:
                    attempt.fault = path, model
            case Feasible(doubt=str(doubt)):
                attempt.soundness.lose(doubt)
            case Feasible() as model:
                self.counterexample = execution(attempt.problem, attempt.open, error, path, model)
                if self.counterexample is not None:
                    return Refined.REAL
                what = step.fault or _UNTOLD.get(step.shows, "")
                attempt.lose(step, f"not told exactly: {what}")
        return Refined.UNDECIDED

    def backtrack(self) -> Ended | None:
        """Procedure Backtrack, for all nodes at once: expands them in the threads of races."""
        requests = self.reduction.backtrack(self.tree, self.expired)
        if requests is None:
            return self._expiry
        for node, threads in requests:
            if node.open:
                if self.expired():
                    return self._expiry
                ended = self.expand(node, threads)
                if ended is not None:
                    return ended
        return None if requests else Ended.COMPLETE

    def expired(self) -> bool:
        """Whether the algorithm has to end, because of a limit or the attempt's budget."""
        if self.attempt.limit_exceeded(self.tree):
            self._expiry = Ended.STOPPED
            return True
        self._expiry = Ended.OTHER_PRECISION
        return self.attempt.budget_spent(self.tree)
