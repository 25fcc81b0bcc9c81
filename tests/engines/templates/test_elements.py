"""Elements of arrays that any number of threads access: each program that is proved has wrong ones
beside it. NOTE(chosen-elements)"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.ir.program import UNREACH_CALL
from abpress.modular.templates import elements
from abpress.modular.templates.steps import TemplateSteps
from abpress.result import Verdict
from abpress.verify.load import load
from abpress.verify.run import verify
from tests.engines.templates.test_any_number import (
    SECONDS,
    WAYS,
    compared,
    loaded,
    proved,
    ways,
)
from tests.sampling import examples, sample

HEAD = """
#define LOCK(l) pthread_mutex_lock(&l)
#define UNLOCK(l) pthread_mutex_unlock(&l)
#define ANY(i, n) int i = __VERIFIER_nondet_int(); if (i < 0 || i >= n) abort();
struct entry { int count; pthread_mutex_t m; } table[10], copies[10];
int held[10], twice[10], next;
pthread_mutex_t locks[10];
struct entry *now = table;
"""
MANY = "pthread_t t; for (;;) pthread_create(&t, 0, work, 0);"
BY_NUMBER = (
    "pthread_t t; for (int i = 0; i < 10; i++) pthread_create(&t, 0, work, (void *)(long)i);"
)


def worked(body: str, main: str = MANY, before: str = "") -> str:
    return (
        f"{HEAD}{before} void *work(void *a) {{ {body} return 0; }}\nint main(void) {{ {main} }}\n"
    )


COUNTED = "p->count++; assert(p->count == 1); p->count--;"
OWN = "ANY(i, 10) struct entry *p = &table[i]; LOCK(p->m); {} UNLOCK(p->m);"
LOOKED = "LOCK(m); assert(p->count == 0); UNLOCK(m);"
TURN = "LOCK(m); p->count++; UNLOCK(m); LOCK(m); p->count--; UNLOCK(m);"
CHOICE = f"if (__VERIFIER_nondet_int()) {{ {TURN} }} else {{ {LOOKED} }}"
AT = "LOCK(table[i].m); table[i].count++; assert(table[i].count == 1); table[i].count--;"
NUMBERED = "int i = (int)(long)a; held[i] = 1; assert(held[i] == 1); held[i] = 0;"

RIGHT = {
    "by a pointer": worked(OWN.format(COUNTED)),
    "by an index": worked(f"ANY(i, 10) {AT} UNLOCK(table[i].m);"),
    "in a loop": worked(f"for (int i = 0; i < 10; i++) {{ {AT} UNLOCK(table[i].m); }}"),
    "a lock for all that is held for short": worked(OWN.format(CHOICE)),
    "a known element": worked(
        OWN.format(COUNTED),
        "pthread_t t[100]; for (int i = 0; i < 100; i++) pthread_create(&t[i], 0, work, 0);"
        "struct entry *p = &table[5]; LOCK(p->m); assert(p->count == 0); UNLOCK(p->m);",
    ),
    "locks beside": worked(
        "ANY(i, 10) LOCK(locks[i]); held[i]++; assert(held[i] == 1); held[i]--; UNLOCK(locks[i]);"
    ),
    "by a number": worked(NUMBERED, BY_NUMBER),
    "by a number of its own": worked(
        "ATOMIC(int i = next; if (i >= 10) abort(); next = i + 1;)"
        "held[i] = 1; assert(held[i] == 1); held[i] = 0;"
    ),
    "a constant": worked("ANY(i, 10) assert(held[i] == 0); held[i] = 0;"),
    "its own number": worked(
        "ANY(i, 10) ANY(k, 10) held[i] = i; int n = held[k]; assert(n == 0 || n == k);"
    ),
}
WRONG = {
    "another lock": OWN.format("ANY(k, 10) p = &table[k];" + COUNTED + "p = &table[i];"),
    "a neighbour": OWN.format("p = i ? p - 1 : p;" + COUNTED + "p = &table[i];"),
    "a neighbour by an index": f"ANY(i, 9) LOCK(table[i].m); i++; {AT.partition(';')[2]}"
    "i--; UNLOCK(table[i].m);",
    "a negative index": "ANY(i, 9) LOCK(table[i].m); struct entry *q = table + 9; int k = -i;"
    "q[k].count++; assert(q[k].count == 1); q[k].count--; UNLOCK(table[i].m);",
    "an index that changes": f"ANY(i, 10) int k = i; LOCK(table[i].m); i = (i + 3) % 10;"
    f"{AT.partition(';')[2]} UNLOCK(table[k].m);",
    "a pointer that others change": "ANY(i, 10) now = &table[i]; struct entry *q = now;"
    "LOCK(q->m); now->count++; assert(now->count == 1); now->count--; UNLOCK(q->m);",
    "two arrays": "ANY(i, 10) struct entry *p = &table[i]; if (__VERIFIER_nondet_int()) {"
    "LOCK(p->m); p->count++; assert(p->count == 1); p->count--; UNLOCK(p->m); } else {"
    "LOCK(copies[i].m); p->count++; p->count--; UNLOCK(copies[i].m); }",
    "read before": "ANY(i, 10) ANY(k, 10) int n = table[i].count; LOCK(table[k].m);"
    "table[k].count++; table[k].count--; int l = table[k].count; assert(n == 0 && l == 0);"
    "UNLOCK(table[k].m);",
    "a race": OWN.format(COUNTED) + "table[i].count = 0;",
    "early": "ANY(i, 10) struct entry *p = &table[i]; LOCK(p->m); p->count++; UNLOCK(p->m);"
    "assert(p->count == 1); p->count--;",
    "a lock of two": "ANY(i, 10) LOCK(locks[i % 2]); held[i / 2]++; assert(held[i / 2] == 1);"
    "held[i / 2]--; UNLOCK(locks[i % 2]);",
    "an unsigned distance": "ANY(i, 10) LOCK(table[i].m); unsigned d = i == 3 ? -1u : 0;"
    "struct entry *p = &table[i]; p += (int)d;" + COUNTED + "UNLOCK(table[i].m);",
    "a number of a neighbour": "ANY(i, 9) ANY(k, 10) held[i + 1] = i; int n = held[k];"
    "assert(n == 0 || n == k);",
    "a copy of the struct": OWN.format("table[(i + 1) % 10] = *p;" + COUNTED),
}
WRONG_OTHERWISE = {
    "one that begins otherwise": HEAD.replace("held[10]", "held[10] = {[3] = 1}")
    + "void *work(void *a) { ANY(i, 10) assert(held[i] == 0); return 0; }"
    f"int main(void) {{ {MANY} }}",
    "one that is written before": worked(OWN.format(COUNTED), "table[5].count = 7;" + MANY),
    "one that the first thread writes": worked(OWN.format(COUNTED), MANY.replace(
        "0);", "0), table[5].count = 7;", 1)),
    "a number for two": worked(NUMBERED.replace("(long)a", "(long)a / 2"), BY_NUMBER),
    "each number twice": worked(NUMBERED, BY_NUMBER + BY_NUMBER.partition(";")[2]),
    "a number that goes on": worked(
        NUMBERED.replace("(int)(long)a", "*(int *)a"), BY_NUMBER.replace("(void *)(long)i", "&i")),
    "no number of its own": worked(
        "int i = next; if (i >= 10) abort(); ATOMIC(next = i + 1;)"
        "held[i] = 1; assert(held[i] == 1); held[i] = 0;"),
    "a sum of two": worked(
        "ANY(i, 10) ANY(k, 10) ATOMIC(held[i] = 1; twice[k] = 1;)"
        "int x = held[k], y = twice[i]; assert(x + y < 2);"),
}  # fmt: skip


@pytest.mark.parametrize("name", sample(tuple(RIGHT), 2))
def test_what_is_right_is_proved(name: str, tmp_path: Path) -> None:
    assert proved(loaded(RIGHT[name], tmp_path), SECONDS)


ALL_WRONG = (*WRONG, *WRONG_OTHERWISE)


@pytest.mark.parametrize(("name", "way"), ways(sample(ALL_WRONG, 2), 5))
def test_what_is_wrong_is_not_proved(name: str, way: str, tmp_path: Path) -> None:
    text = worked(WRONG[name]) if name in WRONG else WRONG_OTHERWISE[name]
    assert not WAYS[way](loaded(text, tmp_path))


def test_what_is_done_with_other_elements_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = TemplateSteps._ways

    def chosen_only(*given: object) -> Iterator[object]:
        yield from (way for way in both(*given) if way.chosen or len(list(both(*given))) == 1)

    monkeypatch.setattr(TemplateSteps, "_ways", chosen_only)
    assert proved(loaded(worked(WRONG["another lock"]), tmp_path), SECONDS)


FAR = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int all[10];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *a) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1) abort();
  pthread_mutex_lock(&m); all[i] = 1; assert(all[i] == 1); pthread_mutex_unlock(&m);
  all[i + 0x40000000] = 0;
  return 0;
}
int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0); }
"""


