"""Workers of the native core explore what one process explores where writes count if they are
observed, under any timing; and they do not if a rule of NOTE(native-leaves) (g) is left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.core.build import find_compiler
from abpress.core.leaves import CoreLeaves
from abpress.core.library import NativeCore
from abpress.core.reference import CoreRefused
from abpress.core.wakeup import SharedWakeupTree
from abpress.ir.program import Program
from abpress.parallel.planner import WAITED, LeavesSaid, Planner
from abpress.search.leaves import Leaves, NamedAccess, Sequences
from abpress.search.part import TreePart
from tests.parallel import dealing
from tests.parallel.dealing import Dealing, small
from tests.parallel.mutants import broken
from tests.parallel.test_native_parts import DEADLOCK, alone, compare, found_by_all, go_on
from tests.parallel.test_workers_observers import (
    THREE_WRITERS,
    TWO_READERS,
    WAITS_LATE,
    read,
)
from tests.parallel.test_workers_random import CERTAIN, PLAIN, WRITING
from tests.reductions import trace_count_programs
from tests.reductions.test_observers import LATER_READER, RUNNING_EXAMPLE
from tests.reductions.test_trace_counts import program
from tests.sampling import examples
from tests.strategies.ir_programs import programs
from tests.strategies.questions import ANY_ERROR

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

EXAMPLES = examples(10, whole=40)

OBSERVERS, REMEMBERING = "observers", "optimal-cs-observers"

PROGRAMS = programs(CERTAIN) | WRITING


@pytest.fixture(autouse=True, scope="module")
def soon() -> Iterator[None]:
    """Leaves are given ahead although there are few, and workers have copies of the tree."""
    with small(range(3, 64)):
        yield


def runs(its: Program, algorithm: str = OBSERVERS, **options: Any) -> Iterator[Dealing | None]:
    """Searches by several workers; None where something is to be explored that sleeps."""
    for seed in range(6):
        try:
            yield Dealing(its, algorithm, 2 + seed % 2, seed, DEADLOCK, pace=3, **options).run()
        except (AssertionError, CoreRefused):
            yield None


def counts(its: Program, **options: Any) -> list[int]:
    """The complete and deadlocked executions of each; -1 where one is blocked."""
    found = []
    for run in runs(its, **options):
        blocked = run is None or run.done.sleep_set_blocked
        found.append(-1 if run is None or blocked else run.done.complete + run.done.deadlocked)
    return found


@pytest.mark.parametrize("options", [{}, {"death": 0.02}, {"begun": 9}], ids=str)
@pytest.mark.parametrize(
    ("source", "count"),
    [(RUNNING_EXAMPLE, 5), (LATER_READER, 16), (THREE_WRITERS, 13), (TWO_READERS, 73)],
    ids=["running", "later", "three", "two"],
)
def test_each_class_of_observations_once(
    source: str, count: int, options: dict[str, Any], tmp_path: Path
) -> None:
    its = read(source, tmp_path)
    one = alone(its, OBSERVERS, DEADLOCK)
    assert one is not None and one.statistics.complete == count
    assert counts(its, **options) == [count] * 6


def test_sequences_have_what_an_observer_does_not_see(tmp_path: Path) -> None:
    told = [said for run in runs(read(TWO_READERS, tmp_path)) if run for said in run.told]
    assert any(said.sequences.numbers for said in told)
    assert any(list(access.blind) for said in told for access in said.sequences.accesses)


@settings(max_examples=EXAMPLES, deadline=None)
@given(PROGRAMS, st.integers(0, 1 << 16))
def test_random_programs(its: Program, seed: int) -> None:
    begun = 1 + seed % 97
    for options in ({}, {"death": 0.01}, {"begun": begun, "death": 0.004}):
        for run in compare(its, OBSERVERS, ANY_ERROR, range(seed, seed + 1), pace=4, **options):
            assert not run.done.sleep_set_blocked


@settings(max_examples=EXAMPLES, deadline=None)
@given(PROGRAMS, st.integers(0, 1 << 16), st.sampled_from([0.0, 0.01]))
def test_searches_that_are_kept(its: Program, seed: int, death: float) -> None:
    go_on(its, OBSERVERS, seed, death)


@settings(max_examples=EXAMPLES, deadline=None)
@given(PROGRAMS, st.integers(0, 1 << 16))
def test_random_programs_with_states(its: Program, seed: int) -> None:
    begun = 1 + seed % 97
    for options in ({}, {"death": 0.01}, {"begun": begun, "death": 0.004}):
        found_by_all(its, REMEMBERING, ANY_ERROR, seed, pace=4, **options)


# -- what threads wait for ----------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"death": 0.02}, {"begun": 9}], ids=str)
def test_all_begin_again_where_a_thread_waits(options: dict[str, Any], tmp_path: Path) -> None:
    found = compare(read(WAITS_LATE, tmp_path), OBSERVERS, DEADLOCK, range(6), pace=3, **options)
    assert all(run.again == 1 for run in found) or "begun" in options
    assert all(isinstance(run.dealer, Planner) and run.dealer.waited for run in found)


def test_who_begins_again_knows_what_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is not told finds it out once more."""
    monkeypatch.setattr(NativeCore, "awaited", lambda its, name: None)
    assert counts(read(WAITS_LATE, tmp_path)) == [-1] * 6


