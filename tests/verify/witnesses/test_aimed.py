"""A violation that a witness means is found among others: at other places, by other threads, or
before all waypoints are passed. NOTE(observing-code)"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abpress.verify.witnesses.validate import WitnessAnswer
from tests.verify.witnesses.test_forged import together
from tests.verify.witnesses.test_witness_traps import answer, violation, waypoint

CONFIRMED = WitnessAnswer.CONFIRMED

SUMS = """\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int s = 0, x = 0;
  for (int i = 0; i < 3; i++) {
    s = s + x;
    x = __VERIFIER_nondet_int();
  }
  return 0;
}
"""


def inputs(*values: str) -> dict[str, Any]:
    """The addition of the loop overflows when these have been read."""
    read = [waypoint("function_return", 6, f"\\result == {value}") for value in values]
    return violation(*read, waypoint("target", 5))


@pytest.mark.parametrize(
    ("values", "confirmed"),
    [(("2147483647", "1"), True), (("2147483647", "0"), False), (("1", "1"), False)],
)
def test_a_target_in_a_loop_is_passed_before_it_is_one(
    values: tuple[str, ...], confirmed: bool, tmp_path: Path
) -> None:
    said = answer(tmp_path, SUMS, inputs(*values), property="overflow")
    assert (said is CONFIRMED) is confirmed


RACES = """\
#include <pthread.h>
int early, late;
void *one(void *arg) {
  early = 1;
  late = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    pthread_create(&t, 0, one, 0);
  }
  return 0;
}
"""


def race(line: int, *threads: int) -> dict[str, Any]:
    """Two threads are created, and then these stand at the line."""
    targets = [waypoint("target", line, thread_id=thread) for thread in threads]
    created = [waypoint("function_enter", 11, thread_id=0)] * 2
    return violation(*created, together(*targets))


@pytest.mark.parametrize("line", [4, 5])
def test_a_race_among_others(line: int, tmp_path: Path) -> None:
    assert answer(tmp_path, RACES, race(line, 1, 2), property="data-race") is CONFIRMED


def test_no_race_of_a_thread_that_is_not_there(tmp_path: Path) -> None:
    assert answer(tmp_path, RACES, race(4, 0, 2), property="data-race") is not CONFIRMED


FREES = """\
#include <pthread.h>
#include <stdlib.h>
int *p;
void *one(void *arg) {
  free(p);
  return arg;
}
int main(void) {
  pthread_t t, u;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, one, 0);
  return 0;
}
"""


@pytest.mark.parametrize("second", [1, 2])
def test_who_is_the_second_at_a_place(second: int, tmp_path: Path) -> None:
    first = waypoint("assumption", 6, "1", thread_id=3 - second)
    created = [waypoint("function_enter", line, thread_id=0) for line in (11, 12)]
    told = violation(*created, first, waypoint("target", 5, thread_id=second))
    assert answer(tmp_path, FREES, told, property="valid-free") is CONFIRMED
    wrong = violation(*created, first, waypoint("target", 5, thread_id=3 - second))
    assert answer(tmp_path, FREES, wrong, property="valid-free") is not CONFIRMED
