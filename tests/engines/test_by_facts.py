"""Who waits for facts is told that they are being looked for."""

from __future__ import annotations

from abpress.engines.by_facts import FactsTime
from abpress.search.limits import Limits
from abpress.search.statistics import FINDING_FACTS, Statistics


def test_progress_is_told_now_and_then() -> None:
    told: list[Statistics] = []
    time = FactsTime(Limits(), told.append)
    assert not any(time.expired() for _ in range(200))
    assert [its.more for its in told] == [{FINDING_FACTS: n} for n in (64, 128, 192)]
