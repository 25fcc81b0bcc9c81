"""Paths about arrays: what is feasible, and interpolants that satisfy the laws."""

from __future__ import annotations

from dataclasses import replace

import pytest

from abpress.ir.expr import ArrayReg, Binary, Compare, Const, Convert, Filled, Reg, Select, Update
from abpress.ir.types import INDEX, INT
from abpress.itp.laws import check_sequence
from abpress.itp.methods import METHODS
from abpress.itp.path import Feasible, Infeasible, Path, feasibility
from abpress.logic.formula import Formula, holds, same_array
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import Input
from tests.itp.test_interpolants import step

PROVERS = {name: Prover(name) for name in ("int", "bv")}
A = ArrayReg("a@[i32]", INT)
I, J, X = Reg("main:i", INT), Reg("main:j", INT), Reg("x", INT)
ZEROS = same_array(A, Filled(0, (), INT))
ANY_INDEX = Input("in", INT, "index", 0, 99)


def at(r: Reg) -> Convert:
    return Convert(r, INDEX)


def is_number(e: Select, n: int) -> Formula:
    return holds(Compare("==", e, Const(n, INT)))


def written(r: Reg, n: int) -> Update:
    return Update(A, at(r), Const(n, INT))


def with_updates(**updates: object) -> dict[str, object]:
    names = {"a": A.name, "i": I.name, "j": J.name}
    return {names[name]: e for name, e in updates.items()}


def paths() -> dict[str, tuple[Path, set[str]]]:
    """Paths with the methods that find interpolants, at least; none: it is feasible."""
    chosen = Reg("in", INT)
    range_of_index = (
        holds(Compare(">=", chosen, Const(0, INT))),
        holds(Compare("<=", chosen, Const(99, INT))),
    )
    different = holds(Compare("!=", I, J))
    choose_i = replace(step(*range_of_index, inputs=(ANY_INDEX,)), updates=with_updates(i=chosen))
    choose_j = replace(step(*range_of_index, inputs=(ANY_INDEX,)), updates=with_updates(j=chosen))
    write_i = replace(step(), updates=with_updates(a=written(I, 5)))
    write_j = replace(step(), updates=with_updates(a=written(J, 6)))
    fresh = ArrayReg("any@[i32]", INT)
    begin = replace(step(), updates=with_updates(a=fresh), arrays=(fresh,))
    one_more = Update(A, at(I), Binary("+", Select(A, at(I)), Const(1, INT)))
    count_i = replace(step(), updates=with_updates(a=one_more))
    read_i, read_j = Select(A, at(I)), Select(A, at(J))
    negative = holds(Compare("<", read_j, Const(0, INT)))
    few = holds(Compare("<=", read_i, Const(7, INT)))
    wrong_i = holds(Compare("!=", read_i, Const(5, INT)))
    return {
        "read over write": (
            Path((), (choose_i, choose_j, write_i, write_j, step(different, wrong_i))),
            {"wp"},
        ),
        "maybe the same": (Path((), (choose_i, choose_j, write_i, write_j, step(wrong_i))), set()),
        "arbitrary contents": (
            Path((), (choose_i, begin, step(is_number(read_i, 1)), step(is_number(read_i, 2)))),
            {"wp"},
        ),
        "arbitrary again": (
            Path((), (choose_i, begin, step(is_number(read_i, 1)), begin, step(wrong_i))),
            set(),
        ),
        "all are zero": (
            Path((ZEROS,), (choose_j, step(negative))),
            {"meeting", "sp"},
        ),
        "none is negative": (
            Path((ZEROS,), (choose_j, choose_i, step(few), count_i, step(negative))),
            {"meeting"},
        ),
    }


@pytest.mark.parametrize("encoding", PROVERS)
@pytest.mark.parametrize("name", paths())
def test_interpolants(name: str, encoding: str) -> None:
    path, wanted = paths()[name]
    prover = PROVERS[encoding]
    answer = feasibility(prover, path)
    assert isinstance(answer, Infeasible if wanted else Feasible)
    if isinstance(answer, Infeasible):
        found = {n: m(prover, path, answer.core) for n, m in METHODS.items()}
        for method, interpolants in found.items():
            if interpolants is not None:
                assert check_sequence(prover, path, interpolants) == [], method
        assert wanted <= {method for method, itps in found.items() if itps is not None}


@pytest.mark.parametrize("encoding", PROVERS)
def test_what_is_read_has_a_value_in_the_model(encoding: str) -> None:
    """An input that is chosen by a load is what the array has there."""
    late = Input("late", INT, "uninitialised", INT.minimum, INT.maximum, Select(A, at(I)), 0)
    fresh = ArrayReg("any@[i32]", INT)
    begin = replace(step(), updates=with_updates(a=fresh), arrays=(fresh,))
    load = replace(step(inputs=(late,)), updates={"x": Select(A, at(I))})
    seventeen = holds(Compare("==", X, Const(17, INT)))
    answer = feasibility(PROVERS[encoding], Path((), (begin, load, step(seventeen))))
    assert isinstance(answer, Feasible)
    assert answer.inputs[1] == {"late": 17}
