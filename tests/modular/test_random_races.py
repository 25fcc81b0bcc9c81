"""What facts prove free of races, enumeration does not find a race in: random C programs."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.result import Verdict
from abpress.verify.run import verify
from tests.modular.enumeration import IN_PART, enumerated, told
from tests.sampling import examples

RACES = "no-data-race"
SECONDS = 4.0

HEAD = """
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *chosen = &m;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
pthread_t a, b, handles[2];
int x, y, flag, array[2], *p = &x;
struct node { int value; struct node *next; } *list;
struct both { pthread_mutex_t lock; int value; } of[2] =
  {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};
"""
ACCESSES = ("x = 1;", "y = x;", "x++;", "*p = 2;", "flag = 1;", "array[flag & 1] = y;", "y = 3;")
SECTION = "__VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end();"
BLOCKS = (
    "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&k); {} pthread_mutex_unlock(&k);",
    "pthread_mutex_lock(chosen); {} pthread_mutex_unlock(chosen);",
    "if (!pthread_mutex_trylock(&m)) {{ {} pthread_mutex_unlock(&m); }}",
    "int t = pthread_mutex_trylock(&m); {} if (!t) pthread_mutex_unlock(&m);",
    "pthread_rwlock_rdlock(&rw); {} pthread_rwlock_unlock(&rw);",
    "pthread_rwlock_wrlock(&rw); {} pthread_rwlock_unlock(&rw);",
    "pthread_spin_lock(&spin); {} pthread_spin_unlock(&spin);",
    "{{ int s = 0; "
    + SECTION.format("if (!flag) {{ flag = 1; s = 1; }}")
    + " if (s) {{ {} "
    + SECTION.format("flag = 0;")
    + " }} }}",
    "{{ struct node *n = malloc(sizeof *n), *o = n; n->value = 0; {} pthread_mutex_lock(&k);"
    " n->next = list; list = n; pthread_mutex_unlock(&k); {} }}",
    "pthread_mutex_lock(&k); if (list) list->value++; {} pthread_mutex_unlock(&k);",
    "{{ struct node *n = malloc(sizeof *n); n->value = 0; {} list = n; n->value = 1; }}",
    SECTION,
    "if (__VERIFIER_nondet_bool()) {{ {} }}",
    "for (int i = 0; i < 2; i++) {{ {} }}",
    "pthread_mutex_lock(&of[0].lock); {} of[0].value++; pthread_mutex_unlock(&of[0].lock);",
    "struct both *q = &of[__VERIFIER_nondet_bool()];"
    " pthread_mutex_lock(&q->lock); q->value++; {} pthread_mutex_unlock(&q->lock);",
)
IN_MAIN = (
    "pthread_create(&a, 0, f, 0);",
    "pthread_create(&b, 0, g, 0);",
    "pthread_create(&a, 0, f, 0); pthread_join(a, 0);",
    "pthread_join(a, 0);",
    "if (__VERIFIER_nondet_bool()) pthread_join(a, 0);",
    "for (int i = 0; i < 2; i++) pthread_create(&handles[i], 0, f, 0);",
    "for (int i = 0; i < 2; i++) pthread_join(handles[i], 0);",
    "for (int i = 0; i < 2; i++) { pthread_create(&a, 0, g, 0); pthread_join(a, 0); }",
    "chosen = &k;",
    "p = &y;",
    "p = malloc(4);",
)


def statements(depth: int) -> st.SearchStrategy[str]:
    simple = st.sampled_from(ACCESSES)
    if not depth:
        return simple
    inner = st.lists(statements(depth - 1), min_size=1, max_size=2).map(" ".join)
    blocks = st.builds(
        lambda block, body: "{ " + block.format(body, body) + " }", st.sampled_from(BLOCKS), inner
    )
    return st.one_of(simple, blocks, blocks)


def bodies(most: int, depth: int = 2) -> st.SearchStrategy[str]:
    return st.lists(statements(depth), min_size=1, max_size=most).map("\n  ".join)


@st.composite
def texts(draw: st.DrawFn) -> str:
    main = st.one_of(st.sampled_from(IN_MAIN), st.sampled_from(IN_MAIN[:3]), statements(1))
    begun = draw(st.sampled_from(IN_MAIN[:2]))
    rest = "\n  ".join(draw(st.lists(main, max_size=4)))
    return (
        f"{HEAD}void *g(void *q) {{\n  {draw(bodies(2))}\n  return 0;\n}}\n"
        f"void *f(void *q) {{\n  {draw(bodies(2))}\n  return 0;\n}}\n"
        f"int main(void) {{\n  {draw(statements(1))}\n  {begun}\n  {rest}\n  return 0;\n}}\n"
    )


def compared(file: Path, text: str, seconds: float = 3.0) -> str:
    """What facts say of a program, in so many seconds; if they prove it, no race is found."""
    file.write_text(text)
    config = Config.of(file, property=RACES, engine="static", time_limit=seconds)
    result = verify(config).result
    for failed in ("the proof could not be checked", "the proof is rejected"):
        assert failed not in result.reason, text
    if result.verdict is not Verdict.TRUE:
        return f"{RACES} unknown"
    words = told(RACES, enumerated(file, RACES, SECONDS, por="auto"))
    if words.endswith(IN_PART):
        other = verify(config.but(engine="hunt", time_limit=3.0, hunt_steps=4_000)).result
        assert other.verdict is not Verdict.FALSE, text
    return words


@settings(max_examples=examples(4, whole=25), deadline=None)
@given(texts())
def test_no_race_is_found_in_what_is_proved(tmp_path_factory, text: str) -> None:
    compared(tmp_path_factory.mktemp("races") / "program.c", text)
