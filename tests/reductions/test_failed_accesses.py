"""NOTE(failed-accesses): accesses that succeed in one order of the threads, and fail in another."""

from __future__ import annotations

import pytest

from abpress.ir.program import Program
from abpress.reductions.table import STATELESS
from abpress.search.stateless import explore_executions
from abpress.semantics.interpreter import Interpreter
from tests.engines.programs import INT, THREAD_ENDS, code, program
from tests.strategies.questions import ANY_ERROR

MET = 'fail "unreach-call" "met"'
MAKES = ('p := alloc 1 {4: 0 i32} zeroed "malloc"', "*&q := p")
FREES = ("p := *&q", "free p")

ORDERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "load, freed": (FREES, ("p := *&q", "r := *p")),
    "store, freed": (FREES, ("p := *&q", "*p := 1")),
    "copied from, freed": (FREES, ("p := *&q", "copy *&x := *p, 4")),
    "copied to, freed": (FREES, ("p := *&q", "copy *p := *&x, 4")),
    "free, freed": (FREES, ("p := *&q", "free p")),
    "load, written in part": (("*&bytes := 1u8",), ("h := *&bytes",)),
}
"""What one thread does; what another does, which fails in one order and errs in the other."""


def made(order: str, spoiler_first: bool) -> Program:
    """The program of both threads."""
    spoils, attempts = ORDERS[order]
    registers = {"p": "ptr4", "r": "i32", "h": "u16", "c": "u32"}
    names = ("spoiler", "attempter") if spoiler_first else ("attempter", "spoiler")
    return program(
        code(
            "main",
            *MAKES,
            *(f"c := spawn {name} 0ptr4" for name in names),
            THREAD_ENDS,
            **registers,
        ),
        code("spoiler", *spoils, THREAD_ENDS, **registers),
        code("attempter", *attempts, MET, **registers),
        q="{4: 0 ptr4} = 0ptr4",
        x=INT,
        bytes="{2: 0 u8, 1 u8} = ?, ?",
    )


@pytest.mark.parametrize("spoiler_first", [True, False], ids=["spoiled first", "attempted first"])
@pytest.mark.parametrize("order", ORDERS)
def test_both_orders_are_met(order: str, spoiler_first: bool) -> None:
    interpreter = Interpreter(made(order, spoiler_first))
    for name, row in STATELESS.items():
        explored = explore_executions(interpreter, row.make(), ANY_ERROR)
        assert explored.found, name
    assert interpreter.soundness.reasons or not spoiler_first
