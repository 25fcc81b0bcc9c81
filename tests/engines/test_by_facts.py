"""What proofs by facts share: who waits for them is told; what is known of threads is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.by_facts import DETAILS, FactsTime, details, standing_facts
from abpress.search.limits import Limits
from abpress.search.statistics import FINDING_FACTS, Statistics
from abpress.verify.load import load


def test_progress_is_told_now_and_then() -> None:
    told: list[Statistics] = []
    time = FactsTime(Limits(), told.append)
    assert not any(time.expired() for _ in range(200))
    assert [its.more for its in told] == [{FINDING_FACTS: n} for n in (64, 128, 192)]


def test_what_is_known_of_threads_is_looked_for_once(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text("int x; int main(void) { x = 1; return 0; }")
    program = load(Config.of(file, property="unreach-call")).program
    time = FactsTime(Limits())
    first = standing_facts(program, time)
    assert first is not None
    assert standing_facts(program, time) is first
    assert standing_facts(program, time, DETAILS[1]) is not first


CREATIONS = """
#include <pthread.h>
int __VERIFIER_nondet_int(void);
pthread_t t[20];
void *f(void *p) { return p; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < MANY; i++) pthread_create(&t[i], 0, f, 0);
  return n;
}
"""


@pytest.mark.parametrize(
    ("many", "told_apart"),
    [("4", [0, 8, 8]), ("10", [0, 8, 8, 10]), ("17", [0, 8, 8]), ("n", [0, 8, 8])],
)
def test_creations_are_told_apart_where_they_are_few(
    tmp_path: Path, many: str, told_apart: list[int]
) -> None:
    file = tmp_path / "program.c"
    file.write_text(CREATIONS.replace("MANY", many))
    program = load(Config.of(file, property="no-data-race"), every_access=True).program
    assert [its.occurrences for its in details(program)] == told_apart
