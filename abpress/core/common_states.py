"""Searches by the native core, in threads, that have their stored states in common.

NOTE(common-states): who adds a state explores it, and who is idle goes on with a part of somebody's
stack. The reference has one lock: what searches tell is noted one at a time.
"""

from __future__ import annotations

from collections.abc import Container
from contextlib import closing
from threading import RLock, Thread
from time import sleep

from abpress.core.library import NO_LIMIT, Algorithm, CommonStates, Taken
from abpress.core.lower import lower
from abpress.core.reference import FORESEEING, SLICE, refusal, refusing
from abpress.core.search import ALGORITHMS, StoredStates
from abpress.core.told import CoreEvent, Ran
from abpress.properties import Property
from abpress.search.ledger import Exploration, Ledger, OnFinal, Poll, SearchOver
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State

_LOOK = 0.02
"""Seconds between two looks at the limits by who waits for the searches."""

_IDLE = 0.0005
"""Seconds between two looks of who is idle for something to do."""


def explore_in_common(
    system: Interpreter,
    por: str,
    property: Property,
    workers: int,
    *,
    poll: Poll[Statistics],
    keep_going: bool = False,
    on_final: OnFinal[State] | None = None,
    leads: Container[str] = (),
    most_states: int | None = None,
) -> tuple[Exploration[State, Statistics], tuple[int, ...]]:
    """As `abpress.core.search.explore`, by so many searches at once; and how many states each of
    them has added. Raises CoreRefused."""
    ledger: Ledger[State, Statistics]
    ledger = Ledger(property, Statistics(), keep_going, poll, on_final, leads)
    with refusing(), closing(CommonStates(workers)) as common:
        limit = NO_LIMIT if most_states is None else most_states
        searches = _SearchesInCommon(system, ALGORITHMS[por], property, ledger, common, limit)
        return searches.run(workers)


class _SearchesInCommon:
    """Several searches at work. Mutable: `failed` is what has ended one that should not have."""

    def __init__(
        self,
        system: Interpreter,
        algorithm: Algorithm,
        property: Property,
        ledger: Ledger[State, Statistics],
        common: CommonStates,
        most_states: int,
    ) -> None:
        self.system = system
        self.algorithm = algorithm
        self.property = property
        self.ledger = ledger
        self.common = common
        self.most_states = most_states
        self.lock = RLock()
        self.over = False
        self.failed: BaseException | None = None
        self.lowered = lower(system, property.looks_at, False, algorithm in FORESEEING)
        self._searches: list[_SearchInCommon] = []

    def run(self, workers: int) -> tuple[Exploration[State, Statistics], tuple[int, ...]]:
        """As `explore_in_common`."""
        try:
            for number in range(workers):
                self._searches.append(_SearchInCommon(self))
                self._searches[number].core.join(self.common, number == 0)
            self._run()
        finally:
            for search in self._searches:
                search.core.close()
        if self.failed is not None:
            raise self.failed
        exhausted = all(search.exhausted for search in self._searches)
        stored = tuple(search.own.states for search in self._searches)
        return self.ledger.closed(exhausted), stored

    def _run(self) -> None:
        threads = [Thread(target=search.work, daemon=True) for search in self._searches]
        for thread in threads:
            thread.start()
        try:
            while threads:
                threads[-1].join(_LOOK)
                threads = [thread for thread in threads if thread.is_alive()]
                with self.lock:
                    if threads and not self.over and self.ledger.polled():
                        self.stop()
        finally:
            self.stop()
            for thread in threads:
                thread.join()

    def stop(self) -> None:
        """All end as soon as they can."""
        self.over = True
        self.common.stop()

    def count(self) -> None:
        """Adds up what all have done."""
        done = Statistics()
        for search in self._searches:
            done.add(search.own)
        self.ledger.statistics = done


class _SearchInCommon(StoredStates):
    """One of the searches. Mutable: `own` is what it has done."""

    def __init__(self, its: _SearchesInCommon) -> None:
        self.its = its
        self.own = Statistics()
        self.exhausted = False
        super().__init__(its.system, its.algorithm, its.property, its.ledger, its.lowered)

    def work(self) -> None:
        """Searches until nothing is left, or the search is over."""
        try:
            self._work()
        except SearchOver:
            self.its.stop()
        except BaseException as error:
            self.its.failed = error
            self.its.stop()

    def _work(self) -> None:
        its = self.its
        while not its.over:
            ran = self.core.run(SLICE, its.most_states)
            with its.lock:
                self._record()
                if its.over:
                    return
                if ran is Ran.STOPPED:
                    raise SearchOver
                if ran is Ran.REFUSED:
                    raise refusal(self.core, self.lowered)
                if its.ledger.polled():
                    raise SearchOver
            if ran is Ran.EXHAUSTED and not self._has_more():
                return

    def _has_more(self) -> bool:
        """Waits for something to do; returns whether there is some."""
        while not self.its.over:
            taken = self.core.take()
            if taken is Taken.TAKEN:
                return True
            if taken is Taken.ALL_IS_DONE:
                self.exhausted = True
                return False
            sleep(_IDLE)
        return False

    def told(self, event: CoreEvent, one: int, other: int) -> int:
        with self.its.lock:
            return super().told(event, one, other)

    def _record(self) -> None:
        self._name_threads()
        self.counted(self.core.counts, self.own)
        self.its.count()
