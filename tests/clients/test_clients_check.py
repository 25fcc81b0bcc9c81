"""Answers about a client: its results, a violation, a deadlock, or nothing for certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.clients.check import ClientAnswer, may_wait
from abpress.clients.client import parse_client
from abpress.clients.concurrent import ClientProgram
from abpress.config import Config
from abpress.errors import InputError, UnsupportedError
from tests.clients.client_checks import check, written

COUNTER = """
static int count;
//@ operation
int take(void) { int old = count; count = old + 1; return old; }
"""

DEADLOCK = """
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int both(pthread_mutex_t *x, pthread_mutex_t *y) {
  pthread_mutex_lock(x);
  pthread_mutex_lock(y);
  pthread_mutex_unlock(y);
  pthread_mutex_unlock(x);
  return 0;
}
//@ operation
int forwards(void) { return both(&a, &b); }
//@ operation
int backwards(void) { return both(&b, &a); }
"""

ASSERTION = """
#include <assert.h>
static _Atomic int users;
//@ operation
void use(void) { users++; assert(users == 1); users--; }
"""

BOX = """
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int content;
//@ operation value: 1..2
void put(int value) {
  pthread_mutex_lock(&lock);
  content = value;
  SIGNAL(&filled);
  pthread_mutex_unlock(&lock);
}
/* Waits until there is something. */
//@ operation
int get(void) {
  pthread_mutex_lock(&lock);
  while (!content)
    pthread_cond_wait(&filled, &lock);
  int value = content;
  content = 0;
  pthread_mutex_unlock(&lock);
  return value;
}
"""

OWN_COPY = """
/* Each thread has a copy of its own: never out of order, and never up to date. */
static _Thread_local int copy;
//@ operation value: 1..2
void store(int value) { copy = value; }
//@ operation
int load(void) { return copy; }
"""


def test_a_library_that_is_not_atomic(tmp_path: Path) -> None:
    found = check(tmp_path, written(tmp_path, COUNTER), "take() || take()")
    assert found.answer is ClientAnswer.FORBIDDEN
    assert set(found.orders) == {(0, 1), (1, 0)}
    assert found.history is not None
    assert found.history.results in {(0, 0), (1, 1)}
    first, second = found.history.calls
    assert first.begin < second.begin < first.end or second.begin < first.begin < second.end


def test_a_result_that_no_order_gives_is_told(tmp_path: Path) -> None:
    found = check(tmp_path, written(tmp_path, COUNTER), "take() / take() || take() / take()")
    assert found.answer is ClientAnswer.FORBIDDEN
    assert found.history is not None
    assert found.history.results == (0, 1, 1, 2)
    assert all(results[3] == 3 for results in found.orders)


def test_a_deadlock_is_a_deadlock(tmp_path: Path) -> None:
    library = written(tmp_path, DEADLOCK)
    found = check(tmp_path, library, "forwards() || backwards()")
    assert found.answer is ClientAnswer.DEADLOCK
    assert found.history is not None
    assert [(made.end, made.result) for made in found.history.calls] == [(None, None)] * 2
    assert check(tmp_path, library, "forwards() || forwards()").answer is ClientAnswer.ALLOWED


def test_a_violation_is_a_violation(tmp_path: Path) -> None:
    library = written(tmp_path, ASSERTION)
    found = check(tmp_path, library, "use() || use()")
    assert found.answer is ClientAnswer.VIOLATION
    assert "assert" in found.reason
    assert check(tmp_path, library, "use(); use()").answer is ClientAnswer.ALLOWED


def test_waiting_at_a_condition(tmp_path: Path) -> None:
    library = written(tmp_path, BOX)
    config = Config.of(Path(), defines=("SIGNAL(c)=pthread_cond_signal(c)",), engine="explicit")
    forgotten = Config.of(Path(), defines=("SIGNAL(c)=",), engine="explicit")
    assert may_wait(library, config, tmp_path)
    assert not may_wait(written(tmp_path, COUNTER, "counter.c"), config, tmp_path)
    for its, answer in ((config, ClientAnswer.ALLOWED), (forgotten, ClientAnswer.DEADLOCK)):
        found = check(tmp_path, library, "get() || put(1)", config=its, waits=True)
        assert found.answer is answer
        assert set(found.orders) == {(1, None)}


def test_calls_that_wait_in_every_order(tmp_path: Path) -> None:
    config = Config.of(Path(), defines=("SIGNAL(c)=pthread_cond_signal(c)",), engine="explicit")
    found = check(tmp_path, written(tmp_path, BOX), "get() || get()", config=config, waits=True)
    assert (found.answer, dict(found.orders)) == (ClientAnswer.DEADLOCK, {})


def test_real_time(tmp_path: Path) -> None:
    library = written(tmp_path, OWN_COPY)
    client = "store(1) || load()"
    assert check(tmp_path, library, client).answer is ClientAnswer.ALLOWED
    found = check(tmp_path, library, client, real_time=True)
    assert found.answer is ClientAnswer.FORBIDDEN
    assert found.history is not None
    store, load = found.history.calls
    assert load.result == 0
    assert store.end is not None
    assert store.end < load.begin
    assert (
        check(tmp_path, library, "load() || load()", real_time=True).answer is ClientAnswer.ALLOWED
    )


def test_real_time_between_calls_of_one_thread(tmp_path: Path) -> None:
    """Another call may fall between two calls of a thread as a whole."""
    found = check(
        tmp_path, written(tmp_path, OWN_COPY), "load(); load() || store(1)", real_time=True
    )
    assert found.answer is ClientAnswer.FORBIDDEN
    assert found.history is not None
    assert found.history.results == (0, 0, None)


def test_the_reference_may_be_another_file(tmp_path: Path) -> None:
    library = written(tmp_path, COUNTER)
    spec = written(tmp_path, COUNTER.replace("old + 1", "old + 2"), "spec.c").file
    assert set(check(tmp_path, library, "take(); take()").orders) == {(0, 1)}
    found = check(tmp_path, library, "take(); take()", spec=spec)
    assert set(found.orders) == {(0, 2)}
    assert found.answer is ClientAnswer.FORBIDDEN


def test_a_reference_may_leave_results_open(tmp_path: Path) -> None:
    library = written(tmp_path, COUNTER)
    text = "extern _Bool __VERIFIER_nondet_bool(void);" + COUNTER
    either = text.replace("old + 1", "old + __VERIFIER_nondet_bool()")
    found = check(
        tmp_path, library, "take() || take()", spec=written(tmp_path, either, "spec.c").file
    )
    assert set(found.orders) == {(0, 0), (0, 1), (1, 0)}
    assert found.answer is ClientAnswer.ALLOWED


def test_a_reference_that_fails(tmp_path: Path) -> None:
    library = written(tmp_path, ASSERTION.replace("users--", "users++"))
    with pytest.raises(InputError, match=r"the sequential reference fails: .*assert"):
        check(tmp_path, library, "use() || use()")


def test_a_reference_that_is_not_explored(tmp_path: Path) -> None:
    """Results may be missing, so none is called forbidden."""
    wide = "extern int __VERIFIER_nondet_int(void);" + COUNTER.replace(
        "int old = count;", "int old = __VERIFIER_nondet_int();"
    )
    found = check(tmp_path, written(tmp_path, wide), "take() || take()")
    assert found.answer is ClientAnswer.UNKNOWN
    assert "in the sequential reference" in found.reason


def test_limits_are_kept(tmp_path: Path) -> None:
    config = Config.of(Path(), engine="explicit", memory_limit=1.0)
    client = " || ".join(["take(); take(); take()"] * 3)
    found = check(tmp_path, written(tmp_path, COUNTER), client, config=config)
    assert found.answer is ClientAnswer.UNKNOWN
    assert "memory limit" in found.reason


def test_results_that_do_not_fit(tmp_path: Path) -> None:
    library = written(tmp_path, COUNTER)
    client = parse_client("take(); take()", library)
    program = ClientProgram(client, library, {(0, 1): (), (1, 0): ()}, False)
    with pytest.raises(UnsupportedError, match="do not fit a word of 3 bits"):
        program.text(3)
    assert "take()" in program.text(4)


@pytest.mark.parametrize("engine", ["explicit", "stateless"])
def test_engines_agree(engine: str, tmp_path: Path) -> None:
    config = Config.of(Path(), engine=engine)
    for text, client in ((COUNTER, "take() || take()"), (DEADLOCK, "forwards() || backwards()")):
        library = written(tmp_path, text)
        expected = check(tmp_path, library, client).answer
        assert check(tmp_path, library, client, config=config).answer is expected
