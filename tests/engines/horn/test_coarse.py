"""Clauses that tell nodes apart by where few threads stand: whether accesses are valid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from abpress.config import Config
from abpress.engines.horn import engine
from abpress.engines.horn.encoding import ClauseSystem, encode
from abpress.engines.horn.graph import Graph
from abpress.engines.horn.orders import ORDERS
from abpress.engines.horn.solving import solution
from abpress.logic.formula import Formula
from abpress.result import Verdict
from abpress.smt.clauses import Derivation, Solved
from abpress.symbolic.system import SymbolicSystem
from abpress.verify.run import verify
from tests.sampling import sample

BENCHMARKS = Path(__file__).parents[3] / "benchmarks" / "svcomp" / "pthread-relations"

PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int *a, n, s, t;
void *first(void *p) { for (int i = 0; i < n; i++) { if (s < a[i]) s = a[i]; } return 0; }
void *second(void *p) { for (int i = 0; i < n; i++) { if (t > a[i]) t = a[i]; } return 0; }
int main(void) {
  pthread_t x, y;
  n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  a = malloc(sizeof(int) * n);
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  s = t = 7;
  pthread_create(&x, 0, first, 0);
  pthread_create(&y, 0, second, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  s += a[0] == t;
  if (s < 7) reach_error();
}
"""


@pytest.mark.parametrize("enough", [True, False])
def test_accesses_are_proved_valid_apart_from_the_places_of_other_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, enough: bool
) -> None:
    asked: list[tuple[frozenset[int], int]] = []

    def recorded(
        system: SymbolicSystem, graph: Graph, facts: Sequence[Formula], focus: frozenset[int]
    ) -> ClauseSystem:
        problem = encode(system, graph, facts, focus)
        asked.append((focus, len(problem.relations)))
        return problem

    def solved(*its: Any) -> Solved:
        return Derivation((0,)) if asked[-1][0] and not enough else solution(*its)

    monkeypatch.setattr(engine, "encode", recorded)
    monkeypatch.setattr(engine, "solution", solved)
    monkeypatch.setattr(engine, "fitting", lambda _: [ORDERS["sequential"]])
    file = tmp_path / "program.c"
    file.write_text(PROGRAM, encoding="utf-8")
    config = Config.of(file, engine="horn", property="unreach-call", time_limit=1000.0)
    assert verify(config).result.verdict is Verdict.TRUE
    coarse, whole = ([size for its, size in asked if bool(its) is some] for some in (True, False))
    assert len(coarse) == 3
    assert len(whole) == (1 if enough else 4)
    assert max(coarse) < max(whole)


@pytest.mark.parametrize("name", sample(["unsafe", "safe"], 2, 1))
def test_conditions_that_mention_sizes_say_the_rest_where_accesses_are_valid(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """When the consumer sleeps is said by the bounds of the queue, too; what else is said of it
    keeps it awake where the queue was empty. What is derived of the wrong one may be none of its
    executions, as clauses do not say all of steps."""
    monkeypatch.setattr(engine, "fitting", lambda _: [ORDERS["consumers first"]])
    file = BENCHMARKS / f"queue_of_any_length_{name}.c"
    config = Config.of(file, engine="horn", property="unreach-call", time_limit=100.0)
    assert (verify(config).result.verdict is Verdict.TRUE) == (name == "safe")
