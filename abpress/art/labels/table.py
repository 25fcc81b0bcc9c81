"""The policies for labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from abpress.later import later

if TYPE_CHECKING:
    from abpress.art.labels.policy import Labels
    from abpress.logic.formula import Formula
    from abpress.smt.prover import Prover

Make = Callable[["Prover", "tuple[Formula, ...]", Callable[[int], str]], "Labels"]
"""Makes a policy from the prover, the initial facts, and the names of threads."""

LABELS: Mapping[str, Make] = {
    "predicates": later("abpress.art.labels.predicates", "PredicateLabels"),
    "impact": later("abpress.art.labels.impact", "ImpactLabels"),
}
"""Name (the value of `--labels`) -> policy."""
