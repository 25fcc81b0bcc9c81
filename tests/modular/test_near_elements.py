"""Elements of arrays beside other members: what is moved by few bytes is in no other one.

Takes NOTE(near-elements) at its word: in each wrong program the index leaves the array, and the
access races.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.ir.expr import Expr
from abpress.ir.program import Program
from abpress.modular import memory
from abpress.modular.analysis import analyse
from abpress.modular.claims import claimed
from abpress.modular.pairs import pairs
from abpress.proof.modular import check_claims
from abpress.verify.load import load
from tests.modular import test_random_races
from tests.sampling import examples

TEXT = """
#include <pthread.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
struct queue { int before; int items[8]; int other; pthread_mutex_t lock; } q;
struct queue *p;
void *work(void *a) { WORK return 0; }
int main(void) {
  pthread_t t;
  pthread_mutex_init(&q.lock, 0);
  p = malloc(sizeof *p);
  if (!p) return 1;
  p->before = 0;
  p->other = 0;
  pthread_mutex_init(&p->lock, 0);
  pthread_create(&t, 0, work, 0);
  MAIN
  return 0;
}
"""
INDEX = "unsigned u = __VERIFIER_nondet_uint();"
SIGNED = "int i = __VERIFIER_nondet_int();"
LOCKED = "pthread_mutex_lock(&q.lock); q.other++; {} pthread_mutex_unlock(&q.lock);"
BESIDE = "q.before = 1; q.other = 1;"
CASES = {
    "by a rest": (INDEX + "q.items[u % 8] = 1;", BESIDE, "% 8", "% 9"),
    "by bits": (INDEX + "q.items[u & 7] = 1;", BESIDE, "& 7", "& 15"),
    "one behind": (INDEX + "q.items[u % 7 + 1] = 1;", BESIDE, "% 7", "% 8"),
    "without a sign": (INDEX + "q.items[u % 8] = 1;", BESIDE, "u % 8", "(int)u % 8"),
    "one before": (
        INDEX + "q.items[u % 8] = 1;",
        BESIDE,
        "q.items[u % 8]",
        "*(&q.items[0] - 1 + u % 8)",
    ),
    "back": (INDEX + "q.items[7 - (int)(u % 8)] = 1;", BESIDE, "7 -", "6 -"),
    "beside the lock": (
        INDEX + LOCKED.format("q.items[u % 8] = 1;"),
        LOCKED.format(INDEX + "q.items[u % 8]++;"),
        "q.items[u % 8] = 1; pthread_mutex_unlock(&q.lock);",
        "pthread_mutex_unlock(&q.lock); q.items[u % 8] = 1;",
    ),
    "on the heap": (
        INDEX + "p->items[u % 8] = 1;",
        BESIDE.replace("q.", "p->"),
        "% 8",
        "% 9",
    ),
}


SPREAD = memory._spread


def program_of(work: str, main: str, folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(TEXT.replace("WORK", work).replace("MAIN", main))
    return load(Config.of(file, property="no-data-race"), every_access=True).program


def alarms(program: Program) -> int:
    """The pairs of accesses that are not proved; if there are none, the proof is checked."""
    solution = analyse(program)
    assert solution is not None and not solution.doubts
    found = list(pairs(solution))
    left = sum(pair.alarm for pair in found)
    if not left:
        check_claims(program, claimed(solution, found))
    return left


@pytest.mark.parametrize("name", CASES)
def test_near_elements_are_no_other_members(name: str, tmp_path: Path) -> None:
    work, main, old, new = CASES[name]
    assert old in work
    assert not alarms(program_of(work, main, tmp_path))
    assert alarms(program_of(work.replace(old, new), main, tmp_path))


def test_numbers_that_wrap_around_are_far(tmp_path: Path) -> None:
    work = INDEX + "q.items[u % 8 - 1] = 1;"
    assert alarms(program_of(work, BESIDE, tmp_path))


def test_who_is_moved_before_is_anywhere(tmp_path: Path) -> None:
    work = INDEX + "int *r = q.items + u % 9; r[u % 8] = 1;"
    assert alarms(program_of(work, BESIDE, tmp_path))


def test_how_far_it_is_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a race is proved not to be there."""

    def nowhere_else(address: Expr) -> tuple[Expr, int, int]:
        base, *_ = SPREAD(address)
        return base, 0, 0

    work, main, old, new = CASES["by a rest"]
    monkeypatch.setattr(memory, "_spread", nowhere_else)
    assert not alarms(program_of(work.replace(old, new), main, tmp_path))


