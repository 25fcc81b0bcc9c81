"""What counts as a data race, by all reductions that keep them; each rule with its counterpart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from abpress.cli.report import to_json
from abpress.config import Config
from abpress.engines.table import ENGINES
from abpress.result import Verdict
from abpress.verify.measure import Stopwatch
from abpress.verify.run import Report, verify
from tests.sampling import sample

PROPERTY = "no-data-race"

HEAD = """\
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int x, y;
_Atomic int a;
int many[4];
char text[4] = "ab";
char *shared_text = text;
struct { int first, second; } pair, other;
union { int whole; char bytes[4]; } both;
struct { unsigned low : 4; unsigned high : 4; char beside; } bits;
int *pointer;
void nothing(void) {}
void (*function)(void) = nothing;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *which = &m;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_spinlock_t spin;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_barrier_t barrier;
sem_t sem;
pthread_t one_id, two_id;
void set(void) { x = 1; }
"""

PROGRAM = (
    HEAD
    + """
void *one(void *argument) { %s return 0; }
void *two(void *argument) { %s return 0; }
int main(void) {
  %s
  pthread_create(&one_id, 0, one, 0);
  pthread_create(&two_id, 0, two, 0);
  %s
  pthread_join(one_id, 0);
  pthread_join(two_id, 0);
  %s
  return 0;
}
"""
)


def section(body: str) -> str:
    return f"__VERIFIER_atomic_begin(); {body} __VERIFIER_atomic_end();"


def locked(mutex: str, body: str) -> str:
    return f"pthread_mutex_lock(&{mutex}); {body} pthread_mutex_unlock(&{mutex});"


KEEPING = [
    por for por in ENGINES["explicit"].reductions if ENGINES["explicit"].answers(PROPERTY, por)
]


def run(folder: Path, text: str, **options: object) -> Report:
    file = folder / "program.c"
    file.write_text(text)
    return verify(Config.of(file, property=PROPERTY, **{"engine": "explicit", **options}))


def test_reductions_that_keep_races() -> None:
    assert {"none", "s-por", "heap-reach", "heap-reach+fields"} <= set(KEEPING)


RACY = [
    ("x = 1;", "x = 2;"),
    ("x = 1;", "x = 1;"),
    ("x = 1;", "x;"),
    ("x = 1;", "(void)x;"),
    ("x = 1;", 'printf("%d", x);'),
    ("x = 1;", "y = x;"),
    ("x++;", "if (x) y = 1;"),
    (locked("m", "x++;"), "x++;"),
    (locked("m", "x++;"), locked("n", "x++;")),
    (section("x = 1;"), "x = 2;"),
    (section("x = 1;"), "if (x == y) nothing();"),
    (section("__VERIFIER_assume(x == 7);"), "x = 1;"),
    ("__atomic_store_n(&x, 1, 5);", "x = 1;"),
    ("__atomic_store(&x, &y, 5);", "y = 1;"),
    ("atomic_fetch_add(&a, x);", "x = 1;"),
    ("__sync_fetch_and_add(&x, 1);", "x;"),
    ("many[y] = 1;", "many[0] = 2;"),
    ("many[1] = 1;", "for (int i = 0; i < 4; i++) many[i] = 0;"),
    ("pair = other;", "pair.second = 1;"),
    ("pair = other;", "other.first = 1;"),
    ("both.whole = 1;", "both.bytes[2] = 1;"),
    ("memset(many, 0, sizeof many);", "many[3] = 1;"),
    ("strcpy(text, \"a\");", "text[0] = 1;"),
    ("printf(\"%s\", shared_text);", "text[1] = 1;"),
    ("puts(text);", "text[1] = 1;"),
    ("memcpy(many, &pair, 8);", "pair.second = 1;"),
    ("scanf(\"%d\", &x);", "x;"),
    ("function();", "function = nothing;"),
    ("volatile int *v = &x; *v = 1;", "volatile int *v = &x; *v;"),
    ("pthread_rwlock_rdlock(&rw); x = 1; pthread_rwlock_unlock(&rw);",
     "pthread_rwlock_rdlock(&rw); x; pthread_rwlock_unlock(&rw);"),
    ("if (pthread_mutex_trylock(&m)) x = 1; else pthread_mutex_unlock(&m);",
     locked("m", "x = 2;")),
    ("bits.low = 1;", "bits.high = 1;"),
    ("x = 1; __VERIFIER_assume(0);", "x = 2;"),
    ("x = 1; abort();", "x = 2;"),
    ("pthread_mutex_lock(which);", "which = &n;"),
    ("pthread_join(two_id, 0);", ""),
]  # fmt: skip

SAFE = [
    ("x;", "y = x;"),
    (locked("m", "x++;"), locked("m", "x++;")),
    (section("x = 1;"), section("x = 2;")),
    (section("x = 1;"), section("__VERIFIER_assume(x == 7);")),
    (section("x = 1;"), "__atomic_load_n(&x, 5);"),
    ("__atomic_store_n(&x, 1, 5);", "__atomic_fetch_add(&x, 1, 5);"),
    ("a = 1;", "a++;"),
    ("many[y] = 1;", "many[1] = 2;"),
    ("many[0] = 1; many[2] = 1;", "for (int i = 1; i < 4; i += 2) many[i] = 0;"),
    ("pair.first = 1;", "pair.second = 1;"),
    ("both.bytes[1] = 1;", "both.bytes[2] = 1;"),
    ("printf(\"%.1s\", \"ab\"); printf(\"%p\", (void *)text);", "text[0] = 1;"),
    ("function();", "function();"),
    ("pthread_rwlock_wrlock(&rw); x = 1; pthread_rwlock_unlock(&rw);",
     "pthread_rwlock_rdlock(&rw); x; pthread_rwlock_unlock(&rw);"),
    ("if (!pthread_mutex_trylock(&m)) { x = 1; pthread_mutex_unlock(&m); }",
     locked("m", "x = 2;")),
    ("pthread_spin_lock(&spin); x = 1; pthread_spin_unlock(&spin);",
     "pthread_spin_lock(&spin); x = 2; pthread_spin_unlock(&spin);"),
    ("pthread_once(&once, set);", "pthread_once(&once, set); x;"),
    ("pthread_mutex_init(&n, 0);", "pthread_mutex_init(&n, 0);"),
    ("x = 1; sem_post(&sem);", "sem_wait(&sem); x = 2;"),
    ("x = 1; while (!a) ;", "a = 1;"),
    ("x = 1; a = 1;", "while (!a) ; x = 2;"),
    ("bits.low = 1;", "bits.beside = 1;"),
    ("x = 1; pthread_barrier_wait(&barrier);", "pthread_barrier_wait(&barrier); x = 2;"),
    ("int *p = malloc(4); *p = 1; free(p);", "int *p = malloc(4); *p = 1; free(p);"),
]  # fmt: skip

BEFORE = "pthread_barrier_init(&barrier, 0, 2); sem_init(&sem, 0, 0); pointer = &x;"


def both_ways(cases: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [*cases, *((second, first) for first, second in cases)]


def in_turn_for(row: int, every: int) -> Sequence[str]:
    """Reductions for a row of a table: others for the next one."""
    return sample(KEEPING, min(every, len(KEEPING)), row % min(every, len(KEEPING)))


@pytest.mark.parametrize(("one", "two"), RACY)
def test_races(one: str, two: str, tmp_path: Path) -> None:
    for first, second in both_ways([(one, two)]):
        if "two_id" in first + second and first != one:
            continue
        text = PROGRAM % (first, second, BEFORE, "", "")
        for por in in_turn_for(RACY.index((one, two)), 5 if first == one else 10):
            result = run(tmp_path, text, por=por).result
            assert result.verdict is Verdict.FALSE, (por, result.reason)
            assert result.reason.endswith(")")
            assert len(result.trace.ready) == 2


@pytest.mark.parametrize(("one", "two"), SAFE)
def test_no_races(one: str, two: str, tmp_path: Path) -> None:
    for first, second in both_ways([(one, two)]):
        text = PROGRAM % (first, second, BEFORE, "", "")
        for por in in_turn_for(SAFE.index((one, two)), 4 if first == one else 8):
            result = run(tmp_path, text, por=por).result
            assert result.verdict is Verdict.TRUE, (por, result.reason)


def test_creation_orders_and_the_end_does_not(tmp_path: Path) -> None:
    text = PROGRAM % ("x = 1;", "", "x = 0;", "", "x = 2;")
    assert run(tmp_path, text).result.verdict is Verdict.TRUE
    racy = PROGRAM % ("x = 1;", "", "", "x = 2;", "")
    assert run(tmp_path, racy).result.verdict is Verdict.FALSE
    ended = text.replace("pthread_join(one_id, 0);", "")
    assert run(tmp_path, ended).result.verdict is Verdict.FALSE


def test_a_handle_is_stored_before_the_thread_runs(tmp_path: Path) -> None:
    """What others read of it without order races all the same."""
    text = PROGRAM % ("one_id;", "pthread_join(one_id, 0);", "", "", "")
    text = text.replace("pthread_join(one_id, 0);\n  pthread_join(two", "pthread_join(two")
    assert run(tmp_path, text).result.verdict is Verdict.TRUE
    racy = PROGRAM % ("two_id;", "", "", "", "")
    assert run(tmp_path, racy).result.verdict is Verdict.FALSE


def test_an_escaped_local_variable_counts(tmp_path: Path) -> None:
    text = PROGRAM % ("*pointer = 1;", "*pointer = 2;", "int own; pointer = &own;", "", "")
    assert run(tmp_path, text).result.verdict is Verdict.FALSE
    own = PROGRAM % ("int v; int *p = &v; *p = 1;", "int v; int *p = &v; *p = 2;", "", "", "")
    assert run(tmp_path, own).result.verdict is Verdict.TRUE


def test_a_heap_object_that_is_handed_over(tmp_path: Path) -> None:
    give = "int *p = malloc(4); *p = 1; " + locked("m", "pointer = p;") + " %s"
    take = "int *p; " + locked("m", "p = pointer;") + " if (p) *p = 2;"
    text = PROGRAM % (give % "", take, "", "", "")
    assert run(tmp_path, text).result.verdict is Verdict.TRUE
    racy = PROGRAM % (give % "*p = 3;", take, "", "", "")
    assert run(tmp_path, racy).result.verdict is Verdict.FALSE


def test_the_finding_says_who_where_what_and_with_which_locks(tmp_path: Path) -> None:
    text = PROGRAM % (locked("m", "pair.second = 1;"), "section();", "", "", "")
    text = text.replace("void *one", "void section(void) { y = pair.second; }\nvoid *one")
    report = run(tmp_path, text)
    finding = report.result.reason
    assert "data race on pair.second" in finding
    trace = report.result.trace
    writer = next(thread for thread in trace.ready if "writes" in thread.text)
    reader = next(thread for thread in trace.ready if "reads" in thread.text)
    assert writer.text == "writes pair.second, holding m"
    assert reader.text == "reads pair.second"
    assert reader.position.function == "section"
    assert [at.function for at in reader.position.stack] == ["two"]
    told = to_json(report.result, report.engine, report.reduction, Stopwatch().read())["trace"]
    assert [thread["thread"] for thread in told["ready"]] == ["main.1", "main.2"]
