"""How much of the tree of executions is thought to be explored."""

from __future__ import annotations

from math import log
from unittest.mock import patch

import pytest

from abpress.cli.terminal import forecast, in_words
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATELESS
from abpress.search import stateless
from abpress.search.estimate import Forecast
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics, Left, Statistics
from abpress.semantics.interpreter import Interpreter
from experiments.settings import program_of
from tests.reductions.trace_count_programs import lastzero

WRITERS = """
#include <pthread.h>
int x;
void *set(void *p) { x = (int)(long)p; return 0; }
int main(void) {
    pthread_t t;
    for (long i = 1; i <= 3; i++) pthread_create(&t, 0, set, (void *)i);
    pthread_exit(0);
}
"""


def estimates(algorithm: str, text: str = WRITERS) -> list[tuple[int, Left]]:
    """How many executions have ended, and what is thought to be left, at each event."""
    seen: list[tuple[int, Left]] = []

    def poll(statistics: ExecutionStatistics) -> None:
        assert statistics.left is not None
        seen.append((statistics.executions, statistics.left))

    with patch.object(stateless, "ESTIMATE_EVENTS", 1), patch.object(stateless, "POLL_EVENTS", 1):
        found = explore_executions(
            Interpreter(program_of(text, every_access=True)),
            STATELESS[algorithm].make(),
            PROPERTIES["unreach-call"],
            hooks=Hooks(poll),
        )
    assert found.statistics.executions == seen[-1][0] + 1
    return seen


@pytest.mark.parametrize("algorithm", ["none", "sleep", "persistent", "source", "optimal"])
def test_ranges_are_ranges(algorithm: str) -> None:
    its = estimates(algorithm)
    assert all(0 <= left.least <= left.likely <= left.most for _, left in its)
    assert its[-1][1].least <= 1


CHOICES = """
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int n = 0;
    for (int i = 0; i < 3; i++) n = 2 * n + __VERIFIER_nondet_bool();
    return n;
}
"""


def test_a_tree_that_is_alike_everywhere_is_estimated_exactly() -> None:
    """The steps of choices are counted: of eight executions so many are left."""
    its = estimates("optimal", CHOICES)
    assert {(done, round(left.likely, 6)) for done, left in its if done} >= {
        (done, 8 - done) for done in range(1, 8)
    }


def test_what_is_planned_is_left_at_least() -> None:
    its = estimates("none")
    assert any(left.least >= 2 for _, left in its)


def test_races_that_are_to_come_are_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    """What finished nodes had is expected of nodes where no race is known yet."""
    text = lastzero(5)
    with_races = estimates("source", text)
    total = with_races[-1][0] + 1
    monkeypatch.setattr(Forecast, "_unplanned", lambda self, its: 0.0)
    without = estimates("source", text)

    def error(its: list[tuple[int, Left]]) -> float:
        early = [(done + left.likely) / total for done, left in its if 2 < done < total / 4]
        return sum(abs(log(part)) for part in early) / len(early)

    assert error(with_races) < error(without)


def test_workers_are_added() -> None:
    one, other = ExecutionStatistics(complete=2), ExecutionStatistics(complete=3)
    one.add(other)
    assert one.left is None
    other.left = Left(1, 2, 3)
    one.add(other)
    one.add(other)
    assert one.left == Left(2, 4, 6)


def test_the_forecast_is_a_range() -> None:
    numbers = Statistics(complete=100, left=Left(100, 200, 12_345))
    told = ", perhaps 200 to 12,000 in all, 10 s to 21 min left"
    assert forecast(numbers, 0, 10.0) == told
    assert forecast(numbers, 50, 5.0) == told
    assert forecast(numbers, 100, 5.0) == ""
    assert forecast(Statistics(complete=100), 0, 10.0) == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (119, "119 s"), (121, "2 min"), (9000, "2 h"), (1e6, "12 days")],
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words
