"""What dynamic reductions look at behind states that were visited: each program differs, by its
states or by what is looked at, where the core leaves something out that no other test needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.core.build import find_compiler
from abpress.ir.program import Program
from tests.core.comparison import compare
from tests.engines.programs import INT, THREAD_ENDS, code, main, program

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


def threads(*bodies: tuple[str, ...]) -> Program:
    """Threads that nobody joins, and three cells."""
    named = {f"t{k}": body for k, body in enumerate(bodies)}
    return program(
        main(*named, join=False, end=THREAD_ENDS),
        *(code(name, *body, r="i32") for name, body in named.items()),
        x=INT,
        y=INT,
        z=INT,
    )


MANY = threads(
    ("*&y := 1", "*&x := 1", "r := *&y", THREAD_ENDS),
    ("*&x := 0", "r := *&y", "*&x := 1", "*&z := 1", THREAD_ENDS),
    ("r := *&z", "*&x := 0", "*&y := 0", THREAD_ENDS),
    ("r := *&x", "r := *&x", THREAD_ENDS),
)
"""Behind a step there are so many states that their order counts."""

SOURCE = threads(
    ("*&x := 1 -> L1\n *&x := 0 -> L1", "r := *&y", THREAD_ENDS),
    (
        "r := *&x",
        "when r == 0 -> L2\n when r != 0 -> L10",
        *(f"*&y := {k}" for k in (1, 2, 3, 4, 5, 6, 0)),
        "*&x := 1 -> L0",
        "*&z := 2",
        THREAD_ENDS,
    ),
    ("*&z := 1", THREAD_ENDS),
)
"""A step leads to two states, and long ways from one of them to the other."""

CIRCLES = threads(
    ("*&z := 0", "*&x := 1", "r := *&y", "-> L1"),
    ("*&y := 0", "r := *&y", "*&x := 1", "r := *&z", "-> L0"),
)
"""What follows a state on a circle interferes with a step before it: NOTE(hybrid-match)."""


@pytest.mark.parametrize(
    ("its", "por"),
    [(MANY, "dl-s-por+hb"), (SOURCE, "dl-s-por+hb"), (CIRCLES, "hybrid")],
    ids=["many", "source", "circles"],
)
def test_what_is_behind_states(its: Program, por: str) -> None:
    assert compare(its, Config.of(Path(), por=por, keep_going=True)) == "same"
