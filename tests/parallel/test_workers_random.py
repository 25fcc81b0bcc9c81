"""Random programs: workers that share a tree explore together what one search explores, under any
timing; and they do not if a rule of NOTE(parallel-branches) is left out."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.reductions.table import STATELESS
from abpress.search.handover import NameOrdered
from abpress.search.limits import StopReason
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics
from tests.parallel.schedule import Class, class_of, explored
from tests.strategies.ir_programs import Features, programs
from tests.strategies.questions import ANY_ERROR

EXAMPLES = int(os.environ.get("ABPRESS_PARALLEL_EXAMPLES", "25"))

MOST_EVENTS = 1_000
"""Programs with more events, in one search, are not compared."""

SHARED = [name for name, entry in STATELESS.items() if entry.shared]

CERTAIN = Features(inputs=False, threads=3, statements=4)
ANYTHING = Features(threads=2, statements=4)


def alone(program: Program, algorithm: str) -> tuple[ExecutionStatistics, list[Class], set[str]]:
    """What one search explores; it must not be too much."""
    system = NameOrdered(program)
    classes: list[Class] = []

    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        return StopReason("events", "") if statistics.events > MOST_EVENTS else None

    hooks = Hooks(poll, on_execution=lambda events: classes.append(class_of(system, events)))
    found = explore_executions(
        system, STATELESS[algorithm].make(), ANY_ERROR, keep_going=True, hooks=hooks
    )
    assume(found.exhausted)
    return found.statistics, classes, {f.finding.message for f in found.found}


def compare(
    program: Program, algorithm: str, workers: int, seeds: range, death: float = 0.0
) -> None:
    """Raises UnsatisfiedAssumption if one search explores too much."""
    statistics, classes, errors = alone(program, algorithm)
    for seed in seeds:
        together = explored(program, algorithm, workers, seed, ANY_ERROR, death)
        shown = f"{algorithm}, {workers} workers, seed {seed}\n{format_program(program)}"
        assert set(together.classes) == set(classes), shown
        assert together.errors == errors, shown
        assert Counter(together.classes) == Counter(classes), shown
        assert together.done.complete == statistics.complete, shown
        assert together.done.deadlocked == statistics.deadlocked, shown
        if together.certain and STATELESS[algorithm].optimal:
            assert together.done.sleep_set_blocked == 0, shown


TIMINGS = 3


def check(drawn: tuple[Program, int, int]) -> bool:
    """All algorithms, in several timings; False if the program is too large for one of them."""
    program, workers, seed = drawn
    try:
        for algorithm in SHARED:
            compare(program, algorithm, workers, range(seed, seed + TIMINGS))
            compare(program, algorithm, workers, range(seed, seed + 1), death=0.002)
    except UnsatisfiedAssumption:
        return False
    return True


DRAWN = st.tuples(
    programs(CERTAIN) | programs(ANYTHING), st.integers(2, 4), st.integers(0, 1 << 16)
)


@pytest.mark.parametrize("algorithm", SHARED)
@settings(max_examples=EXAMPLES, deadline=None)
@given(programs(CERTAIN), st.integers(2, 4), st.integers(0, 1 << 16))
def test_every_class_once(algorithm: str, program: Program, workers: int, seed: int) -> None:
    compare(program, algorithm, workers, range(seed, seed + 1))


@pytest.mark.parametrize("algorithm", SHARED)
@settings(max_examples=EXAMPLES, deadline=None)
@given(programs(ANYTHING), st.integers(2, 4), st.integers(0, 1 << 16))
def test_with_choices_every_class(
    algorithm: str, program: Program, workers: int, seed: int
) -> None:
    compare(program, algorithm, workers, range(seed, seed + 1))
