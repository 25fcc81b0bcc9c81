"""Numbers of executions of known programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.explore.executions import ExecutionStatistics
from abpress.explore.stateless import explore_executions
from abpress.ir.program import Program
from abpress.por.stateless import ALGORITHMS
from abpress.properties import PROPERTIES
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load
from tests.explore.trace_count_programs import COUNTS, independent, lastzero, philosophers
from tests.strategies.ir_programs import permuted_threads

Family = Callable[[int], str]
CASES = pytest.mark.parametrize(
    ("family", "n", "count"),
    [(family, n, count) for (family, n), count in COUNTS.items()],
    ids=[f"{family.__name__}-{n}" for family, n in COUNTS],
)


def program(family: Family, n: int, folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(family(n), encoding="utf-8")
    return load(Config(file), every_access=True).program


def explored(program: Program, algorithm: str) -> ExecutionStatistics:
    interpreter = Interpreter(program)
    outcome = explore_executions(
        interpreter, ALGORITHMS[algorithm].make(), PROPERTIES["no-deadlock"], keep_going=True
    )
    assert outcome.exhausted
    assert interpreter.soundness.complete
    return outcome.statistics


@CASES
def test_optimal_explores_every_class_once(
    family: Family, n: int, count: int, tmp_path: Path
) -> None:
    p = program(family, n, tmp_path)
    for its in (p, permuted_threads(p)):
        statistics = explored(its, "optimal")
        assert statistics.executions == statistics.complete + statistics.deadlocked == count


@CASES
@pytest.mark.parametrize("algorithm", ["persistent", "source"])
def test_others_complete_as_many(
    algorithm: str, family: Family, n: int, count: int, tmp_path: Path
) -> None:
    statistics = explored(program(family, n, tmp_path), algorithm)
    assert statistics.complete + statistics.deadlocked == count
    assert statistics.executions == count + statistics.sleep_set_blocked


@pytest.mark.parametrize(("n", "blocked"), [(3, 1), (4, 7), (5, 33), (6, 131)])
def test_source_sets_are_blocked_as_often_as_in_the_thesis(
    n: int, blocked: int, tmp_path: Path
) -> None:
    assert explored(program(lastzero, n, tmp_path), "source").sleep_set_blocked == blocked


@pytest.mark.parametrize("n", [2, 3, 4])
def test_philosophers_deadlock_once(n: int, tmp_path: Path) -> None:
    p = program(philosophers, n, tmp_path)
    assert [explored(p, a).deadlocked for a in ("persistent", "source", "optimal")] == [1, 1, 1]


def test_without_reduction_orders_of_independent_threads_count(tmp_path: Path) -> None:
    p = program(independent, 2, tmp_path)
    assert explored(p, "none").complete > 1
    assert explored(p, "sleep").complete == 1
