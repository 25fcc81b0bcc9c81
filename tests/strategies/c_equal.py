"""Random C programs of equal threads: created in loops and by several calls, joined in order, in
another one, in part, or not, with handles that are copied or overwritten, and noted ids."""

from __future__ import annotations

from random import Random

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_t t[3], u, noted, other;
int x, f, args[3] = {0, 1, 2};
_Atomic int c;
"""

ACTS = (
    "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); if (x < 2) x++; else f = 1; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); int mine = x++; pthread_mutex_unlock(&m); if (mine == 1) f = 1;",
    "pthread_mutex_lock(&m); pthread_mutex_lock(&k); x = f; pthread_mutex_unlock(&k);"
    " pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&k); pthread_mutex_lock(&m); f = x; pthread_mutex_unlock(&m);"
    " pthread_mutex_unlock(&k);",
    "if (!pthread_mutex_trylock(&m)) { x++; pthread_mutex_unlock(&m); } else f = 1;",
    "pthread_mutex_lock(&m); if (x++ == 1) return 0; pthread_mutex_unlock(&m);",
    "int v = c; c = v + 1;",
    "c++;",
    "if (c == 1) { c = 2; } else if (c == 2) { f = 1; }",
    "while (c == 3);",
    "assert(c < 3);",
    "if (atomic_fetch_add(&c, 1) == 1) pthread_exit(0);",
    "int w = x; x = w + 1;",
    "if (p) c++;",
    "c = *(int *)(p ? p : &args[1]);",
    "pthread_mutex_lock(&m); noted = pthread_self(); pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); other = noted; pthread_mutex_unlock(&m);",
    "if (noted == 0) { noted = pthread_self(); c++; }",
    "if (__VERIFIER_nondet_bool()) c = 0;",
    "for (int i = 0; i < 2; i++) c += i;",
)

CREATES = (
    "for (int i = 0; i < {n}; i++) pthread_create(&t[i], 0, work, 0);",
    "for (int i = {n} - 1; i >= 0; i--) pthread_create(&t[i], 0, work, 0);",
    "for (int i = 0; i < {n}; i++) pthread_create(&t[i], 0, work, &args[i]);",
    "for (int i = 0; i < {n}; i++) pthread_create(&u, 0, work, 0);",
    "pthread_create(&t[0], 0, work, 0); c++; pthread_create(&t[1], 0, work, 0);"
    " if ({n} == 3) pthread_create(&t[2], 0, work, 0);",
    "pthread_create(&t[1], 0, work, 0); pthread_create(&t[0], 0, {second}, 0);"
    " if ({n} == 3) pthread_create(&t[2], 0, work, 0);",
    "pthread_create(&t[0], 0, work, 0); pthread_create(&t[1], 0, __VERIFIER_nondet_bool() ? work"
    " : second, 0); if ({n} == 3) pthread_create(&t[2], 0, {second}, 0);",
    "for (int i = 0; i < {n}; i++) if (i < 2 || __VERIFIER_nondet_bool())"
    " pthread_create(&t[i], 0, work, 0);",
)

BETWEEN = (
    *("", "", "", "c++;", "f = 2;", "pthread_mutex_lock(&m);"),
    "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
    "while (c < 1);",
    "assert(c < 3);",
)

JOINS = (
    "for (int i = 0; i < {n}; i++) pthread_join(t[i], 0);",
    "for (int i = 0; i < {n}; i++) pthread_join(t[i], 0);",
    "for (int i = {n} - 1; i >= 0; i--) pthread_join(t[i], 0);",
    "pthread_join(t[1], 0); pthread_join(t[0], 0); if ({n} == 3) pthread_join(t[2], 0);",
    "for (int i = 0; i < 2; i++) pthread_join(t[i], 0);"
    " for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);"
    " for (int i = 0; i < 2; i++) pthread_join(t[i], 0);",
    "for (int i = 0; i < 2; i++) pthread_join(t[i], 0); pthread_create(&t[0], 0, work, 0);"
    " pthread_create(&t[1], 0, {second}, 0); pthread_join(t[1], 0); pthread_join(t[0], 0);",
    "pthread_join(t[1], 0);",
    "pthread_join(u, 0);",
    "pthread_join(t[0], 0); c++; pthread_join(t[1], 0);",
    "for (int i = 0; i < 2; i++) { pthread_join(t[i], 0); if (f) break; }",
    "for (int i = 0; i < {n}; i++) { void *got; pthread_join(t[i], &got); if (got) f = 1; }",
    "if (__VERIFIER_nondet_bool()) pthread_join(t[0], 0); pthread_join(t[1], 0);",
    "",
)

COMPARES = "if (noted == pthread_self()) f = 1;"
COPIES = (
    "u = t[0]; t[0] = t[1]; t[1] = u;",
    "t[0] = t[1];",
    "if (__VERIFIER_nondet_bool()) { u = t[0]; t[0] = t[1]; t[1] = u; }",
)
"""The library tells such ids apart by sets."""

ENDS = (
    *("assert(x == {n});", "assert(c != {n});", "assert(!f);", "assert(x + c < 4);"),
    "pthread_mutex_lock(&m); assert(x < 3); pthread_mutex_unlock(&m);",
    "assert(noted == 0);",
    "if (c == 2) return 1; assert(f != 2);",
    "pthread_exit(0);",
)


def equal_threads(seed: int) -> str:
    """The text of such a program."""
    draw = Random(seed)

    def body(most: int) -> str:
        acts = (draw.choice(ACTS) for _ in range(draw.randint(1, most)))
        return " ".join(f"{{ {act} }}" for act in acts)

    n = draw.choice((2, 2, 2, 3))
    works = [body(3 if n == 2 else 2), body(2)]
    between = BETWEEN
    if draw.random() < 0.1:
        works[0] += COMPARES
    if draw.random() < 0.1:
        between = COPIES
    main = " ".join(
        draw.choice(its).replace("{n}", str(n)).replace("{second}", draw.choice(("work", "second")))
        for its in (CREATES, between, JOINS, ENDS)
    )
    names = zip(("work", "second"), works, strict=True)
    threads = "".join(f"void *{name}(void *p) {{ {its} return 0; }}\n" for name, its in names)
    return f"{HEAD}{threads}int main(void) {{ {main} return 0; }}\n"
