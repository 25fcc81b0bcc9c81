"""Chosen nodes: what they hold where any number of threads make some, and put them where others
find them. NOTE(chosen-nodes)

What is wrong is not proved, whatever is guessed; and each condition is needed: without it something
wrong is, and the checker, which has the same rules then, accepts it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.analysis.facts import Facts
from abpress.engines.templates import search
from abpress.ir.expr import Const, Expr, Reg
from abpress.ir.program import Load, Store
from abpress.modular.numbers.memory import NumericMemory
from abpress.modular.templates import nodes
from abpress.modular.templates.nodes import ChosenNodes, nodes_of
from abpress.modular.templates.paths import ThreadPath
from tests.engines.templates.test_any_number import compared as compared_within
from tests.engines.templates.test_any_number import loaded, locked, proved
from tests.sampling import examples, sample

NODE = "#include <stdlib.h>\nstruct node { int used; struct node *next; } *list, other;\n"
FOREVER = """
void *work(void *a) {{ if (__VERIFIER_nondet_int()) {{ {} }} else {{ {} }} return 0; }}
int main(void) {{ pthread_t t; {} for (;;) pthread_create(&t, 0, work, 0); }}
"""
MAKE = "struct node *p = malloc(sizeof *p); p->used = 0; ATOMIC(p->next = list; list = p;)"
FIND = (
    "struct node *p = list; if (!p) return 0;"
    "while (p->next && __VERIFIER_nondet_int()) p = p->next;"
)
COUNT = "p->used++; assert(p->used == 1); p->used--;"
LOCKED = locked(COUNT)


def program(make: str, use: str, main: str = "") -> str:
    """Threads that make nodes, or use one that they find."""
    return NODE + FOREVER.format(make, FIND + use, main)


LATE = "struct node *p = malloc(sizeof *p); ATOMIC(p->next = list; list = p;) p->used = 0;"
INSERT = (
    "struct node *p = malloc(sizeof *p); p->used = 0; ATOMIC(p->next = list->next; list->next = p;)"
)
FIRST = "list = malloc(sizeof *list); list->used = 0; list->next = 0;"

PAIRS = {
    "a lock": (program(MAKE, LOCKED), program(MAKE, COUNT)),
    "before others know it": (program(MAKE, LOCKED), program(LATE, LOCKED)),
    "the first one": (
        program(INSERT, LOCKED, FIRST), program(INSERT, LOCKED, FIRST.replace("= 0;", "= 1;", 1))),
    "what is allocated is zero": (
        program(MAKE.replace("malloc(", "calloc(1, ").replace("p->used = 0;", ""), LOCKED),
        program(MAKE.replace("p->used = 0;", ""), LOCKED)),
}  # fmt: skip


def by_few_guesses(patch: pytest.MonkeyPatch) -> None:
    """Few guesses of single threads are enough."""
    patch.setattr(search.TemplateSearch, "_found", lambda *_: "not asked")
    patch.setattr(search.TemplateSearch, "_guessed", lambda *_: None)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    by_few_guesses(monkeypatch)


@pytest.mark.parametrize("name", sample(tuple(PAIRS), 2))
def test_what_is_right_is_proved(name: str, tmp_path: Path) -> None:
    assert proved(loaded(PAIRS[name][0], tmp_path))


@pytest.mark.parametrize("name", sample(tuple(PAIRS), 2, start=1))
def test_what_is_wrong_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not proved(loaded(PAIRS[name][1], tmp_path))


# -- what is wrong in other ways is not proved either ----------------------------------------------

LINK = "ATOMIC(p->next = list; list = p;)"
MIDDLE = "struct node **q = &p->next; struct node *o = (struct node *)((char *)q - sizeof(void *));"
BOX = "struct box { struct node *it; } box;\n"
FROM_BOX = "struct node *p = box.it; if (!p) return 0;"
MADE = "void *made(void *a) { struct node *p = malloc(sizeof *p); p->used = 0; return p; }\n"
NONE = "void *none(void *a) { return &other; }\n"
JOIN = (
    "pthread_t s; if (__VERIFIER_nondet_int()) pthread_create(&s, 0, made, 0);"
    "else pthread_create(&s, 0, none, 0); void *r; pthread_join(s, &r); struct node *p = r;"
)
WRITES = "void *writes(void *a) { struct node *p = a; p->used = 5; return 0; }\n"


def alone(make: str, more: str = "", use: str = FIND) -> str:
    """Others use what is made of nodes under the lock; who makes them does not."""
    return NODE + more + FOREVER.format(make, use + LOCKED, "")


NEW = "struct node *p = malloc(sizeof *p); p->used = 0;"
WRONG = {
    "freed, and another one allocated": alone(
        f"{NEW} free(p); p = malloc(sizeof *p); {LINK}"),
    "another pointer to it": alone(f"{NEW} {LINK} struct node *o = p; o->used = 5;"),
    "into its middle": alone(f"{NEW} {LINK} {MIDDLE} o->used = 5;"),
    "without a type": alone(f"{NEW} {LINK} void *v = p; *(int *)v = 5;"),
    "as a number": alone(f"{NEW} {LINK} unsigned long n = (unsigned long)p; *(int *)n = 5;"),
    "linked before the other one is": alone(
        f"{NEW} struct node *q = malloc(sizeof *q); q->used = 0; q->next = p; p->next = list;"
        "list = q; p->used = 5;"),
    "in a structure that is assigned": alone(
        f"{NEW} struct box b; b.it = p; box = b; p->used = 5;", BOX, FROM_BOX),
    "in a structure that is copied": alone(
        f"{NEW} struct box b; b.it = p; memcpy(&box, &b, sizeof b); p->used = 5;",
        "#include <string.h>\n" + BOX, FROM_BOX),
    "a result": alone(f"{JOIN.replace('none', 'made')} {LINK} p->used = 5;", MADE),
    "a result, or something else": alone(f"{JOIN} {LINK} p->used = 5;", MADE + NONE),
    "what a thread is given": alone(
        f"{NEW} pthread_t s; pthread_create(&s, 0, writes, p); {LINK}", WRITES),
    "what a thread is given, or something else": alone(
        f"{NEW} pthread_t s; void *a = __VERIFIER_nondet_int() ? (void *)p : &other;"
        f"pthread_create(&s, 0, writes, a); {LINK}", WRITES),
    "never written": alone(f"struct node *p = malloc(sizeof *p); {LINK}"),
    "published in one of two places": alone(
        f"{NEW} struct node **q = __VERIFIER_nondet_int() ? &list : &more; *q = p; p->used = 5;",
        "struct node *more;\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", sample(tuple(WRONG), 5))
def test_what_gets_around_is_not_proved(name: str, tmp_path: Path) -> None:
    assert not proved(loaded(WRONG[name], tmp_path))


def test_arrays_are_no_nodes(tmp_path: Path) -> None:
    text = alone(f"struct node *p = malloc(2 * sizeof *p); p->used = 0; p++; {LINK}")
    program = loaded(text, tmp_path)
    assert not nodes_of(NumericMemory(program, Facts.of(program).points_to))


# -- each condition is needed ----------------------------------------------------------------------


def lets_go_unseen(its: ChosenNodes, template: str, *rest: Any) -> Iterator[ThreadPath]:
    """What is stored is not published."""
    match rest:
        case (_, Store(address, value), _, path):
            return its._of_access(template, address, value.type.size, path)
    return WAYS(its, template, *rest)


def nobody_notices(its: ChosenNodes, template: str, effect: Any) -> bool:
    """That an address is stored."""
    if not isinstance(effect, Load | Store):
        return NOTICED(its, template, effect)
    its_type = (effect.target if isinstance(effect, Load) else effect.value).type
    return its._is_of_any(template, effect.address, its_type.size)


def is_no_node(its: ChosenNodes, template: str, e: Expr, path: ThreadPath) -> Expr:
    """Pointers that are not followed are not to the node."""
    followed = isinstance(e, Reg) and its.follows(template, e)
    return VALUE(its, template, e, path) if followed else Const(0, nodes.NODE)


def is_zero(*asked: Any) -> Iterator[ThreadPath]:
    """What is allocated holds 0."""
    for path in ALLOCATED(*asked):
        for v in asked[0].held if path.of_node else ():
            path.cells[v.name] = Const(0, v.type)
        yield path


def only_one_place(its: ChosenNodes, *access: Any) -> tuple[str, ...]:
    """What may be written is not, but for what surely is."""
    found = AT(its, *access)
    return found if len(found) == 1 else ()


WAYS, NOTICED, VALUE = ChosenNodes.ways, ChosenNodes.is_noticed, ChosenNodes.value
ALLOCATED, AT = ChosenNodes._allocated, ChosenNodes._pointers_at
LATER = "struct node *p = malloc(sizeof *p); p->next = list->next; list->next = p; p->used = 0;"
BESIDE = "int *q = __VERIFIER_nondet_int() ? &x : &p->used; *q = 5;"
SOMEWHERE = f"{NEW} p->used = 5; struct node **q = __VERIFIER_nondet_int() ? &list : &more; *q = p;"

WITHOUT = {
    "a store publishes": (program(LATER, LOCKED, FIRST), "ways", lets_go_unseen),
    "others notice it": (program(LATER, LOCKED, FIRST), "is_noticed", nobody_notices),
    "any value at first": (PAIRS["what is allocated is zero"][1], "_allocated", is_zero),
    "what is not followed": (program(MAKE, BESIDE + LOCKED), "value", is_no_node),
    "what is given is not followed": (
        WRONG["what a thread is given, or something else"], "value", is_no_node),
    "what may be written": (
        alone(SOMEWHERE, "struct node *more;\n", "struct node *p = list; if (!p) return 0;"),
        "_pointers_at", only_one_place),
}  # fmt: skip


@pytest.mark.parametrize("name", sample(tuple(WITHOUT), 3))
def test_each_condition_is_needed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, what, without = WITHOUT[name]
    assert not proved(loaded(text, tmp_path))
    monkeypatch.setattr(ChosenNodes, what, without)
    assert proved(loaded(text, tmp_path))


# -- random programs -------------------------------------------------------------------------------

FEW = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
#define ATOMIC(code) __VERIFIER_atomic_begin(); code __VERIFIER_atomic_end();
struct node { int used; struct node *next; } *list, *last, *two[2];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
int x;
"""
KEPT_BY = (*5 * [locked("{}")], "{}", "pthread_mutex_lock(&m2); {} pthread_mutex_unlock(&m2);")
MADE_BY = (*3 * ["malloc(sizeof *p)"], "calloc(1, sizeof *p)")
AT_FIRST = (*6 * ["p->used = 0;"], "p->used = 1;", "", "p->used = x;")
TOLD_BY = (
    "ATOMIC(p->next = list; list = p;)",
    "ATOMIC(if (list) { p->next = list->next; list->next = p; })",
    "list = p;",
    "last = p;",
    "two[__VERIFIER_nondet_bool()] = p;",
    "if (list) list->next = p;",
    "unsigned long n = (unsigned long)p; last = (struct node *)n;",
    "struct node **q = __VERIFIER_nondet_bool() ? &list : &last; *q = p;",
)
ASIDE = (
    *4 * [""],
    "p->used = 0;",
    locked("p->used = 0;"),
    "struct node *o = p; o->used = 0;",
    "pthread_t t; pthread_create(&t, 0, use, p);",
    "assert(p->used == 0);",
)
FOUND_BY = (
    "struct node *p = list;",
    "struct node *p = last;",
    "struct node *p = two[0];",
    "struct node *p = list; if (p && p->next) p = p->next;",
    "struct node *p = __VERIFIER_nondet_bool() ? list : last;",
    "struct node **q = __VERIFIER_nondet_bool() ? &list : &last; struct node *p = *q;",
)
USED_BY = (
    *3 * [COUNT, "assert(p->used == 0);"],
    "assert(p->used <= 1);",
    "p->used = 1; p->used = 0;",
    "p->used++; p->used--;",
    "int *f = &p->used; *f = 1; assert(p->used == 1); *f = 0;",
    "if (p->next) assert(p->next->used == 0);",
    "struct node *o = p->next; p->used++; if (o) assert(o->used == 0); p->used--;",
)
BEGUN_BY = (
    *2 * [""],
    "list = malloc(sizeof *list); list->used = 0; list->next = 0;",
    "last = malloc(sizeof *last); last->used = 0; last->next = 0; two[0] = last;",
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Programs whose threads make nodes, or find and use them."""

    def some(kinds: Sequence[str]) -> str:
        return draw(st.sampled_from(kinds))

    def used() -> str:
        return some(KEPT_BY).format(some(USED_BY))

    makes = [some(AT_FIRST), some(ASIDE), f"{{ {some(TOLD_BY)} }}", f"{{ {some(ASIDE)} }}"]
    if draw(st.integers(0, 4)) == 0:
        makes[0], makes[2] = makes[2], makes[0]
    make = f"struct node *p = {some(MADE_BY)}; {' '.join(makes)}"
    use = " ".join(used() for _ in range(draw(st.integers(1, 2))))
    return (
        f"{FEW}void *use(void *a) {{ struct node *p = a; {used()} return 0; }}\n"
        f"void *work(void *a) {{\n  if (__VERIFIER_nondet_bool()) {{ {make} }}\n"
        f"  else {{ {some(FOUND_BY)} if (!p) return 0; {use} }}\n  return 0;\n}}\n"
        f"int main(void) {{\n  pthread_t t; {some(BEGUN_BY)}\n"
        "  for (int i = 0; i < 3; i++) pthread_create(&t, 0, work, 0);\n}\n"
    )


def compared(text: str, folder: Path) -> str:
    """As of other programs, by few guesses; those of nodes are the last ones."""
    with pytest.MonkeyPatch.context() as patch:
        by_few_guesses(patch)
        return compared_within(text, folder, 20.0)


@settings(max_examples=examples(2, whole=10), deadline=None)
@given(texts())
def test_nothing_is_violated_that_is_proved(tmp_path_factory, text: str) -> None:
    compared(text, tmp_path_factory.mktemp("nodes"))