X = (0, 0, 0, 0, 0, 0, 1)


@pytest.mark.parametrize("waits_first", [True, False])
def test_what_one_writes_another_one_waits_for(waits_first: bool) -> None:
    """Nothing of what either has said is in the tree."""
    write = Sequences((NamedAccess("main", False, (), (X,)),), b"no sequences")
    wait = Sequences((NamedAccess("main", False, (X,), ()),), b"", (X,))
    desk = Planner(2, lambda worker, message: None, SharedWakeupTree(observed=True))
    desk.take(0, LeavesSaid(wait if waits_first else replace(write, numbers=b"")))
    assert not desk.refused
    desk.take(1, LeavesSaid(write if waits_first else wait))
    assert desk.refused == WAITED and desk.waited == {X}


# -- rules --------------------------------------------------------------------------------------

RULES = {
    "who was explored before at a node sleeps": (
        "leaves.c",
        THREE_WRITERS,
        "n->asleep |= BIT(t), n->done |= BIT(t);",
        "n->asleep |= BIT(t);",
    ),
    "an observer comes behind what it sees": (
        "planner.c",
        TWO_READERS,
        "        p->v[count++] = (item){p->threads[a], a};\n    }\n    if (p->bad == NULL)",
        "    }\n    if (p->bad == NULL)",
    ),
    "weak initials are those with observers": (
        "sequences.c",
        TWO_READERS,
        "if (f->observes) return",
        "if (f->observes && f->all != NULL) return",
    ),
}
"""Lines of the core, a program in which it is seen that they are needed, and what stands there
instead."""


@pytest.mark.parametrize("rule", RULES)
def test_without_a_rule(rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, source, line, instead = RULES[rule]
    its = read(source, tmp_path)
    (wanted,) = set(counts(its))
    broken(tmp_path, monkeypatch, file, line, instead)
    assert any(count != wanted for count in counts(its))


def test_what_others_explore_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NOTE(parallel-branches) (f): a node that is given back is none of which all is known."""
    its = program(trace_count_programs.lastzero, (4,), tmp_path)
    ends = [run.done.complete for run in runs(its, REMEMBERING) if run]
    (least,) = {run.done.complete for run in compare(its, PLAIN[REMEMBERING], DEADLOCK, range(1))}
    assert 0 < min(ends) <= max(ends) <= least


def test_what_is_on_the_way_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule (h): a node on the way to a leaf is explored as a new one, also where its state has been
    met. Else nothing is explored there, and the search does not end."""
    its = read(THREE_WRITERS, tmp_path)
    monkeypatch.setattr(dealing, "MOST_TURNS", 1_000)
    assert all(runs(its, REMEMBERING))
    broken(tmp_path, monkeypatch, "leaves.c", "    n->record = 0, n->met = 0; /* others", "    /*")
    assert not all(runs(its, REMEMBERING))


GIVEN_BACK = {
    "all that is left": (
        0.05,
        "say_node(c, &x->nodes[k]), x->nodes[k].record = 0;",
        "say_node(c, &x->nodes[k]);",
    ),
    "all before a free node": (
        0.0,
        "        x->nodes[k].record = 0;\n    }\n    x->frozen = free;",
        "    }\n    x->frozen = free;",
    ),
}
"""What a search gives back, how often it is to rest, the line by which it forgets that, and what
stands there instead."""


@pytest.mark.parametrize("what", GIVEN_BACK)
def test_what_is_given_back_is_not_known(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule (h): that all is known which follows such a node is not said when the search leaves it,
    to go to another leaf."""
    its, begin = read(THREE_WRITERS, tmp_path), CoreLeaves.begin

    def noted(self: CoreLeaves, given: Leaves | TreePart) -> None:
        known = self.core.counts.remembered_states
        begin(self, given)
        assert self.core.counts.remembered_states == known

    monkeypatch.setattr(CoreLeaves, "begin", noted)
    halt, *line = GIVEN_BACK[what]
    assert all(runs(its, REMEMBERING, halt=halt))
    broken(tmp_path, monkeypatch, "leaves.c", *line)
    assert not all(runs(its, REMEMBERING, halt=halt))


def test_nothing_is_given_back_while_executions_are_put_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule (h), where the search lets others have a look after each of these."""
    its = read(TWO_READERS, tmp_path)
    often = "remembered.c", "k < 64 && m->way_count", "k < 1 && m->way_count"
    broken(tmp_path, monkeypatch, *often)
    assert set(divided_amid(its)) == {False}
    line, instead = "c->full || x->remembered_past.follows) return 0;", "c->full) return 0;"
    broken(tmp_path, monkeypatch, "leaves.c", line, instead, often)
    assert True in divided_amid(its)


def divided_amid(its: Program) -> Iterator[bool]:
    """Whether the search gives something back while it puts executions together, each time, until
    it does."""
    search = Dealing(its, REMEMBERING, 1, 0, DEADLOCK)._search(CoreLeaves)
    _, (first,) = Planner(1, lambda worker, message: None, SharedWakeupTree(True)).heir(0)
    search.begin(first.leaves)
    before = search.core.counts
    while not search.go_on(1):
        now = search.core.counts
        known = now.known_executions > before.known_executions
        if known and now.sleep_set_blocked == before.sleep_set_blocked:
            yield (gives := search.divide() is not None)
            if gives:
                return
        before = now
