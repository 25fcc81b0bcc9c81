"""Barriers: threads that wait for one another access what the others have written. Each program
that is proved has wrong ones beside it. NOTE(phases-of-barriers), NOTE(bits-in-common)"""

from __future__ import annotations

import pytest

from tests.engines.templates.test_races import (
    accepted,
    certificate,
    check_that_nothing_is_accepted,
    loaded,
)
from tests.sampling import sample

HEAD = """
#include <pthread.h>
#define WAIT pthread_barrier_wait(&barrier);
pthread_barrier_t barrier;
int x, y, first, second;
"""


def two(one: str, other: str, main: str = "") -> str:
    """Two threads that meet at a barrier; what the first thread does besides."""
    return (
        f"{HEAD} void *one(void *a) {{ {one} return 0; }}\n"
        f"void *other(void *a) {{ {other} return 0; }}\n"
        "int main(void) { pthread_t t, u; pthread_barrier_init(&barrier, 0, 2);"
        "pthread_create(&t, 0, one, 0); pthread_create(&u, 0, other, 0);"
        f"{main} pthread_join(t, 0); pthread_join(u, 0); return 0; }}\n"
    )


ONCE = two("x = 1; WAIT first = y;", "y = 1; WAIT second = x;")
ROUNDS = two(
    "for (;;) { x = 1; WAIT first = y; WAIT }", "for (;;) { y = 1; WAIT second = x; WAIT }"
)
RIGHT = {"once": ONCE, "in rounds": ROUNDS}
WRONG = {
    "a barrier for one": (ONCE, "0, 2)", "0, 1)"),
    "one that does not wait": (ONCE, "y = 1; WAIT", "y = 1;"),
    "one more thread": (
        ONCE,
        "(&t, 0, one, 0);",
        "(&t, 0, one, 0), pthread_create(&t, 0, one, 0);",
    ),
    "the first thread, too": (ONCE, " pthread_join(t, 0);", "WAIT pthread_join(t, 0);"),
    "written behind it": (ONCE, "y = 1; WAIT", "WAIT y = 1;"),
    "a round that is left out": (ROUNDS, "y = 1; WAIT second = x;", "y = 1; WAIT WAIT second = x;"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_proved(name: str) -> None:
    assert accepted(loaded(RIGHT[name]), certificate(RIGHT[name]))


@pytest.mark.parametrize("name", sample(tuple(WRONG), 2, 1))
def test_nothing_is_accepted_of_what_is_wrong(name: str) -> None:
    """Neither what the engine finds, nor what is true of the right program, nor its mutants."""
    assert len(certificate(WRONG[name][0]).parts) == 1
    check_that_nothing_is_accepted(*WRONG[name], name)
