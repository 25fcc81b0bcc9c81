"""The policies for labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from abpress.art.labels.impact import ImpactLabels
from abpress.art.labels.policy import Labels
from abpress.art.labels.predicates import PredicateLabels
from abpress.logic.formula import Formula
from abpress.smt.prover import Prover

Make = Callable[[Prover, tuple[Formula, ...], Callable[[int], str]], Labels]
"""Makes a policy from the prover, the initial facts, and the names of threads."""

LABELS: Mapping[str, Make] = {
    "predicates": PredicateLabels,
    "impact": ImpactLabels,
}
"""Name (the value of `--labels`) -> policy."""
