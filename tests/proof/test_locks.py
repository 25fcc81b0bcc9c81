"""Certificates that rest on places that are apart: locks, joins, and what breaks them.

Takes NOTE(held-cells), NOTE(hidden-cells), NOTE(untaken-edges) and NOTE(growth) at their word: each
program that is open breaks a rule of one of them.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.ir.program import Program
from abpress.modular.analysis import Solution, analyse
from abpress.modular.apart import PlacesApart
from abpress.modular.bounds.analysis import find as find_bounds
from abpress.modular.claims import claimed
from abpress.modular.numbers.effects import NumericSteps
from abpress.modular.numbers.holding import NumericHolding
from abpress.modular.numbers.overflow import find
from abpress.proof.bounds.certificate import BoundsCertificate, format_bounds, parse_bounds
from abpress.proof.bounds.check import check_bounds
from abpress.proof.bounds.write import bounds_certificate
from abpress.proof.certificate import Rejected
from abpress.proof.numbers.certificate import NumericCertificate, format_numeric, parse_numeric
from abpress.proof.numbers.check import check_numbers
from abpress.proof.numbers.write import numeric_certificate, proved_locally
from abpress.verify.load import load

TEXT = """
#include <pthread.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, l = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int x, y, top, stack[8];
void *work(void *a) { %s return 0; }
void *other(void *a) { %s return 0; }
int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  %s
  return 0;
}
"""
ALSO = "pthread_create(&v, 0, other, 0);"


def under(lock: str, work: str) -> str:
    return f"pthread_mutex_lock(&{lock}); {work} pthread_mutex_unlock(&{lock});"


def always(work: str) -> str:
    return f"while (__VERIFIER_nondet_int()) {{ {work} }}"


PUSH = "if (top < 8) { stack[top] = 1; top++; }"
POP = "if (top > 0) { top--; x = stack[top]; }"

SAFE = {
    "a bounded counter": (always(under("m", "if (x < 9) x++;")), "", ""),
    "up and down": (always(under("m", "x++; x--;")), "", ""),
    "much for a while": (always(under("m", "x = INT_MAX; x = 0;")), under("m", "x++; x--;"), ALSO),
    "two locks": (always(under("m", under("l", "if (x < 9) x++;"))), "", ""),
    "a lock for writing": (
        always("pthread_rwlock_wrlock(&rw); if (x < 9) x++; pthread_rwlock_unlock(&rw);"), "", ""),
    "a lock that is tried": (
        always("if (!pthread_mutex_trylock(&m)) { if (x < 9) x++; pthread_mutex_unlock(&m); }"),
        "", ""),
    "a lock for reading": (
        always("pthread_rwlock_rdlock(&rw); y = x; pthread_rwlock_unlock(&rw);"), "", ""),
    "behind the joins": (
        always(under("m", "if (x < 9) x++;")), "", "pthread_join(t, 0); pthread_join(u, 0);"
        "while (1) { x++; x--; }"),
}  # fmt: skip

OPEN = {
    "two different locks": (always(under("m", "if (x < 9) x++;")), always(under("l", "x = y;")),
        ALSO + "y = INT_MAX;"),
    "given back in between": (always(under("m", "if (x < INT_MAX) {") + under("m", "x++; }")), "",
        ""),
    "a reader without a lock": (always(under("m", "x = INT_MAX; x = 0;")), "y = x; y++;", ALSO),
    "a writer without a lock": (always(under("m", "if (x < 9) x++;")), "x = INT_MAX;", ALSO),
    "only one is joined": (
        always(under("m", "if (x < 9) { x++; } else x = INT_MAX; if (x > 9) x = 0;")), "",
        "pthread_join(t, 0); while (1) { x++; x--; }"),
    "a lock that may not be got": (
        always("pthread_mutex_trylock(&m); if (x < INT_MAX) x++; pthread_mutex_unlock(&m);"),
        "", ""),
    "what is left behind": (under("m", "x = INT_MAX;"), always(under("m", "x++; x = 0;")), ALSO),
    "a number that is hidden is added": (
        always(under("m", "if (y == 0) { x = x + 1000000000; }")), "", ""),
}  # fmt: skip

READ = "pthread_rwlock_rdlock(&rw);"

VALID = {
    "a stack": (always(under("m", PUSH)), always(under("m", POP)), ALSO),
    "an index behind a join": (always(under("m", PUSH)), "",
        "pthread_join(t, 0); pthread_join(u, 0); if (top > 0) { stack[top - 1] = 0; }"),
}  # fmt: skip

INVALID = {
    "tested without the lock": ("if (top < 8) {" + under("m", "stack[top] = 1; top++; }"), "", ""),
    "another lock": (always(under("m", PUSH)), always(under("l", "top = 7; top = 8;")), ALSO),
    "before the join": (always(under("m", "if (top < 8) { top++; }")), "",
        "pthread_join(t, 0); if (top < 8) { top++; stack[top - 1] = 0; }"),
}  # fmt: skip


PREPARED = """
#include <pthread.h>
#include <stdlib.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
struct s { pthread_mutex_t m; int n; } *g;
int x, go;
void *work(void *a) { %s return 0; }
int main(void) {
  pthread_t t, u;
  struct s mine;
  x = __VERIFIER_nondet_int();
  %s
  pthread_create(&t, 0, work, &mine);
  %s
  return 0;
}
"""
ONE = "g = malloc(sizeof *g); g->n = 5;"

READY = {
    "what was tested before": ("x++;", "if (x > 99) return 0;", "x++;"),
    "an object that is set up": ("g->n++;", ONE, "g->n++;"),
    "a local object that is set up": ("((struct s *)a)->n++;", "mine.n = 7;", "mine.n++;"),
    "a sum of what others see": ("x = x + go;", "if (x > 99) return 0; go = 2;", ""),
}  # fmt: skip

UNREADY = {
    "not tested": ("x++;", "if (x < 9) go = 1;", ""),
    "set up afterwards": ("x++;", "go = x; x = 0;", "x = go;"),
    "an object that is not set up": ("g->n++;", "g = malloc(sizeof *g);", ""),
    "another object": ("g->n++;",
        ONE.replace("g->n", "while (__VERIFIER_nondet_int()) { g->n = 5; g = malloc(8); } g->n"),
        "g = malloc(sizeof *g);"),
    "what was there before": ("x++;", "go = x; x = 0;", "x = go + 1;"),
    "created at the end": ("x = x + 1;", "x = INT_MAX;", "pthread_exit(0);"),
    "many of them": ("struct s *p = malloc(8); p->n = 5; g = p; p->n = p->n + 1;", ONE,
        "pthread_create(&u, 0, work, 0); g->n = INT_MAX;"),
}  # fmt: skip


def program_of(parts: tuple[str, str, str], folder: Path, property: str) -> Program:
    file = folder / "program.c"
    file.write_text(TEXT % parts)
    return load(Config.of(file, data_model="ILP32", property=property)).program


def prepared_by(parts: tuple[str, str, str], folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(PREPARED % parts)
    return load(Config.of(file, data_model="ILP32", property="no-overflow")).program


@pytest.mark.parametrize("name", READY)
def test_what_is_prepared_does_not_count(name: str, tmp_path: Path) -> None:
    program = prepared_by(READY[name], tmp_path)
    certificate = numbers(program)
    assert certificate.counted
    assert check_numbers(program, certificate).property == "no-overflow"
    for cell in certificate.counted:
        low, high = certificate.shared[cell]
        tighter = replace(certificate, shared={**certificate.shared, cell: (low, high - 1)})
        with pytest.raises(Rejected):
            check_numbers(program, tighter)


@pytest.mark.parametrize("name", UNREADY)
def test_what_is_not_prepared_counts(name: str, tmp_path: Path) -> None:
    program = prepared_by(UNREADY[name], tmp_path)
    certificate = numbers(program)
    assert certificate.alarms
    with pytest.raises(Rejected):
        check_numbers(program, replace(certificate, alarms=()))


def test_what_was_read_before_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = NumericSteps._is_seen

    def anywhere(self: NumericSteps, template: str, location: int, *rest: object) -> bool:
        return seen(self, "work", 0, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(NumericSteps, "_is_seen", anywhere)
    parts = "x++;", "if (x > 99 || x < 0) return 0; go = x; x = 0;", "x = go + 2147483600;"
    program = prepared_by(parts, tmp_path)
    certificate = numbers(program)
    with pytest.raises(Rejected):
        check_numbers(program, replace(certificate, alarms=()))


def standing(program: Program) -> Solution:
    found = analyse(program)
    assert found is not None
    assert not found.doubts
    return found


def numbers(program: Program) -> NumericCertificate:
    solution = standing(program)
    found = find(program, Facts.of(program), apart=PlacesApart(solution))
    certificate = numeric_certificate(found, proved_locally(found), claimed(solution, ()))
    return parse_numeric(json.loads(format_numeric(certificate)))


def accesses(program: Program) -> tuple[BoundsCertificate, int]:
    solution = standing(program)
    found = find_bounds(program, Facts.of(program), apart=PlacesApart(solution))
    # What is left open is not named, so that the checker has to find it.
    certificate = replace(bounds_certificate(program, found, claimed(solution, ())), alarms=())
    return parse_bounds(json.loads(format_bounds(certificate))), len(found.alarms)


@pytest.mark.parametrize("name", SAFE)
def test_numbers_under_locks(name: str, tmp_path: Path) -> None:
    program = program_of(SAFE[name], tmp_path, "no-overflow")
    certificate = numbers(program)
    assert check_numbers(program, certificate).property == "no-overflow"
    with pytest.raises(Rejected):
        check_numbers(program, replace(certificate, claims=None))


@pytest.mark.parametrize("name", OPEN)
def test_numbers_that_no_lock_keeps(name: str, tmp_path: Path) -> None:
    program = program_of(OPEN[name], tmp_path, "no-overflow")
    certificate = numbers(program)
    assert certificate.alarms
    for hidden in (
        replace(certificate, alarms=()),
        replace(certificate, alarms=(), local=certificate.alarms),
    ):
        with pytest.raises(Rejected):
            check_numbers(program, hidden)


@pytest.mark.parametrize("name", VALID)
def test_accesses_under_locks(name: str, tmp_path: Path) -> None:
    program = program_of(VALID[name], tmp_path, "valid-deref")
    certificate, alarms = accesses(program)
    assert not alarms
    assert check_bounds(program, certificate).property == "valid-deref"
    with pytest.raises(Rejected):
        check_bounds(program, replace(certificate, claims=None))


@pytest.mark.parametrize("name", INVALID)
def test_accesses_that_no_lock_keeps(name: str, tmp_path: Path) -> None:
    program = program_of(INVALID[name], tmp_path, "valid-deref")
    certificate, alarms = accesses(program)
    assert alarms
    with pytest.raises(Rejected):
        check_bounds(program, certificate)


def test_bounds_of_the_tool_that_may_be_reached(tmp_path: Path) -> None:
    program = program_of((READ * 3, "", ""), tmp_path, "no-overflow")
    solution = analyse(program)
    assert solution is not None
    found = find(program, Facts.of(program), apart=PlacesApart(solution))
    assert found.cuts
    with pytest.raises(Rejected):
        check_numbers(program, numeric_certificate(found, (), claimed(solution, ())))


def test_who_reads_without_the_lock_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NumericHolding, "accesses", property(lambda self: self.writers))
    program = program_of(OPEN["a reader without a lock"], tmp_path, "no-overflow")
    check_numbers(program, numbers(program))  # accepted, and wrong: the rule was taken out


def test_claims_about_threads_are_checked(tmp_path: Path) -> None:
    program = program_of(SAFE["a bounded counter"], tmp_path, "no-overflow")
    good = numbers(program)
    assert good.claims is not None
    held = 0
    for place, parts in good.claims.known.items():
        fewer = {at: its for at, its in good.claims.known.items() if at != place}
        with pytest.raises(Rejected):
            check_numbers(program, replace(good, claims=replace(good.claims, known=fewer)))
        held += len(parts)
    assert held > 10
    with pytest.raises(Rejected):
        check_numbers(program, replace(good, claims=replace(good.claims, many=frozenset({1}))))
