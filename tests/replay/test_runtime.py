"""The thread library of the runtime: many threads, misuse, requests to cancel."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.replay.plan import plan_of
from abpress.replay.run import Replayed, replayed
from abpress.verify.run import verify
from abpress.witness.trace import Trace
from tests.replay.test_on_the_machine import needs_compiler

BEGIN = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t b;
pthread_spinlock_t s;
sem_t e;
int x, y;
"""


def seen(folder: Path, property: str, text: str) -> Replayed:
    """The replay of what is found in a program."""
    file = folder / "program.c"
    file.write_text(BEGIN + text)
    trace = verify(Config.of(file, properties=(property,))).result.trace
    assert isinstance(trace, Trace)
    return replayed(plan_of(trace), Config.of(file).program, folder)[0]


MANY_THREADS = """
enum { MANY = 70 };
void *waits(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  if (x < MANY) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t[MANY];
  for (int i = 0; i < MANY; i++) pthread_create(&t[i], 0, waits, 0);
  for (int i = 0; i < MANY; i++) pthread_join(t[i], 0);
}
"""

SUM_OF_TWO = """
void *adds(void *arg) {
  for (int i = 0; i < 2; i++)
    x += y;
  return arg;
}
void *other(void *arg) {
  for (int i = 0; i < 2; i++)
    y += x;
  return arg;
}
int main(void) {
  pthread_t t, u;
  x = y = 1;
  pthread_create(&t, 0, adds, 0);
  pthread_create(&u, 0, other, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(y < 8);
}
"""

CANCELLED = """
void handler(void *arg) { assert(arg == 0); }
void *waits(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(handler, &x);
  while (!x) pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(0);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waits, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
}
"""

ACTS_LATE = """
void *loops(void *arg) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  pthread_testcancel();
  x = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  pthread_testcancel();
  x = 2;
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, loops, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result != PTHREAD_CANCELED || x != 1);
}
"""


JOINED_ONE_OF_TWO = """
void *writes(void *arg) { x = 1; x = 0; return arg; }
void *rests(void *arg) { return arg; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, writes, 0);
  pthread_create(&u, 0, rests, 0);
  pthread_join(u, 0);
  int was = x;
  assert(was == 0);
}
"""

LEAVES_ALONE = """
void *fails(void *arg) { assert(x != 1); return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, fails, 0);
  x = 1;
  return 0;
}
"""

ABORTS_LATE = """
void *leaves(void *arg) { x = 1; abort(); }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, leaves, 0);
  int was = x;
  assert(was == 0);
}
"""

DEFINED_INLINE = """
inline void adds(void) { x++; }
void *other(void *arg) { adds(); return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  adds();
  pthread_join(t, 0);
  assert(x == 2);
}
"""

ONE_INPUT_IS_UNUSED = """
int __VERIFIER_nondet_int(void);
int main(void) {
  x = __VERIFIER_nondet_int();
  y = __VERIFIER_nondet_int();
  assert(y != 5);
}
"""

IS_TOLD = """
pthread_t t;
void *joins(void *arg) { assert(pthread_join(*(pthread_t *)arg, 0) == 0); return arg; }
int main(void) {
  pthread_t own = pthread_self();
  pthread_create(&t, 0, joins, &own);
  pthread_join(t, 0);
}
"""


@needs_compiler
@pytest.mark.parametrize(
    "property, text, said",
    [
        ("no-deadlock", MANY_THREADS.replace("x < MANY", "1"), "main.70 at"),
        ("unreach-call", SUM_OF_TWO, "assertion y < 8 fails"),
        ("unreach-call", CANCELLED, "assertion arg == 0 fails"),
        ("unreach-call", ACTS_LATE, "x != 1 fails"),
        ("unreach-call", JOINED_ONE_OF_TWO, "was == 0 fails"),
        ("unreach-call", LEAVES_ALONE, "x != 1 fails"),
        ("unreach-call", ABORTS_LATE, "was == 0 fails"),
        ("unreach-call", DEFINED_INLINE, "x == 2 fails"),
        ("unreach-call", ONE_INPUT_IS_UNUSED, "y != 5 fails"),
        ("unreach-call", IS_TOLD, "== 0 fails"),
    ],
)
def test_ends_of_threads_and_of_the_program(
    property: str, text: str, said: str, tmp_path: Path
) -> None:
    found = seen(tmp_path, property, text)
    assert found.reproduced, (found.what, list(found.notes))
    assert said in found.what


OTHER = "void *other(void *arg) {{ {} return arg; }}\n"
MISUSED = {
    "locked after its end": ("", "pthread_mutex_destroy(&m); pthread_mutex_lock(&m);"),
    "locked twice": ("", "pthread_mutex_lock(&m); pthread_mutex_lock(&m);"),
    "used by another": ("pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); JOIN"),
    "two mutexes": (
        "pthread_mutex_lock(&n); pthread_cond_wait(&c, &n);",
        "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);",
    ),
    "read for writing": ("", "pthread_rwlock_rdlock(&l); pthread_rwlock_wrlock(&l);"),
    "no barrier": ("", "pthread_barrier_wait(&b);"),
    "barrier with a thread": (
        "pthread_barrier_wait(&b);",
        "pthread_barrier_init(&b, 0, 2); CREATE pthread_barrier_destroy(&b);",
    ),
    "semaphore with a thread": ("sem_wait(&e);", "sem_init(&e, 0, 0); CREATE sem_destroy(&e);"),
    "spins for itself": (
        "",
        "pthread_spin_init(&s, 0); pthread_spin_lock(&s); pthread_spin_lock(&s);",
    ),
    "no key": ("", "pthread_setspecific(3, &x);"),
}


@needs_compiler
@pytest.mark.parametrize("name", MISUSED)
def test_misuse_is_seen(name: str, tmp_path: Path) -> None:
    other, body = MISUSED[name]
    create = "pthread_create(&t, 0, other, 0);"
    body = body.replace("CREATE", create).replace("JOIN", "pthread_join(t, 0);")
    begin = "" if create in body else create
    main = f"int main(void) {{ pthread_t t; {begin} {body} }}\n"
    found = seen(tmp_path, "no-misuse", OTHER.format(other) + main)
    assert found.reproduced, (found.what, list(found.notes))
    assert "undefined" in found.what
