"""The checker of invariants of templates rejects what does not follow. NOTE(template-invariants)

Whatever a certificate says of a program with an error, it is rejected: that of a right program that
differs in one number or one operator, and mutants of that.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from abpress.config import Config
from abpress.engines.templates.engine import ErrorsOfTemplates, invariants
from abpress.ir.expr import Const
from abpress.ir.program import UNREACH_CALL, Program
from abpress.logic.formula import FALSE, TRUE, Formula, conj, conjuncts, neg, parse_formula
from abpress.modular.assertions import failures, is_failure
from abpress.modular.definedness import is_fault
from abpress.modular.templates import counting
from abpress.modular.templates.counting import ThreadCounter
from abpress.proof.certificate import Rejected, Unchecked, program_digest
from abpress.proof.kinds import kind_of
from abpress.proof.protocols import Claimed
from abpress.proof.templates.certificate import TemplateCertificate, write_templates
from abpress.proof.templates.check import check_templates
from abpress.semantics.outcome import Options
from abpress.verify.load import load
from tests.sampling import examples

SECONDS = 3600.0
"""More than is needed on any machine: proofs that are sought here are found."""

LOCK = """
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *work(void *a) {
  pthread_mutex_lock(&m); x = x + 1; assert(x == 1); x = x - 1; pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, work, 0); }
