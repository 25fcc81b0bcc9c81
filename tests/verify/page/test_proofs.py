"""What a page says of proofs: what holds at which line, in words."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from abpress.ir.program import Program
from abpress.verify.page.facts import shortened
from abpress.verify.page.names import ModelNames
from abpress.verify.page.sources import ShownFiles
from abpress.verify.page.words import Words
from tests.verify.page.programs import data_of_run

TEXT = """\
#include <assert.h>
#include <pthread.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *up(void *arg) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    if (x < 5)
      x++;
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, up, 0);
  pthread_mutex_lock(&m);
  assert(x <= 5);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
"""


def proof(tmp_path: Path, engine: str, property: str, text: str = TEXT) -> dict[str, Any]:
    file = tmp_path / "p.c"
    file.write_text(text)
    (answer,) = data_of_run(file, property, engine=engine)["answers"]
    assert answer["verdict"] == "true"
    its: dict[str, Any] = answer["proof"]
    return its


def lines(its: dict[str, Any]) -> dict[tuple[int, str], list[str]]:
    return {(one["line"], one["thread"]): one["says"] for one in its["lines"]}


@pytest.mark.parametrize(
    ("engine", "property", "place", "expected"),
    [
        ("static", "no-data-race", (9, "up"), {"holds m", "x is one of 0, 1, 2"}),
        ("static", "no-data-race", (18, "main"), {"holds m", "up runs or has ended"}),
        ("static", "no-overflow", (9, "up"), {"0 ≤ i ≤ 2", "0 ≤ x ≤ 4"}),
        ("static", "valid-deref", (9, "up"), {"i ≤ 2"}),
        ("abpress", "unreach-call", (18, "main"), {"x ≤ 5"}),
    ],
)
def test_what_holds_at_a_line(
    tmp_path: Path, engine: str, property: str, place: tuple[int, str], expected: set[str]
) -> None:
    told = lines(proof(tmp_path, engine, property))
    assert expected <= set(told[place])
    every = " ".join(text for says in told.values() for text in says)
    assert "%" not in every and "owner" not in every and "kind" not in every
    assert not {5, 14} & {line for line, _ in told}


def test_threads_of_any_number() -> None:
    folder = Path(__file__).resolve().parents[3] / "benchmarks" / "svcomp" / "pthread-relations"
    file = folder / "blocks_for_a_stack_safe.c"
    (answer,) = data_of_run(file, "unreach-call", engine="static")["answers"]
    told = lines(answer["proof"])
    assert "0 ≤ taken ≤ 1" in told[27, "each push"]


def test_a_search_of_states_has_nothing_to_say_of_lines(tmp_path: Path) -> None:
    assert proof(tmp_path, "explicit", "unreach-call") == {"how": "", "lines": []}


def test_formulas_are_told_in_words() -> None:
    told = Words(ModelNames(Program({}, {}), ShownFiles({}))).formula
    e = "(`x@0`:i32 + `up:i`:i32)"
    text = f"any({e} <= 3, not(fits({e})), all(`x@0`:i32 == 1, `up:i`:i32 == 2))"
    said = told(text).split(" or ")
    assert {"(x + up:i) <= 3", "x + up:i overflows"} <= set(said)
    assert "(up:i == 2 and x == 1)" in said and len(said) == 3
    assert told(f"fits({e})") == "x + up:i does not overflow"
    assert told("`x@0`:i32 == 1") == "x == 1"


def test_bounds_that_others_imply_are_not_told() -> None:
    told = partial(shortened, words=Words(ModelNames(Program({}, {}), ShownFiles({}))))
    assert told(["x >= 0", "x >= 1", "x != 0", "x != -1", "x <= 5", "x != 3"]) == [
        "1 ≤ x ≤ 5",
        "x != 3",
    ]
    assert told(["y <= 4", "y <= 2 or x == 1", "y >= 4"]) == ["y = 4", "y <= 2 or x == 1"]
    assert told(["y >= 0", "y == 7"]) == ["y = 7"]
    assert told(["a == b", "a == b or c"]) == ["a == b"]
    assert told(f"a{n} == b" for n in range(20))[-1] == "and 12 more"
