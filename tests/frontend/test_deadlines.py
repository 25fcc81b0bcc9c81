"""Deadlines and durations that are no times: which errors they make, and where they do not matter.

glibc looks at some only where the call has to wait, at others always, and that was not the same in
all its versions: then the results are those of all of them.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.result import Verdict
from abpress.verify.run import verify

HEAD = """
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutexattr_t attr;
static sem_t s;
static mtx_t mtx;
static cnd_t cnd;
static sigset_t set;
static pthread_t t;
static void *worker(void *unused) { return 0; }
static int of(int result) { return result == -1 ? errno : result; }
static struct timespec long_ago = {1, 0}, before = {-1, 0};
static struct timespec below = {1, -1}, above = {1, 1000000000};
"""

OF_A_KIND = (
    "pthread_mutexattr_init(&attr); pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_{});"
    " pthread_mutex_init(&m, &attr); pthread_mutex_lock(&m);"
)
HELD = "pthread_mutex_lock(&m);"
NORMAL = OF_A_KIND.format("NORMAL")
WRITTEN = "pthread_rwlock_wrlock(&l);"
READ = "pthread_rwlock_rdlock(&l);"
BLOCKED = "sigemptyset(&set); sigaddset(&set, SIGUSR1); pthread_sigmask(SIG_BLOCK, &set, 0);"
CREATED = "pthread_create(&t, 0, worker, 0);"
TIMED = "mtx_init(&mtx, mtx_timed); mtx_lock(&mtx); cnd_init(&cnd);"

CASES: list[tuple[str, str, set[str]]] = [
    ("", "pthread_mutex_timedlock(&m, &below)", {"0"}),
    (NORMAL, "pthread_mutex_timedlock(&m, &below)", {"EINVAL"}),
    (NORMAL, "pthread_mutex_timedlock(&m, &above)", {"EINVAL"}),
    (NORMAL, "pthread_mutex_timedlock(&m, &long_ago)", {"ETIMEDOUT"}),
    (OF_A_KIND.format("RECURSIVE"), "pthread_mutex_timedlock(&m, &below)", {"0"}),
    (OF_A_KIND.format("ERRORCHECK"), "pthread_mutex_timedlock(&m, &below)", {"EDEADLK"}),
    (NORMAL, "pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &below)", {"EINVAL"}),
    (HELD, "pthread_mutex_clocklock(&m, CLOCK_BOOTTIME, &long_ago)", {"EINVAL"}),
    (HELD, "pthread_cond_timedwait(&c, &m, &below)", {"EINVAL"}),
    (HELD, "pthread_cond_timedwait(&c, &m, &above)", {"EINVAL"}),
    (HELD, "(pthread_cond_timedwait(&c, &m, &above), pthread_mutex_unlock(&m))", {"0"}),
    (HELD, "pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &above)", {"EINVAL"}),
    (HELD, "pthread_cond_clockwait(&c, &m, CLOCK_BOOTTIME, &long_ago)", {"EINVAL"}),
    ("", "pthread_rwlock_timedrdlock(&l, &below)", {"0", "EINVAL"}),
    (WRITTEN, "pthread_rwlock_timedrdlock(&l, &below)", {"EDEADLK", "EINVAL"}),
    (READ, "pthread_rwlock_timedwrlock(&l, &above)", {"EINVAL"}),
    ("", "pthread_rwlock_timedwrlock(&l, &above)", {"0", "EINVAL"}),
    ("", "pthread_rwlock_clockrdlock(&l, CLOCK_BOOTTIME, &long_ago)", {"EINVAL"}),
    ("", "pthread_rwlock_clockwrlock(&l, CLOCK_BOOTTIME, &long_ago)", {"EINVAL"}),
    ("sem_init(&s, 0, 0);", "sem_timedwait(&s, &above)", {"EINVAL"}),
    ("sem_init(&s, 0, 0);", "sem_timedwait(&s, &long_ago)", {"ETIMEDOUT"}),
    ("sem_init(&s, 0, 1);", "sem_timedwait(&s, &above)", {"0", "EINVAL"}),
    ("sem_init(&s, 0, 1);", "sem_clockwait(&s, CLOCK_BOOTTIME, &long_ago)", {"EINVAL"}),
    (CREATED, "pthread_timedjoin_np(t, 0, &below)", {"0", "EINVAL"}),
    (CREATED, "pthread_clockjoin_np(t, 0, CLOCK_BOOTTIME, &long_ago)", {"EINVAL"}),
    (BLOCKED, "sigtimedwait(&set, 0, &below)", {"EINVAL"}),
    (BLOCKED, "sigtimedwait(&set, 0, &before)", {"EINVAL"}),
    (TIMED, "mtx_timedlock(&mtx, &below) == thrd_error", {"1"}),
    (TIMED, "mtx_timedlock(&mtx, &long_ago) == thrd_timedout", {"1"}),
    (TIMED, "cnd_timedwait(&cnd, &mtx, &below) == thrd_error", {"1"}),
    ("", "nanosleep(&below, 0)", {"EINVAL"}),
    ("", "nanosleep(&before, 0)", {"0", "EINVAL"}),
    ("", "clock_nanosleep(CLOCK_REALTIME, 0, &above, 0)", {"EINVAL"}),
    ("", "clock_nanosleep(CLOCK_REALTIME, 0, &before, 0)", {"0", "EINVAL"}),
    ("", "thrd_sleep(&above, 0) < -1", {"1"}),
]


def _verdict(folder: Path, setup: str, condition: str) -> Verdict:
    path = folder / "program.c"
    path.write_text(
        f"{HEAD}void reach_error(void); int main(void) {{ {setup} if (!({condition}))"
        " reach_error(); return 0; }\n"
    )
    return verify(Config.of(path)).result.verdict


@pytest.mark.parametrize(("setup", "call", "results"), CASES)
def test_results(setup: str, call: str, results: set[str], tmp_path: Path) -> None:
    """The results are these, and each of them is possible."""
    setup = f"{setup} int r = of({call});"
    right = " || ".join(f"r == {one}" for one in sorted(results))
    assert _verdict(tmp_path, setup, right) is Verdict.TRUE
    for one in results:
        assert _verdict(tmp_path, setup, f"r != {one}") is Verdict.FALSE


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no compiler")
def test_the_library_of_this_machine_says_the_same(tmp_path: Path) -> None:
    source, binary = tmp_path / "program.c", tmp_path / "program"
    known = [
        (n, case) for n, case in enumerate(CASES) if not ("clock" in case[1] and "_np" in case[1])
    ]
    cases = "".join(
        f"case {n}: {{ {setup} int r = of({call});"
        f" return !({' || '.join(f'r == {one}' for one in sorted(results))}); }}\n"
        for n, (setup, call, results) in known
    )
    source.write_text(
        f"{HEAD}int main(int n, char **of_words) {{ switch (atoi(of_words[1])) {{ {cases} }}"
        " return 2; }\n"
    )
    subprocess.run(["gcc", "-w", "-pthread", str(source), "-o", str(binary)], check=True)
    wrong = [
        case for n, case in known if subprocess.run([str(binary), str(n)], timeout=100).returncode
    ]
    assert not wrong
