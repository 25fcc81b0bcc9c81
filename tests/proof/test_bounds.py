"""Certificates of accesses: which programs have one, and that the checker rejects what is wrong.

Takes NOTE(valid-accesses), NOTE(held-cells) and NOTE(copies-of-nothing) at their word: each program
that is open breaks a rule of one of them, and in most of them an access is invalid.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.ir.text import format_program
from abpress.modular.bounds.analysis import find
from abpress.proof.bounds.certificate import (
    BoundsCertificate,
    BoundsStand,
    format_bounds,
    parse_bounds,
)
from abpress.proof.bounds.check import check_bounds
from abpress.proof.bounds.write import bounds_certificate
from abpress.proof.certificate import Rejected
from abpress.result import Verdict
from abpress.verify.certify import check_proof
from abpress.verify.load import load
from abpress.verify.run import verify
from tests.sampling import sample

HEAD = """
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void abort(void);
void assume(int c) { if (!c) abort(); }
"""


def program_of(text: str, folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(HEAD + text)
    return load(Config.of(file, data_model="ILP32", property="valid-deref")).program


def certified(program: Program) -> BoundsCertificate:
    found = find(program, Facts.of(program))
    certificate = replace(bounds_certificate(program, found), alarms=())
    assert parse_bounds(json.loads(format_bounds(certificate))) == certificate
    return certificate


def check_that_it_is_open(program: Program) -> None:
    """That neither the analysis nor the checker says that all accesses are valid."""
    assert find(program, Facts.of(program)).alarms
    with pytest.raises(Rejected, match="may be invalid"):
        check_bounds(program, certified(program))


ARRAY = """
int *a, n, m, i, x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *fresh(int size) {
  assume(size >= 0 && size <= 1000000);
  int *p = malloc(sizeof(int) * (size_t)size);
  for (int k = 0; k < size; k++) p[k] = 0;
  return p;
}
void *work(void *arg) { %s return 0; }
int main(void) {
  pthread_t t, u;
  n = __VERIFIER_nondet_int();
  m = __VERIFIER_nondet_int();
  a = fresh(n);
  %s
  pthread_create(&t, 0, work, 0);
  %s
  pthread_join(t, 0);
  %s
  return 0;
}
"""


def array(work: str, before: str = "", beside: str = "", after: str = "") -> str:
    return ARRAY % (work, before, beside, after)


ALL = "for (int k = 0; k < n; k++) a[k]++;"
IN_SECTION = (
    "while (1) { __VERIFIER_atomic_begin(); assume(i >= 0 && i < n); a[i] = 1; i++;"
    " __VERIFIER_atomic_end(); }"
)
FREED = "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }"
STATIC = """
struct item { int key; int *at; } items[10];
int x, y, *p = &x, buffer[8], head;
void *work(void *arg) { %s return 0; }
int main(void) {
  pthread_t t[3];
  int mine[4] = {0};
  for (int k = 0; k < 3; k++) pthread_create(&t[k], 0, work, %s);
  %s
  for (int k = 0; k < 3; k++) pthread_join(t[k], 0);
  return 0;
}
"""


def static(work: str, argument: str = "0", beside: str = "") -> str:
    return STATIC % (work, argument, beside)


SAFE = {
    "a loop over an array": array(ALL),
    "from a number that is less": array(
        "for (int k = m; k < n; k++) a[k]++;", "assume(m >= 0 && m < n);"
    ),
    "up to a number that is less": array(
        "for (int k = 0; k < m; k++) a[k]++;", "assume(m >= 0 && m < n);"
    ),
    "an index that only this thread changes": array("while (i < n) { a[i] = 1; i++; }"),
    "an index that is tested in a section": array(IN_SECTION, "", IN_SECTION),
    "two loops": array("for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) a[j] = a[k];"),
    "downwards": array("for (int k = n - 1; k >= 0; k--) a[k]++;"),
    "a test of a register": array("int k = i; if (k >= 0 && k < n) a[k] = 1;", "", "i = 99;"),
    "an element of each": static("for (int k = 0; k < 10; k++) items[k].key = k;"),
    "a pointer to an element": static(
        "for (int k = 0; k < 10; k++) { struct item *s = &items[k]; s->at = 0; s->key = 1; }"
    ),
    "a pointer that others change": static("*p = 1;", "0", "p = &y;"),
    "a pointer that is null or tested": static("int *q = p; if (q) *q = 1;", "0", "p = 0;"),
    "an argument": static("int *q = arg; q[3] = 1;", "mine"),
    "a copy of a pointer that has a value": static("*b = 1;", "0", "b = p;").replace(
        "*p = &x", "*p = &x, *b = &y"
    ),
    "a mask": static("buffer[x & 7] = 1;", "0", "x = __VERIFIER_nondet_int();"),
    "a remainder by a number": static("int k = x; if (k >= 0) buffer[k % 8] = 1;", "0", "x = 77;"),
    "an own local object": static("int l[3]; for (int k = 0; k < 3; k++) l[k] = k; x = l[2];"),
    "a static one that is bounded by all": static(
        "__VERIFIER_atomic_begin(); if (head < 8) { buffer[head] = 1; head++; }"
        " __VERIFIER_atomic_end();"
    ),
}

STEPS = (
    "__VERIFIER_atomic_begin(); int k = head; if (k + 1 < 8) { buffer[k + 1] = 1; head = k + 2; }"
    " __VERIFIER_atomic_end();"
)
STRIDED = {
    "every second element": static("for (int k = 0; k < 8; k += 2) buffer[k + 1] = 1;"),
    "a global that counts in steps": static(STEPS.replace("k + 1 <", "k <")),
    "an index that is divided": static(
        "int k = x; if (k % 2 == 0 && k >= 0 && k < 8) buffer[k + 1] = 1;",
        "0",
        "x = __VERIFIER_nondet_int();",
    ),
    "twice a number": static("for (int k = 0; k < 4; k++) { int j = 2 * k + 1; buffer[j] = 1; }"),
    "an index that begins with one of two": static(
        "for (int k = x ? 1 : 3; k < 9; k += 2) buffer[k] = 1;", "0", "x = 1;"
    ),
}
SAFE |= STRIDED

INVALID = {
    "every third element": static("for (int k = 1; k < 8; k += 3) buffer[k + 1] = 1;"),
    "every second element from one": static("for (int k = 1; k < 8; k += 2) buffer[k + 1] = 1;"),
    "a global that counts from one": static(STEPS.replace("k + 1 <", "k <"), "0", "head = 1;"),
    "a global that counts in steps that differ": static(
        STEPS.replace("k + 1 <", "k <").replace("k + 2", "k + 2 + (x & 1)"), "0", "x = 1;"
    ),
    "an index that is odd": static(
        "int k = x; if (k % 2 == 1 && k >= 0 && k < 8) buffer[k + 1] = 1;",
        "0",
        "x = __VERIFIER_nondet_int();",
    ),
    "an index that is divided, and read again": static(
        "if (x % 2 == 0) { int k = x; if (k >= 0 && k < 8) buffer[k + 1] = 1; }",
        "0",
        "x = __VERIFIER_nondet_int();",
    ),
    "an index that begins with one of two others": static(
        "for (int k = x ? 1 : 4; k < 9; k += 2) buffer[k] = 1;", "0", "x = 1;"
    ),
    "one element too many": array("for (int k = 0; k <= n; k++) a[k]++;"),
    "one element before": array("for (int k = n - 1; k >= -1; k--) a[k]++;"),
    "from a number that may be negative": array(
        "for (int k = m; k < n; k++) a[k]++;", "assume(m < n);"
    ),
    "up to a number that may be more": array(
        "for (int k = 0; k < m; k++) a[k]++;", "assume(m >= 0 && m <= n + 1);"
    ),
    "the size grows after the allocation": array(ALL, "n++;"),
    "the size grows beside": array(ALL, "", "n++;"),
    "the pointer changes beside": array(ALL, "", "a = fresh(1);"),
    "the pointer moves": array(ALL, "", "a++;"),
    "the pointer is null at first": array(ALL).replace("a = fresh(n);", ""),
    "the object is freed beside": array(ALL, "", "free(a);"),
    "the object is freed before": array(ALL, "free(a);"),
    "an index that others change": array("while (i < n) { a[i] = 1; i++; }", "", "i++; i++;"),
    "an index that is tested in another section": array(
        "while (1) { __VERIFIER_atomic_begin(); assume(i >= 0 && i < n); __VERIFIER_atomic_end();"
        " __VERIFIER_atomic_begin(); a[i] = 1; i++; __VERIFIER_atomic_end(); }",
        "",
        "i++;",
    ),
    "two threads count": array("while (i < n) { a[i] = 1; i++; }").replace(
        "pthread_join(t, 0);", "pthread_create(&u, 0, work, 0); pthread_join(t, 0);"
    ),
    "a remainder of what is negative": array("if (n > 0) a[x % n] = 1;").replace(
        "a = fresh(n);", "a = fresh(n); x = -7;"
    ),
    "the last object is smaller": array(ALL).replace(
        "a = fresh(n);",
        "int *o = 0; for (int k = 0; k < 2; k++) { int *b = fresh(n - k);"
        " if (!o) o = b; else a = b; }",
    ),
    "an element behind the last one": static("for (int k = 0; k <= 10; k++) items[k].key = k;"),
    "a pointer behind the last one": static(
        "for (int k = 0; k <= 10; k++) { struct item *s = &items[k]; s->key = 1; }"
    ),
    "a pointer that others make null": static("*p = 1;", "0", "p = 0;"),
    "a copy of a pointer that has none": static(
        "*b = 1;", "0", "int **h = malloc(4); b = *h;"
    ).replace("*p = &x", "*p = &x, *b = &y"),
    "a pointer that is tested and read again": static("if (p) *p = 1;", "0", "p = 0;"),
    "an argument that is too small": static("int *q = arg; q[4] = 1;", "mine"),
    "a mask that is too large": static("buffer[x & 15] = 1;", "0", "x = __VERIFIER_nondet_int();"),
    "a local object that has ended": static(
        "int *q; { int l[3]; q = l; } { int o[3]; o[0] = 1; } *q = 1;"
    ),
    "the local object of another thread": static(
        "int l = 0; p = &l; *p = 1;",
    ),
    "one that is bounded outside of a section": static(
        "if (head < 8) { buffer[head] = 1; head++; }"
    ),
    "what it holds at first counts": static("buffer[y] = 1; y = 5;")
    .replace("int mine[4] = {0};", "")
    .replace(", buffer[8]", ", z")
    .replace("int x, y,", "int buffer[8], x, y = 100,"),
    "what it holds at first counts, in a loop": """
