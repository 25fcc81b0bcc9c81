"""Tracked objects: when they get tracked, and how attempts with and without alternate."""

from __future__ import annotations

from math import inf

from abpress.engines.abpress.precision import (
    FIRST_BUDGET,
    MOST_FORMULAS,
    MOST_VALUES,
    Precision,
    enumerated,
)
from abpress.ir.expr import Compare, Const, Reg
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, holds
from tests.engines.programs import INT, code, main, program

I32 = IntType(32, True)
PROGRAM = program(main(), code("unused", "x := 0", "x := 1 -> L0", x="i32"), a=INT, b=INT)


def about(name: str, numbers: int, relation: str = "==") -> list[Formula]:
    """That a cell, or register, has each of so many values."""
    return [holds(Compare(relation, Reg(name, I32), Const(n, I32))) for n in range(numbers)]


def test_many_values_of_a_cell_are_enumerated() -> None:
    assert enumerated(about("a@0", MOST_VALUES), PROGRAM) == frozenset()
    assert enumerated(about("a@0", MOST_VALUES + 1), PROGRAM) == {"a"}
    assert enumerated(about("a@0", MOST_VALUES + 1, "<"), PROGRAM) == frozenset()
    assert enumerated(about("a@0", MOST_FORMULAS + 1, "<"), PROGRAM) == {"a"}


def test_registers_and_arrays_are_not_enumerated() -> None:
    for name in ("main:a", "a@[i32]"):
        assert enumerated(about(name, 2 * MOST_FORMULAS), PROGRAM) == frozenset()


def refined(precision: Precision, name: str, work: int = 0, inputs: bool = False) -> bool:
    interpolants = about(f"{name}@0", MOST_VALUES + 1)
    return precision.refine(interpolants, interpolants, work, lambda name: inputs)


def test_the_first_refinement_begins_anew_with_tracked_objects() -> None:
    precision = Precision(PROGRAM)
    assert not precision.objects
    assert not refined(precision, "a", inputs=True)
    assert refined(precision, "a")
    assert precision.objects == {"a"} and precision.budget == FIRST_BUDGET
    assert not refined(precision, "a")
    assert refined(precision, "b") and precision.objects == {"a", "b"}


def test_attempts_alternate_with_growing_budgets() -> None:
    precision = Precision(PROGRAM)
    assert not precision.alternate((), 10**9) and precision.budget == inf
    assert refined(precision, "a", work=3 * FIRST_BUDGET)
    kept = precision.formulas
    assert not precision.alternate((), 3 * FIRST_BUDGET)
    assert precision.alternate((), 3 * FIRST_BUDGET + 1)
    assert not precision.objects and precision.budget == 6 * FIRST_BUDGET
    assert precision.formulas == kept and kept
    assert not refined(precision, "b")  # noted for the attempt that tracks
    formulas = about("b@0", 1)
    assert precision.alternate(formulas, 10 * FIRST_BUDGET)
    assert precision.objects == {"a", "b"} and precision.formulas == tuple(formulas)
