"""What is undefined and no model looks for is an assumption of the verdict, where it may occur."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.assumptions import assumed

MUTEXES = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n; pthread_cond_t c, d; char s[9], t[9];"
MAIN = f"{MUTEXES}\nint main(void) {{"
LOCK, UNLOCK = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
AGAIN = "nothing that is initialised is initialised again by pthread_mutex_init"
ONE_MUTEX = "threads that wait for one condition variable at the same time use one mutex"
COPY = "no copy of a mutex, condition variable, lock, barrier or semaphore is used"
APART = "do not overlap"
ERRNO = "a function that succeeds leaves errno as it is"
SILENT = "errno stays as it is where one of these fails: printf"
WAITERS = "no thread waits for a condition variable that is destroyed"

CASES = [
    (AGAIN, "pthread_mutex_init(&n, 0); pthread_mutex_init(&n, 0);", "pthread_mutex_init(&n, 0);"),
    (AGAIN, "pthread_mutex_init(&m, 0);", "pthread_mutex_init(&n, 0); pthread_mutex_destroy(&n);"),
    (AGAIN, "for (int i = 0; i < 2; i++) pthread_mutex_init(&n, 0);", "pthread_mutex_init(&n, 0);"),
    (
        ONE_MUTEX,
        f"{LOCK} pthread_cond_wait(&c, &m); pthread_mutex_lock(&n); pthread_cond_wait(&c, &n);",
        f"{LOCK} pthread_cond_wait(&c, &m); pthread_cond_wait(&d, &m); {UNLOCK}",
    ),
    (COPY, "n = m;", f"{LOCK} {UNLOCK}"),
    (COPY, "memcpy(&n, &m, sizeof n);", "memset(&n, 0, sizeof n);"),
    (COPY, "struct { int i; pthread_mutex_t m; } x, y; x = y;", "struct { int i; } x, y; x = y;"),
    (APART, "strcpy(s, s + 1);", "strcpy(s, t);"),
    (APART, "strncat(s, s + 1, 2);", "strncat(s, t, 2);"),
    (ERRNO, "sem_t x; errno = 0; sem_init(&x, 0, 0); if (errno) abort();", "abort();"),
    (SILENT, "errno = 0; if (printf(s) < 0 && errno == 0) abort();", "printf(s);"),
    (
        WAITERS,
        f"{LOCK} pthread_cond_wait(&c, &m); {UNLOCK} pthread_cond_destroy(&c);",
        f"{LOCK} pthread_cond_wait(&c, &m); {UNLOCK}",
    ),
]


HEADERS = ("pthread.h", "semaphore.h", "errno.h", "stdio.h", "stdlib.h", "string.h")


@pytest.mark.parametrize(("assumption", "wrong", "right"), CASES)
def test_assumptions(assumption: str, wrong: str, right: str, tmp_path: Path) -> None:
    assert assumption in assumed(tmp_path, HEADERS, MAIN, wrong)
    assert assumption not in assumed(tmp_path, HEADERS, MAIN, right)