HEAD_OF_FEW = """
#include <pthread.h>
#include <stdlib.h>
_Bool __VERIFIER_nondet_bool(void);
struct queue { int before; int items[4]; int other; pthread_mutex_t lock; } two[2];
struct queue q = {.lock = PTHREAD_MUTEX_INITIALIZER}, *p = &q;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t t;
"""
FOUND = "unsigned u = __VERIFIER_nondet_bool() + 3 * __VERIFIER_nondet_bool(), k = u;"
NEAR = ("u % 4", "u & 3", "u % 3 + 1", "3 - (int)(u % 4)", "(int)u % 4", "u % 2 + (k & 1)")
FAR = (
    "u",
    "u % 5",
    "u & 7",
    "u % 4 + 1",
    "u % 4 - 1",
    "u % 4 + (k & 1)",
    "2 - (int)(u % 4)",
    "-(int)(u % 4)",
    "(int)u % 5 - 1",
    "(int)(u % 3) - (int)(k % 2)",
)
PLACES = (
    "{0}.items[{1}]",
    "{0}.items[{1}]",
    "(*({0}.items + ({1})))",
    "(*(&{0}.items[1] - 1 + ({1})))",
    "(*(&{0}.before + 1 + ({1})))",
    "(*(&{0}.other - 4 + ({1})))",
)


@st.composite
def _accesses(draw: st.DrawFn, kinds: str) -> str:
    """Accesses of a thread to elements (`e`), or to members beside them (`b`), some with a lock."""
    found = []
    for _ in range(draw(st.integers(1, 2))):
        base = draw(st.sampled_from(("q", "q", "(*p)", "two[1]", "two[k & 1]")))
        place = base + draw(st.sampled_from((".before", ".other")))
        if draw(st.sampled_from(kinds)) == "e":
            index = draw(st.sampled_from((*NEAR, *NEAR, *FAR)))
            place = draw(st.sampled_from(PLACES)).format(base, index)
        text = draw(st.sampled_from(("{} = 1;", "{}++;", "{{ int s = {}; }}"))).format(place)
        if not draw(st.integers(0, 3)):
            lock = draw(st.sampled_from(("m", "m", "q.lock", "p->lock")))
            text = f"pthread_mutex_lock(&{lock}); {text} pthread_mutex_unlock(&{lock});"
        found.append(text)
    return " ".join(found)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Programs of which one thread uses the elements of an array, mostly, and the other one what is
    beside it."""
    first, second = draw(st.sampled_from((("e", "b"), ("e", "b"), ("eb", "eb"))))
    made = "p = malloc(sizeof *p); if (!p) return 1; p->before = p->other = 0;"
    made += " pthread_mutex_init(&p->lock, 0);"
    return (
        f"{HEAD_OF_FEW}void *f(void *a) {{ {FOUND} {draw(_accesses(first))} return 0; }}\n"
        f"int main(void) {{\n  {draw(st.sampled_from(('', made)))}\n"
        f"  pthread_create(&t, 0, f, 0);\n  {FOUND} {draw(_accesses(second))}\n  return 0;\n}}\n"
    )


@settings(max_examples=examples(1, whole=20), deadline=None)
@given(texts())
def test_no_race_is_found_in_what_is_proved(tmp_path_factory, text: str) -> None:
    test_random_races.compared(tmp_path_factory.mktemp("near") / "program.c", text)
