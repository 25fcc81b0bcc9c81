"""Workers of one process that explore parts, or leaves, by the native core, in turns drawn by a
seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Any, TypeVar
from unittest.mock import patch

import pytest

from abpress.core.executions import ALGORITHMS, OBSERVING
from abpress.core.leaves import CoreLeaves
from abpress.core.parts import CoreParts, CountedExecutions
from abpress.core.wakeup import SharedWakeupTree
from abpress.ir.program import Program
from abpress.parallel import forked_worker, planner
from abpress.parallel.checkpoint import decoded, encoded
from abpress.parallel.dealer import Dealer, FromPartWorker, PartSaid, ToPartWorker
from abpress.parallel.kept import KeptDesk, KeptLeaves, KeptParts
from abpress.parallel.leaf_worker import LeafWorker, said
from abpress.parallel.messages import Wanted
from abpress.parallel.part_worker import PartWorker
from abpress.parallel.parts import Frontier
from abpress.parallel.planner import WAITED, FromLeafWorker, LeavesSaid, Planner, ToLeafWorker
from abpress.properties import Property
from abpress.search.bounds import ExecutionBounds
from abpress.search.ledger import Ledger
from abpress.search.part import Missing, PartSplit
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from tests.parallel.resuming import MOST_HALTS, SEARCH

MOST_TURNS = 30_000
"""Of all workers, in searches of the size that tests have."""

MOST_AGAIN = 8

_WANTED = 0.1
"""How often leaves are wanted of who has some, although nobody is idle."""

IN_LEAVES = frozenset({"optimal", "observers", "optimal-cs-observers"})
"""Algorithms whose wakeup tree is shared."""

S = TypeVar("S", bound=CountedExecutions)


@contextmanager
def small(copies: range) -> Iterator[pytest.MonkeyPatch]:
    """Leaves are given ahead although there are few, some together, and news although there is
    little; so many workers have copies of the tree."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Planner, "_share", lambda self: (self._tree.counts[0] + 1) // 2)
        patched.setattr(planner, "_MANY", 1)
        patched.setattr(planner, "_LEAST_NEWS", 1)
        patched.setattr(planner, "_COPIES", copies)
        yield patched


@dataclass(slots=True)
class _Life:
    """A worker, with what comes to it and what leaves it. Mutable."""

    number: int
    coming: list[ToPartWorker | ToLeafWorker]
    leaving: list[FromPartWorker | FromLeafWorker] = field(default_factory=list)
    search: CoreParts | CoreLeaves = field(init=False)
    worker: PartWorker | LeafWorker = field(init=False)

    @property
    def errors(self) -> frozenset[str]:
        """What was found."""
        return frozenset(its.finding.message for its in self.search.outcome(True).found)


@dataclass(slots=True)
class _Outbox:
    """The channel of a life, which looks for nothing by itself."""

    life: _Life

    def send(self, message: FromPartWorker | FromLeafWorker) -> None:
        self.life.leaving.append(message)

    def look(self) -> None: ...

    def wait(self) -> None:
        raise AssertionError


