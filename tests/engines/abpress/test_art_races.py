"""Races in trees, however they are built, against plain enumeration, NOTE(races-in-trees)."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.art.labels.table import LABELS
from abpress.config import Alarms, Config
from abpress.engines import explicit
from abpress.engines.abpress.engine import prove
from abpress.engines.table import ENGINES
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.smt.table import ENCODINGS
from abpress.verify.certify import certified, check_proof
from abpress.verify.load import load
from abpress.verify.run import verify
from tests.sampling import examples
from tests.strategies.ir_marks import of_all_kinds
from tests.strategies.ir_programs import Features, programs

KEEPING = tuple(p for p in ENGINES["abpress"].reductions if p != "source+abstraction")
WAYS = tuple(product(KEEPING, LABELS, ENCODINGS))

SMALL = Features(threads=2, statements=8)
CROWDED = Features(threads=3, statements=6, inputs=False, overflows=False, exits=False)
ARRAYS = Features(threads=2, statements=6, arrays=True, unbounded_loops=False, overflows=False)


def compared(program: Program, por: str, labels: str, encoding: str) -> Verdict | None:
    """The verdict of both, if both have one; "true" with a certificate."""
    config = Config.of(Path(), property="no-data-race", por="none", max_threads=8)
    states = explicit.explore(program, config, Limits(states=2_000))
    if states.result.verdict is Verdict.UNKNOWN:
        return None
    config = config.but(por=por, labels=labels, encoding=encoding)
    result, view = prove(program, config, Limits(time=5.0), None, Soundness())
    text = f"{por} {labels} {encoding}: {result.reason}\n{format_program(program)}"
    if result.verdict is Verdict.UNKNOWN:
        return None
    assert result.verdict is states.result.verdict, text
    if view is not None:
        certified(program, config, view)
    return result.verdict


def test_there_are_reductions_that_keep_races() -> None:
    named = {
        p for p in ENGINES["abpress"].reductions if ENGINES["abpress"].answers("no-data-race", p)
    }
    assert named == set(KEEPING)


@pytest.mark.parametrize("features", [SMALL, CROWDED, ARRAYS], ids=["small", "crowded", "arrays"])
def test_same_races_as_enumeration(features: Features) -> None:
    verdicts: list[Verdict | None] = []

    @settings(max_examples=examples(10, whole=50), derandomize=True, deadline=None, database=None)
    @given(programs(features), st.integers(0, 999), st.sampled_from(WAYS))
    def every(program: Program, seed: int, way: tuple[str, str, str]) -> None:
        verdicts.append(compared(of_all_kinds(program, Random(seed)), *way))

    every()
    assert min(verdicts.count(Verdict.TRUE), verdicts.count(Verdict.FALSE)) > 0
    assert verdicts.count(None) < len(verdicts) / 2


TEXT = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y, a[64];
unsigned __VERIFIER_nondet_uint(void);
void *t(void *p) {
  unsigned k = __VERIFIER_nondet_uint();
  pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
  if (k < 32) a[2 * k] = 1;
  y = 1;
  return 0; }
int main(void) {
  pthread_t h;
  unsigned k = __VERIFIER_nondet_uint();
  pthread_create(&h, 0, t, 0);
  if (k < 32) a[2 * k + ODD] = 2;
  LOCK x++; int one = x; UNLOCK
  if (one == SEEN) y = 2;
  pthread_join(h, 0);
  return y; }
"""
RIGHT = {
    "ODD": "1",
    "UNLOCK": "pthread_mutex_unlock(&m);",
    "LOCK": "pthread_mutex_lock(&m);",
    "SEEN": "3",
}
"""The elements have even and odd numbers, x is locked, and never 3 there."""


def written(folder: Path, words: dict[str, str]) -> Config:
    text = TEXT
    for word, by in words.items():
        text = text.replace(word, by)
    file = folder / "program.c"
    file.write_text(text)
    return Config.of(file, property="no-data-race", time_limit=60.0)


@pytest.mark.parametrize("engine", ["abpress", "auto"])
def test_equations_of_indices_and_locks_exclude_races(engine: str, tmp_path: Path) -> None:
    config = written(tmp_path, RIGHT).but(engine=engine, certificate=True)
    report = verify(config)
    assert report.result.verdict is Verdict.TRUE
    assert report.certificate is not None
    assert ('"facts": [{' in report.certificate) is (engine == "auto")
    (accepted,) = check_proof(config, report.certificate)
    assert accepted.property == "no-data-race"
    assert set(accepted.assumptions) <= set(report.result.assumptions)


@pytest.mark.parametrize("engine", ["abpress", "auto"])
@pytest.mark.parametrize(
    ("word", "by", "place"),
    [("ODD", "0", "9:"), ("LOCK", "", "8:"), ("SEEN", "1", "10:")],
)
def test_races_are_found(word: str, by: str, place: str, engine: str, tmp_path: Path) -> None:
    words = {**RIGHT, word: by}
    if word == "LOCK":
        words["UNLOCK"] = ""
    result = verify(written(tmp_path, words).but(engine=engine)).result
    assert result.verdict is Verdict.FALSE
    assert f"program.c:{place}" in result.reason
    assert result.trace is not None


def test_facts_of_a_certificate_are_checked(tmp_path: Path) -> None:
    """A proof of what is open is none of the whole, and what facts say is not believed."""
    config = written(tmp_path, {**RIGHT, "SEEN": "1"})
    program = load(config).program
    nothing = Alarms("no-data-race", frozenset())
    pruned = config.but(alarms=(nothing,), por="none", engine="abpress")
    result, view = prove(program, pruned, Limits(time=60.0), None, Soundness())
    assert result.verdict is Verdict.TRUE  # of no access
    assert view is not None
    with pytest.raises(AssertionError, match="two threads may stand before accesses that race"):
        certified(program, config, view)


FLAG = """
#include <pthread.h>
int x;
_Atomic int done;
unsigned __VERIFIER_nondet_uint(void);
void *t(void *p) {
  unsigned n = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < n; i++) x++;
  done = 1;
  return 0; }
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  while (!done) { EARLY }
  return x; }
"""


@pytest.mark.parametrize(("early", "verdict"), [("", Verdict.TRUE), ("break;", Verdict.FALSE)])
def test_a_flag_ends_a_loop_of_any_length(early: str, verdict: Verdict, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(FLAG.replace("EARLY", early))
    config = Config.of(file, property="no-data-race", engine="abpress", time_limit=60.0)
    report = verify(config)
    assert report.result.verdict is verdict
    if report.certificate is not None:
        assert check_proof(config, report.certificate)[0].property == "no-data-race"
