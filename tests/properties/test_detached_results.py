"""What valid-memtrack assumes of threads whose results nobody can take."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.result import Verdict
from abpress.verify.run import verify

PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
void *child(void *argument) { return malloc(4); }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, child, 0);
  END(thread);
  pthread_exit(0);
}
"""


@pytest.mark.parametrize("end", ["pthread_detach", "(void)"])
def test_results_of_detached_threads(end: str, tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(PROGRAM.replace("END", end), encoding="utf-8")
    result = verify(Config.of(file, property="valid-memtrack")).result
    assert result.verdict is Verdict.TRUE
    told = any("detached thread" in assumption for assumption in result.assumptions)
    assert told == (end == "pthread_detach")
