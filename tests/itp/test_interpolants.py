"""Feasibility against enumeration of all inputs; interpolants against their laws."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from abpress.ir.expr import Binary, Compare, Const, Reg
from abpress.ir.types import INT, IntType
from abpress.itp.laws import check_sequence
from abpress.itp.methods import METHODS
from abpress.itp.path import Feasible, Infeasible, Path, feasibility
from abpress.logic.formula import TRUE, Formula, conj, holds
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import Input, SymbolicStep
from tests.sampling import examples
from tests.strategies.symbolic_paths import NOWHERE, executions, paths

U32 = IntType(32, False)
RLIMIT = 5_000_000
SUCCESS = {"wp": 1.0, "sp": 0.8, "cubes": 0.75, "meeting": 0.0}
"""In how many of the random infeasible paths each method finds interpolants, at least. (One is for
paths about arrays only.)"""
PROVERS = {name: Prover(name, RLIMIT) for name in ("int", "bv")}


def step(*guard: Formula, inputs: tuple[Input, ...] = (), **updates: object) -> SymbolicStep:
    named = {name.replace("_", "@"): e for name, e in updates.items()}
    return SymbolicStep(
        1,
        (),
        guard,
        named,
        inputs,
        frozenset(),
        NOWHERE,
        frozenset(),
        frozenset(),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("encoding", PROVERS)
@settings(max_examples=examples(40, whole=100), derandomize=True, deadline=None, database=None)
@given(path=paths())
def test_feasibility_of_random_paths(encoding: str, path: Path) -> None:
    answer = feasibility(PROVERS[encoding], path)
    assert isinstance(answer, Feasible if executions(path) else Infeasible)


@pytest.mark.parametrize("encoding", PROVERS)
@pytest.mark.parametrize("method", METHODS)
def test_interpolants_of_random_paths(method: str, encoding: str) -> None:
    """What a method finds satisfies the laws; and it finds something often enough."""
    prover = PROVERS[encoding]
    found = infeasible = 0

    @settings(max_examples=examples(40, whole=100), derandomize=True, deadline=None, database=None)
    @given(path=paths())
    def check(path: Path) -> None:
        nonlocal found, infeasible
        answer = feasibility(prover, path)
        if isinstance(answer, Infeasible):
            infeasible += 1
            interpolants = METHODS[method](prover, path, answer.core)
            if interpolants is not None:
                found += 1
                assert check_sequence(prover, path, interpolants) == []

    check()
    assert infeasible > 15
    assert found >= SUCCESS[method] * infeasible, f"{found} of {infeasible}"


@pytest.mark.parametrize("encoding", PROVERS)
def test_an_input_is_eliminated(encoding: str) -> None:
    """Below the maximum, a level is raised by any amount that fits: the level stays there."""
    prover = PROVERS[encoding]
    level, amount, most = Reg("level@0", U32), Reg("in", U32), Const(1000, U32)
    fits = holds(Compare("<=", amount, Binary("-", most, level)))
    any_amount = Input("in", U32, "amount", 0, U32.maximum)
    raised = Binary("+", level, amount)
    steps = (
        step(level_0=most),
        step(fits, inputs=(any_amount,), level_0=raised),
        step(holds(Compare(">", level, most))),
    )
    path = Path((), steps)
    answer = feasibility(prover, path)
    assert isinstance(answer, Infeasible)
    found = METHODS["wp"](prover, path, answer.core)
    assert found is not None
    assert check_sequence(prover, path, found) == []
    below = holds(Compare("<=", level, most))
    assert prover.entails((below,), found[1]) is Answer.YES


def test_the_core_leaves_out_what_is_not_needed() -> None:
    x, y = Reg("a@0", INT), Reg("b@0", INT)
    first = holds(Compare("==", y, Const(3, INT)))
    path = Path(
        (holds(Compare("==", x, Const(0, INT))), first),
        (
            step(first),
            step(holds(Compare("<", y, Const(9, INT)))),
            step(holds(Compare("==", x, Const(1, INT)))),
        ),
    )
    answer = feasibility(PROVERS["int"], path)
    assert isinstance(answer, Infeasible)
    assert conj(answer.core.facts) is path.facts[0]
    assert [len(g) for g in answer.core.guards] == [0, 0, 1]


def test_the_laws_reject_wrong_sequences() -> None:
    x = Reg("a@0", INT)
    zero, one = (holds(Compare("==", x, Const(n, INT))) for n in (0, 1))
    path = Path((zero,), (step(a_0=Const(1, INT)), step(zero)))
    answer = feasibility(PROVERS["int"], path)
    assert isinstance(answer, Infeasible)
    good = METHODS["wp"](PROVERS["int"], path, answer.core)
    assert good is not None
    assert check_sequence(PROVERS["int"], path, good) == []
    false = good[-1]
    assert check_sequence(PROVERS["int"], path, (one, one, false)) != []
    assert check_sequence(PROVERS["int"], path, (TRUE, zero, false)) != []
    assert check_sequence(PROVERS["int"], path, (TRUE, TRUE, false)) != []
    assert check_sequence(PROVERS["int"], path, (TRUE, one, one)) != []
    assert check_sequence(PROVERS["int"], path, (TRUE, one)) != []
    strange = holds(Compare("==", Reg("z@0", INT), Reg("z@0", INT)))
    assert strange is TRUE


def test_an_input_whose_range_alone_excludes_the_path() -> None:
    a, few = Reg("a@0", INT), Reg("few", INT)
    bounds = holds(Compare(">=", few, Const(0, INT))), holds(Compare("<=", few, Const(3, INT)))
    steps = (
        step(*bounds, inputs=(Input("few", INT, "few", 0, 3),), a_0=few),
        step(holds(Compare(">", a, Const(3, INT)))),
    )
    path = Path((), steps)
    answer = feasibility(PROVERS["int"], path)
    assert isinstance(answer, Infeasible)
    found = METHODS["wp"](PROVERS["int"], path, answer.core)
    assert found is not None
    assert check_sequence(PROVERS["int"], path, found) == []
    assert found[0] is TRUE
