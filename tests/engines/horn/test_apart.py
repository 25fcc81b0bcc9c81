"""A solver in a process of its own ends by what it has used, and not by the clock."""

from __future__ import annotations

import sys
from itertools import count

import pytest

from abpress.engines.horn import apart
from abpress.engines.horn.apart import solve_apart
from abpress.ir.expr import Reg, Variable
from abpress.ir.types import IntType
from abpress.logic.formula import parse_formula
from abpress.search.processor import processor_time
from abpress.smt.clauses import Clause, Invariants, Solved, Unsolved

X: tuple[Variable, ...] = (Reg("x", IntType(32, True)),)
SOLVED = Invariants((parse_formula("x:i32 == 0"),))
SECONDS = 0.1
OVER = Unsolved("Spacer's time is over")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the time of others is not told")


def solved() -> Solved:
    clauses = Clause(None, 0, X_IS_0, {}), Clause(0, None, X_IS_1, {})
    return solve_apart([X], clauses, SECONDS, None, lambda: False)


X_IS_0, X_IS_1 = (parse_formula("x:i32 == 0"),), (parse_formula("x:i32 == 1"),)


def at_work(*_: object) -> Solved:
    end = processor_time() + 0.25
    while processor_time() < end:
        pass
    return SOLVED


def for_ever(*_: object) -> Solved:
    while True:
        pass


@pytest.mark.parametrize(("slower", "answer"), [(3.0, SOLVED), (5.0, OVER)])
def test_a_busy_machine_comes_as_far_unless_it_is_much_slower(
    slower: float, answer: Solved, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = count()
    most = SECONDS + apart._GRACE
    monkeypatch.setattr(apart, "monotonic", lambda: slower * most * min(1, next(late)))
    monkeypatch.setattr(apart, "solve", at_work)
    assert solved() == answer


def test_what_does_not_end_is_ended_by_its_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "monotonic", lambda: 0.0)
    monkeypatch.setattr(apart, "solve", for_ever)
    begun = processor_time()
    assert solved() == OVER
    assert processor_time() - begun >= SECONDS + apart._GRACE
