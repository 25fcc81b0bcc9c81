"""Locks have their users' names: what models keep in them has none."""

from __future__ import annotations

from pathlib import Path

from abpress.config import Config
from abpress.result import Verdict
from abpress.verify.load import load
from abpress.verify.run import verify

TEXT = """
#include <pthread.h>
void reach_error(void) {}
struct queue { int n; pthread_mutex_t mutex; pthread_rwlock_t rwlock; };
struct { int k; struct queue jobs; struct { int n, owner; } item; } x;
pthread_mutex_t *held;
int *own;
void *work(void *p) { pthread_mutex_lock(&x.jobs.mutex); return 0; }
int main(void) {
  pthread_t t;
  held = &x.jobs.mutex;
  own = &x.item.owner;
  pthread_create(&t, 0, work, 0);
  if (held && own) reach_error();
}
"""


def test_pointers_to_locks_are_told_by_their_names(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(TEXT)
    layout = load(Config.of(file)).program.objects["x"].layout
    assert set(layout.locks.values()) == {".jobs.mutex", ".jobs.rwlock"}
    found = verify(Config.of(file, engine="explicit", property="unreach-call"))
    assert found.result.verdict is Verdict.FALSE
    told = str(found.result.trace)
    assert "&x.jobs.mutex" in told
    assert "&x.jobs.mutex.owner" not in told
    assert "&x.item.owner" in told
