"""Reductions by what others reach, and may access later: the core asks what the Python search asks,
`abpress/semantics/foresight.py`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from abpress.config import Config
from abpress.core.build import find_compiler
from abpress.core.reference import FORESEEING
from abpress.core.search import ALGORITHMS
from abpress.ir.program import Program
from abpress.verify.load import load
from tests.core.comparison import compare, told
from tests.reductions.test_hybrid import UNKNOWN_PATH
from tests.sampling import examples, in_turn
from tests.strategies.ir_programs import Features, programs

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

REDUCTIONS = [por for por, its in ALGORITHMS.items() if its in FORESEEING]

HEAD = """
#include <pthread.h>
#include <stdlib.h>
struct pair { int a, b; struct pair *next; } *shared, *list;
int x, y;
struct pair *new(void) { return calloc(1, sizeof(struct pair)); }
void *uses(void *given) { struct pair *p = given; p->a++; p->b = p->a; return 0; }
void *returns(void *given) { struct pair *p = given; p->a = 1; return p; }
void *first(void *given) { struct pair *p = given; p->a = 1; p->a = x; p->a = 2; return 0; }
void *second(void *given) { struct pair *p = given; p->b = 1; p->b = x; p->b = 2; return 0; }
void *reads(void *given) { struct pair *p = given; y = p->a; y = p->b; return 0; }
void *frees(void *given) { struct pair *p = given; x = 1; x = 2; free(p); return 0; }
void *own(void *given) { struct pair *p = new(); p->a = 1; p->b = 2; free(p); return 0; }
void *twice(void *given) { x = 1; x = 2; return 0; }
void *late(void *given) {
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, first, given);
    x = 2;
    pthread_join(t, 0);
    return 0;
}
void *lends(void *given) {
    struct pair local = {0, 0, given}, *at[1] = {&local};
    pthread_t t;
    pthread_create(&t, 0, uses, at[0]);
    at[0]->next->a = 3; at[0]->next->b = 4;
    pthread_join(t, 0);
    return 0;
}
void *compares(void *given) {
    struct pair *p = given;
    if (p == p->next) y = 1;
    x = 1;
    return 0;
}
void *walks(void *given) {
    for (struct pair *p = *(struct pair **)given; p; p = p->next) p->a++;
    return 0;
}
pthread_t t, u;
#define START(f, p, g, q) pthread_create(&t, 0, f, p); pthread_create(&u, 0, g, q)
#define END pthread_join(t, 0); pthread_join(u, 0)
"""

BODIES = {
    "confined": "START(own, 0, own, 0); END;",
    "static": "shared = new(); START(uses, shared, own, 0); y = shared->a; END;",
    "register": "struct pair *p = new(); START(uses, p, own, 0); p->b = 5; END;",
    "argument": "START(uses, new(), own, 0); END;",
    "both": "struct pair *p = new(); START(uses, p, uses, p); END;",
    "list": "shared = new(); shared->next = new(); list = shared->next; shared = 0;"
    " START(walks, &list, walks, &shared); list->b = 1; END;",
    "behind": "struct pair *p = new(); p->next = new(); START(uses, p->next, reads, p); END;",
    "result": "void *r; struct pair *p = new(); START(returns, p, uses, p); p = 0;"
    " pthread_join(t, &r); pthread_join(u, 0); x = ((struct pair *)r)->a;",
    "local": "struct pair *at[1] = {new()}; START(walks, at, uses, at[0]); at[0] = 0; END;",
    "lent": "struct pair *p = new(); START(lends, p, own, 0); p = 0; END;",
    "fields": "struct pair *p = new(); START(first, p, second, p); p = 0; END;",
    "read": "struct pair *p = new(); START(first, p, reads, p); p = 0; END;",
    "only read": "struct pair *p = new(); START(reads, p, reads, p); p = 0; END;",
    "freed": "struct pair *p = new(); START(first, p, frees, p); p = 0; END;",
    "late": "struct pair *p = new(); START(late, p, second, p); p = 0; END;",
    "later": "struct pair *p = new(); START(late, p, first, p); p = 0; END;",
    "exit": "struct pair *p = new(); START(first, p, own, 0); p = 0; exit(0);",
    "quits": "START(first, new(), own, 0); x = 1; exit(0);",
    "cut short": "struct pair *p = new(); START(first, p, reads, p); p = 0; exit(0);",
    "child": "struct pair *p = new(); START(late, p, first, p); p = 0; x = 3; END;",
    "life": "struct pair *p = new(); START(second, p, frees, p); p = 0; END;",
    "idle": "pthread_create(&t, 0, twice, 0); y = 1; if (y > 1) x = 5; exit(0);",
    "array": "int *p = malloc(3 * sizeof *p); for (int i = 0; i < 3; i++) p[i] = i;"
    " START(first, p, second, p); END;",
    "compared": "struct pair *p = 0;"
    " for (int i = 0; i < 3; i++) { struct pair *q = new(); q->next = p; p = q; }"
    " pthread_create(&t, 0, frees, p->next->next); pthread_join(t, 0);"
    " START(compares, p, first, p); p = 0; END;",
}


@pytest.mark.parametrize(("name", "por"), in_turn([*BODIES], REDUCTIONS))
def test_who_gets_in_the_way(name: str, por: str, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(f"{HEAD}int main(void) {{ {BODIES[name]} return 0; }}\n")
    config = Config.of(file, por=por, properties=("valid-deref", "no-deadlock"), keep_going=True)
    assert compare(load(config).program, config, 3_000) == "same"


WHOLE = """
#include <pthread.h>
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y, z;
void *counts(void *given) {
    y = 1;
    pthread_mutex_lock(&m); z = z; pthread_mutex_unlock(&m);
    return 0;
}
void *waits(void *given) {
    pthread_mutex_lock(&m);
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_bool()) { x = 2; }
    while (z == 1) ;
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&m);
    z = x;
    return 0;
}
void *clears(void *given) { y = 0; return 0; }
void *assumes(void *given) { __VERIFIER_assume(x != 2); y = 0; return 0; }
void *copies(void *given) { x = y; z = z; return 0; }
void *blocks(void *given) { z = x; z = 2; __VERIFIER_assume(y == 2); return 0; }
int main(void) {
    pthread_t t, u;
    %s
    return 0;
}
"""

START = "pthread_create(&%s, 0, %s, 0);"
MARKED = [START % ("t", name) for name in ("counts", "counts", "waits")]
ABSENT = [START % ("t", "clears"), "if (y != 2) { y++; }", START % ("u", "assumes")]
ABSENT += [START % ("u", "copies"), "if (z != 1) { x = 1; }", START % ("u", "blocks")]


@pytest.mark.parametrize(
    "body",
    [[*MARKED, "x = 0;"], [*ABSENT, "pthread_join(t, 0);"]],
    ids=["marked", "absent"],
)
def test_who_is_looked_for(body: list[str], tmp_path: Path) -> None:
    """Each fails where the core looks behind states that nobody is marked at, or takes threads that
    are not there yet for others."""
    file = tmp_path / "program.c"
    file.write_text(WHOLE % " ".join(body))
    config = Config.of(file, por="hybrid", keep_going=True, property="unreach-call")
    assert compare(load(config).program, config, 600) == "same"


@given(program=programs(Features(threads=3, statements=5)))
@settings(max_examples=examples(6, whole=15), deadline=None)
def test_random_programs(program: Program) -> None:
    for por in REDUCTIONS:
        config = Config.of(Path(), por=por, keep_going=True)
        assert compare(program, config, 2_000) == "same"


@pytest.mark.parametrize("por", ["hybrid", "stateful-dpor"])
def test_paths_through_visited_states(por: str) -> None:
    """NOTE(unknown-paths), NOTE(hybrid-match)."""
    config = Config.of(Path(), por=por, keep_going=True)
    assert compare(UNKNOWN_PATH, config) == "same"
    assert told(UNKNOWN_PATH, config, True).found


@pytest.mark.parametrize("por", REDUCTIONS)
def test_they_store_fewer_states(por: str, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(f"{HEAD}int main(void) {{ {BODIES['confined']} return 0; }}\n")
    config = Config.of(file, por=por)
    program = load(config).program
    its = told(program, config, True).statistics["states"]
    assert its < told(program, config.but(por="s-por"), True).statistics["states"]
