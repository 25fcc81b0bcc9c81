"""Proofs do without variables that one thread alone uses; who looks at executions sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.proof.certificate import Rejected
from abpress.result import Verdict
from abpress.verify.certify import check_proof
from abpress.verify.load import Programs, load
from abpress.verify.run import verify

TEXT = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int count, limit;
static void *one(void *unused) {
  for (int i = 0; i < limit; i++) count += 2;
  assert(count < %d);
  return unused;
}
int main(void) {
  pthread_t t;
  limit = __VERIFIER_nondet_int();
  if (limit > 2) limit = 2;
  pthread_create(&t, NULL, one, NULL);
  pthread_join(t, NULL);
  return 0;
}
"""


def asked(folder: Path, most: int, **options: object) -> Config:
    file = folder / "program.c"
    file.write_text(TEXT % most)
    return Config.of(file, property="unreach-call", **options)


@pytest.mark.parametrize("engine", ["hunt", "auto", "horn", "abpress"])
def test_who_finds_an_execution_shows_what_a_thread_counts(engine: str, tmp_path: Path) -> None:
    (answer,) = verify(asked(tmp_path, 4, engine=engine)).answers
    assert answer.result.verdict is Verdict.FALSE
    assert answer.result.trace is not None
    written = {name for step in answer.result.trace.steps for name, *_ in step.writes}
    assert "count" in written


@pytest.mark.parametrize("engine", ["horn", "abpress"])
def test_a_certificate_says_of_which_program_it_is(engine: str, tmp_path: Path) -> None:
    config = asked(tmp_path, 5, engine=engine)
    text = verify(config).certificate
    assert text is not None
    data = json.loads(text)
    assert data["lean"] is True
    (accepted,) = check_proof(config, text)
    assert accepted.property == "unreach-call"
    for wrong in (False, "yes"):
        with pytest.raises(Rejected):
            check_proof(config, json.dumps(data | {"lean": wrong}))


def test_what_is_asked_besides_and_what_is_small_keeps_the_program_whole(tmp_path: Path) -> None:
    programs = Programs(asked(tmp_path, 4))
    assert programs.of(["unreach-call"], lean=True).lean
    for names in (["unreach-call"], ["no-data-race"], ["unreach-call", "valid-memtrack"]):
        its = programs.of(names, lean=names != ["unreach-call"])
        assert "count" in its.program.objects
        assert not its.lean
    small = asked(tmp_path, 4)
    small.program.file.write_text((TEXT % 4).replace("= __VERIFIER_nondet_int()", "= 3"))
    assert "count" in load(small, lean=True).program.objects