int y = 100, buffer[8];
void *work(void *arg) { buffer[y] = 1; y = 5; return 0; }
int main(void) { while (1) { pthread_t t; pthread_create(&t, 0, work, 0); } }""",
    "what it gets before a loop counts": """
int y, buffer[8];
void *work(void *arg) { buffer[y] = 1; y = 5; return 0; }
int main(void) { y = 100; while (1) { pthread_t t; pthread_create(&t, 0, work, 0); } }""",
    "where it points before a loop counts": """
int y, *p;
void *work(void *arg) { *p = 1; p = &y; return 0; }
int main(void) { for (int k = 0; k < 9; k++) { pthread_t t; pthread_create(&t, 0, work, 0); } }""",
    "a pointer without a value": static("int *q; *q = 1;"),
}


@pytest.mark.parametrize("name", SAFE)
def test_safe_programs_are_proved(name: str, tmp_path: Path) -> None:
    program = program_of(SAFE[name], tmp_path)
    assert not find(program, Facts.of(program)).alarms
    assert check_bounds(program, certified(program)).property == "valid-deref"


@pytest.mark.parametrize("name", INVALID)
def test_programs_with_invalid_accesses_are_not(name: str, tmp_path: Path) -> None:
    """Neither the analysis nor the checker says that they are valid."""
    program = program_of(INVALID[name], tmp_path)
    check_that_it_is_open(program)


def test_copies_of_what_has_no_value_may_differ() -> None:
    """What is known of one copy says nothing of the other."""
    text = """
