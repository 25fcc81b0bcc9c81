"""Workers of the native core explore one wakeup tree together as one process explores it, under any
timing; and they do not if a rule of NOTE(native-leaves) is left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.core.build import find_compiler
from abpress.core.reference import CoreRefused
from abpress.core.wakeup import SharedWakeupTree
from abpress.ir.program import Program
from abpress.parallel import planner
from abpress.parallel.dealer import Deal, Dealer
from abpress.parallel.forked import ForkedDesk
from abpress.parallel.leaf_worker import LeafWorker
from abpress.parallel.planner import GiveLeaves, LeavesSaid, Planner
from abpress.search.leaves import Sequences
from tests.parallel.dealing import Dealing, resumed, small
from tests.parallel.deaths import Compared, compared
from tests.parallel.mutants import broken
from tests.parallel.test_native_parts import (
    ALGORITHMS,
    DEADLOCK,
    EXAMPLES,
    PROGRAMS,
    compare,
    found_by_all,
    go_on,
    row,
)
from tests.parallel.test_workers import choices
from tests.parallel.test_workers_random import ANYTHING, CERTAIN, PLAIN, WRITING
from tests.reductions.test_trace_counts import ROWS, Row, of_row
from tests.sampling import sample
from tests.strategies.ir_programs import programs
from tests.strategies.questions import ANY_ERROR

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


@pytest.fixture(autouse=True, scope="module")
def ahead() -> Iterator[None]:
    """All in small portions."""
    with small(range(64)):
        yield


SMALL = [row for row in ROWS if 4 <= row.optimal.executions <= 60][::2]


def optimal(program: Program, seeds: range, **options: Any) -> list[Dealing]:
    """What several workers explore, which is what one does, and nothing is blocked."""
    found = compare(program, "optimal", options.pop("property", DEADLOCK), seeds, **options)
    assert not any(run.done.sleep_set_blocked for run in found)
    return found


@pytest.mark.parametrize("row", SMALL, ids=str)
def test_known_counts(row: Row, tmp_path: Path) -> None:
    for run in optimal(of_row(row, tmp_path), range(2), pace=6):
        assert run.done.complete + run.done.deadlocked == row.optimal.complete


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(programs(CERTAIN) | programs(ANYTHING) | WRITING, st.integers(0, 1 << 16))
def test_random_programs(program: Program, seed: int) -> None:
    seeds, begun = range(seed, seed + 1), 1 + seed % 97
    for options in ({}, {"death": 0.004}, {"begun": begun}, {"begun": begun, "death": 0.004}):
        with small(range(64 * (seed % 2))) as patch:
            patch.setattr(planner, "_MOST_NEWS", 1 << 26 if seed % 3 else 1 << 7)
            try:
                optimal(program, seeds, property=ANY_ERROR, pace=4, **options)
            except CoreRefused as refused:
                assert "a thread has a choice" in str(refused)


@settings(max_examples=EXAMPLES, deadline=None)
@given(programs(CERTAIN) | WRITING, st.integers(0, 1 << 16), st.sampled_from([0.0, 0.01]))
def test_searches_that_are_kept(program: Program, seed: int, death: float) -> None:
    go_on(program, "optimal", seed, death)


TIMINGS = 3

DRAWN = st.tuples(PROGRAMS, st.integers(0, 1 << 16))


def check(program: Program, seed: int) -> Compared:
    """All algorithms that search the program, and for which it is not too large, in several
    timings, with deaths, and kept."""
    seeds, every = range(seed, seed + TIMINGS), [*ALGORITHMS, "observers", *PLAIN]
    done: dict[str, list[Dealing]] = {}
    with small(range(64 * (seed % 2))):
        for algorithm in every:
            try:
                done[algorithm] = searched(program, algorithm, seeds)
            except CoreRefused as refused:
                assert "a thread has a choice" in str(refused)
    done = {algorithm: runs for algorithm, runs in done.items() if runs}
    return compared(done, len(every), (run.deaths for runs in done.values() for run in runs))


def searched(program: Program, algorithm: str, seeds: range) -> list[Dealing]:
    """The searches of several workers, one of which is kept every now and then, too."""
    its = program, algorithm, ANY_ERROR
    if algorithm in PLAIN:
        found = (found_by_all(*its, timing, pace=4, death=0.01) for timing in seeds)
        return [run for run in found if run is not None]
    runs = compare(*its, seeds, pace=4) + compare(*its, seeds, pace=4, death=0.01)
    go_on(program, algorithm, seeds[0], 0.01)
    return runs


@pytest.mark.parametrize("in_leaves", [False, True])
def test_what_is_kept_before_anybody_comes_goes_on(in_leaves: bool) -> None:
    its = 2, lambda *_: None
    desk: ForkedDesk[Any]
    desk = Planner(*its, SharedWakeupTree(), present=()) if in_leaves else Dealer(*its, present=())
    assert desk.halt()
    kept = desk.frontier()
    assert kept is not None and kept.executions == 0
    assert not desk.over
    desk.arrives(0)
    _, messages = desk.heir(0)
    assert [type(message) for message in messages] == [GiveLeaves if in_leaves else Deal]


def test_choices_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CoreRefused, match=r"workers, where a thread has a choice at .*c:"):
        Dealing(choices(tmp_path), "optimal", 2, 0, DEADLOCK).run()


# -- rules --------------------------------------------------------------------------------------

MANY = "lastzero-4"
FREE = "readers-5"


def searches(
    folder: Path, name: str, kind: type[Dealing] = Dealing, **options: Any
) -> Iterator[Dealing | None]:
    """Searches of a program whose races reach back before leaves; None if something was to be
    explored that sleeps."""
    program = of_row(row(name), folder)
    for seed in range(6):
        try:
            yield kind(program, "optimal", 3, seed, DEADLOCK, pace=3, **options).run()
        except (AssertionError, CoreRefused):
            yield None


class Dividing(Dealing):
    """Who has divided a leaf, and has said so, dies then, now and then."""

    def _deliver(self, life: Any) -> None:
        its = life.leaving[0]
        super()._deliver(life)
        divided = isinstance(its, LeavesSaid) and its.back and its.back.kept and its.back.rest
        if divided and not self.dealer.over and self._chance.random() < 0.3:
            life.leaving.clear()
            self._dies(life)


def count(run: Dealing | None) -> int:
    """Its complete executions; -1 if something was blocked."""
    if run is None or run.done.sleep_set_blocked:
        return -1
    return run.done.complete + run.done.deadlocked


def counts(folder: Path, name: str = MANY, **options: Any) -> list[int]:
    """These of all searches."""
    return list(map(count, searches(folder, name, **options)))


def wanted(name: str = MANY) -> list[int]:
    return [row(name).optimal.complete] * 6


@pytest.mark.parametrize("name", [MANY, FREE])
def test_the_rules_hold(name: str, tmp_path: Path) -> None:
    divided: set[bool] = set()
    for options in (
        {"kind": Dividing},
        {"death": 0.03},
        {"begun": 40},
        {"begun": 40, "death": 0.03},
    ):
        runs = [run for run in searches(tmp_path, name, **options) if run is not None]
        assert list(map(count, runs)) == wanted(name)
        told = [said for run in runs for said in run.told]
        divided |= {bool(its.back.rest) for its in told if its.back and its.back.kept}
        assert any(said.sequences.numbers for said in told)
        assert "death" not in options or any(run.deaths for run in runs)
    assert divided == {False, True}


def test_sequences_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    insert = SharedWakeupTree.insert

    def deaf(self: SharedWakeupTree, sequences: bytes, accesses: Any) -> None:
        insert(self, sequences[:0], accesses)

    monkeypatch.setattr(SharedWakeupTree, "insert", deaf)
    assert max(counts(tmp_path)) < wanted()[0]


def test_what_a_dead_worker_had_is_explored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heir = Planner.heir

    def forgetting(self: Planner, worker: int) -> Any:
        its = self._workers[worker]
        self._tree.explored(its.leaves, b"", its.accesses)
        its.leaves = ()
        return heir(self, worker)

    monkeypatch.setattr(Planner, "heir", forgetting)
    assert min(counts(tmp_path, death=0.03)) < wanted()[0]


def test_what_is_told_early_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what was done of leaves that come back."""
    say = LeafWorker._say

    def hasty(self: LeafWorker, ends: bool) -> None:
        say(self, ends)
        if not self.rests:
            self._channel.send(LeavesSaid(Sequences(), done=self._search.done()))

    take = Planner.take

    def trusting(self: Planner, worker: int, came: Any) -> None:
        if isinstance(came, LeavesSaid) and came.back is None and came.done is not None:
            self.committed.add(came.done)
        take(self, worker, came)

    monkeypatch.setattr(LeafWorker, "_say", hasty)
    monkeypatch.setattr(Planner, "take", trusting)
    assert counts(tmp_path) == wanted()
    assert max(counts(tmp_path, death=0.03)) > wanted()[0]


