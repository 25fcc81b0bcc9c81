"""One attempt of the engine: a program under one encoding of integers and one precision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from abpress.analysis.alike import TellsApart
from abpress.analysis.facts import Facts
from abpress.art.labels.policy import Labels
from abpress.art.labels.table import LABELS
from abpress.art.node import Place, Places
from abpress.art.tree import ErrorPath, Tree
from abpress.config import ON, Config
from abpress.engines.abpress.precision import Precision
from abpress.engines.answer import expiry
from abpress.engines.order import asked_options
from abpress.ir.program import Program
from abpress.itp.path import Feasible, Path
from abpress.logic.formula import Formula
from abpress.proof.conditions import SYMMETRIC
from abpress.proof.shown import SHOWN
from abpress.properties import PROPERTIES, Aspect
from abpress.reductions.table import TREE
from abpress.reductions.tree.footprints import Footprints
from abpress.reductions.tree.protocol import TreeContext, TreeReduction
from abpress.result import Result, Soundness
from abpress.search.limits import StopReason, Watch
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep, Options
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import EndShown, SymbolicStep
from abpress.symbolic.exchange import SymmetricSystem
from abpress.symbolic.system import SymbolicSystem

RLIMIT = 5_000_000
"""What one query may cost, in the solver's own units."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What all trees of one attempt share. `initially` is what holds of the variables then;
    `symmetry` says whether threads that are alike count as one, if that is asked."""

    program: Program
    config: Config
    system: SymbolicSystem
    prover: Prover
    root: Place
    initially: tuple[Formula, ...]
    labels: Labels
    context: TreeContext
    symmetry: str = ""

    @property
    def interpreter(self) -> Interpreter:
        """The concrete semantics, in which threads have the same names."""
        return self.system.interpreter

    def tree(self) -> tuple[TreeReduction, Tree]:
        """A new tree, which is its root, and the reduction that goes with it."""
        reduction = TREE[self.config.search.por].make(self.context)
        tree = Tree(self.root, self.context.places, self.labels, reduction.may_cover)
        return reduction, tree

    def path(self, error: ErrorPath) -> Path:
        """The steps to an error, from the initial facts on."""
        return Path(self.initially, tuple(move.step for move in error.moves))


def prepare(
    facts: Facts, config: Config, encoding: str, precision: Precision, apart: str = ""
) -> Problem:
    """The symbolic steps of the facts' program, a solver, and labels, for one attempt; `apart` is
    what tells threads apart, if that is known."""
    program = facts.program
    options = asked_options(config)
    interpreter = Interpreter(program, options, Soundness(), facts=facts)
    prover = Prover(encoding, RLIMIT, config.search.seed)
    system, symmetry = _system(config, options, interpreter, precision.objects, apart)
    places = Places(system)
    discrete, initially = system.initial()
    root = places.at(discrete)
    initially = (*initially, *root.facts)
    labels = LABELS[config.search.labels](prover, initially, system.name)
    footprints = Footprints(system, labels.pool if TREE[config.search.por].abstract else None)
    context = TreeContext(system, places, footprints, labels.implies)
    if not precision.on:
        for formula in precision.formulas:
            labels.pool.number(formula)
    return Problem(program, config, system, prover, root, initially, labels, context, symmetry)


def _system(
    config: Config, options: Options, interpreter: Interpreter, tracked: frozenset[str], apart: str
) -> tuple[SymbolicSystem, str]:
    """The steps of the interpreter's program; whether threads that are alike count as one, or why
    not, if that is asked."""
    program = interpreter.context.program
    if config.search.symmetry != ON:
        return SymbolicSystem(program, options, interpreter, tracked), ""
    why = apart or _unfit(config)
    if not why:
        try:
            return SymmetricSystem(program, options, interpreter, tracked), "on"
        except TellsApart as found:
            why = str(found)
    return SymbolicSystem(program, options, interpreter, tracked), f"off ({why})"


def _unfit(config: Config) -> str:
    """Why threads that are alike do not count as one; empty if they may, NOTE(symmetric-covers)."""
    por, labels = config.search.por, config.search.labels
    reduction = TREE[por]
    if (reduction.certificate or reduction.name) not in SYMMETRIC:
        return f"reduction {por}"
    if labels != "predicates":
        return f"labels {labels}"
    others = [
        name
        for name in config.question.properties
        if not PROPERTIES[name].looks_at <= {Aspect.STEP}
    ]
    return f"property {others[0]}" if others else ""


@dataclass(slots=True)
class Effort:
    """What all attempts of a run have done so far. Mutable. `violated` are properties with the
    results "false"."""

    nodes: int = 0  # of all trees that are finished or given up
    refinements: int = 0
    refined_by: Counter[str] = field(default_factory=Counter)  # by the method
    violated: dict[str, Result] = field(default_factory=dict)


def shown_to(name: str) -> tuple[EndShown, ...]:
    """What a property looks for in states, besides steps."""
    looks_at = PROPERTIES[name].looks_at
    return tuple(what for aspect, what in SHOWN.items() if aspect in looks_at)


class Attempt:
    """The progress of one attempt: what it has lost and used. Mutable.

    `soundness` is what was lost in it, `doubts` the same for one property each, `stopped` the limit
    that has ended it, `fault` the first path to undefined behaviour. `interpolants` are those that
    were found by the first method for each path.
    """

    def __init__(
        self,
        problem: Problem,
        soundness: Soundness,
        precision: Precision,
        effort: Effort,
        watch: Watch[Statistics],
    ) -> None:
        self.problem = problem
        self.soundness = soundness
        self.effort = effort
        self.doubts: dict[str, dict[str, None]] = {}
        self.stopped: StopReason | None = None
        self.fault: tuple[Path, Feasible] | None = None
        self.interpolants: dict[Formula, None] = {}
        self._precision = precision
        self._watch = watch
        self._nodes_before = effort.nodes

    @property
    def open(self) -> tuple[str, ...]:
        """The properties that no execution violates yet."""
        asked = self.problem.config.question.properties
        return tuple(name for name in asked if name not in self.effort.violated)

    def is_error(self, step: SymbolicStep) -> bool:
        """Whether the end of a step bears on what is open: it violates it, or is a fault."""
        return step.fault is not None or self.violates(step)

    def violates(self, step: SymbolicStep | ConcreteStep) -> bool:
        """Whether a step ends with a violation of a property that is open."""
        violation = step.violation
        return violation is not None and any(
            PROPERTIES[name].of_violation(violation) is not None for name in self.open
        )

    @property
    def looks_for(self) -> tuple[EndShown, ...]:
        """What properties that are open look for in states."""
        return tuple(dict.fromkeys(what for name in self.open for what in shown_to(name)))

    def lose(self, step: SymbolicStep, reason: str) -> None:
        """The end of a step, an error, stays possible: what it violates is not proved, and nothing
        is if it is undefined behaviour."""
        if step.shows is not None:
            for name in self.open:
                if step.shows in shown_to(name):
                    self.doubts.setdefault(name, {}).setdefault(reason)
        elif step.fault is not None or step.violation is None:
            self.soundness.lose(reason)
        else:
            self.doubts.setdefault(step.violation.property, {}).setdefault(reason)

    def soundness_of(self, name: str) -> Soundness:
        """What was lost for a property."""
        reasons = {**self.soundness.reasons, **self.doubts.get(name, {})}
        return Soundness(reasons, self.soundness.assumptions)

    def expiry(self, tree: Tree) -> Callable[[], bool]:
        """What tells whether the time is over to make the trace of what was found readable."""
        return expiry(self._watch, self._progress(tree))

    def _progress(self, tree: Tree) -> Statistics:
        return Statistics(states=self.effort.nodes + len(tree.nodes), steps=tree.moves)

    def limit_exceeded(self, tree: Tree) -> bool:
        """Whether a limit is exceeded; `stopped` says which one."""
        self.stopped = self._watch(self._progress(tree))
        return self.stopped is not None

    def budget_spent(self, tree: Tree) -> bool:
        """Whether the attempt is to end in favour of one with another precision."""
        return self._precision.alternate(self.problem.labels.pool.formulas, self._work(tree))

    def precision_refined(self, tree: Tree) -> bool:
        """Whether the attempt is to end since the interpolants ask for other tracked objects."""
        problem = self.problem
        return self._precision.refine(
            self.interpolants,
            problem.labels.pool.formulas,
            self._work(tree),
            problem.system.gets_inputs,
        )

    def _work(self, tree: Tree) -> int:
        """Nodes and questions of this attempt."""
        nodes = self.effort.nodes - self._nodes_before + len(tree.nodes)
        return nodes + self.problem.prover.statistics.checks

    def statistics(self, tree: Tree) -> dict[str, int | float | str]:
        """Names and numbers for reports. `nodes_of_all_trees` are those of `Effort.nodes`."""
        problem, effort = self.problem, self.effort
        labels, queries = problem.labels, problem.prover.statistics
        return {
            "labels": problem.config.search.labels,
            "nodes": tree.live,
            "nodes_of_all_trees": effort.nodes,
            "covers": tree.covers,
            "uncovered": tree.uncovered,
            "forced_covers": tree.forced,
            "places": len(problem.context.places),
            "refinements": effort.refinements,
            "refined_by": ", ".join(f"{m}: {n}" for m, n in effort.refined_by.items()),
            "pool": len(labels.pool),
            "label_questions": labels.transfer.questions,
            "label_answers_remembered": labels.transfer.remembered,
            "queries": queries.queries,
            "cache_hits": queries.cache_hits,
            "smt_s": round(queries.z3_seconds, 3),
            **({"symmetry": problem.symmetry} if problem.symmetry else {}),
            "covers_by_others": sum(bool(node.moves) for node in tree.nodes),
            "encoding": problem.prover.encoding,
            "tracked": ", ".join(sorted(problem.system.tracked)),
        }
