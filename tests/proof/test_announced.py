"""Pointers that are set where another cell is not 0: which programs are proved, and which are not.

Takes NOTE(announced) at its word: each program that is open breaks a rule of it, and reads null.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.ir.program import Program
from abpress.modular.bounds.analysis import find
from abpress.proof.bounds.check import check_bounds
from abpress.proof.bounds.write import bounds_certificate
from abpress.proof.certificate import Rejected
from abpress.result import Verdict
from abpress.verify.load import load
from abpress.verify.run import verify

TEXT = """
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
#define BEGIN __VERIFIER_atomic_begin()
#define END __VERIFIER_atomic_end()
int x, *p, **at = &p, f %s, g;
void *writer(void *a) { %s return 0; }
void *other(void *a) { %s return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, other, 0);
  %s
  return 0;
}
"""

BLOCK, BEFORE, READ = "BEGIN; f = 1; p = &x; END;", "p = &x; f = 1;", "if (f) *p = 1;"

SAFE = {
    "a block": ("", BLOCK, "", READ),
    "a block in which both are read": ("", BLOCK, "", "BEGIN; if (f) *p = 1; END;"),
    "set before": ("", BEFORE, "", READ),
    "the pointer itself": ("", "p = &x;", "", "if (p) *p = 1;"),
    "an allocated object": ("", "p = malloc(sizeof x); f = 1;", "", READ),
    "a copy of the test": ("", BEFORE, "", "int s = f, is = s != 0; if (is) *p = 1;"),
    "a number that is not 0": ("", BEFORE, "", "if (f == 1 || f > 3) *p = 1;"),
    "what was seen is announced": ("", BEFORE, "if (f) g = 1;", "if (g) *p = 1;"),
    "seen earlier": ("", BEFORE, "", "int s = f; g = 2; if (s) { g = 3; *p = 1; *p = 2; }"),
    "two that write": ("", BLOCK, BEFORE, READ),
    "taken back": ("", BLOCK + "f = 0;", "", READ),
}

WRONG = {
    "no block": ("", "f = 1; p = &x;", "", READ),
    "two blocks": ("", "BEGIN; f = 1; END; BEGIN; p = &x; END;", "", READ),
    "null again": ("", BEFORE + "p = 0;", "", READ),
    "null by another": ("", BEFORE, "p = 0;", READ),
    "null through a pointer": ("", BEFORE, "*at = 0;", READ),
    "a value that may be null": (
        "",
        "int *q = __VERIFIER_nondet_int() ? &x : 0; p = q; f = 1;",
        "",
        READ,
    ),
    "set in a branch": ("", "BEGIN; f = 1; if (__VERIFIER_nondet_int()) p = &x; END;", "", READ),
    "a block with another end": (
        "",
        "BEGIN; f = 1; if (__VERIFIER_nondet_int()) { END; return 0; } p = &x; END;",
        "",
        READ,
    ),
    "the middle of a block": ("", "BEGIN; f = 1; if (f) *p = 1; p = &x; END;", "", ""),
    "the middle of a block, kept": (
        "",
        "BEGIN; int s; f = 1; s = f; g = 1; if (s) *p = 1; p = &x; END;",
        "",
        "",
    ),
    "not 0 at first": ("= 1", BEFORE, "", READ),
    "another writer": ("", BEFORE, "f = 1;", READ),
    "another writer of anything": ("", BEFORE, "f = __VERIFIER_nondet_int();", READ),
    "0": ("", BEFORE, "", "if (!f) *p = 1;"),
    "perhaps 0": ("", BEFORE, "", "if (f >= 0) *p = 1;"),
    "less": ("", BEFORE, "", "if (f < 1) *p = 1;"),
    "a sum": ("", BEFORE, "", "if (f + 1) *p = 1;"),
    "another number": ("", BEFORE, "", "int s = f; s = 1; if (s) *p = 1;"),
    "either": ("", BEFORE, "", "if (f | 1) *p = 1;"),
    "announced by who has not seen": ("", BEFORE, "int s = f; g = 1;", "if (g) *p = 1;"),
    "seen too late": ("", BEFORE, "", "int *q = p; if (f) *q = 1;"),
    "in a loop of blocks": (
        "",
        "for (int i = 0; i < 2; i++) { BEGIN; f = 1; if (i) p = &x; END; }",
        "",
        READ,
    ),
    "joined with who has not seen": ("", BEFORE, "", "if (f) g = 1; *p = 1;"),
}


def _file(parts: tuple[str, str, str, str], folder: Path) -> Path:
    file = folder / "program.c"
    file.write_text(TEXT % parts)
    return file


def _loaded(file: Path) -> Program:
    return load(Config.of(file, property="valid-deref")).program


@pytest.mark.parametrize("name", SAFE)
def test_what_is_announced_is_proved(name: str, tmp_path: Path) -> None:
    program = _loaded(_file(SAFE[name], tmp_path))
    found = find(program, Facts.of(program))
    assert found.alarms == ()
    assert check_bounds(program, bounds_certificate(program, found))


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_announced_is_not_proved(name: str, tmp_path: Path) -> None:
    file = _file(WRONG[name], tmp_path)
    program = _loaded(file)
    found = find(program, Facts.of(program))
    assert found.alarms
    with pytest.raises(Rejected):
        check_bounds(program, replace(bounds_certificate(program, found), alarms=()))
    (answer,) = verify(Config.of(file, property="valid-deref", engine="explicit")).answers
    assert answer.result.verdict is Verdict.FALSE


def test_a_certificate_of_a_program_is_none_of_one_that_breaks_a_rule(tmp_path: Path) -> None:
    """What is said at each location of the right program does not follow in the wrong one."""
    right, wrong = (
        _loaded(_file(its, tmp_path)) for its in (SAFE["set before"], WRONG["no block"])
    )
    certificate = bounds_certificate(right, find(right, Facts.of(right)))
    other = bounds_certificate(wrong, find(wrong, Facts.of(wrong)))
    assert check_bounds(right, certificate)
    with pytest.raises(Rejected):
        check_bounds(wrong, replace(certificate, program=other.program))