def test_distances_wrap_around_where_pointers_have_32_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "program.c"
    file.write_text(FAR)
    asked = Config.of(file, property=UNREACH_CALL, data_model="ILP32", engine="explicit")
    assert verify(asked).result.verdict is Verdict.FALSE
    assert not proved(load(asked).program, 1.5)
    monkeypatch.setattr(elements, "_NEAR", (-(1 << 63), 1 << 63))
    assert proved(load(asked).program)


FEW = """
#include <assert.h>
#include <pthread.h>
void abort(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
struct entry { int count; pthread_mutex_t m; } table[{size}];
int held[{size}], flags[{size}], next, last;
pthread_mutex_t locks[{size}], m = PTHREAD_MUTEX_INITIALIZER;
pthread_t a;
"""
CHOSEN = (
    "int i = __VERIFIER_nondet_bool();",
    "int i = (int)(long)q;",
    "__VERIFIER_atomic_begin(); int i = next; if (i < {size}) next++; __VERIFIER_atomic_end();"
    " if (i >= {size}) return 0;",
    "int i = next; if (i >= {size}) return 0; next = i + 1;",
    "for (int i = 0; i < {size}; i++)",
    "int i = {size} - 1 - __VERIFIER_nondet_bool();",
    "int i = ((int)(long)q + 1) % {size};",
    "int i = (int)((unsigned)(long)q * 2 % {size});",
)
KEPT = (
    ("pthread_mutex_lock(&table[i].m);", "pthread_mutex_unlock(&table[i].m);"),
    ("pthread_mutex_lock(&locks[i]);", "pthread_mutex_unlock(&locks[i]);"),
    ("pthread_mutex_lock(&locks[i / 2]);", "pthread_mutex_unlock(&locks[i / 2]);"),
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    ("if (__sync_bool_compare_and_swap(&flags[i], 0, 1)) {", "flags[i] = 0; }"),
    ("if (!__sync_lock_test_and_set(&flags[i], 1)) {", "flags[i] = 0; }"),
    ("", ""),
)
DONE = (
    "table[i].count++; {} assert(table[i].count == 1); table[i].count--;",
    "{{ struct entry *p = &table[i]; p->count = 1; {} p->count = 0; }}",
    "assert(table[i].count == 0); {}",
    "held[i] = 1; {} assert(held[i] == 1); held[i] = 0;",
    "{{ int *p = held + i; {} assert(*p <= 1); }}",
    "{{ int n = held[i]; {} assert(n == held[i]); }}",
    "table[i].count++; {} held[i]++; assert(held[i] == table[i].count);",
    "if (held[i] == 0) {{ held[i] = 1; {} assert(held[i]); }}",
)
BESIDE = (
    "",
    "",
    "last = i;",
    "held[last] = 0;",
    "held[i]++; held[i]--;",
    "table[i].count = 0;",
    "held[{size} - 1 - i] = 1;",
    "table[0].count = 1;",
    "i = {size} - 1 - i;",
    "assert(held[0] <= 1);",
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Programs that create threads in a loop which work on elements of arrays, with locks of their
    own or with others."""
    size = draw(st.integers(2, 3))
    blocks = []
    for _ in range(draw(st.integers(1, 2))):
        lock, unlock = draw(st.sampled_from(KEPT))
        done = draw(st.sampled_from(DONE)).format(draw(st.sampled_from(BESIDE)))
        blocks.append(f"{{ {draw(st.sampled_from(CHOSEN))} {{ {lock} {done} {unlock} }} }}")
    before, after = (draw(st.sampled_from(BESIDE[4:])) for _ in range(2))
    text = (
        f"{FEW}void *f(void *q) {{\n  {' '.join(blocks)}\n  return 0;\n}}\n"
        f"int main(void) {{\n  {{ int i = 1; {before} }}\n"
        "  for (int k = 0; k < {size}; k++) pthread_create(&a, 0, f, (void *)(long)k);\n"
        f"  {{ int i = 0; {after} }}\n  return 0;\n}}\n"
    )
    return text.replace("{size}", str(size))


@settings(max_examples=examples(2, whole=4), deadline=None)
@given(texts())
def test_nothing_is_violated_that_is_proved(tmp_path_factory, text: str) -> None:
    compared(text, tmp_path_factory.mktemp("elements"), 1.0)
