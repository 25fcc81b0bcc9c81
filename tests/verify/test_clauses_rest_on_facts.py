"""Clauses have no errors for accesses that facts show to be valid, NOTE(alarms)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abpress.config import Config
from abpress.engines import table
from abpress.engines.horn import engine
from abpress.engines.horn.encoding import ClauseSystem, encode
from abpress.engines.horn.graph import Graph
from abpress.engines.table import Results
from abpress.ir.program import Program
from abpress.logic.formula import Formula
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.certificate import Rejected, parsed
from abpress.result import Verdict, undecided
from abpress.symbolic.system import SymbolicSystem
from abpress.verify import run
from abpress.verify.certify import check_proof
from abpress.verify.run import verify

TEXT = """
#include <pthread.h>
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int *a, n, s, t;
void *first(void *p) { for (int i = 0; i < n; i++) { if (a[i] > 0) s++; } return 0; }
void *second(void *p) { for (int i = 0; i < END; i++) { if (a[i] > 0) t++; } return 0; }
int main(void) {
  pthread_t x, y;
  n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  a = malloc(sizeof(int) * n);
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  pthread_create(&x, 0, first, 0);
  pthread_create(&y, 0, second, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  if (TEST) reach_error();
}
"""
RIGHT = TEXT.replace("END", "n").replace("TEST", "s != t")
BEHIND_THE_END = TEXT.replace("END", "n + 1").replace("TEST", "s < 0")


def _says_nothing(_: Program, config: Config, *rest: Any) -> tuple[Results, None]:
    return {name: undecided(name, "it was not tried") for name in config.question.properties}, None


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Only facts and clauses say something; what is filled in is how many errors of all clauses
    are undefined behaviour."""
    names = "static", "abpress", "horn"
    kept = {name: its for name, its in table.ENGINES.items() if name in names}
    kept["abpress"] = replace(kept["abpress"], prove=_says_nothing)
    monkeypatch.setattr(table, "ENGINES", kept)
    monkeypatch.setattr(run.verify, "__kwdefaults__", None)
    monkeypatch.setattr(
        run, "able", lambda config, _: tuple(e for e in kept.values() if e.answerable(config))
    )
    met: list[int] = []

    def recorded(
        system: SymbolicSystem, graph: Graph, facts: Sequence[Formula], *rest: Any
    ) -> ClauseSystem:
        met.append(sum(move.step.fault is not None for move in graph.moves))
        return encode(system, graph, facts, *rest)

    monkeypatch.setattr(engine, "encode", recorded)
    return met


def asked(folder: Path, text: str) -> Config:
    file = folder / "program.c"
    file.write_text(text, encoding="utf-8")
    return Config.of(file, property="unreach-call", time_limit=100.0)


def test_a_proof_has_the_facts(tmp_path: Path, faults: list[int]) -> None:
    config = asked(tmp_path, RIGHT)
    (answer,) = verify(config).answers
    assert answer.result.verdict is Verdict.TRUE
    assert set(faults) == {0}
    assert DEFINED_SO_FAR in answer.result.assumptions
    assert answer.certificate is not None
    assert [its["property"] for its in parsed(answer.certificate)["facts"]] == ["valid-deref"]
    (accepted,) = check_proof(config, answer.certificate)
    assert set(accepted.assumptions) == set(answer.result.assumptions)
    lines = [x for x in answer.certificate.splitlines() if not x.lstrip().startswith('"facts"')]
    with pytest.raises(Rejected):
        check_proof(config, "\n".join(lines))


def test_what_facts_leave_open_is_excluded_by_clauses(tmp_path: Path, faults: list[int]) -> None:
    (answer,) = verify(asked(tmp_path, BEHIND_THE_END)).answers
    assert answer.result.verdict is Verdict.UNKNOWN
    assert max(faults) > 0
