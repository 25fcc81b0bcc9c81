"""What traces show of variables that one thread alone uses, which proofs do without."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.result import Verdict
from abpress.verify.run import verify

TEXT = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int count, limit;
static void *one(void *unused) {
  for (int i = 0; i < limit; i++) count += 2;
  assert(count != 4);
  return unused;
}
int main(void) {
  pthread_t t;
  limit = __VERIFIER_nondet_int();
  pthread_create(&t, NULL, one, NULL);
  pthread_join(t, NULL);
  return 0;
}
"""


@pytest.mark.parametrize("engine", ["hunt", "auto"])
def test_a_hunt_shows_what_a_thread_counts_in_a_global_variable(
    engine: str, tmp_path: Path
) -> None:
    """NOTE(private-objects) is of proofs: who reads a trace wants to see it."""
    file = tmp_path / "program.c"
    file.write_text(TEXT)
    (answer,) = verify(Config.of(file, property="unreach-call", engine=engine)).answers
    assert answer.result.verdict is Verdict.FALSE
    assert answer.result.trace is not None
    written = {name for step in answer.result.trace.steps for name, *_ in step.writes}
    assert "count" in written
