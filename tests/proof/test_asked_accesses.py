"""Accesses that follow from several differences at once: the solver is asked of them last.

Takes NOTE(valid-accesses) at its word: each right program has a wrong one beside it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.modular.bounds.analysis import find
from abpress.proof.bounds.check import valid_if_asked
from abpress.proof.bounds.write import bounds_certificate
from abpress.result import Verdict
from abpress.verify.certify import check_proof
from abpress.verify.load import load
from abpress.verify.run import verify

TEXT = """
#include <pthread.h>
#include <stdlib.h>
extern size_t __VERIFIER_nondet_size_t(void);
extern void abort(void);
int *heap;
size_t n;
void *work(void *arg) { for (size_t i = 0; i < n; i++) %s; return 0; }
int main(void) {
  pthread_t t;
  n = __VERIFIER_nondet_size_t();
  if (n > 1000) abort();
  heap = malloc(n * sizeof *heap);
  pthread_create(&t, 0, work, 0);
  work(0);
  return 0;
}
"""

RIGHT = {
    "from the end": "heap[n - 1 - i / 2] = 1",
    "both ends": "heap[i / 3] = heap[n - (i + 1)]",
}

WRONG = {
    "from behind the end": "heap[n - i / 2] = 1",
    "both ends, too far": "heap[i] = heap[n - (i + 2)]",
    "from the end, of fewer": "if (n > 1) heap[n - 3 - i] = 1",
}


def config_of(access: str, folder: Path) -> Config:
    file = folder / "program.c"
    file.write_text(TEXT % access)
    return Config.of(file, data_model="LP64", engine="static", property="valid-deref")


@pytest.mark.parametrize("name", RIGHT)
def test_what_follows_from_products_and_quotients_is_proved(name: str, tmp_path: Path) -> None:
    config = config_of(RIGHT[name], tmp_path)
    program = load(config).program
    assert find(program, Facts.of(program)).alarms
    (answer,) = verify(config.but(certificate=True)).answers
    assert answer.result.verdict is Verdict.TRUE
    assert answer.certificate is not None
    assert check_proof(config, answer.certificate)


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_follow_is_left_open(name: str, tmp_path: Path) -> None:
    (answer,) = verify(config_of(WRONG[name], tmp_path)).answers
    assert answer.result.verdict is Verdict.UNKNOWN
    assert answer.result.alarms


def test_nothing_is_valid_by_facts_that_are_not_there(tmp_path: Path) -> None:
    program = load(config_of(RIGHT["from the end"], tmp_path)).program
    facts = Facts.of(program)
    proof = bounds_certificate(program, find(program, facts))
    assert valid_if_asked(program, proof, facts, None, lambda: False) == frozenset(proof.alarms)
    assert not valid_if_asked(program, proof, facts, None, lambda: True)
    stands = {
        at: tuple(replace(stand, differences=()) for stand in its)
        for at, its in proof.stands.items()
    }
    less = replace(proof, stands=stands)
    assert not valid_if_asked(program, less, facts, None, lambda: False)