"""
COUNT = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
void *work(void *a) {
  __VERIFIER_atomic_begin(); if (x != 0) abort(); x = 1; __VERIFIER_atomic_end();
  y = 2; assert(y == 2); y = 0;
  __VERIFIER_atomic_begin(); x = x - 1; __VERIFIER_atomic_end();
  return 0;
}
int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, work, 0); }
"""
PAIR = """
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
void *work(void *a) {
  __VERIFIER_atomic_begin(); int f = x == 0; if (f) x = 1; __VERIFIER_atomic_end();
  if (f) { y = 2; assert(y == 2); y = 0; x = 0; }
  return 0;
}
int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, work, 0); }
"""
ELEMENT = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct entry { int n; pthread_mutex_t m; } all[12];
void *work(void *a) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 11) abort();
  struct entry *p = all + i;
  pthread_mutex_lock(&p->m); p->n = p->n + 1; assert(p->n == 1); p->n = 0;
  pthread_mutex_unlock(&p->m);
  return 0;
}
int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, work, 0); }
"""
NUMBER = """
#include <assert.h>
#include <pthread.h>
int all[20];
void *work(void *a) {
  int i = (int)(long)a;
  all[i] = 1; assert(all[i] == 1); all[i] = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 20; i++) pthread_create(&t, 0, work, (void *)(long)i);
}
"""
WRONG = {
    "another number": (LOCK, "x == 1", "x == 2"),
    "another begin": (LOCK, "int x;", "int x = 1;"),
    "another end": (LOCK, "x - 1", "x - 0"),
    "no lock": (LOCK, "pthread_mutex_lock(&m);", "pthread_mutex_trylock(&m);"),
    "early unlock": (LOCK, "x = x + 1;", "pthread_mutex_unlock(&m); x = x + 1;"),
    "no test": (COUNT, "x != 0", "x == 9"),
    "another thread": (COUNT, "x = 1", "x = 0"),
    "early release": (COUNT, "y = 2; assert", "y = 2; x = 0; assert"),
    "no test by two": (PAIR, "f = x == 0", "f = x >= 0"),
    "early release by two": (PAIR, "y = 2; assert", "y = 2; x = 0; assert"),
    "the next element": (ELEMENT, "p->n = p->n + 1", "p[1].n = p->n + 1"),
    "a pointer that moves": (ELEMENT, "p->n = p->n", "p++; p->n = p->n"),
    "an element without lock": (ELEMENT, "pthread_mutex_lock(&p->m);", ""),
    "the lock of the first one": (ELEMENT, "lock(&p->m); p->n =", "lock(&all->m); p->n ="),
    "another index": (ELEMENT, "p->n = 0;", "all[i ^ 1].n = 0;"),
    "a number of two": (NUMBER, "(int)(long)a", "(int)(long)a / 2"),
    "one number": (NUMBER, "(void *)(long)i", "(void *)(long)3"),
}


@cache
def loaded(text: str) -> Program:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "program.c"
        file.write_text(text)
        return load(Config.of(file, property=UNREACH_CALL)).program


@cache
def certificate(text: str) -> TemplateCertificate:
    program = loaded(text)
    errors = frozenset(failures(program, is_failure(UNREACH_CALL)))
    faults = tuple(failures(program, is_fault))
    asked = ErrorsOfTemplates(UNREACH_CALL, errors, (), faults)
    found = invariants(program, asked, SECONDS, lambda: False)
    assert not isinstance(found, str), found
    return found


def rejected(program: Program, c: TemplateCertificate) -> bool:
    try:
        check_templates(program, replace(c, program=program_digest(program)))
    except (Rejected, Unchecked):
        return True
    return False


@pytest.mark.parametrize(
    "text", [LOCK, COUNT, PAIR, ELEMENT, NUMBER], ids=["lock", "count", "pair", "element", "number"]
)
def test_it_is_accepted_as_it_was_written(text: str) -> None:
    program, found = loaded(text), certificate(text)
    claimed = Claimed((UNREACH_CALL,), (UNREACH_CALL,), Options())
    data = json.loads(write_templates(program, found, claimed))
    kind = kind_of(data)
    assert kind.read(data) == found
    assert kind.check(program, kind.read(data)).property == UNREACH_CALL


@pytest.mark.parametrize("name", WRONG)
def test_no_mutant_is_accepted_for_a_wrong_program(name: str) -> None:
    text, old, new = WRONG[name]
    right, wrong = certificate(text), loaded(text.replace(old, new))
    assert rejected(wrong, right)
    draw = Random(name)
    for _ in range(examples(5, whole=12)):
        assert rejected(wrong, mutant(right, draw))


def mutant(c: TemplateCertificate, draw: Random) -> TemplateCertificate:
    """A certificate with a label that is changed, or two that are exchanged."""
    keys = sorted(c.labels)
    labels = dict(c.labels)
    for _ in range(draw.randint(1, 3)):
        key, other = draw.choice(keys), draw.choice(keys)
        parts = list(conjuncts(labels[key]))
        match draw.randrange(6):
            case 0:
                labels[key] = conj(parts[: len(parts) // 2])
            case 1:
                labels[key] = conj([*parts[1:], neg(parts[0])]) if parts else FALSE
            case 2:
                labels[key], labels[other] = labels[other], labels[key]
            case 3:
                labels[key] = FALSE
            case 4:
                labels[key] = TRUE
            case _:
                labels[key] = labels[other]
    return replace(c, labels=labels)


def said(c: TemplateCertificate, key: object, f: Formula) -> TemplateCertificate:
    return replace(c, labels={k: f if k == key else g for k, g in c.labels.items()})


def test_what_it_says_has_to_hold_where_threads_come() -> None:
    program, c = loaded(COUNT), certificate(COUNT)
    for key in c.labels:
        assert rejected(program, said(c, key, FALSE)), key


def test_what_it_says_has_to_be_about_what_is_there() -> None:
    program, c = loaded(COUNT), certificate(COUNT)
    (key, label), *_ = c.labels.items()
    for name in ("z+0", "work:nothing", "#7", "x+0'"):
        assert rejected(program, said(c, key, conj((label, parse_formula(f"`{name}`:i32 == 0")))))


def test_each_place_is_named() -> None:
    program, c = loaded(LOCK), certificate(LOCK)
    for key in c.labels:
        rest = {k: f for k, f in c.labels.items() if k != key}
        assert rejected(program, replace(c, labels=rest)), key
    assert rejected(program, replace(c, labels={**c.labels, (("nobody", 0),): TRUE}))


def test_a_constant_is_never_written() -> None:
    program, c = loaded(COUNT), certificate(COUNT)
    for cell in ("x+0", "y+0", "nothing+0"):
        assert rejected(program, replace(c, constants={**c.constants, cell: 0}))


def test_a_constant_is_not_written_and_put_back() -> None:
    """Others see what is written in between, also where nothing is a cut."""
    program = loaded(PAIR.replace("int f = x == 0;", "assert(y == 0); int f = 1;"))
    labels = {(("main", 0),): TRUE}
    for i in range(len(program.templates["work"].locations)):
        cuts = {key for key in labels if key[0][0] == "work"}
        if not program.templates["work"].locations[i].atomic:
            labels[(("work", i),)] = TRUE
            c = TemplateCertificate("", UNREACH_CALL, {"y+0": 0}, (), dict(labels))
            assert rejected(program, c), cuts


def test_counters_count_what_they_say() -> None:
    program, c = loaded(COUNT), certificate(COUNT)
    assert c.counters
    for counter in c.counters:
        for at in counter.weights:
            for n in (0, 2, 1 << 40):
                changed = ThreadCounter({**counter.weights, at: Const(n, counting.COUNT)})
                others = tuple(changed if one is counter else one for one in c.counters)
                assert rejected(program, replace(c, counters=others))


def test_elements_are_chosen_of_arrays_only() -> None:
    program, c = loaded(ELEMENT), certificate(ELEMENT)
    assert c.groups == (("all",),)
    assert not rejected(program, c)
    for groups in (
        (),
        ((),),
        (("all", "all"),),
        (("all",), ("all",)),
        (("none",),),
        (("all", "x"),),
    ):
        assert rejected(program, replace(c, groups=groups))


def test_errors_that_are_left_open_are_named() -> None:
    program, c = loaded(LOCK), certificate(LOCK)
    wrong = loaded(LOCK.replace("x == 1", "x == 2"))
    (place,) = failures(wrong, is_failure(UNREACH_CALL))
    with pytest.raises(Rejected, match="open"):
        check_templates(program, replace(c, alarms=(place,)))
    with pytest.raises(Rejected):
        check_templates(program, replace(c, property="no-overflow"))
