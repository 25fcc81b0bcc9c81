"""Which steps may be undefined by what they compute: NOTE(defined-errors)."""

from __future__ import annotations

import pytest

from abpress.ir.expr import Expr, Reg
from abpress.ir.intervals import Interval
from abpress.modular.definedness import doubtful
from tests.engines.programs import MAIN_RETURNS, code, program


@pytest.mark.parametrize(
    ("effects", "is_doubtful"),
    [
        ("p := ptr4(i)", False),
        ("p := ptr4(k)", True),
        ("k := 1; p := ptr4(i)", False),
        ("i := k; p := ptr4(i)", True),
        ("p := ptr4(i); i := k", False),
        ('i := any "in"; p := ptr4(i)', True),
        ("p := ptr4(i); i := k; q := ptr4(i)", True),
        ("k := 1 / i", True),
        ("k := 1 << i; i := 1 << i", False),
        ("i := 1 << i; k := 1 << i", True),
    ],
)
def test_values_are_those_before_the_edge(effects: str, is_doubtful: bool) -> None:
    """Of `i` it is known that it is one of 0, …, 5 before the edge, and of nothing else."""
    its = {"i": "i32", "k": "i32", "p": "ptr4", "q": "ptr4"}
    small = program(code("main", effects, MAIN_RETURNS, **its))

    def values(template: str, location: int, e: Expr) -> Interval | None:
        return (0, 5) if isinstance(e, Reg) and e.name == "i" else None

    found = tuple(doubtful(small, [("main", 0)], values))
    assert found == ((("main", 0, 0),) if is_doubtful else ())
