"""Random programs: every stateless algorithm against all interleavings, class by class."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from hypothesis import assume, given, settings

from abpress.explore.driver import End
from abpress.explore.limits import StopReason
from abpress.explore.stateless import (
    ExecutionStatistics,
    Hooks,
    explore_executions,
)
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.por.happens_before import Event
from abpress.por.stateless import ALGORITHMS
from abpress.properties import PROPERTIES
from abpress.semantics.interpreter import Interpreter, State
from tests.strategies.ir_programs import Features, permuted_threads, programs

MOST_EVENTS = 4_000
"""Programs with more interleavings are not compared."""

EXAMPLES = int(os.environ.get("ABPRESS_STATELESS_EXAMPLES", "300"))

ANY_ERROR = replace(PROPERTIES["unreach-call"], deadlock=True)

ANYTHING = Features(unbounded_loops=False, threads=3, statements=4)
CERTAIN = Features(unbounded_loops=False, inputs=False, threads=3, statements=4)

Class = frozenset[tuple[int, int, tuple[int, ...], frozenset[tuple[int, int]]]]


@dataclass(frozen=True)
class Seen:
    """What a search meets. `classes` are the happens-before classes, once per execution."""

    statistics: ExecutionStatistics
    errors: frozenset[str]
    finals: frozenset[tuple[State, End]]
    classes: tuple[Class, ...]


class TooLarge(Exception):
    """All interleavings are too many."""


def class_of(events: list[Event]) -> Class:
    """The execution as a partial order: of each event its name, choices and past."""
    names: list[tuple[int, int]] = []
    count: dict[int, int] = {}
    for event in events:
        names.append((event.thread, count.setdefault(event.thread, 0)))
        count[event.thread] += 1
    return frozenset(
        (*names[i], e.choices, frozenset(names[j] for j in range(i) if e.past >> j & 1))
        for i, e in enumerate(events)
    )


def run(program: Program, name: str, most: int | None = None) -> Seen:
    finals: set[tuple[State, End]] = set()
    classes: list[Class] = []

    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        return StopReason("events", "") if most and statistics.events > most else None

    explored = explore_executions(
        interpreter(program),
        ALGORITHMS[name].make(),
        ANY_ERROR,
        keep_going=True,
        hooks=Hooks(
            poll,
            lambda state, end: finals.add((state, end)),
            lambda events: classes.append(class_of(events)),
        ),
    )
    if not explored.exhausted:
        raise TooLarge
    return Seen(
        explored.statistics,
        frozenset(f.violation.message if f.violation else "deadlock" for f in explored.found),
        frozenset(finals),
        tuple(classes),
    )


_INTERPRETERS: list[tuple[Program, Interpreter]] = []


def interpreter(program: Program) -> Interpreter:
    """One interpreter per program: states of different searches are compared."""
    if not _INTERPRETERS or _INTERPRETERS[0][0] is not program:
        _INTERPRETERS[:] = [(program, Interpreter(program))]
    return _INTERPRETERS[0][1]


def compare(program: Program) -> None:
    try:
        truth = run(program, "none", MOST_EVENTS)
    except TooLarge:
        assume(False)
    text = format_program(program)
    classes = frozenset(truth.classes)
    certain = not interpreter(program).soundness.reasons
    for name, info in ALGORITHMS.items():
        seen = run(program, name)
        assert frozenset(seen.classes) == classes, f"{name}\n{text}"
        assert seen.errors == truth.errors, f"{name}\n{text}"
        assert seen.finals == truth.finals, f"{name}\n{text}"
        if info.classes:
            assert len(seen.classes) == len(classes), f"{name}\n{text}"
        if info.optimal:
            assert seen.statistics.executions >= len(classes)
    assert certain == (not interpreter(program).soundness.reasons)


@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
@given(program=programs(ANYTHING))
def test_algorithms_agree_with_all_interleavings(program: Program) -> None:
    compare(program)


@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
@given(program=programs(CERTAIN))
def test_optimal_explores_each_class_once(program: Program) -> None:
    try:
        classes = frozenset(run(program, "none", MOST_EVENTS).classes)
    except TooLarge:
        assume(False)
    seen = run(program, "optimal")
    assert frozenset(seen.classes) == classes
    assert seen.statistics.executions == len(classes)
    turned = run(permuted_threads(program), "optimal")
    assert turned.statistics.executions == len(classes)
