"""What other threads may influence: programs in which a pointer, a mutex or a thread takes a way
that an analysis may overlook, so that two reads could be taken for reads that nobody disturbs.

The thread `other` writes 1 to x, then to y. Read from left to right, `y - x` is never 1.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress.ir.expr import Addr
from abpress.ir.passes.pipeline import simplify
from abpress.ir.program import Load
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATIC
from abpress.search.stateful import explore
from abpress.semantics.interpreter import Interpreter
from abpress_frontend.load import load_program
from abpress_frontend.lower import orders
from abpress_frontend.lower.sharing import Sharing

HEAD = """\
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
typedef struct { int *x, *y; } both;
typedef void *start(void *);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_key_t k;
"""
CHECK = "if (y - x == 1) reach_error();"
WRITES = "x = 1; y = 1;"


def reached(text: str, folder: Path) -> bool:
    """Whether reach_error is; no proof may be missed for another reason."""
    file = folder / "sharing.c"
    file.write_text(HEAD + text)
    system = Interpreter(
        simplify(load_program(ProgramOptions(file, spurious_wakeups="on")).program)
    )
    outcome = explore(system, STATIC["s-por"].make(system), PROPERTIES["unreach-call"])
    assert outcome.found or not system.soundness.reasons, f"{system.soundness.reasons}\n{text}"
    return bool(outcome.found)


def influenced(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The variables that the entry function reads where other threads may influence it."""
    found: set[str] = set()

    class Watched(Sharing):
        def __init__(self, graphs, evaluations, objects, main) -> None:  # type: ignore[no-untyped-def]
            super().__init__(graphs, evaluations, objects, main)
            for draft in (draft for edges in graphs[main].out for draft in edges):
                for effect in draft.effects:
                    if isinstance(effect, Load) and draft.facts and draft.facts.influenced:
                        address = effect.address
                        found.add(address.object if isinstance(address, Addr) else "?")

    file = folder / "sharing.c"
    file.write_text(HEAD + text)
    with monkeypatch.context() as patch:
        patch.setattr(orders, "Sharing", Watched)
        load_program(ProgramOptions(file))
    return found


# -- pointers -------------------------------------------------------------------------------------

LOCALS = """\
{ahead}
void *other(void *p) {{ {other} return 0; }}
int main(void) {{ pthread_t t; int x = 0, y = 0; {before} pthread_create(&t, 0, other, {given});
  {after} {check} return 0; }}
"""
THROUGH = "int *q = {x}, *r = {y}; *q = 1; *r = 1;"


def escape(ahead: str, before: str, x: str, y: str, given: str = "0", after: str = "") -> str:
    return LOCALS.format(
        ahead=ahead,
        before=before,
        other=THROUGH.format(x=x, y=y),
        given=given,
        after=after,
        check=CHECK,
    )


