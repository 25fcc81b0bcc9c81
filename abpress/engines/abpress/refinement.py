"""Refinement of an error path that no execution takes: interpolants go into the labels."""

from __future__ import annotations

from enum import Enum, auto

from abpress.art.tree import ErrorPath, Tree
from abpress.engines.abpress.attempt import Attempt
from abpress.itp.methods import refinements
from abpress.itp.path import Core, Path


class Refined(Enum):
    """What became of an error."""

    STRENGTHENED = auto()  # it is impossible now, or its node is covered or cut off
    REBUILD = auto()  # labels of a tree that is built anew may exclude it
    OTHER_PRECISION = auto()  # its path asks for other objects to be tracked
    REAL = auto()  # an execution commits it
    UNDECIDED = auto()  # it stays possible, and nothing is proved any more


def exclude(attempt: Attempt, tree: Tree, error: ErrorPath, path: Path, core: Core) -> Refined:
    """Excludes an error whose path is infeasible, with that core, by interpolants."""
    if not _strengthen(attempt, tree, error, path, core):
        reason = "no interpolants were found that exclude an infeasible path"
        attempt.lose(error.move.step, reason)
        return Refined.UNDECIDED
    if attempt.precision_refined(tree):
        return Refined.OTHER_PRECISION
    return Refined.REBUILD if attempt.problem.labels.rebuilds else Refined.STRENGTHENED


def _strengthen(attempt: Attempt, tree: Tree, error: ErrorPath, path: Path, core: Core) -> bool:
    """Takes interpolants of the path into the labels; whether some were of use."""
    problem, effort = attempt.problem, attempt.effort
    labels = problem.labels
    effort.refinements += 1
    useful = False
    found = refinements(problem.prover, path, core, problem.config.search.paranoid)
    for tried, (method, formulas) in enumerate(found, 1):
        labelling = labels.refine(error.node.from_root(), error.move, formulas)
        if labelling is not None:
            tree.strengthen(labelling)
            effort.refined_by[method] += 1
            useful = True
        if tried == 1:
            attempt.interpolants.update(dict.fromkeys(formulas))
        if useful and tried >= labels.explanations:
            break
    return useful
