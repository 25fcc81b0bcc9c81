"""The policies for labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from abpress.art.impact import ImpactLabels
from abpress.art.labels import Labels
from abpress.art.predicates import PredicateLabels
from abpress.ir.formula import Formula
from abpress.smt.prover import Prover

LABELS: Mapping[str, Callable[[Prover, tuple[Formula, ...]], Labels]] = {
    "predicates": PredicateLabels,
    "impact": ImpactLabels,
}
"""Name (the value of `--labels`) -> policy, made from the prover and the initial facts."""