def test_what_is_given_out_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NOTE(kept-desks): leaves that somebody has are open for who goes on."""
    program, wanted = of_row(row(MANY), tmp_path), row(MANY).optimal.complete
    kept = Planner.kept

    def forgetting(self: Planner) -> Any:
        for its in self._workers:
            self._tree.explored(its.leaves, b"", its.accesses)
        return kept(self)

    def counted() -> list[int]:
        runs = [resumed(program, "optimal", seed, DEADLOCK, 0.03, pace=3) for seed in range(4)]
        assert any(n > 1 for _, n in runs)
        return [run.done.complete + run.done.deadlocked for run, _ in runs]

    assert counted() == [wanted] * 4
    monkeypatch.setattr(Dealing, "_keep", keep_at_once)
    assert counted() == [wanted] * 4
    monkeypatch.setattr(Planner, "kept", forgetting)
    assert min(counted()) < wanted


def keep_at_once(self: Dealing) -> None:
    """Nobody is asked what counts."""
    if self._chance.random() < self._halt and not self.dealer.over:
        self.kept = self.dealer.kept()
        self.dealer.end()


RULES = {
    "what comes from above stops at a leaf": (
        "places.c",
        "lastzero-5",
        "if (k < length || is_end(p, b)) return 1;",
        "if (k < length || (p->all[b].first == 0 && p->all[b].state != INNER)) return 1;",
    ),
    "what goes on may meet a branch": (
        "places.c",
        MANY,
        "scan_take_out(f, s, first_thread(p, b), p->all[b].head)",
        "0",
    ),
    "what leaves a chain is planned where it does": (
        "places.c",
        MANY,
        "if (k < length && s->count > 0) return 0;",
        "if (k < length && s->count > 0) return 1;",
    ),
    "what is given back branches off where it did": (
        "planner.c",
        "lastzero-6",
        "} while (*below == 1);",
        "} while (*below >= 1 && (*below = 1));",
    ),
    "branches before sleep": (
        "planner.c",
        MANY,
        "before |= BIT(first_thread(p, s));",
        "before |= 0;",
    ),
    "what was explored before all branches sleeps": (
        "planner.c",
        MANY,
        "uint64_t before = p->around[above].gone;",
        "uint64_t before = 0;",
    ),
    "a sequence has what stays": (
        "reversal.c",
        "lastzero-5",
        "stay |= stays << (j - e), count += stays;",
        "stay |= 1u << (j - e), count += stays;",
    ),
    "sequences are of the execution that was said last": (
        "leaves.c",
        "lastzero-5",
        "size_t from = x->said_events, count = end > from ? end - from : 0;",
        "size_t from = x->said_length, count = end > from ? end - from : 0;",
    ),
    "copies know what is forgotten": (
        "copies.c",
        MANY,
        "else if (p->all[b].first != 0) places_drop_first(p, b);",
        "else if (p->all[b].first != 0) ;",
    ),
    "what the tree does not have is told": (
        "copies.c",
        MANY,
        "return depth + p->all[b].length == p->around[b].depth &&",
        "return depth + p->all[b].length != p->around[b].depth ||",
    ),
    "what is below a leaf that is kept does not count": (
        "leaves.c",
        MANY,
        "memcpy(told + 2, &x->nodes[free - 1].before, sizeof(tally));",
        "tally now = executions_tally(c); memcpy(told + 2, &now, sizeof now);",
    ),
    "what is given of a leaf is not explored here": (
        "leaves.c",
        MANY,
        "    x->frozen = free;",
        "    ;",
    ),
    "what is kept of a leaf begins at a free node": (
        "leaves.c",
        "fib_bench-2",
        "if (x->nodes[k].is_free) return k;",
        "return k;",
    ),
    "what begins with a sleeper is not told": (
        "choice.c",
        FREE,
        "if (has_observers(c) ? any_sleeper",
        "if (k < c->executions->frozen ? 0 : has_observers(c) ? any_sleeper",
    ),
}
"""Lines of the core, what breaks the rule, and a program in which that is seen."""


@pytest.mark.parametrize("rule", sample([*RULES], 2))
def test_without_a_rule(rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, name, line, instead = RULES[rule]
    broken(tmp_path, monkeypatch, file, line, instead)
    assert any(
        count(run) != wanted(name)[0]
        for kind in (Dealing, Dividing)
        for run in searches(tmp_path, name, kind)
    )
