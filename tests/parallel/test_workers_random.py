"""Random programs: workers that share a tree explore together what one search explores, under any
timing; and they do not if a rule of NOTE(parallel-branches) is left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.properties import Preserved
from abpress.reductions.table import STATELESS
from abpress.relations.happens_before import Event
from abpress.search.handover import NameOrdered
from abpress.search.limits import StopReason
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics
from tests.parallel.deaths import Compared, compared
from tests.parallel.schedule import (
    Class,
    Final,
    Scheduler,
    cell_of,
    class_of,
    explored,
    final_of,
)
from tests.sampling import examples
from tests.strategies.ir_programs import Features, programs
from tests.strategies.ir_writers import writing_programs
from tests.strategies.questions import ANY_ERROR

EXAMPLES = examples(3, whole=25)

MOST_EVENTS = 1_000
"""Programs with more events, in one search, are not compared."""

SHARED = [name for name, entry in STATELESS.items() if entry.shared]

CERTAIN = Features(inputs=False, threads=3, statements=4)
ANYTHING = Features(threads=2, statements=4)

PLAIN = {
    "context-sensitive": "source",
    "optimal-context-sensitive": "optimal",
    "optimal-cs-observers": "observers",
}
"""Algorithms that remember states, and what they are without that."""


@dataclass(slots=True)
class Seen:
    """What one search explores. `contested` are cells that several threads write."""

    statistics: ExecutionStatistics
    classes: list[Class]
    errors: set[str]
    finals: set[Final]
    contested: set[str]


def alone(program: Program, algorithm: str) -> Seen:
    """What one search explores; it must not be too much."""
    system = NameOrdered(program)
    classes: list[Class] = []
    finals: set[Final] = set()
    writers: dict[str, set[int]] = {}

    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        return StopReason("events", "") if statistics.events > MOST_EVENTS else None

    def execution(events: list[Event]) -> None:
        classes.append(class_of(system, algorithm, events))
        for event in events:
            for key in event.access.writes:
                if key >= 0:
                    writers.setdefault(cell_of(system, key), set()).add(event.thread)

    found = explore_executions(
        system,
        STATELESS[algorithm].make(),
        ANY_ERROR,
        keep_going=True,
        hooks=Hooks(
            poll,
            on_final=lambda state, end: finals.add(final_of(system, state, end)),
            on_execution=execution,
            on_restart=classes.clear,
        ),
    )
    if not found.exhausted:
        raise UnsatisfiedAssumption
    errors = {f.finding.message for f in found.found}
    contested = {cell for cell, threads in writers.items() if len(threads) > 1}
    return Seen(found.statistics, classes, errors, finals, contested)


def observable(finals: set[Final], contested: set[str]) -> set[Final]:
    """Ends but for what these cells hold."""
    return {
        (tuple((cell, value) for cell, value in cells if cell not in contested), rest, end)
        for cells, rest, end in finals
    }


def agrees(algorithm: str, found: Seen, together: Scheduler, shown: str) -> None:
    """Whether several searches say what one says."""
    entry = STATELESS[algorithm]
    classes = set(together.classes)
    assert together.errors == found.errors, shown
    if entry.preserves.includes(Preserved.FINAL_STATES):
        assert together.finals == found.finals, shown
    else:
        both = (
            observable(together.finals, found.contested),
            observable(found.finals, found.contested),
        )
        assert both[0] == both[1], shown
    if algorithm in PLAIN:
        assert classes <= set(found.classes), shown
        if together.met.certain:
            assert len(together.classes) == len(classes), shown
        return
    assert classes == set(found.classes), shown
    if together.met.certain or entry.preserves.includes(Preserved.TRACES):
        assert Counter(together.classes) == Counter(found.classes), shown
        assert together.done.complete == found.statistics.complete, shown
        assert together.done.deadlocked == found.statistics.deadlocked, shown
    if together.met.certain and entry.optimal:
        assert together.done.sleep_set_blocked == 0, shown


def compare(
    program: Program, algorithm: str, workers: int, seeds: range, deaths: int = 0
) -> list[Scheduler]:
    """The searches of several workers, of whom so many die in as many turns as one search has
    events. Raises UnsatisfiedAssumption if one explores too much."""
    found, runs = alone(program, PLAIN.get(algorithm, algorithm)), list[Scheduler]()
    death = min(MOST_DEATHS, deaths / max(1, found.statistics.events))
    for seed in seeds:
        together = explored(program, algorithm, workers, seed, ANY_ERROR, death)
        shown = f"{algorithm}, {workers} workers, seed {seed}\n{format_program(program)}"
        agrees(algorithm, found, together, shown)
        runs.append(together)
    return runs


TIMINGS = 3

MOST_DEATHS = 0.1
"""In a turn; else heirs do not get far."""


def check(drawn: tuple[Program, int, int]) -> Compared:
    """All algorithms for which the program is not too large, in several timings."""
    program, workers, seed = drawn
    done: dict[str, list[Scheduler]] = {}
    for algorithm in SHARED:
        try:
            runs = compare(program, algorithm, workers, range(seed, seed + TIMINGS))
            runs += compare(program, algorithm, workers, range(seed, seed + 1), deaths=1)
        except UnsatisfiedAssumption:
            continue
        done[algorithm] = runs
    return compared(done, len(SHARED), (run.deaths for runs in done.values() for run in runs))


WRITING = st.one_of(writing_programs(2, 3, True), writing_programs(3, 2, False))

DRAWN = st.tuples(
    programs(CERTAIN) | programs(ANYTHING) | WRITING, st.integers(2, 4), st.integers(0, 1 << 16)
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


@pytest.mark.parametrize("algorithm", [name for name in SHARED if name != "none"])
@settings(max_examples=EXAMPLES, deadline=None)
@given(WRITING, st.integers(2, 4), st.integers(0, 1 << 16))
def test_blind_writes(algorithm: str, program: Program, workers: int, seed: int) -> None:
    """Without any reduction most of these programs have too many executions."""
    compare(program, algorithm, workers, range(seed, seed + 1))