ESCAPES = {
    "global": escape("int *a, *b;", "a = &x; b = &y;", "a", "b"),
    "argument": escape("", "both g = {&x, &y};", "((both *)p)->x", "((both *)p)->y", "&g"),
    "copied struct": escape("both g;", "both h = {&x, &y}; g = h;", "g.x", "g.y"),
    "memcpy": escape("both g;", "both h = {&x, &y}; memcpy(&g, &h, sizeof g);", "g.x", "g.y"),
    "struct result": escape(
        "both g; both make(int *x, int *y) { both h = {x, y}; return h; }",
        "g = make(&x, &y);",
        "g.x",
        "g.y",
    ),
    "array": escape(
        "int *a[3];", "int i = __VERIFIER_nondet_int() != 0; a[i] = &x; a[2] = &y;",
        "(a[0] ? a[0] : a[1])", "a[2]",
    ),
    "cast": escape(
        "void *a; char *b;", "a = &x; b = (char *)&y;", "(int *)a", "(int *)(void *)b"
    ),
    "pointer to pointer": escape(
        "int *a, *b;", "int **s = &a, **u = &b; *s = &x; *u = &y;", "a", "b"
    ),
    "static local": escape(
        "int **place(void) { static int *s[2]; return s; }",
        "place()[0] = &x; place()[1] = &y;",
        "place()[0]",
        "place()[1]",
    ),
    "union": escape(
        "union u { int *p; void *n; } a, b;",
        "a.p = &x; b.n = &y;",
        "a.n",
        "b.p",
    ),
    "function pointer": escape(
        "int *a, *b; void put(int *x, int *y) { a = x; b = y; } void (*to)(int *, int *) = put;",
        "to(&x, &y);",
        "a",
        "b",
    ),
    "heap": escape(
        "both *g;", "both *h = malloc(sizeof *h); h->x = &x; h->y = &y; g = h;", "g->x", "g->y"
    ),
    "comma and conditional": escape("int *a, *b;", "a = (0, x ? &y : &x); b = &y;", "a", "b"),
    "after the creation": escape(
        "int *a, *b; int ready;",
        "",
        "(ready == 1 ? a : (int[1]){0})",
        "(ready == 1 ? b : (int[1]){0})",
        "0",
        "a = &x; b = &y; ready = 1;",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ESCAPES)
def test_escapes(name: str, tmp_path: Path) -> None:
    assert reached(ESCAPES[name], tmp_path)


def test_what_does_not_escape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = escape("int *a, *b, u, v;", "int *s = &x; *s = 0; a = &u; b = &v;", "a", "b")
    assert not influenced(text, tmp_path, monkeypatch)
    assert not reached(text, tmp_path)


# -- mutexes --------------------------------------------------------------------------------------

GLOBALS = """\
int x, y;
{ahead}
void *other(void *p) {{ {lock} {writes} {unlock} return 0; }}
int main(void) {{ pthread_t t; {before} pthread_create(&t, 0, other, 0); {main} return 0; }}
"""


def mutex(main: str, ahead: str = "", other: str = "", before: str = "") -> str:
    lock = other or "pthread_mutex_lock(&m);"
    unlock = "" if other else "pthread_mutex_unlock(&m);"
    main = main.replace("CHECK", CHECK)
    return GLOBALS.format(
        ahead=ahead, lock=lock, writes=WRITES, unlock=unlock, before=before, main=main
    )


LOCK, UNLOCK = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"

RELEASED = {
    "never taken": mutex("CHECK"),
    "another": mutex("pthread_mutex_lock(&n); CHECK"),
    "released": mutex(f"{LOCK} {UNLOCK} CHECK"),
    "taken on one way": mutex(f"if (__VERIFIER_nondet_int()) {LOCK} CHECK"),
    "released on one way": mutex(f"{LOCK} if (__VERIFIER_nondet_int()) {UNLOCK} CHECK"),
    "trylock": mutex("pthread_mutex_trylock(&m); CHECK"),
    "one of two": mutex(
        "pthread_mutex_t *q = __VERIFIER_nondet_int() ? &m : &n; pthread_mutex_lock(q); CHECK"
    ),
    "released through a pointer": mutex(
        f"{LOCK} pthread_mutex_t *q = &m; pthread_mutex_unlock(q); CHECK"
    ),
    "one of two released": mutex(
        f"{LOCK} pthread_mutex_lock(&n);"
        "pthread_mutex_unlock(__VERIFIER_nondet_int() ? &m : &n); CHECK"
    ),
    "by a pointer to a function": mutex(
        f"{LOCK} u(&m); CHECK", "int (*u)(pthread_mutex_t *) = pthread_mutex_unlock;"
    ),
    "by a callee": mutex(f"{LOCK} f(); CHECK", "void f(void) { pthread_mutex_unlock(&m); }"),
    "by recursion": mutex(
        f"{LOCK} f(3); CHECK", "void f(int d) { if (d) f(d - 1); else pthread_mutex_unlock(&m); }"
    ),
    "by a wrapper": mutex(
        f"{LOCK} f(&m); CHECK", "void f(pthread_mutex_t *p) { pthread_mutex_unlock(p); }"
    ),
    "by a cleanup handler": mutex(
        f"{LOCK} pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &m);"
        "pthread_cleanup_pop(1); CHECK"
    ),
    "initialised again": mutex(f"{LOCK} pthread_mutex_init(&m, 0); CHECK"),
    "overwritten": mutex(f"{LOCK} m = n; CHECK"),
    "cleared": mutex(f"{LOCK} memset(&m, 0, sizeof m); CHECK"),
    "an element": mutex(
        "pthread_mutex_lock(&a[1]); CHECK",
        "pthread_mutex_t a[2];",
        f"pthread_mutex_lock(&a[0]); {WRITES} pthread_mutex_unlock(&a[0]); {LOCK} {UNLOCK}",
    ),
    "other does not take it": mutex(f"{LOCK} CHECK", "", ";"),
    "other tries": mutex(f"{LOCK} CHECK", "", "pthread_mutex_trylock(&m);"),
    "C11": mutex(
        "mtx_lock(&l); mtx_unlock(&l); CHECK", "mtx_t l;",
        f"mtx_lock(&l); {WRITES} mtx_unlock(&l);", "mtx_init(&l, mtx_plain);",
    ),
    "a destructor": mutex(
        f"{LOCK} CHECK",
        "void d(void *p) { x = 1; y = 1; }",
        "pthread_setspecific(k, &x); return 0;",
        "pthread_key_create(&k, d);",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RELEASED)
def test_mutexes_that_are_not_held(name: str, tmp_path: Path) -> None:
    assert reached(RELEASED[name], tmp_path)


HELD = {
    "taken": mutex(f"{LOCK} CHECK {UNLOCK}"),
    "by a wrapper": mutex(
        "f(&m); CHECK g(&m);",
        "void f(pthread_mutex_t *p) { pthread_mutex_lock(p); }"
        "void g(pthread_mutex_t *p) { pthread_mutex_unlock(p); }",
    ),
    "by a pointer to a function": mutex(
        f"l(&m); CHECK {UNLOCK}", "int (*l)(pthread_mutex_t *) = pthread_mutex_lock;"
    ),
    "around a wait": mutex(
        f"{LOCK} while (!x) pthread_cond_wait(&c, &m); CHECK {UNLOCK}", "", ""
    ),
    "another tries": mutex(
        f"{LOCK} CHECK {UNLOCK}",
        "",
        f"if (pthread_mutex_trylock(&m) == 0) {UNLOCK} {LOCK} {WRITES} {UNLOCK} return 0;",
    ),
    "initialised before": mutex(f"{LOCK} CHECK {UNLOCK}", "", "", "pthread_mutex_init(&m, 0);"),
    "C11": mutex(
        "mtx_lock(&l); CHECK mtx_unlock(&l);", "mtx_t l;",
        f"mtx_lock(&l); {WRITES} mtx_unlock(&l); return 0;", "mtx_init(&l, mtx_plain);",
    ),
    "atomic": mutex(
        "__VERIFIER_atomic_begin(); CHECK __VERIFIER_atomic_end();",
        "",
        f"__VERIFIER_atomic_begin(); {WRITES} __VERIFIER_atomic_end(); return 0;",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HELD)
def test_mutexes_that_are_held(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not reached(HELD[name], tmp_path)
    if name != "atomic":
        assert influenced(HELD[name], tmp_path, monkeypatch).isdisjoint({"x", "y"})


BESIDE = """\
int x;
void *other(void *p) {{ {lock} x = 1; {unlock} return 0; }}
int f(void) {{ {f} return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, other, 0); {lock} x = 0;
  int r = x + f(); if (r == 1) reach_error(); {unlock} return 0; }}
"""
BEGIN, END = "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"


@pytest.mark.parametrize(
    ("f", "lock", "unlock"),
    [
        (f"{UNLOCK} {LOCK}", LOCK, UNLOCK),
        (f"{UNLOCK} {LOCK} x = x;", LOCK, UNLOCK),
        ("pthread_cond_wait(&c, &m);", LOCK, UNLOCK),
        ("struct timespec d; pthread_cond_timedwait(&c, &m, &d);", LOCK, UNLOCK),
        (f"{END} {BEGIN}", BEGIN, END),
    ],
)
def test_a_callee_that_lets_others_in(f: str, lock: str, unlock: str, tmp_path: Path) -> None:
    """Read from left to right, x is 0: only where the call comes first another thread comes in."""
    assert reached(BESIDE.format(f=f, lock=lock, unlock=unlock), tmp_path)
    assert not reached(BESIDE.format(f="", lock=lock, unlock=unlock), tmp_path)


# -- threads --------------------------------------------------------------------------------------

THREADS = """\
int x, y; pthread_t g, h;
void *idle(void *p) {{ return 0; }}
void *other(void *p) {{ {writes} return 0; }}
{ahead}
int main(void) {{ pthread_t t, u, a[3]; {main} return 0; }}
"""


def threads(main: str, ahead: str = "") -> str:
    return THREADS.format(ahead=ahead, writes=WRITES, main=main.replace("CHECK", CHECK))


SOME = "void *some(void *p) { if (p) { x = 1; y = 1; } return 0; }"
MAKE, JOIN = "pthread_create(&t, 0, other, 0);", "pthread_join(t, 0);"

RUNNING = {
    "another is joined": threads(
        f"{MAKE} pthread_create(&u, 0, idle, 0); pthread_join(u, 0); CHECK"
    ),
    "joined on one way": threads(f"{MAKE} if (__VERIFIER_nondet_int()) {JOIN} CHECK"),
    "created on one way": threads(f"if (__VERIFIER_nondet_int()) {{ {MAKE} }} CHECK"),
    "the variable has another id": threads(
        f"{MAKE} u = t; pthread_create(&t, 0, idle, 0); {JOIN} CHECK"
    ),
    "copied": threads(f"{MAKE} pthread_create(&u, 0, idle, 0); t = u; {JOIN} CHECK"),
    "written through a pointer": threads(
        f"pthread_t *q = &t; {MAKE} pthread_create(q, 0, idle, 0); {JOIN} CHECK"
    ),
    "written by memcpy": threads(
        f"{MAKE} pthread_create(&u, 0, idle, 0); memcpy(&t, &u, sizeof t); {JOIN} CHECK"
    ),
    "written by a thread": threads(
        "pthread_create(&h, 0, idle, 0); pthread_create(&t, 0, put, 0);"
        f"pthread_create(&g, 0, other, 0); {JOIN} pthread_join(g, 0); CHECK",
        "void *put(void *p) { g = h; return 0; }",
    ),
    "an element": threads(
        "pthread_create(&a[0], 0, other, 0); pthread_create(&a[1], 0, idle, 0);"
        "pthread_join(a[1], 0); CHECK"
    ),
    "many, one joined": threads(
        f"for (int i = 0; i < 2; i++) pthread_create(&t, 0, some, i ? 0 : &x); {JOIN} CHECK", SOME
    ),
    "created again": threads(
        f"for (int i = 0; i < 2; i++) {{ if (i) {JOIN} pthread_create(&t, 0, some, i ? &x : 0); }}"
        "CHECK",
        SOME,
    ),
    "grandchild": threads(
        f"pthread_create(&t, 0, parent, 0); {JOIN} CHECK",
        "void *parent(void *p) { pthread_t t; pthread_create(&t, 0, other, 0); return 0; }",
    ),
    "unsequenced": threads(
        "pthread_create(&t, 0, idle, 0); int r = make(&t) + copy(&u, &t);"
        "pthread_join(u, 0); CHECK",
        "int copy(pthread_t *p, pthread_t *q) { *p = *q; return 0; }"
        "int make(pthread_t *p) { return pthread_create(p, 0, other, 0); }",
    ),
    "joined beside": threads(
        f"{MAKE} int r = y - x + join(&t) * 0; if (r == 1) reach_error();",
        "int join(pthread_t *p) { return pthread_join(*p, 0); }",
    ),
    "one of two functions": threads(
        "start *f = __VERIFIER_nondet_int() ? other : idle, *g = f == idle ? other : idle;"
        f"pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); {JOIN} CHECK"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNNING)
def test_threads_that_may_run(name: str, tmp_path: Path) -> None:
    assert reached(RUNNING[name], tmp_path)


ALONE = {
    "before": threads(f"CHECK {MAKE}"),
    "joined": threads(f"{MAKE} {JOIN} CHECK"),
    "another runs": threads(f"pthread_create(&u, 0, idle, 0); {MAKE} {JOIN} CHECK"),
    "two joined": threads(
        f"{MAKE} pthread_create(&u, 0, other, 0); pthread_join(u, 0); {JOIN} CHECK"
    ),
    "one after the other": threads(f"for (int i = 0; i < 2; i++) {{ {MAKE} {JOIN} CHECK }}"),
    "copied": threads(f"{MAKE} u = t; t = 0; pthread_join(u, 0); CHECK"),
    "elements": threads(
        "pthread_create(&a[0], 0, other, 0); pthread_create(&a[1], 0, other, 0);"
        "pthread_join(a[0], 0); pthread_join(a[1], 0); CHECK"
    ),
    "global": threads("pthread_create(&g, 0, other, 0); pthread_join(g, 0); CHECK"),
}  # fmt: skip


@pytest.mark.parametrize("name", ALONE)
def test_threads_that_do_not_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not reached(ALONE[name], tmp_path)
    assert influenced(ALONE[name], tmp_path, monkeypatch).isdisjoint({"x", "y"})


def test_threads_in_phases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads of two kinds that never run at the same time do not disturb each other."""
    reader = f"void *reader(void *p) {{ {CHECK} return 0; }}"
    made = "pthread_create(&u, 0, reader, 0);"
    apart = threads(f"{MAKE} {JOIN} {made} pthread_join(u, 0);", reader)
    assert not reached(apart, tmp_path)
    assert reached(threads(f"{MAKE} {made} {JOIN} pthread_join(u, 0);", reader), tmp_path)
    assert reached(threads(f"{made} {MAKE} pthread_join(u, 0); {JOIN}", reader), tmp_path)