class Dealing:
    """Runs a search, with violations beyond the first. Messages come late, in the order in which
    each sender has sent them. With the probability `death` the worker whose turn it is dies, and
    some of what it has sent last is lost; it may come back later only. One has `begun` alone,
    by so many steps. With the probability `halt` all are to commit, and the search goes on, or ends
    and is `kept`; it may have begun with what was kept of another one. Optimal is in `parts` where
    threads have choices. Where all begin again, so often, they do.
    Mutable: `done`, `errors`, and what workers have said."""

    def __init__(
        self,
        program: Program,
        algorithm: str,
        workers: int,
        seed: int,
        property: Property,
        death: float = 0.0,
        pace: int = 12,
        awaits: bool = True,
        begun: int = 0,
        halt: float = 0.0,
        kept: KeptDesk | None = None,
        parts: bool = False,
    ) -> None:
        self._parts = parts or algorithm not in IN_LEAVES
        self._observed = ALGORITHMS[algorithm] in OBSERVING
        self._chance = random.Random(seed)
        self._what = program, algorithm, property, awaits
        self._death = death
        self._pace = pace
        self._lives: dict[int, _Life] = {}
        self._absent: list[int] = []
        self._begun = begun
        self._halt = halt
        self._resumed = kept
        self.kept: KeptDesk | None = None
        self.deaths = 0
        self.told: list[LeavesSaid] = []
        self.splits: list[PartSplit] = []
        self.missing: list[Missing] = []
        self.done = ExecutionStatistics()
        self.errors: frozenset[str] = frozenset()
        self.again = 0
        self.dealer = self._desk(workers)
        self._begin(workers)

    def _begin(self, workers: int) -> None:
        for worker in range(workers):
            self._lives[worker] = self._born(worker)

    def run(self) -> Dealing:
        """Runs all to their end; when, and what is said, depends on the seed alone."""
        with patch.object(forked_worker, "_PROGRESS", inf):
            self._run()
            while self.dealer.refused == WAITED:
                assert self.again < MOST_AGAIN, "all begin again with what they know"
                self._begin_again()
                self._run()
        assert not self.dealer.refused, self.dealer.refused
        self.done = self.dealer.committed
        found = [*self.dealer.shares, *(life.errors for life in self._lives.values())]
        self.errors = self.errors.union(*found)
        for life in self._lives.values():
            life.search.core.close()
        return self

    def _begin_again(self) -> None:
        assert isinstance(self.dealer, Planner)
        known, workers = self.dealer.waited, len(self._lives) + len(self._absent)
        for life in self._lives.values():
            life.search.core.close()
        self.again += 1
        self._lives, self._absent = {}, []
        self.dealer = Planner(workers, self._send, self._tree(), waited=known)
        self._begin(workers)

    def _run(self) -> None:
        turns = 0
        while not self.dealer.over:
            turns += 1
            assert turns < MOST_TURNS, "the search does not end"
            life = self._chance.choice(list(self._lives.values()))
            if life.leaving and self._chance.random() < 0.4:
                self._deliver(life)
            elif life.coming and (life.worker.rests or self._chance.random() < 0.4):
                life.worker.take(life.coming.pop(0))
            elif not life.worker.rests:
                life.worker.turn()
            if isinstance(self.dealer, Planner) and self._chance.random() < _WANTED:
                life.coming.append(Wanted())
            if self._chance.random() < self._death and not self.dealer.over:
                self._dies(life)
            if self._absent and self._chance.random() < 0.1 and not self.dealer.over:
                self.dealer.arrives(number := self._absent.pop())
                self._lives[number] = self._born(number)
            if self._halt:
                self._keep()

    def _keep(self) -> None:
        """Keeps the search every now and then, in the middle of what workers do and say."""
        if self._chance.random() < self._halt:
            self.dealer.halt()
        last = self._chance.random() < 0.5
        kept = self.dealer.frontier(last)
        self.kept = kept if last else None

    def _desk(self, workers: int) -> Dealer | Planner:
        kept = self._resumed
        if self._parts:
            assert not isinstance(kept, KeptLeaves)
            begins = ExecutionStatistics() if self._begun else None
            return Dealer(workers, self._send, begins, kept=kept)
        assert not isinstance(kept, KeptParts)
        begun = None
        if self._begun:
            search = self._search(CoreLeaves)
            CountedExecutions._ran(search, self._begun)
            begun = said(search, search.rest(), search.done(), None)
            self.errors = frozenset(its.finding.message for its in search.outcome(True).found)
            search.core.close()
        return Planner(workers, self._send, self._tree(), begun, kept=kept)

    def _tree(self) -> SharedWakeupTree:
        return SharedWakeupTree(self._observed)

    def _send(self, worker: int, message: ToPartWorker | ToLeafWorker) -> None:
        self._lives[worker].coming.append(message)

    def _deliver(self, life: _Life) -> None:
        message = life.leaving.pop(0)
        if isinstance(message, PartSaid):
            self.missing += message.missing
            self.splits += [] if message.split is None else [message.split]
        if isinstance(message, LeavesSaid):
            self.told.append(message)
        self.dealer.take(life.number, message)

    def _dies(self, life: _Life) -> None:
        self.deaths += 1
        for _ in range(self._chance.randrange(len(life.leaving) + 1)):
            self._deliver(life)
        life.search.core.close()
        if self.dealer.over:
            return
        if self._halt and len(self._lives) > 1 and self._chance.random() < 0.5:
            del self._lives[life.number]
            assert self.dealer.lost(life.number)
            self._absent.append(life.number)
        else:
            self._lives[life.number] = self._born(life.number)

    def _born(self, number: int) -> _Life:
        goes_on, messages = self.dealer.heir(number)
        life = _Life(number, messages)
        talks = _Outbox(life), lambda _: None, lambda: life.errors
        if isinstance(self.dealer, Planner):
            leaves = self._search(_SlowLeaves)
            leaves.pace = partial(self._chance.randint, 1, self._pace)
            life.search, life.worker = leaves, LeafWorker(leaves, *talks)
            return life
        parts = self._search(_SlowParts)
        parts.pace = partial(self._chance.randint, 1, self._pace)
        if goes_on:
            parts.begin(())
            CoreParts.go_on(parts, self._begun)
        life.search, life.worker = parts, PartWorker(parts, *talks, goes_on)
        return life

    def _search(self, kind: type[S]) -> S:
        program, algorithm, property, awaits = self._what
        ledger: Ledger[State, ExecutionStatistics]
        ledger = Ledger(property, ExecutionStatistics(), keep_going=True)
        bounds = ExecutionBounds(awaits=awaits)
        return kind(Interpreter(program), ALGORITHMS[algorithm], property, ledger, bounds)


class _SlowParts(CoreParts):
    """Few steps at a time."""

    pace: partial[int]

    def go_on(self, steps: int = 0) -> bool:
        return super().go_on(self.pace())


class _SlowLeaves(CoreLeaves):
    """The same; and sequences are told soon."""

    pace: partial[int]

    def go_on(self, steps: int = 0) -> bool:
        return super().go_on(self.pace())

    @property
    def tells(self) -> bool:
        return self.pace() == 1


def resumed(
    program: Program, algorithm: str, seed: int, property: Property, halt: float, **options: Any
) -> tuple[Dealing, int]:
    """The last of searches, each of which goes on with what a file keeps of the one before, with
    another number of workers; and how many there were."""
    chance = random.Random(seed)
    kept: KeptDesk | None = None
    for n in range(1, MOST_HALTS + 1):
        rate = halt if n < MOST_HALTS else 0.0
        its = program, algorithm, chance.randint(1, 3), chance.randrange(1 << 16), property
        run = Dealing(*its, halt=rate, kept=kept, **options).run()
        if run.kept is None:
            return run, n
        read = decoded(encoded(run.kept, SEARCH), SEARCH)
        assert not isinstance(read, Frontier)
        assert replace(read, shares=()) == replace(run.kept, shares=())
        kept = read
    raise AssertionError("a search that is not halted has not ended")
