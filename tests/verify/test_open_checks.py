"""Checks that facts leave open are all that a tree looks for, NOTE(alarms)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abpress.config import Config
from abpress.engines import static
from abpress.engines.abpress.engine import prove_each
from abpress.ir.program import NO_OVERFLOW, VALID_DEREF
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.bounds.certificate import format_bounds, parse_bounds
from abpress.proof.bounds.check import bounds_left_open, check_bounds
from abpress.proof.certificate import Rejected, parsed
from abpress.proof.kinds import KINDS
from abpress.proof.numbers.check import check_numbers, numbers_left_open
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.verify.certify import certified, check_proof, left_open
from abpress.verify.load import load
from abpress.verify.run import verify

TEXT = """
#include <pthread.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y, f, g, a[3], b[20];
void *t(void *p) {
  b[g] = f + 1;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    x = x + 1; y = y + STEP; b[i + 18] = 1;
    pthread_mutex_unlock(&m); }
  return 0; }
int main(void) {
  pthread_t h;
  int n = INT_MAX, in = __VERIFIER_nondet_int();
  if (in >= 0 && in < 20) g = in;
  if (in < 50) f = in;
  pthread_create(&h, 0, t, 0);
  pthread_mutex_lock(&m);
  OPEN in = in / 2 + 1;
  pthread_mutex_unlock(&m);
  return n; }
"""
OPEN = {NO_OVERFLOW: "n = n - 2 + (y - x) + 2;", VALID_DEREF: "a[y - x + 1] = in;"}
"""Facts know nothing of x and y together: one check is open, and others are not."""

GOOD, BAD = TEXT.replace("STEP", "1"), TEXT.replace("STEP", "3")


def written(folder: Path, text: str, property: str) -> Path:
    file = folder / "program.c"
    file.write_text(text.replace("OPEN", OPEN[property]))
    return file


def facts(file: Path, property: str) -> tuple[Any, Config, Any]:
    config = Config.of(file, property=property, por="source+summaries")
    program = load(config).program
    _, evidence = static.prove(program, config, Limits(), lambda _: None, Soundness())
    return program, config, evidence


def only_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes those away who would decide such small programs before."""
    engines = {"static", "abpress"}
    from abpress.engines import table
    from abpress.verify import run

    kept = {name: its for name, its in table.ENGINES.items() if name in engines}
    monkeypatch.setattr(table, "ENGINES", kept)
    monkeypatch.setattr(run.verify, "__kwdefaults__", None)
    monkeypatch.setattr(
        run, "able", lambda config, _: tuple(e for e in kept.values() if e.answerable(config))
    )


@pytest.mark.parametrize("property", OPEN)
def test_a_proof_carries_both_certificates(
    property: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_the_tree(monkeypatch)
    file = written(tmp_path, GOOD, property)
    config = Config.of(file, property=property, time_limit=60.0)
    (answer,) = verify(config).answers
    assert answer.result.verdict is Verdict.TRUE
    assert answer.result.statistics["alarms"] == 1
    assert DEFINED_SO_FAR in answer.result.assumptions
    assert answer.certificate is not None
    data = parsed(answer.certificate)
    assert [KINDS[its["format"]].left_open is not None for its in data["facts"]] == [True]
    (accepted,) = check_proof(config, answer.certificate)
    assert set(accepted.assumptions) == set(answer.result.assumptions)


def test_without_the_facts_the_tree_is_no_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_the_tree(monkeypatch)
    config = Config.of(written(tmp_path, GOOD, NO_OVERFLOW), property=NO_OVERFLOW, time_limit=60.0)
    text = verify(config).answers[0].certificate
    assert text is not None
    lines = [line for line in text.splitlines() if not line.lstrip().startswith('"facts"')]
    assert len(lines) < len(text.splitlines())
    with pytest.raises(Rejected):
        check_proof(config, "\n".join(lines))


@pytest.mark.parametrize("property", OPEN)
def test_what_is_open_is_found(
    property: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_the_tree(monkeypatch)
    config = Config.of(written(tmp_path, BAD, property), property=property, time_limit=60.0)
    assert verify(config).answers[0].result.verdict is Verdict.FALSE


@pytest.mark.parametrize("property", OPEN)
def test_alarms_are_what_the_checker_says(property: str, tmp_path: Path) -> None:
    program, config, evidence = facts(written(tmp_path, BAD, property), property)
    assert len(evidence.alarms) == 1
    told = left_open(program, config, evidence)
    assert told is not None
    assert told[0].places == frozenset(evidence.alarms)
    assert not told[1].places
    forged = replace(evidence, alarms=())
    assert left_open(program, config, forged) is None
    check = check_numbers if property == NO_OVERFLOW else check_bounds
    for wrong in (evidence, forged):
        with pytest.raises(Rejected):
            check(program, wrong)


@pytest.mark.parametrize("property", OPEN)
def test_a_tree_that_rests_on_forged_alarms_is_rejected(property: str, tmp_path: Path) -> None:
    program, config, evidence = facts(written(tmp_path, BAD, property), property)
    told = left_open(program, config, evidence)
    assert told is not None
    results, _ = prove_each(program, config.but(alarms=(told[0],)), Limits())
    assert results[property].verdict is Verdict.FALSE
    config = config.but(alarms=(replace(told[0], places=frozenset()),))
    results, proof = prove_each(program, config, Limits())
    assert results[property].verdict is Verdict.TRUE and proof is not None  # wrong
    with pytest.raises(AssertionError, match="is rejected"):
        certified(program, config, proof)


def test_certificates_with_alarms_are_read_as_written(tmp_path: Path) -> None:
    program, _, evidence = facts(written(tmp_path, GOOD, VALID_DEREF), VALID_DEREF)
    again = parse_bounds(parsed(format_bounds(evidence)))
    assert again == evidence
    assert bounds_left_open(program, again)[0].places == frozenset(evidence.alarms)


def test_every_alarm_counts(tmp_path: Path) -> None:
    """A second check that is open, and is not named, is not skipped."""
    text = GOOD.replace("return n; }", "in = __VERIFIER_nondet_int(); in = in + 1; return n; }")
    program, _, evidence = facts(written(tmp_path, text, NO_OVERFLOW), NO_OVERFLOW)
    assert len(evidence.alarms) == 2
    for place in evidence.alarms:
        with pytest.raises(Rejected):
            numbers_left_open(program, replace(evidence, alarms=(place,)))
