"""Random programs: every stateless algorithm against all interleavings, class by class."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import assume, given, settings

from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.properties import Preserved
from abpress.properties.ends import End
from abpress.reductions.static.none import NoReduction
from abpress.reductions.table import STATELESS
from abpress.relations.happens_before import Event
from abpress.search.limits import StopReason
from abpress.search.stateful import explore
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from tests.sampling import examples
from tests.strategies.ir_programs import Features, permuted_threads, programs
from tests.strategies.questions import ANY_ERROR

MOST_EVENTS = 2_000
"""Programs with more interleavings are not compared."""

EXAMPLES = examples(25, whole=150)


ANYTHING = Features(threads=3, statements=4, walks=True)
CERTAIN = Features(inputs=False, threads=3, statements=4)

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


def run(interpreter: Interpreter, name: str, most: int | None = None) -> Seen:
    finals: set[tuple[State, End]] = set()
    classes: list[Class] = []

    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        return StopReason("events", "") if most and statistics.events > most else None

    explored = explore_executions(
        interpreter,
        STATELESS[name].make(),
        ANY_ERROR,
        keep_going=True,
        hooks=Hooks(
            poll,
            lambda state, end: finals.add((state, end)),
            lambda events: classes.append(class_of(events)),
            on_restart=classes.clear,
        ),
    )
    if not explored.exhausted:
        raise TooLarge
    return Seen(
        explored.statistics,
        frozenset(f.finding.message for f in explored.found),
        frozenset(finals),
        tuple(classes),
    )


class LastThreadFirst(Interpreter):
    """The same program, whose threads are tried in the opposite order."""

    def threads(self, s: State) -> tuple[int, ...]:
        return super().threads(s)[::-1]


def stateful(interpreter: Interpreter) -> tuple[frozenset[str], frozenset[tuple[State, End]]]:
    """Errors and final states by the search that stores states, without reduction."""
    finals: set[tuple[State, End]] = set()
    outcome = explore(
        interpreter,
        NoReduction(interpreter),
        ANY_ERROR,
        keep_going=True,
        on_final=lambda state, end: finals.add((state, end)),
    )
    errors = {f.finding.message for f in outcome.found}
    return frozenset(errors), frozenset(final for final in finals if final[1] is not End.BLOCKED)


def compare(program: Program) -> None:
    interpreter = Interpreter(program)
    try:
        truth = run(interpreter, "none", MOST_EVENTS)
    except TooLarge:
        assume(False)
    text = format_program(program)
    assert (truth.errors, truth.finals) == stateful(interpreter), text
    classes = frozenset(truth.classes)
    certain = not interpreter.soundness.reasons
    for name, info in STATELESS.items():
        seen = run(interpreter, name)
        assert seen.errors == truth.errors, f"{name}\n{text}"
        assert {end for _, end in seen.finals} == {end for _, end in truth.finals}
        assert frozenset(seen.classes) <= classes, f"{name}\n{text}"
        if info.preserves.includes(Preserved.TRACES):
            assert frozenset(seen.classes) == classes, f"{name}\n{text}"
        assert seen.finals <= truth.finals, f"{name}\n{text}"
        if info.preserves.includes(Preserved.FINAL_STATES):
            assert seen.finals == truth.finals, f"{name}\n{text}"
        if info.classes:
            assert len(seen.classes) == len(frozenset(seen.classes)), f"{name}\n{text}"
        if info.optimal and info.preserves.includes(Preserved.TRACES):
            assert seen.statistics.executions >= len(classes)
    assert certain == (not interpreter.soundness.reasons)


@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
@given(program=programs(ANYTHING))
def test_algorithms_agree_with_all_interleavings(program: Program) -> None:
    compare(program)


def compare_optimal(program: Program) -> None:
    interpreter = Interpreter(program)
    try:
        classes = frozenset(run(interpreter, "none", MOST_EVENTS).classes)
    except TooLarge:
        assume(False)
    seen = run(interpreter, "optimal")
    assert frozenset(seen.classes) == classes
    assert seen.statistics.executions == len(classes)
    for turned in (LastThreadFirst(program), Interpreter(permuted_threads(program))):
        try:
            its = len(frozenset(run(turned, "none", MOST_EVENTS).classes))
        except TooLarge:
            continue
        assert run(turned, "optimal").statistics.executions == its
        assert its == len(classes) or turned.program is not program


@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
@given(program=programs(CERTAIN))
def test_optimal_explores_each_class_once(program: Program) -> None:
    compare_optimal(program)
