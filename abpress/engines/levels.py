"""Stored states searched by several workers: one search, level by level."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from abpress.config import Config
from abpress.engines.order import RANDOM
from abpress.engines.vacuity import Ends
from abpress.errors import UnsupportedError
from abpress.interpreter import without_cycle_collection
from abpress.parallel.levels import (
    FINISHED,
    FirstEnds,
    LevelChannel,
    LevelHub,
    LevelReport,
    LevelWorker,
)
from abpress.parallel.office import WorkerDiedError, WorkerError
from abpress.parallel.processes import in_processes
from abpress.properties import Property
from abpress.reductions.entry import ReductionEntry
from abpress.result import Soundness
from abpress.search.ledger import Exploration, Found, SearchOver
from abpress.search.levels import MOST_SEARCHERS, LevelSearch, WholePaths
from abpress.search.limits import Limits, StopReason, Watch
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State

_WIDE = 500
"""States of a level for each worker, from which on they share the search: what a level of fewer
takes is less than what the exchange of messages does."""

_TRIES = 3
"""How often workers begin, if one dies."""


@dataclass(frozen=True, slots=True)
class Together:
    """What several workers have explored, and how many states each of them has stored."""

    outcome: Exploration[State, Statistics]
    stored: tuple[int, ...]


@without_cycle_collection()
def explore_together(
    system: Interpreter,
    entry: ReductionEntry[Any],
    property: Property,
    config: Config,
    limits: Limits,
    watch: Watch[Statistics],
    ends: Ends,
) -> Together:
    """Searches breadth first, with a static reduction, by `config.search.workers` processes.

    One process begins, until there is enough for all to do. States, steps and findings are the
    same for any number of workers; of each finding the execution is a shortest one. Raises
    UnsupportedError for a reduction that is not shared.
    """
    workers = config.search.workers
    if not entry.shared:
        raise UnsupportedError(f"--workers: {entry.name} is not shared among workers")
    if workers > MOST_SEARCHERS:
        raise UnsupportedError(f"--workers: more than {MOST_SEARCHERS} share no stored states")
    if config.search.order == RANDOM:
        raise UnsupportedError("--workers: they try threads in the same order, not at random")
    keep_going, leads = config.search.keep_going, config.question.leads
    parts = frozenset(part.name for part in property.parts)

    def enough(violated: frozenset[str]) -> bool:
        return not keep_going and (violated >= parts or any(name in leads for name in violated))

    search = LevelSearch(
        system,
        entry.make(system),
        property,
        watch,
        lambda arrival, end: ends.note(arrival.successor, end),
    )
    begun = _begun(search, workers, enough)
    if begun.stopped is not None or not search.width or _is_enough(begun, enough):
        return Together(_told(system, [begun], WholePaths(system, [search.ways]), keep_going), ())
    shared = _AtWork(system, entry, search, begun, workers, enough, limits, watch)
    reports = shared.reports()
    for name in shared.names:
        system.context.meet(name)
    _take_in(system.soundness, [report.soundness for report in reports])
    _note(ends, [report.ends for report in reports])
    outcomes = [begun, *(report.outcome for report in reports)]
    paths = WholePaths(system, [report.ways for report in reports] or [search.ways])
    outcome = _told(system, outcomes, paths, keep_going)
    stops = (its.stopped for its in outcomes)
    stopped = shared.stopped + [its for its in stops if its is not None and its != FINISHED]
    exhausted = not stopped and bool(reports) and all(r.outcome.exhausted for r in reports)
    outcome = replace(outcome, stopped=stopped[0] if stopped else None, exhausted=exhausted)
    return Together(outcome, tuple(r.outcome.statistics.states for r in reports))


def _begun(
    search: LevelSearch, workers: int, enough: Callable[[frozenset[str]], bool]
) -> Exploration[State, Statistics]:
    """What one process explores before the others begin."""
    try:
        while 0 < search.width < _WIDE * workers and not _is_enough(search.found(), enough):
            search.expand()
    except SearchOver:
        pass
    over = not search.width
    return search.found(exhausted=over)


def _is_enough(
    outcome: Exploration[State, Statistics], enough: Callable[[frozenset[str]], bool]
) -> bool:
    return enough(frozenset(found.violates for found in outcome.found))


class _AtWork:
    """A search that goes on by workers. Mutable: `stopped` are the limits that were met, `names`
    what workers have numbered."""

    def __init__(
        self,
        system: Interpreter,
        entry: ReductionEntry[Any],
        search: LevelSearch,
        begun: Exploration[State, Statistics],
        workers: int,
        enough: Callable[[frozenset[str]], bool],
        limits: Limits,
        watch: Watch[Statistics],
    ) -> None:
        self._system = system
        self._entry = entry
        self._search = search
        self._begun = begun
        self._workers = workers
        self._enough = enough
        memory = None if limits.memory is None else limits.memory / workers
        self._own = Limits(limits.time, memory, started=limits.started)
        self._watch = watch
        self._hub: LevelHub | None = None
        self.stopped: list[StopReason] = []

    @property
    def names(self) -> Iterable[Any]:
        return () if self._hub is None else self._hub.names.since(0)

    def reports(self) -> list[LevelReport]:
        """What workers report; nothing if they fail. If one dies, all begin once more where this
        process has stopped: what it stored is lost, and what depends on it."""
        for tried in range(1, _TRIES + 1):
            try:
                return in_processes(self._workers, self._work, self._ends, self._desk)
            except WorkerDiedError as error:
                if tried == _TRIES:
                    self._fail(f"{error}, {tried} times")
            except WorkerError as error:
                self._fail(str(error))
                break
        return []

    def _fail(self, why: str) -> None:
        self._hub = None
        self.stopped.append(StopReason("workers", why))

    def _desk(self, workers: int, send: Callable[[int, Any], None], *_: object) -> LevelHub:
        self._hub = LevelHub(workers, send, self._enough)
        return self._hub

    def _ends(self, statistics: Statistics) -> bool:
        statistics.add(self._begun.statistics)
        stop = self._watch(statistics)
        self.stopped.extend([] if stop is None or self.stopped else [stop])
        return stop is not None

    def _work(self, number: int, channel: LevelChannel, _: object) -> LevelReport:
        watch: Watch[Statistics] = Watch(self._own)
        worker = LevelWorker(
            number,
            self._workers,
            self._system,
            self._search,
            self._entry.make(self._system),
            channel,
            watch,
        )
        outcome = worker.run()
        return LevelReport(outcome, self._search.ways, worker.ends, self._system.soundness)


def _told(
    system: Interpreter,
    outcomes: list[Exploration[State, Statistics]],
    paths: WholePaths,
    keep_going: bool,
) -> Exploration[State, Statistics]:
    """What all have found together, with whole executions: of equal findings the first one."""
    statistics = Statistics()
    for outcome in outcomes:
        statistics.add(outcome.statistics)
    found: dict[Any, Found[State]] = {}
    for its in sorted((f for o in outcomes for f in o.found), key=paths.rank):
        found.setdefault((its.violates, its.finding.key if keep_going else None), its)
    faults = sorted((o.fault for o in outcomes if o.fault is not None), key=paths.rank)
    return Exploration(
        statistics,
        tuple(paths.whole(its) for its in found.values()),
        outcomes[0].stopped,
        outcomes[0].exhausted,
        paths.whole(faults[0]) if faults else None,
    )


def _take_in(soundness: Soundness, others: Iterable[Soundness]) -> None:
    """Takes in what others have lost and assumed, in an order that does not depend on whose it
    is."""
    its = list(others)
    for reason in sorted({reason for other in its for reason in other.reasons}):
        soundness.lose(reason)
    for assumption in sorted({text for other in its for text in other.assumptions}):
        soundness.assume(assumption)
    for warning in sorted({text for other in its for text in other.warnings}):
        soundness.warn(warning)


def _note(ends: Ends, others: Iterable[FirstEnds]) -> None:
    """Notes the first states in which executions end, of each kind."""
    first = FirstEnds()
    for other in others:
        first.take_in(other)
    for end, kept in first.kept.items():
        for _, _, state in kept:
            ends.note(state, end)
