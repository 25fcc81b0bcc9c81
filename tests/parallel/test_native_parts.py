"""Workers of the native core explore together what one process explores, under any timing; and they
do not if a rule of NOTE(native-parts) is left out."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.core.build import find_compiler
from abpress.core.executions import explore
from abpress.core.parts import SHARED, CoreParts
from abpress.core.reference import CoreRefused
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.parallel.dealer import Dealer
from abpress.properties import PROPERTIES, Property
from abpress.search.ledger import Exploration
from abpress.search.limits import StopReason
from abpress.search.part import TreePart
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from tests.parallel.dealing import IN_LEAVES, Dealing, resumed
from tests.parallel.mutants import broken
from tests.parallel.test_workers import choices, late_choice
from tests.parallel.test_workers_random import ANYTHING, CERTAIN, PLAIN, WRITING
from tests.reductions.test_trace_counts import ROWS, Row, of_row
from tests.strategies.ir_programs import programs
from tests.strategies.questions import ANY_ERROR

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

EXAMPLES = int(os.environ.get("ABPRESS_PARALLEL_EXAMPLES", "15"))

MOST_EVENTS = 1_000

DEADLOCK = PROPERTIES["no-deadlock"]

REMEMBERING = ["context-sensitive", "optimal-context-sensitive"]

ALGORITHMS = [*sorted(SHARED - {*REMEMBERING}), "optimal"]
"""Optimal as where threads have choices."""


def alone(
    program: Program, algorithm: str, property: Property
) -> Exploration[State, ExecutionStatistics] | None:
    """What one process explores; None if that is too much, or nothing for the core."""

    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        return StopReason("events", "") if statistics.events > MOST_EVENTS else None

    its = Interpreter(program), algorithm, property
    try:
        found = explore(*its, poll=poll, keep_going=True)
    except CoreRefused:
        return None
    return found if found.exhausted and found.statistics.events <= MOST_EVENTS else None


def numbers(done: ExecutionStatistics, algorithm: str) -> tuple[int, ...]:
    """What may not depend on timing."""
    events = done.events if algorithm == "none" else 0
    return done.complete, done.deadlocked, done.assume_blocked, done.violating, events


def compare(
    program: Program, algorithm: str, property: Property, seeds: range, **options: Any
) -> list[Dealing]:
    """The searches of several workers, if one process can do it."""
    one = alone(program, algorithm, property)
    if one is None:
        return []
    found = []
    for seed in seeds:
        two = Dealing(program, algorithm, 2 + seed % 2, seed, property, **options).run()
        shown = f"{algorithm}, seed {seed}\n{format_program(program)}"
        assert numbers(two.done, algorithm) == numbers(one.statistics, algorithm), shown
        assert two.errors == {its.finding.message for its in one.found}, shown
        found.append(two)
    return found


SMALL = [row for row in ROWS if 4 <= row.optimal.executions <= 28][::2]


@pytest.mark.parametrize("row", SMALL, ids=str)
def test_known_counts(row: Row, tmp_path: Path) -> None:
    program = of_row(row, tmp_path)
    for algorithm in ("persistent", "source"):
        for run in compare(program, algorithm, DEADLOCK, range(2), pace=6):
            assert run.done.complete + run.done.deadlocked == row.optimal.complete


PROGRAMS = programs(CERTAIN) | programs(ANYTHING) | WRITING


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(PROGRAMS, st.integers(0, 1 << 16))
def test_random_programs(algorithm: str, program: Program, seed: int) -> None:
    its = program, algorithm, ANY_ERROR, range(seed, seed + 1)
    begun = 1 + seed % 97
    for options in ({}, {"death": 0.004}, {"begun": begun}, {"begun": begun, "death": 0.004}):
        compare(*its, pace=4, parts=True, **options)


def go_on(program: Program, algorithm: str, seed: int, death: float, parts: bool = False) -> int:
    """How many searches one was, that was kept every now and then."""
    one = alone(program, algorithm, ANY_ERROR)
    if one is None:
        return 0
    try:
        its = program, algorithm, seed, ANY_ERROR, 0.02
        last, n = resumed(*its, pace=3, death=death, parts=parts)
    except CoreRefused as refused:
        assert algorithm in IN_LEAVES and "a thread has a choice" in str(refused)
        return 0
    shown = f"{algorithm}, seed {seed}, {n} searches\n{format_program(program)}"
    told = numbers(last.done, "")  # steps that are taken again are counted
    assert told == numbers(one.statistics, ""), shown
    assert last.errors == {its.finding.message for its in one.found}, shown
    return n


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(PROGRAMS, st.integers(0, 1 << 16), st.sampled_from([0.0, 0.01]))
def test_searches_that_are_kept(algorithm: str, program: Program, seed: int, death: float) -> None:
    go_on(program, algorithm, seed, death, parts=True)


def found_by_all(
    program: Program, algorithm: str, property: Property, seed: int, **options: Any
) -> Dealing | None:
    """What workers explore that remember states: the same errors and kinds of ends, no class of
    executions twice."""
    one, most = (alone(program, its, property) for its in (algorithm, PLAIN[algorithm]))
    if one is None or most is None:
        return None
    two = Dealing(program, algorithm, 2 + seed % 2, seed, property, **options).run()
    shown = f"{algorithm}, seed {seed}\n{format_program(program)}"
    assert two.errors == {its.finding.message for its in most.found}, shown
    for name in ("complete", "deadlocked", "violating"):
        few, done, many = (
            getattr(its, name) for its in (one.statistics, two.done, most.statistics)
        )
        assert done <= many and (done > 0) == (few > 0) == (many > 0), shown
    return two


@pytest.mark.parametrize("algorithm", REMEMBERING)
@settings(max_examples=EXAMPLES, deadline=None)
@given(PROGRAMS, st.integers(0, 1 << 16))
def test_random_programs_with_states(algorithm: str, program: Program, seed: int) -> None:
    begun = 1 + seed % 97
    for options in ({}, {"death": 0.004}, {"begun": begun}, {"begun": begun, "death": 0.004}):
        found_by_all(program, algorithm, ANY_ERROR, seed, pace=4, **options)


def row(name: str) -> Row:
    """The row of this name."""
    return next(row for row in ROWS if str(row) == name)


@pytest.mark.parametrize("algorithm", ["persistent", "sleep", "source", "optimal"])
def test_alternatives_are_handed_over(algorithm: str, tmp_path: Path) -> None:
    runs = compare(choices(tmp_path), algorithm, DEADLOCK, range(4), pace=2, parts=True)
    assert [run.done.complete for run in runs] == [43] * 4
    assert any(split.given is not None for run in runs for split in run.splits)


MANY = "lastzero-4"


def counts(folder: Path, **options: Any) -> list[int]:
    """Complete executions by source, of a program whose races reach back before parts."""
    program = of_row(row(MANY), folder)
    seeds = range(6)
    runs = [Dealing(program, "source", 3, s, DEADLOCK, pace=3, **options).run() for s in seeds]
    assert all(run.missing and run.splits for run in runs)
    assert "death" not in options or sum(run.deaths for run in runs) > len(runs)
    return [run.done.complete + run.done.deadlocked for run in runs]


def test_the_rules_hold(tmp_path: Path) -> None:
    wanted = row(MANY).optimal.complete
    assert counts(tmp_path) == counts(tmp_path, death=0.01) == [wanted] * 6
    assert counts(tmp_path, begun=40) == counts(tmp_path, begun=40, death=0.01) == [wanted] * 6


def test_what_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dealer, "_plan", lambda self, its, missing: None)
    assert min(counts(tmp_path)) < row(MANY).optimal.complete


def test_what_was_taken_before_sleeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin: Callable[[CoreParts, TreePart], None] = CoreParts.begin

    def awake(self: CoreParts, part: TreePart) -> None:
        begin(self, tuple(replace(turn, before=()) for turn in part))

    monkeypatch.setattr(CoreParts, "begin", awake)
    assert max(counts(tmp_path)) > row(MANY).optimal.complete


def test_who_explores_a_part_knows_of_choices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule (g): also before one is met."""
    its = late_choice(tmp_path), "optimal", 3, 0, DEADLOCK
    assert Dealing(*its, pace=3, parts=True).run().done.complete == 48
    known = "    x->loose |= has_trees(c);\n    executions_begin(c);"
    broken(tmp_path, monkeypatch, "parts.c", known, "    executions_begin(c);")
    assert Dealing(*its, pace=3, parts=True).run().done.complete < 48


def test_only_what_is_done_for_good_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that tells all that it has done, and dies, has told too much."""
    split = CoreParts.split

    def hasty(self: CoreParts) -> Any:
        found = split(self)
        if found is None:
            return None
        found[1].add(self.done())
        return found

    monkeypatch.setattr(CoreParts, "split", hasty)
    wanted = row(MANY).optimal.complete
    assert counts(tmp_path) == [wanted] * 6
    assert max(counts(tmp_path, death=0.01)) > wanted


def test_what_is_given_out_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NOTE(kept-desks): a part that somebody has is open for who goes on."""
    program, wanted = of_row(row(MANY), tmp_path), row(MANY).optimal.complete
    kept = Dealer.kept

    def forgetting(self: Dealer) -> Any:
        its, self._workers = self._workers, []
        found = kept(self)
        self._workers = its
        return found

    def counted() -> list[int]:
        runs = [resumed(program, "source", seed, DEADLOCK, 0.03, pace=3) for seed in range(4)]
        assert any(n > 1 for _, n in runs)
        return [run.done.complete + run.done.deadlocked for run, _ in runs]

    assert counted() == [wanted] * 4
    monkeypatch.setattr(Dealer, "kept", forgetting)
    assert min(counted()) < wanted
