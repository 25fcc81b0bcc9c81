"""What is undefined or open in C and that nothing looks for is an assumption of the verdict, where
the text has the construct."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress_frontend.lower import unchecked
from tests.frontend.assumptions import assumed

DECLARATIONS = """
typedef unsigned long size;
typedef const int fixed;
struct __attribute__((packed)) tight { char c; int i; };
struct loose { char c; int i; int a[3]; unsigned char b[256]; };
struct member { const int k; int i; };
struct pair { int a, b; };
union both { struct pair p; struct { int x; struct pair p; } shifted; } u, w;
atomic_int shared;
char bytes[8]; int words[8], grid[3][3]; struct tight t; struct loose s; struct pair f, g;
int id(int x) { return x; }
void one(void) { int *p = alloca(4); *p = 1; }
void many(void) { for (int i = 0; i < 2; i++) alloca(4); }
void *entry(void *x) { return x; }
int number(void *p) { return p != 0; }
"""

CASES = [
    (unchecked.CONSTANT, "const int x = 1; *(int *)&x = 2;", "int x = 1; *(int *)&x = 2;"),
    (unchecked.CONSTANT, "fixed x = 1; int *p = (int *)&x;", "fixed x = 1; long y = (long)x;"),
    (unchecked.CONSTANT, "const char *x = bytes; char *p = (char *)x;", "char *p = (char *)bytes;"),
    (unchecked.CONSTANT, "const int *x = words; int *p = (int *)(unsigned long)x;", ""),
    (unchecked.CONSTANT, "const int x = 1; (void *)&x;", "const int x = 1; (const void *)&x;"),
    (unchecked.CONSTANT, "struct member x = {1}; int *p = (int *)&x;", "struct member x = {1};"),
    (unchecked.RESTRICT, "int *restrict p = words;", "int *p = words;"),
    (unchecked.RESTRICT, "int *__restrict p = words;", "int f(int *restrict p);"),
    (unchecked.MISALIGNED, "int *p = (int *)(bytes + 1);", "char *p = (char *)words;"),
    (unchecked.MISALIGNED, "int *p = (int *)(void *)bytes;", "int *p = (int *)(void *)words;"),
    (unchecked.MISALIGNED, "int *p = &t.i;", "int *p = &s.i;"),
    (unchecked.MISALIGNED, "struct tight *q = &t; int *p = &q->i;", "char *p = &t.c;"),
    (
        unchecked.OTHER_FUNCTION,
        "int (*p)(unsigned) = (int (*)(unsigned))id; p(1);",
        "int (*p)(int) = (int (*)(int))id; p(1);",
    ),
    (
        unchecked.OTHER_FUNCTION,
        "pthread_t x; pthread_create(&x, 0, (void *(*)(void *))id, 0);",
        "pthread_t x; pthread_create(&x, 0, (void *(*)(void *))entry, 0);",
    ),
    (
        unchecked.OTHER_FUNCTION,
        "thrd_t x; thrd_create(&x, (int (*)(void *))entry, 0);",
        "thrd_t x; thrd_create(&x, number, 0);",
    ),
    (
        unchecked.OTHER_FUNCTION,
        "void *p = id; long r = ((long (*)(long))p)(1);",
        "void *p = id; int r = ((int (*)(int))p)(1);",
    ),
    (unchecked.PAST_PART, "int i = n; s.a[i] = 1;", "int i = n; words[i] = 1;"),
    (unchecked.PAST_PART, "int i = n; grid[0][i] = 1;", "int i = n; grid[0][2] = 1;"),
    (unchecked.PAST_PART, "s.a[3] = 1;", "unsigned char i = n; s.b[i] = 1;"),
    (unchecked.OVERLAP, "f = u.p = u.shifted.p;", "f = w.p = u.p;"),
    (unchecked.OVERLAP, "u.p = u.shifted.p;", "u.p = w.shifted.p;"),
    (unchecked.OVERLAP, "union both *p = n ? &u : &w; u.p = p->shifted.p;", "u.p = u.p;"),
    (unchecked.OVERLAP, "union both *p = &u; p->shifted.p = p->p;", "f = g;"),
    (unchecked.UNWRITTEN, "int x; if (n) x = 1; return x;", "int x; x = 1; return x;"),
    (unchecked.UNWRITTEN, "int x; x++;", "int x; if (n) x = 1; else x = 2; return x;"),
    (unchecked.UNWRITTEN, "for (int i = 0; i < 2; i++) { int x; if (i) n = x; x = 1; }", "int x;"),
    (unchecked.UNSET, "int *p; if (n) p = words; return *p;", "int *p; p = words; return *p;"),
    (
        unchecked.ALLOCA,
        "for (int i = 0; i < 2; i++) { for (int j = 0; j < 2; j++) alloca(4); } many();",
        "for (int i = 0; i < 2; i++) one();",
    ),
    (
        unchecked.WEAK_ORDER,
        "atomic_load_explicit(&shared, memory_order_relaxed);",
        "atomic_load_explicit(&shared, memory_order_seq_cst); atomic_load(&shared); shared++;",
    ),
    (
        unchecked.WEAK_ORDER,
        "__atomic_compare_exchange_n(&n, &n, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);",
        "__atomic_compare_exchange_n(&n, &n, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);",
    ),
    (
        unchecked.WEAK_ORDER,
        "atomic_store_explicit(&shared, 1, n ? memory_order_release : memory_order_seq_cst);",
        "atomic_thread_fence(memory_order_acquire);",
    ),
    (unchecked.WEAK_ORDER, "__sync_lock_test_and_set(&n, 1);", "__sync_fetch_and_add(&n, 1);"),
    (unchecked.PRETTY, "n = __PRETTY_FUNCTION__[4];", "n = __func__[4];"),
]


MAIN = "\nint main(int n, char **v) {"
HEADERS = ("pthread.h", "stdatomic.h", "stdlib.h", "threads.h")


@pytest.mark.parametrize(("assumption", "wrong", "right"), CASES)
def test_assumptions(assumption: str, wrong: str, right: str, tmp_path: Path) -> None:
    assert assumption in assumed(tmp_path, HEADERS, DECLARATIONS + MAIN, wrong)
    assert assumption not in assumed(tmp_path, HEADERS, DECLARATIONS + MAIN, right)


def test_each_index_that_may_be_too_large_is_named(tmp_path: Path) -> None:
    """Whoever looks for one that is reads the places, not only the first one."""
    same = "for (int i = 0; i < n; i++) s.a[i] = 1;"
    for count, said in ((1, ""), (2, ""), (4, ""), (6, " and 2 more")):
        text = assumed(tmp_path, HEADERS, DECLARATIONS + MAIN, "\n".join([same] * count))
        assert text.count(unchecked.PAST_PART) == 1
        places = text.partition(unchecked.PAST_PART)[2].partition(")")[0]
        assert places.endswith(said)
        assert len(set(places.removesuffix(said).split(", "))) == min(count, 4)


@pytest.mark.parametrize("storage", ["", "static"])
def test_a_function_that_compilers_know(storage: str, tmp_path: Path) -> None:
    """They leave out calls of one that other files may see, and take none that is static."""
    own = f"{storage} size_t strlen(const char *s) {{ return 7; }}"
    text = assumed(tmp_path, HEADERS, DECLARATIONS + own + MAIN, "n = strlen(bytes);")
    assert (f"{unchecked.BUILTIN}: strlen" in text) == (storage == "")
