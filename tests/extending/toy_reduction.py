"""others-first: S-POR, in which the first thread never goes alone."""

from __future__ import annotations

from abpress.properties import Preserved
from abpress.reductions.entry import Family, Insight, ReductionEntry
from abpress.reductions.static.s_por import SPor

FIRST = 1


class OthersFirst(SPor):
    """Sound as S-POR: fewer steps pass the test, and the same theorem holds of them."""

    def __init__(self, system):
        super().__init__(system)
        self.tests = (lambda state, t: t != FIRST and system.invisible(state, t),)


ENTRY = ReductionEntry(
    Family.STATIC,
    "others-first",
    "a thread with an invisible step alone, but never the first one, else all",
    OthersFirst,
    needs=frozenset({Insight.INVISIBLE}),
    preserves=Preserved.FINAL_STATES,
    paper="Pragmatic23",
)
