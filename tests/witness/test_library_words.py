"""Traces say in words what calls of the thread library do, and name what is on the heap."""

from __future__ import annotations

from pathlib import Path

from abpress.config import Config
from abpress.result import Verdict
from abpress.verify.run import verify
from abpress.witness.lanes import render
from abpress.witness.trace import Trace

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_barrier_t gate;
pthread_spinlock_t spin;
sem_t items;
"""


def trace_of(program: str, directory: Path, property: str = "unreach-call") -> Trace:
    """The trace of the violation of the program."""
    path = directory / "program.c"
    path.write_text(HEAD + program)
    result = verify(Config.of(path, property=property, engine="explicit")).result
    assert result.verdict is Verdict.FALSE and result.trace is not None
    return result.trace


def said(trace: Trace, thread: str) -> list[str]:
    """What is said of a thread, each sentence once where it is repeated."""
    words = [text for step in trace.steps if step.thread == thread for text in step.said]
    return [text for i, text in enumerate(words) if i == 0 or words[i - 1] != text]


def test_one_thread_uses_everything(tmp_path: Path) -> None:
    program = """
pthread_mutex_t again;
void routine(void) {}
int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&again, &attr);
  pthread_mutex_lock(&again);
  pthread_mutex_lock(&again);
  pthread_mutex_unlock(&again);
  pthread_mutex_unlock(&again);
  sem_init(&items, 0, 1);
  sem_wait(&items);
  if (sem_trywait(&items) == 0)
    return 0;
  sem_post(&items);
  sem_destroy(&items);
  pthread_rwlock_rdlock(&rw);
  pthread_rwlock_unlock(&rw);
  pthread_rwlock_wrlock(&rw);
  pthread_rwlock_unlock(&rw);
  pthread_rwlock_destroy(&rw);
  pthread_spin_init(&spin, 0);
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
  pthread_once(&once, routine);
  pthread_once(&once, routine);
  pthread_cond_signal(&c);
  pthread_mutex_destroy(&again);
  assert(0);
}
"""
    assert said(trace_of(program, tmp_path), "main") == [
        "locks again",
        "locks again again",
        "unlocks again once of more",
        "unlocks again",
        "items = 1",
        "items: 1 → 0",
        "items is 0",
        "items: 0 → 1",
        "destroys items",
        "locks rw for reading",
        "unlocks rw",
        "locks rw for writing",
        "unlocks rw",
        "destroys rw",
        "locks spin",
        "unlocks spin",
        "begins the routine of once",
        "once is done",
        "signals c: nobody waits",
        "destroys again",
    ]


def test_threads_meet_at_barriers_and_as_readers(tmp_path: Path) -> None:
    program = """
int met;
void *other(void *arg) {
  pthread_rwlock_rdlock(&rw);
  pthread_barrier_wait(&gate);
  met = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&gate, 0, 2);
  pthread_rwlock_rdlock(&rw);
  pthread_create(&t, 0, other, 0);
  pthread_barrier_wait(&gate);
  pthread_rwlock_unlock(&rw);
  pthread_join(t, 0);
  assert(!met);
}
"""
    trace = trace_of(program, tmp_path)
    mine, others = said(trace, "main"), said(trace, "main.1")
    arrivals = {"arrives at gate (1 of 2)", "arrives at gate as the last one: all go on"}
    assert arrivals <= {*mine, *others}
    assert [text for text in (*mine, *others) if text.startswith("goes")] == ["goes on from gate"]
    assert "locks rw for reading, beside main" in others
    assert "unlocks rw, which main.1 still reads" in mine


def test_a_wake_up_without_a_signal_is_spurious(tmp_path: Path) -> None:
    program = """
int main(void) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  assert(0);
}
"""
    assert said(trace_of(program, tmp_path), "main") == [
        "locks m",
        "waits for a signal on c",
        "unlocks m",
        "wakes up without a signal (spurious wake-up)",
        "locks m",
    ]


def test_a_signal_wakes_who_waits(tmp_path: Path) -> None:
    program = """
