"""The symbolic engine: lazy abstraction with interpolants over interleavings ([AbPress14]).

The tree is built with what is known; an error that is possible in it is *refined*: either there is
an execution, which the concrete interpreter repeats before it is believed, or interpolants exclude
it, and the tree is built again, or changed, with what they say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from abpress.analysis.facts import Facts
from abpress.art.labels.table import LABELS
from abpress.art.node import ArtView, Place, Places
from abpress.art.tree import ErrorPath, Ingredients, Tree
from abpress.config import Config
from abpress.engines.abpress.counterexample import concretise
from abpress.engines.abpress.tracking import Tracking, Turn
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.itp.methods import refinements
from abpress.itp.path import Infeasible, Path, Unknown, feasibility
from abpress.logic.formula import Formula
from abpress.properties import PROPERTIES, Aspect
from abpress.properties.finding import Reached
from abpress.reductions.tree.alphabet import Alphabet
from abpress.reductions.tree.table import REDUCTIONS, Ground
from abpress.result import Result, Soundness, proved, undecided, violated
from abpress.search.limits import Limits, StopReason, Watch
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options
from abpress.smt.encoding import NotExact, encoding_for
from abpress.smt.prover import Prover
from abpress.symbolic.system import SymbolicSystem
from abpress.witness.build import build_trace
from abpress.witness.minimise import minimise
from abpress.witness.replay import replay

LOOKS_AT = frozenset({Aspect.STEP})
"""What the engine shows to a property."""

RLIMIT = 5_000_000
"""What one query may cost."""


@dataclass(slots=True)
class Counts:
    """What a search has done so far. Mutable."""

    nodes: int = 0  # of all trees
    refinements: int = 0
    refined_by: Counter[str] = field(default_factory=Counter)  # by the method


def search(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None = None,
    soundness: Soundness | None = None,
) -> Result:
    """Decides `config.question.property` for the program, as far as the limits allow.

    - "true": the tree is complete, and no move that ends in an error is possible in it.
    - "false": the execution was replayed, and is part of the result.
    - "unknown": a limit, or a question that the solver or the interpolation did not answer.

    `soundness` is what the frontend has lost already. Raises UnsupportedError.
    """
    return prove(program, config, limits, progress, soundness)[0]


def prove(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None = None,
    soundness: Soundness | None = None,
) -> tuple[Result, ArtView | None]:
    """As `search`, with the complete tree of a verdict "true"."""
    if not PROPERTIES[config.question.property].looks_at <= LOOKS_AT:
        raise UnsupportedError(f"engine abpress: does not check {config.question.property}")
    if config.search.por not in REDUCTIONS:
        raise UnsupportedError(f"engine abpress: no reduction {config.search.por}")
    soundness = Soundness() if soundness is None else soundness
    encoding = encoding_for(program) if config.search.encoding == "auto" else config.search.encoding
    facts = Facts(program)
    tracking = Tracking(program)
    counts = Counts()
    while True:
        own = Soundness(dict(soundness.reasons), dict(soundness.assumptions))
        try:
            return _Search(facts, config, limits, progress, own, encoding, tracking, counts).run()
        except NotExact:
            encoding = "bv"
        except Turn:
            continue  # with what `tracking` says now


class _Search:
    """One run of the engine."""

    def __init__(
        self,
        facts: Facts,
        config: Config,
        limits: Limits,
        progress: Callable[[Statistics], None] | None,
        soundness: Soundness,
        encoding: str,
        tracking: Tracking,
        counts: Counts,
    ) -> None:
        self._program = program = facts.program
        self._config = config
        self._soundness = soundness
        self._encoding = encoding
        self._watch = Watch(limits, progress)
        options = Options(config.bounds.input_domain, config.bounds.max_threads)
        self._interpreter = Interpreter(program, options, Soundness(), facts=facts)
        self._prover = Prover(encoding, program.signed_overflow, RLIMIT, config.search.seed)
        self._system = SymbolicSystem(program, options, self._interpreter, tracking.objects)
        places = Places(self._system)
        discrete, initially = self._system.initial()
        self._root = places.at(discrete)
        self._facts = (*initially, *self._root.facts)
        self._labels = LABELS[config.search.labels](self._prover, self._facts, self._system.name)
        spoken = self._labels.pool.mentions if REDUCTIONS[config.search.por].abstract else None
        alphabet = Alphabet(self._system, spoken)
        ground = Ground(self._system, places, alphabet, self._labels.implies)
        self._of = Ingredients(
            self._system, places, self._labels, self._prover, ground, config.search.por
        )
        if not tracking.on:
            for formula in tracking.formulas:
                self._labels.pool.number(formula)
        self._tracking = tracking
        self._counts = counts
        self._before = counts.nodes
        self._interpolants: dict[Formula, None] = {}  # by the first method
        self._tree: Tree | None = None
        self._result: Result | None = None
        self._stopped: StopReason | None = None

    def run(self) -> tuple[Result, ArtView | None]:
        while True:
            tree = self._begin()
            try:
                complete = tree.grow(self._end_of_turn)
            finally:
                self._counts.nodes += len(tree.nodes)
            if complete:
                return self._complete(tree)
            if self._stopped is not None:
                return self._undecided(self._stopped.text), None
            if self._result is not None:
                return self._result, None

    def _begin(self) -> Tree:
        self._tree = Tree(self._of, self._root, self._on_error)
        return self._tree

    def _poll(self) -> bool:
        """Whether a limit is exceeded."""
        self._stopped = self._watch(self._progress())
        return self._stopped is not None

    def _end_of_turn(self) -> bool:
        """Whether a limit is exceeded. Raises Turn."""
        if self._poll():
            return True
        self._tracking.limit(self._labels.pool.formulas, self._work())
        return False

    def _work(self) -> int:
        """Nodes and questions of this search."""
        tree = self._tree
        nodes = self._counts.nodes - self._before + (0 if tree is None else len(tree.nodes))
        return nodes + self._prover.statistics.checks

    def _progress(self) -> Statistics:
        tree = self._tree
        if tree is None:
            return Statistics()
        return Statistics(states=self._counts.nodes + len(tree.nodes), steps=tree.moves)

    # -- refine ---------------------------------------------------------------------------------

    def _on_error(self, error: ErrorPath) -> bool:
        """Refines an error. False if the tree is to be given up."""
        step = error.move.step
        if step.fault is not None and not self._soundness.complete:
            return True  # nothing can be proved any more
        if step.violation is not None and step.violation.property != self._config.question.property:
            return True
        path = Path(self._facts, tuple(move.step for move in error.moves))
        answer = feasibility(self._prover, path)
        if isinstance(answer, Unknown):
            self._soundness.lose(f"a path was not decided: {answer.reason}")
            return True
        if isinstance(answer, Infeasible):
            return self._refine(error, path, answer)
        if step.fault is not None:
            self._soundness.lose(step.fault)
            return True
        interpreter = self._interpreter
        schedule, violation = concretise(interpreter, path.steps, answer)
        finding = Reached(violation)
        replay(interpreter, schedule, finding)
        schedule = minimise(interpreter, schedule, finding, expired=self._poll)
        trace = build_trace(interpreter, schedule, self._config.question.property, finding)
        reason = f"{violation.position}: {violation.message}"
        self._stopped = None
        self._result = violated(self._config.question.property, reason, trace, self._statistics())
        return False

    def _refine(self, error: ErrorPath, path: Path, infeasible: Infeasible) -> bool:
        """Takes interpolants into the labels. False: the tree has to be built again."""
        tree = self._tree
        assert tree is not None
        self._counts.refinements += 1
        core, paranoid = infeasible.core, self._config.search.paranoid
        refined = False
        found = refinements(self._prover, path, core, paranoid)
        for tried, (method, formulas) in enumerate(found, 1):
            if tree.refine(error, formulas):
                self._counts.refined_by[method] += 1
                refined = True
            if tried == 1:
                self._interpolants.update(dict.fromkeys(formulas))
            if refined and tried >= self._labels.explanations:
                break
        if not refined:
            self._soundness.lose("no interpolants were found that exclude an infeasible path")
            return True
        self._tracking.consider(
            self._interpolants, self._labels.pool.formulas, self._work(), self._system.gets_inputs
        )
        return not self._labels.rebuilds

    # -- results --------------------------------------------------------------------------------

    def _complete(self, tree: Tree) -> tuple[Result, ArtView | None]:
        if not self._soundness.complete:
            first, *more = self._soundness.reasons
            return self._undecided(f"{first} and {len(more)} more" if more else first), None
        for place, thread in tree.overflows():
            where = self._where(place, thread)
            self._soundness.assume(f"no signed overflow (possible at {where})")
        view = tree.view(self._encoding)
        return proved(
            self._config.question.property, self._soundness, True, self._statistics()
        ), view

    def _undecided(self, reason: str) -> Result:
        return undecided(self._config.question.property, reason, self._statistics())

    def _where(self, place: Place, thread: int) -> str:
        """Where the next step of the thread begins."""
        template, location = self._system.location(place.discrete, thread)
        return self._program.templates[template].locations[location].edges[0].position.described

    def _statistics(self) -> dict[str, int | float | str]:
        """Names and numbers for reports."""
        tree = self._tree
        assert tree is not None
        return {
            "labels": self._config.search.labels,
            "nodes": tree.live,
            "nodes_of_all_trees": self._counts.nodes,
            "covers": tree.covers,
            "uncovered": tree.uncovered,
            "forced_covers": tree.forced,
            "places": len(self._of.places),
            "refinements": self._counts.refinements,
            "refined_by": ", ".join(f"{m}: {n}" for m, n in self._counts.refined_by.items()),
            "pool": len(self._labels.pool),
            "label_questions": self._labels.transfer.questions,
            "label_answers_remembered": self._labels.transfer.remembered,
            "queries": self._prover.statistics.queries,
            "cache_hits": self._prover.statistics.cache_hits,
            "smt_s": round(self._prover.statistics.z3_seconds, 3),
            "encoding": self._encoding,
            "tracked": ", ".join(sorted(self._system.tracked)),
        }
