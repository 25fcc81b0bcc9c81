"""Whether a thread may end in a routine of `pthread_once`: what a routine may come to."""

from __future__ import annotations

import pytest
from pycparser import CParser

from abpress_frontend.lower.once import may_be_left

USED = frozenset({"pthread_once", "pthread_exit", "puts", "qsort"})
CALLED = """
typedef int pthread_once_t;
pthread_once_t o;
int n;
void (*p)(void);
void ends(void) { pthread_exit(0); }
void puts_it(void) { puts("it"); n++; }
void routine(void) { %s }
void *work(void *a) { pthread_once(&o, %s); pthread_exit(0); }
int main(void) { work(0); ends(); }
"""


def is_left(body: str, routine: str = "routine", used: frozenset[str] = USED) -> bool:
    return may_be_left(CParser().parse(CALLED % (body, routine)), used, False)


@pytest.mark.parametrize("body", ["n++;", "puts_it();", "if (n) puts_it(); else routine();"])
def test_who_comes_to_no_end_is_not_left(body: str) -> None:
    assert not is_left(body)
    assert not is_left(body, "&routine")


@pytest.mark.parametrize(
    "body",
    ["ends();", "if (n) pthread_exit(0);", "p();", "p = ends;", "work(0);", "qsort(ends);"],
)
def test_who_may_come_to_one_is_left(body: str) -> None:
    assert is_left(body)


@pytest.mark.parametrize("routine", ["p", "n ? routine : ends", "somewhere", "ends"])
def test_routines_that_are_not_known_are_left(routine: str) -> None:
    assert is_left("n++;", routine)


def test_who_is_cancelled_leaves_routines() -> None:
    assert is_left("n++;", used=USED | {"pthread_cancel"})
    assert not is_left("ends();", used=USED - {"pthread_exit"})
    assert not is_left("ends();", used=USED - {"pthread_once"})


def test_handlers_of_signals_and_other_names_of_the_function_may_leave_them() -> None:
    ast = CParser().parse(CALLED % ("n++;", "routine"))
    assert may_be_left(ast, USED, True)
    renamed = (CALLED % ("n++;", "routine")).replace("work(0);", "q = pthread_once;")
    assert may_be_left(CParser().parse(renamed), USED, False)