program pointer 4 overflow end
object buffer {32: 0 i32} = 0
template main entry L0
  register j: i32
  register k: i32
  L0:
    j := k -> L1
  L1:
    when j == 0 -> L2
  L2:
    *(&buffer + (i64(k) * 4i64)) := 1 -> L3
  L3:
    exit "end" -> L3
"""
    program = parse_program(text, "program.abp")
    check_that_it_is_open(program)


def _each_difference(certificate: BoundsCertificate) -> list[BoundsCertificate]:
    """The certificate with one bound of a location made smaller, for each location that has one."""
    found = []
    for at, stands in certificate.stands.items():
        for k, stand in enumerate(stands):
            for n, (x, y, c) in enumerate(stand.differences):
                its = (*stand.differences[:n], (x, y, c - 1), *stand.differences[n + 1 :])
                changed = (*stands[:k], replace(stand, differences=its), *stands[k + 1 :])
                found.append(replace(certificate, stands={**certificate.stands, at: changed}))
    return found


def test_bounds_that_are_too_small_are_rejected(tmp_path: Path) -> None:
    program = program_of(SAFE["a loop over an array"], tmp_path)
    certificate = certified(program)
    changed = _each_difference(certificate)
    assert len(changed) > 20
    for one in sample(changed, 4):
        with pytest.raises(Rejected):
            check_bounds(program, one)


@pytest.mark.parametrize("name", STRIDED)
def test_other_rests_are_rejected(name: str, tmp_path: Path) -> None:
    """Each rest of a location, or of a global, is needed, and so is that it is no finer."""
    program = program_of(STRIDED[name], tmp_path)
    certificate = certified(program)
    wrong = []
    for n, (cell, modulus, its) in enumerate(certificate.rests):
        kept = certificate.rests[:n], certificate.rests[n + 1 :]
        for other in ((2 * modulus, its), (modulus, its + 1), (modulus, (its + 1) % modulus)):
            wrong.append(replace(certificate, rests=(*kept[0], (cell, *other), *kept[1])))
        wrong.append(replace(certificate, rests=(*kept[0], *kept[1])))
    for at, (first, *others) in certificate.stands.items():
        for name, modulus, its in first.rests:
            for other in ((4 * modulus, its), (modulus, (its + 1) % modulus)):
                stand = replace(first, rests=((name, *other),))
                wrong.append(
                    replace(certificate, stands={**certificate.stands, at: (stand, *others)})
                )
    assert len(wrong) > 1
    for one in wrong:
        with pytest.raises(Rejected):
            check_bounds(program, one)


def without_cuts(program: Program) -> Program:
    """The program that ends where the number of an id matters."""
    text, cut = format_program(program), 'cut "the number of a thread id may matter"'
    assert cut in text
    return parse_program(text.replace(cut, 'exit "end"'), "program.abp")


def test_the_first_thread_has_one_id(tmp_path: Path) -> None:
    text = "int b[2]; void *w(void *a) {{ {} return 0; }} int main(void) {{ pthread_t t; {} {} }}"
    use = "b[pthread_self()] = 1;"
    create = "pthread_create(&t, 0, w, 0); pthread_join(t, 0);"
    first = without_cuts(program_of(text.format("", create, use), tmp_path))
    assert check_bounds(first, certified(first))
    other = without_cuts(program_of(text.format(use, create, ""), tmp_path))
    with pytest.raises(Rejected, match="may be invalid"):
        check_bounds(other, certified(other))


def test_claims_that_are_not_inductive_are_rejected(tmp_path: Path) -> None:
    program = program_of(SAFE["an index that is tested in a section"], tmp_path)
    certificate = certified(program)
    location = program.templates["work"].entry
    wrong: list[BoundsCertificate] = [
        replace(certificate, stands={}),
        replace(certificate, property="valid-free"),
        replace(certificate, program="0"),
        replace(certificate, always={**certificate.always, "i@0": (0, 7)}),
        replace(certificate, always={**certificate.always, "a@0": frozenset({("n", 0, 0)})}),
        replace(certificate, always={**certificate.always, "nothing@0": (0, 7)}),
    ]
    for stand in (
        BoundsStand({}, {}, (("i@0", "", 5),)),  # others write it
        BoundsStand({}, {}, (("nothing", "", 5),)),
        BoundsStand({"nothing": 1}, {}, ()),
        BoundsStand({}, {"a@0": frozenset({("null", 0, 0)})}, ()),
        BoundsStand({}, {}, (("a@0", "", 5),)),
    ):
        its = {**certificate.stands, ("work", location): (stand,)}
        wrong.append(replace(certificate, stands=its))
    for one in wrong:
        with pytest.raises(Rejected):
            check_bounds(program, one)


@pytest.mark.parametrize(
    "name", ["what it holds at first counts, in a loop", "what it gets before a loop counts"]
)
def test_what_cells_hold_before_there_are_threads_counts(name: str, tmp_path: Path) -> None:
    program = program_of(INVALID[name], tmp_path)
    certificate = certified(program)
    with pytest.raises(Rejected, match="not among what it may hold"):
        check_bounds(program, replace(certificate, always={"y@0": (5, 5)}))


def test_texts_that_are_malformed_are_rejected(tmp_path: Path) -> None:
    text = format_bounds(certified(program_of(SAFE["a mask"], tmp_path)))
    for old, new in (('"version": 2', '"version": 3'), ('"stands"', '"stand"'), ("[0, 7]", "[0]")):
        if old in text:
            with pytest.raises(Rejected):
                parse_bounds(json.loads(text.replace(old, new)))


def test_the_engine_proves_it_with_a_certificate(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(HEAD + SAFE["a loop over an array"])
    config = Config.of(file, data_model="ILP32", engine="static", property="valid-deref")
    (answer,) = verify(config.but(certificate=True)).answers
    assert answer.result.verdict is Verdict.TRUE
    assert answer.certificate is not None
    assert [accepted.property for accepted in check_proof(config, answer.certificate)] == [
        "valid-deref"
    ]


def test_nothing_is_freed_wrongly_where_nothing_is_freed(tmp_path: Path) -> None:
    for text, verdict in ((SAFE["a loop over an array"], Verdict.TRUE), (FREED, Verdict.FALSE)):
        file = tmp_path / "program.c"
        file.write_text(HEAD + text)
        config = Config.of(file, data_model="ILP32", property="valid-free", time_limit=20.0)
        (answer,) = verify(config).answers
        assert answer.result.verdict is verdict
