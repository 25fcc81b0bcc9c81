"""Two threads and the thread library: what each function may do beside another thread."""

from __future__ import annotations

MAKE_ROBUST = (
    "void make(void) { pthread_mutexattr_t k; pthread_mutexattr_init(&k);"
    " pthread_mutexattr_setrobust(&k, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&r, &k); }"
)

CASES: dict[str, tuple[str, str, str]] = {
    "barrier": (
        "pthread_barrier_t b;",
        "x = pthread_barrier_wait(&b); x += 2 * pthread_barrier_wait(&b);",
        "y = pthread_barrier_wait(&b); y += 2 * pthread_barrier_wait(&b);",
    ),
    "cleanup": (
        "void handler(void *p) { x = 10 * x + (p != 0); pthread_mutex_unlock(&m); }",
        "pthread_mutex_lock(&m); pthread_cleanup_push(handler, &x); y++;"
        " if (a) pthread_exit(&y); y++; pthread_cleanup_pop(1);",
        "a = 1; pthread_mutex_lock(&m); z = y; pthread_mutex_unlock(&m);",
    ),
    "wait": (
        "",
        "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); pthread_cond_signal(&c);",
        "pthread_mutex_lock(&m); if (!x) pthread_cond_wait(&c, &m); y = x;"
        " pthread_mutex_unlock(&m);",
    ),
    "timed wait": (
        "",
        "pthread_mutex_lock(&m); x = pthread_cond_timedwait(&c, &m, &soon); y++;"
        " pthread_mutex_unlock(&m);",
        "pthread_cond_signal(&c); z = pthread_mutex_timedlock(&m, &soon); a = y;",
    ),
    "wait with a recursive mutex": (
        "pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;",
        "pthread_mutex_lock(&r); x = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&r);",
        "pthread_mutex_lock(&r); while (!x) pthread_cond_wait(&c, &r);"
        " y = pthread_mutex_unlock(&r); z = pthread_mutex_unlock(&r);",
    ),
    "recursive mutex": (
        "pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;",
        "y = pthread_mutex_unlock(&r); if (pthread_mutex_trylock(&r) == 0)"
        " { x++; pthread_mutex_unlock(&r); } else z++;",
        "pthread_mutex_lock(&r); pthread_mutex_lock(&r); pthread_mutex_unlock(&r); x++;"
        " pthread_mutex_unlock(&r); a = pthread_mutex_unlock(&r);",
    ),
    "error-checking mutex": (
        "pthread_mutex_t r = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;",
        "x = pthread_mutex_lock(&r); y = pthread_mutex_lock(&r); y += pthread_mutex_trylock(&r);"
        " a = pthread_mutex_timedlock(&r, &soon); pthread_mutex_unlock(&r);",
        "z = pthread_mutex_timedlock(&r, &soon); if (!z) pthread_mutex_unlock(&r);"
        " z += pthread_mutex_unlock(&r);",
    ),
    "robust mutex": (
        f"pthread_mutex_t r; {MAKE_ROBUST}",
        "make(); a = 1; x = pthread_mutex_lock(&r); x++;",
        "if (a) { y = pthread_mutex_trylock(&r); if (y == EOWNERDEAD && x)"
        " z = 1 + pthread_mutex_consistent(&r); y += 1000 * pthread_mutex_unlock(&r);"
        " if (z) z += 1000 * pthread_mutex_lock(&r); }",
    ),
    "robust mutex that is lost": (
        f"pthread_mutex_t r; {MAKE_ROBUST}",
        "make(); a = 1; x = pthread_mutex_lock(&r); x++;",
        "if (a) { y = pthread_mutex_lock(&r); pthread_mutex_unlock(&r);"
        " z = pthread_mutex_lock(&r); z += 1000 * pthread_mutex_trylock(&r); }",
    ),
    "reader-writer lock": (
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;",
        "pthread_rwlock_rdlock(&l); y = x; y += 10 * pthread_rwlock_tryrdlock(&l);"
        " pthread_rwlock_unlock(&l);",
        "z = pthread_rwlock_trywrlock(&l); if (!z) { x = 1; z = pthread_rwlock_rdlock(&l);"
        " pthread_rwlock_unlock(&l); } a = pthread_rwlock_timedrdlock(&l, &soon);",
    ),
    "semaphore": (
        "sem_t s;",
        "int r = sem_trywait(&s); x = r ? errno : 0; sem_getvalue(&s, &y); sem_post(&s);",
        "z = sem_timedwait(&s, &soon) ? errno : 0; a = sem_wait(&s);",
    ),
    "keys": (
        "pthread_key_t k, q, d; void of_q(void *p) { x = 10 * x + 2; pthread_setspecific(k, p); }\n"
        "void of_k(void *p) { x = 10 * x + 1; if (x < 50) pthread_setspecific(q, p); }",
        "pthread_setspecific(k, &x); y = pthread_setspecific(q, &y);",
        "z = pthread_key_delete(d); a = pthread_getspecific(k) != 0;",
    ),
    "once": (
        "pthread_once_t o = PTHREAD_ONCE_INIT, p = PTHREAD_ONCE_INIT;\n"
        "void inner(void) { y = 10 * y + 2; }\n"
        "void outer(void) { x++; pthread_once(&p, inner); y = 10 * y + 1; }",
        "pthread_once(&p, inner); z = x;",
        "pthread_once(&o, outer); a = y;",
    ),
    "detached": (
        "",
        "pthread_detach(pthread_self()); x = 1; pthread_mutex_lock(&m); y = x;",
        "pthread_mutex_lock(&m); z = x; pthread_exit(0);",
    ),
    "joins in a circle": (
        "pthread_t first;",
        "x = pthread_join(first, 0); y = 1;",
        "z = pthread_join(t, 0); a = 1; pthread_exit(0);",
    ),
    "exit": ("", "x = 1; exit(0);", "y = 1; z = x; pthread_mutex_lock(&m); y = 2;"),
    "spin lock": (
        "pthread_spinlock_t s;",
        "if (pthread_spin_trylock(&s)) { y++; pthread_spin_lock(&s); } x++;"
        " pthread_spin_unlock(&s);",
        "pthread_spin_lock(&s); z = x; pthread_spin_unlock(&s);",
    ),
    "atomic types": (
        "_Atomic unsigned char u = 250; _Atomic long long w; short h; atomic_flag f;",
        "u += 10; w = w + 5; x = atomic_flag_test_and_set(&f);"
        " __atomic_fetch_nand(&h, 3, __ATOMIC_SEQ_CST);",
        "u *= 2; w -= 3; y = atomic_flag_test_and_set(&f); __sync_fetch_and_or(&h, 8);"
        " z = u; z = z * 100 + w; a = h;",
    ),
    "compare-exchange": (
        "",
        "int e = 0; while (!atomic_compare_exchange_weak(&a, &e, e + 1)); x = e;",
        "int e = 0; y = atomic_compare_exchange_strong(&a, &e, 5); z = e;",
    ),
    "C11": (
        "mtx_t r; cnd_t w; once_flag o = ONCE_FLAG_INIT; tss_t k;\n"
        "void init(void) { mtx_init(&r, mtx_timed); cnd_init(&w); tss_create(&k, 0); }",
        "call_once(&o, init); tss_set(k, &x); mtx_lock(&r); x = 1; cnd_signal(&w);"
        " mtx_unlock(&r); y = tss_get(k) == &x;",
        "call_once(&o, init); mtx_lock(&r); if (!x) z = cnd_timedwait(&w, &r, &soon);"
        " mtx_unlock(&r); a = mtx_trylock(&r);",
    ),
}
"""What is used -> declarations, the statements of another thread, those of main before it joins.
No expression reads twice what the other thread writes: a compiler chooses one order of these."""

FRAME = """#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
int x, y, z;
_Atomic int a;
const struct timespec soon;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
DECLARED
void *other(void *argument) {
  OTHER
  return 0;
}
int main(void) {
  SETUP
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  MAIN
  pthread_join(t, 0);
  return 0;
}
"""

CELLS = ("x", "y", "z", "a")
"""The variables of every case."""

SETUP = {
    "barrier": "pthread_barrier_init(&b, 0, 2);",
    "semaphore": "sem_init(&s, 0, 1);",
    "keys": "pthread_key_create(&k, of_k); pthread_key_create(&q, of_q);"
    " pthread_key_create(&d, 0);",
    "spin lock": "pthread_spin_init(&s, 0);",
    "joins in a circle": "first = pthread_self();",
}
"""Case -> what main does first."""


def text_of(declared: str, other: str, main: str, setup: str = "") -> str:
    """The program of a case."""
    parts = {"DECLARED": declared, "OTHER": other, "MAIN": main, "SETUP": setup}
    text = FRAME
    for name, part in parts.items():
        text = text.replace(name, part)
    return text
