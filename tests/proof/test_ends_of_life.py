"""Certificates of accesses that rest on when objects end, and on what threads that ended have left.

Takes NOTE(lifetimes) and NOTE(ends) at their word: each program that is open breaks a rule of one.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.ir.program import Program
from abpress.proof.bounds.check import check_bounds
from abpress.proof.certificate import Rejected
from abpress.verify.load import load
from tests.proof.test_locks import accesses

FREED = """
#include <pthread.h>
#include <stdlib.h>
int n = 8, *p, x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *a) { %s return 0; }
int main(void) {
  pthread_t t;
  int own[n];
  p = malloc(8 * sizeof(int));
  own[7] = 1;
  pthread_create(&t, 0, work, own);
  %s
  return 0;
}
"""

ALIVE = {
    "freed behind the join": ("p[3] = 1;", "p[7] = 2; pthread_join(t, 0); free(p);"),
    "its own": ("int *q = malloc(8); q[1] = 1;", "pthread_join(t, 0); own[n - 1] = p[1]; free(p);"),
    "freed by the thread that is joined": ("", "p[1] = 1; free(p);"),
}

DEAD = {
    "freed before the join": ("p[3] = 1;", "free(p); pthread_join(t, 0);"),
    "freed by the other": ("free(p);", "p[1] = 1; pthread_join(t, 0);"),
    "used behind": ("", "pthread_join(t, 0); free(p); p[0] = 1;"),
    "freed in a loop": ("", "for (int k = 0; k < 2; k++) { p[k] = 1; free(p); }"),
    "freed by one that ends": ("p[3] = 1;", "free(p); pthread_exit(0);"),
    "freed by a thread that has ended": ("free(p);", "pthread_join(t, 0); p[1] = 1;"),
    "of another thread": ("((int *)a)[0] = 1;", "pthread_exit(0);"),
}

LAST = """
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
int i, n, *p, a[9], x;
void *work(void *b) { %s return 0; }
void *other(void *b) { %s return 0; }
int main(void) {
  pthread_t t, u;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 9) abort();
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, other, 0);
  %s
  return 0;
}
"""
COUNT = "while (i < n) i++;"
USE = "if (i != n) a[i] = 1;"
JOIN = "pthread_join(t, 0);"

ENDS = {
    "an index": (COUNT, "", JOIN + USE),
    "a pointer": ("p = 0; p = malloc(4);", "", JOIN + "*p = 1;"),
    "several ends": (COUNT + "if (x) return &x;", "", JOIN + USE),
}

NO_ENDS = {
    "not joined": (COUNT, "", USE),
    "another one is joined": (COUNT, "", "pthread_join(u, 0);" + USE),
    "another one writes": ("p = malloc(4);", "p = 0;", JOIN + "*p = 1;"),
    "main writes": ("p = malloc(4);", "", "p = 0;" + JOIN + "*p = 1;"),
    "an end before": ("if (x) return 0; p = malloc(4);", "x = 1;", JOIN + "*p = 1;"),
    "written afterwards": ("p = malloc(4);", "", JOIN + "p = 0; *p = 1;"),
}

BLOCK = """
#include <pthread.h>
int x;
void *work(void *a) { %s return 0; }
int main(void) {
  pthread_t t;
  { int l[2]; %s pthread_create(&t, 0, work, l); %s }
  %s
  return 0;
}
"""


def freed_in(parts: tuple[str, str], folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(FREED % parts)
    return load(Config.of(file, data_model="ILP32", property="valid-deref")).program


@pytest.mark.parametrize("name", ALIVE)
def test_what_is_freed_later(name: str, tmp_path: Path) -> None:
    program = freed_in(ALIVE[name], tmp_path)
    certificate, alarms = accesses(program)
    assert not alarms
    assert check_bounds(program, certificate).property == "valid-deref"


@pytest.mark.parametrize("name", DEAD)
def test_what_may_be_freed(name: str, tmp_path: Path) -> None:
    program = freed_in(DEAD[name], tmp_path)
    certificate, alarms = accesses(program)
    assert alarms
    with pytest.raises(Rejected):
        check_bounds(program, certificate)


def last_in(parts: tuple[str, str, str], folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(LAST % parts)
    return load(Config.of(file, data_model="ILP32", property="valid-deref")).program


@pytest.mark.parametrize("name", ENDS)
def test_what_is_known_behind_a_join(name: str, tmp_path: Path) -> None:
    program = last_in(ENDS[name], tmp_path)
    certificate, alarms = accesses(program)
    assert not alarms
    assert check_bounds(program, certificate).property == "valid-deref"
    with pytest.raises(Rejected):
        check_bounds(program, replace(certificate, ends={}))
    end = certificate.ends["work"]
    for cell in ("i@0", "p@0"):
        wrong = (
            replace(end, differences=(*end.differences, (cell, "", -5)))
            if cell == "i@0"
            else replace(end, pointers={**end.pointers, cell: frozenset({("null", 0, 0)})})
        )
        with pytest.raises(Rejected):
            check_bounds(program, replace(certificate, ends={**certificate.ends, "work": wrong}))


@pytest.mark.parametrize("name", NO_ENDS)
def test_what_is_not_known_behind_a_join(name: str, tmp_path: Path) -> None:
    program = last_in(NO_ENDS[name], tmp_path)
    certificate, alarms = accesses(program)
    assert alarms
    with pytest.raises(Rejected):
        check_bounds(program, certificate)


def test_ends_are_of_what_nobody_writes(tmp_path: Path) -> None:
    program = last_in(NO_ENDS["another one writes"], tmp_path)
    certificate, _ = accesses(program)
    object = next(iter(certificate.always)).removesuffix("@count")
    end = replace(certificate.ends["work"], pointers={"p@0": frozenset({(object, 0, 0)})})
    with pytest.raises(Rejected, match="others may change"):
        check_bounds(program, replace(certificate, ends={"work": end}))


@pytest.mark.parametrize(
    ("work", "joined", "behind", "alarmed"),
    [
        ("int *p = a; p[1] = 1;", JOIN, "", False),
        ("int *p = a; p[1] = 1;", "", JOIN, True),
        ("int *p = a; p[1] = 1;", "", "pthread_exit(0);", True),
    ],
)
def test_blocks_of_the_first_thread(
    work: str, joined: str, behind: str, alarmed: bool, tmp_path: Path
) -> None:
    file = tmp_path / "program.c"
    file.write_text(BLOCK % (work, "l[0] = 1;", joined, behind))
    program = load(Config.of(file, data_model="ILP32", property="valid-deref")).program
    certificate, alarms = accesses(program)
    assert bool(alarms) is alarmed
    if alarmed:
        with pytest.raises(Rejected):
            check_bounds(program, certificate)
    else:
        check_bounds(program, certificate)
