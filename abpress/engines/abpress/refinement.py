"""What Refine does with an error path that no execution takes: interpolants go into the labels."""

from __future__ import annotations

from abpress.art.tree import ErrorPath, Tree
from abpress.engines.abpress.attempt import Attempt
from abpress.itp.methods import refinements
from abpress.itp.path import Core, Path


def strengthen(attempt: Attempt, tree: Tree, error: ErrorPath, path: Path, core: Core) -> bool:
    """Takes interpolants of an infeasible path into the labels; whether some were of use.

    Then the labels of this tree exclude the error, or those of a tree that is built anew are more
    precise.
    """
    labels, effort = attempt.problem.labels, attempt.effort
    effort.refinements += 1
    useful = False
    paranoid = attempt.problem.config.search.paranoid
    found = refinements(attempt.problem.prover, path, core, paranoid)
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
