"""Which loops count without end, so that states are not enumerated first."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.verify.choice import ProgramFeatures, chosen
from abpress.verify.endless import counts_without_end
from abpress.verify.load import load

TEXT = """
#include <pthread.h>
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
int x, y, stop, list[4];
pthread_mutex_t m;
void *f(void *p) { int i = 0; LOOP return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  stop = 1;
  pthread_join(t, 0);
}
"""


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("while (1) x++;", True),
        ("while (!stop) x -= 2;", True),
        ("while (__VERIFIER_nondet_bool()) { if (x > 0) y++; else x++; }", True),
        ("while (1) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }", True),
        ("while (__VERIFIER_nondet_bool()) { x++; if (x == 5) x = 0; }", False),
        ("while (i < 5) { i++; x++; }", False),
        ("while (x < 5) { x++; y++; }", False),
        ("while (1) { x++; x--; }", False),
        ("while (1) x = !x;", False),
        ("while (i != 9) { i = list[i]; x++; }", False),
        ("while (!stop) {}", False),
        ("for (i = 0; i < 9; i++) if (list[i] == 3) x++;", False),
    ],
)
def test_a_loop_counts_without_end_if_it_asks_for_nothing_that_it_changes(
    tmp_path: Path, loop: str, expected: bool
) -> None:
    file = tmp_path / "loop.c"
    file.write_text(TEXT.replace("LOOP", loop), encoding="utf-8")
    program = load(Config.of(file, property="unreach-call")).program
    assert counts_without_end(program) is expected
    features = ProgramFeatures.of(program, 256)
    assert features.finite is not expected
    assert features.wide_inputs is expected
    assert ("enumerated" in chosen(features).name) is not expected
