"""Workers of one process that explore parts by the native core, in turns drawn by a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import partial

from abpress.core.executions import ALGORITHMS
from abpress.core.parts import CoreParts
from abpress.ir.program import Program
from abpress.parallel.dealer import Dealer, FromPartWorker, PartSaid, ToPartWorker
from abpress.parallel.part_worker import PartWorker
from abpress.properties import Property
from abpress.search.bounds import ExecutionBounds
from abpress.search.ledger import Ledger
from abpress.search.part import Missing, PartSplit
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State


@dataclass(slots=True)
class _Life:
    """A worker, with what comes to it and what leaves it. Mutable."""

    number: int
    coming: list[ToPartWorker]
    leaving: list[FromPartWorker] = field(default_factory=list)
    search: CoreParts = field(init=False)
    worker: PartWorker = field(init=False)

    @property
    def errors(self) -> frozenset[str]:
        """What was found."""
        return frozenset(its.finding.message for its in self.search.outcome(True).found)


@dataclass(slots=True)
class _Outbox:
    """The channel of a life, which looks for nothing by itself."""

    life: _Life

    def send(self, message: FromPartWorker) -> None:
        self.life.leaving.append(message)

    def look(self) -> None: ...

    def wait(self) -> ToPartWorker:
        raise AssertionError


class Dealing:
    """Runs a search, with violations beyond the first. Messages come late, in the order in which
    each sender has sent them. With the probability `death` the worker whose turn it is dies, and
    some of what it has sent last is lost. One worker has `begun` alone, by so many steps.
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
    ) -> None:
        self._chance = random.Random(seed)
        self._what = program, algorithm, property, awaits
        self._death = death
        self._pace = pace
        self._lives: list[_Life] = []
        self._begun = begun
        self.dealer = Dealer(workers, self._send, ExecutionStatistics() if begun else None)
        self.deaths = 0
        self.splits: list[PartSplit] = []
        self.missing: list[Missing] = []
        self.done = ExecutionStatistics()
        self.errors: frozenset[str] = frozenset()
        for worker in range(workers):
            self._lives.append(self._born(worker))

    def run(self) -> Dealing:
        """Runs all to their end."""
        while not self.dealer.over:
            life = self._chance.choice(self._lives)
            if life.leaving and self._chance.random() < 0.4:
                self._deliver(life)
            elif life.coming and (life.worker.rests or self._chance.random() < 0.4):
                life.worker.take(life.coming.pop(0))
            elif not life.worker.rests:
                life.worker.turn()
            if self._chance.random() < self._death and not self.dealer.over:
                self._dies(life)
        assert not self.dealer.refused
        self.done = self.dealer.committed
        found = [*self.dealer.shares, *(life.errors for life in self._lives)]
        self.errors = frozenset().union(*found)
        for life in self._lives:
            life.search.core.close()
        return self

    def _send(self, worker: int, message: ToPartWorker) -> None:
        self._lives[worker].coming.append(message)

    def _deliver(self, life: _Life) -> None:
        message = life.leaving.pop(0)
        if isinstance(message, PartSaid):
            self.missing += message.missing
            self.splits += [] if message.split is None else [message.split]
        self.dealer.take(life.number, message)

    def _dies(self, life: _Life) -> None:
        self.deaths += 1
        for _ in range(self._chance.randrange(len(life.leaving) + 1)):
            self._deliver(life)
        life.search.core.close()
        if not self.dealer.over:
            self._lives[life.number] = self._born(life.number)

    def _born(self, number: int) -> _Life:
        program, algorithm, property, awaits = self._what
        goes_on, messages = self.dealer.heir(number)
        life = _Life(number, messages)
        ledger: Ledger[State, ExecutionStatistics]
        ledger = Ledger(property, ExecutionStatistics(), keep_going=True)
        system, most = Interpreter(program), ExecutionBounds().steps
        its = system, ALGORITHMS[algorithm], property, ledger, most, awaits
        life.search = search = _Slow(*its)
        search.pace = partial(self._chance.randint, 1, self._pace)
        if goes_on:
            search.begin(())
            CoreParts.go_on(search, self._begun)
        talks = _Outbox(life), lambda _: None, lambda: life.errors
        life.worker = PartWorker(search, *talks, goes_on)
        return life


class _Slow(CoreParts):
    """Few steps at a time."""

    pace: partial[int]

    def go_on(self, steps: int = 0) -> bool:
        return super().go_on(self.pace())
