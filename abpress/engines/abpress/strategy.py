"""The restarts around Algorithm 1: trees that are built anew, and attempts that begin again.

A tree is given up for a new one when labels need that to make use of a refinement. An attempt is
given up for a new one where a formula needs bit-vectors, and where the values of other objects are
to be tracked (`precision`). All trees of an attempt share what their labels are made of; from one
attempt to the next, only the formulas are kept that `Precision` keeps. (That bit-vectors are needed
is an exception, NotExact, for any question to the solver may come upon it.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from abpress.analysis.alike import TellsApart
from abpress.analysis.facts import Facts
from abpress.art.tree import Tree
from abpress.art.view import ArtView, overflows, view
from abpress.config import Config
from abpress.engines.abpress.algorithm import AbPress, Ended
from abpress.engines.abpress.attempt import Attempt, Effort, prepare
from abpress.engines.abpress.completion import vacuity
from abpress.engines.abpress.counterexample import concretised
from abpress.engines.abpress.precision import Precision
from abpress.engines.answer import ENDED_EARLY, doubt, falsified, see, shown
from abpress.ir.program import UNDEFINED, Program
from abpress.properties import PROPERTIES
from abpress.properties.finding import Reached
from abpress.reductions.table import TREE
from abpress.result import Result, Soundness, proved, undecided
from abpress.search.ledger import Found
from abpress.search.limits import Limits, Watch
from abpress.search.statistics import Statistics
from abpress.semantics.outcome import State, no_overflow
from abpress.smt.answer import NotExact
from abpress.smt.encoding import encoding_for
from abpress.witness.trace import Trace

Decision = tuple[Mapping[str, Result], ArtView | None]
"""The results by property, and of verdicts "true" the complete tree."""


def decide(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None,
    soundness: Soundness,
) -> Decision:
    """The decision of the first attempt that comes to one.

    A property that is violated is not asked any more: in the next tree its violations only end
    their executions.
    """
    encoding = encoding_for(program) if config.search.encoding == "auto" else config.search.encoding
    facts, given = Facts.of(program), config.question.synchronised
    if given is not None:
        facts = facts.without(given.places)
    precision = Precision(program)
    effort = Effort()
    apart = ""
    while True:
        own = Soundness(dict(soundness.reasons), dict(soundness.assumptions))
        watch = Watch(limits, progress)
        try:
            problem = prepare(facts, config, encoding, precision, apart)
            decision = build_trees(Attempt(problem, own, precision, effort, watch))
        except NotExact:
            encoding = "bv"
        except TellsApart as why:
            apart = str(why)
        else:
            if decision is not None:
                return decision


def build_trees(attempt: Attempt) -> Decision | None:
    """Builds trees until one is complete or has a real error; None if the precision is another."""
    while True:
        algorithm = AbPress(attempt)
        tree = algorithm.tree
        try:
            ended = algorithm.main()
        finally:
            if algorithm.counterexample is None:
                attempt.effort.nodes += len(tree.nodes)
        match ended:
            case Ended.COMPLETE:
                return _complete(attempt, tree)
            case Ended.VIOLATED:
                assert algorithm.counterexample is not None
                result = _violated(attempt, tree, algorithm.counterexample)
                attempt.effort.violated[result.property] = result
                if not attempt.open or result.property in attempt.problem.config.question.leads:
                    return _undecided(attempt, tree, early=True), None
                attempt.effort.nodes += len(tree.nodes)
            case Ended.STOPPED:
                return _undecided(attempt, tree), None
            case Ended.OTHER_PRECISION:
                return None
            case Ended.REBUILD:
                continue


def _complete(attempt: Attempt, tree: Tree) -> Decision:
    problem, soundness = attempt.problem, attempt.soundness
    results = dict(_undecided(attempt, tree))
    certain = [name for name in attempt.open if attempt.soundness_of(name).complete]
    ends = [name for name in results if PROPERTIES[name].ends_executions]
    if not certain or not set(ends) <= set(certain):
        return _undecided(attempt, tree), None
    labels, system = problem.labels, problem.system
    for where in overflows(tree, labels, system, problem.prover):
        soundness.assume(no_overflow(where))
    reduction = TREE[problem.config.search.por]
    rule = reduction.certificate or reduction.name
    vocabulary = tuple(labels.pool.formulas) if reduction.abstract else ()
    seen = view(tree, labels, system, rule, problem.prover.encoding, vocabulary)
    statistics = attempt.statistics(tree)
    vacuous = vacuity(problem, tree)
    for name in certain:
        results[name] = proved(name, attempt.soundness_of(name), True, statistics, vacuous)
    return results, seen


def _violated(attempt: Attempt, tree: Tree, found: Found[State]) -> Result:
    problem = attempt.problem
    statistics = attempt.statistics(tree)
    return falsified(
        problem.interpreter, found, attempt.expiry(tree), statistics, attempt.soundness
    )


def _undecided(attempt: Attempt, tree: Tree, early: bool = False) -> Mapping[str, Result]:
    """The results as long as nothing is proved; `early`: what is open is asked anew."""
    results = dict(attempt.effort.violated)
    met = _met(attempt, tree)
    for name in attempt.open:
        reason = None if early else doubt(attempt.stopped, attempt.soundness_of(name))
        statistics = attempt.statistics(tree)
        results[name] = see(results, undecided(name, reason or ENDED_EARLY, statistics, met))
    return {name: results[name] for name in attempt.problem.config.question.properties}


def _met(attempt: Attempt, tree: Tree) -> Trace | None:
    """An execution to undefined behaviour that violates nothing that is asked."""
    if attempt.fault is None:
        return None
    path, model = attempt.fault
    interpreter = attempt.problem.interpreter
    steps = concretised(interpreter, path.steps, model)
    if steps is None or (violation := steps[-1].violation) is None:
        return None
    expired = partial(attempt.limit_exceeded, tree)
    return shown(interpreter, Found(steps, Reached(violation), UNDEFINED), expired)