int waits;
void *waiter(void *arg) {
  pthread_mutex_lock(&m);
  waits = 1;
  pthread_cond_wait(&c, &m);
  waits = 0;
  pthread_mutex_unlock(&m);
  pthread_barrier_wait(&gate);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&gate, 0, 2);
  pthread_create(&t, 0, waiter, 0);
  pthread_mutex_lock(&m);
  if (!waits)
    return 0;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
"""
    trace = trace_of(program, tmp_path, "no-deadlock")
    assert said(trace, "main")[-3:-1] == ["signals c", "wakes main.1"]
    assert "wakes up" in said(trace, "main.1")
    assert [b.text for b in trace.blocked] == [
        "waits for the end of main.1",
        "waits for gate, where 1 of 2 have arrived",
    ]
    assert trace.history == ()


def test_a_lost_signal_is_told(tmp_path: Path) -> None:
    program = """
void *waiter(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_cond_signal(&c);
  pthread_join(t, 0);
}
"""
    trace = trace_of(program, tmp_path, "no-deadlock")
    assert [b.text for b in trace.blocked] == [
        "waits for the end of main.1",
        "waits for a signal on c",
    ]
    ((event),) = trace.history
    line = HEAD.count("\n") + program[: program.index("pthread_cond_signal")].count("\n") + 1
    told = event.object, event.what, event.thread, event.position.line
    assert told == ("c", "signalled", "main", line)
    source = {event.position.file: HEAD + program}
    assert f"  c: signalled by main at {line}, when nobody waited" in [
        text.plain for text in render(trace, source, 120)
    ]


def test_who_reads_and_writes_is_awaited(tmp_path: Path) -> None:
    program = """
void *writer(void *arg) {
  pthread_rwlock_wrlock(&rw);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_rwlock_rdlock(&rw);
  sem_init(&items, 0, 0);
  pthread_create(&t, 0, writer, 0);
  sem_wait(&items);
}
"""
    assert [b.text for b in trace_of(program, tmp_path, "no-deadlock").blocked] == [
        "waits for items, which is 0",
        "waits for rw, held for reading by main",
    ]


def test_what_is_on_the_heap_is_named_by_its_type_and_line(tmp_path: Path) -> None:
    program = """
struct pool { int used; };
struct pool *make(void) { return malloc(sizeof(struct pool)); }
int main(void) {
  struct pool *first = make(), *second = make();
  first->used = second->used = 1;
  free(second);
  return second->used;
}
"""
    trace = trace_of(program, tmp_path, "valid-deref")
    line = HEAD.count("\n") + 3
    name = f"pool@{line}#2"
    assert trace.message == (
        f"{name} (struct pool allocated at line {line}) accessed outside its lifetime"
    )
    assert {event.object for event in trace.history} == {name}
    written = {cell for step in trace.steps for cell, _ in step.writes}
    assert {f"pool@{line}.used", f"{name}.used"} <= written
    values = {value for step in trace.steps for _, value in (*step.reads, *step.writes)}
    assert not any("heap " in text for text in (*written, *values))


def test_a_struct_without_a_tag_has_the_name_of_its_typedef(tmp_path: Path) -> None:
    program = """
typedef struct { int n; } pool_t, other_t;
typedef const pool_t *view;
int main(void) {
  pool_t *pool = malloc(sizeof(pool_t));
  other_t *other = malloc(sizeof *other);
  struct { int n; } *none = malloc(sizeof *none);
  pool->n = other->n = none->n = 1;
  assert(((view)pool)->n + other->n + none->n == 2);
}
"""
    trace = trace_of(program, tmp_path)
    cells = {cell for step in trace.steps for cell, _ in step.writes if "@" in cell}
    assert cells == {"pool_t@16.n", "pool_t@17.n", "memory@18.n"}
