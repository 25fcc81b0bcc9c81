"""Stateless search by several workers that search with the native core: NOTE(native-parts),
NOTE(native-leaves)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from abpress.config import NATIVE, PYTHON, Config
from abpress.core.executions import ALGORITHMS, OBSERVING, UNDIVIDED, unfit
from abpress.core.leaves import CHOICE, CoreLeaves
from abpress.core.parts import SHARED, CoreParts, CountedExecutions
from abpress.core.reference import CoreRefused
from abpress.core.wakeup import SharedWakeupTree
from abpress.engines import core as cores
from abpress.engines.answer import Explored
from abpress.engines.executions import AskedExecutions
from abpress.engines.lone import OTHERS_COME, Lone, Poll
from abpress.engines.workers import (
    WorkerReport,
    WorkerShare,
    kept_search,
    limits_of,
    limits_of_each,
    merged,
    runs,
    telling_of_files,
)
from abpress.errors import InputError, UnsupportedError
from abpress.interpreter import without_cycle_collection
from abpress.ir.program import Program
from abpress.parallel.checkpoint import CheckpointFile
from abpress.parallel.dealer import Dealer
from abpress.parallel.findings import found_again, kept_findings
from abpress.parallel.forked import ForkedDesk, PartRefused
from abpress.parallel.forked_worker import ForkedChannel
from abpress.parallel.kept import KeptDesk, KeptLeaves, KeptParts, KeptShare
from abpress.parallel.leaf_worker import LeafWorker, said
from abpress.parallel.load import Diary
from abpress.parallel.messages import TheEnd
from abpress.parallel.office import Keeping, WorkerError
from abpress.parallel.part_worker import PartWorker
from abpress.parallel.parts import Frontier
from abpress.parallel.planner import WAITED, Planner
from abpress.properties import asked as property_of
from abpress.result import Soundness
from abpress.search.handover import HandoverError
from abpress.search.leaves import NamedKey
from abpress.search.ledger import Ledger, SearchOver
from abpress.search.limits import Limits, StopReason, Watch
from abpress.search.named import NOTHING_MET
from abpress.search.stateless import ExploredExecutions
from abpress.search.statistics import ExecutionStatistics, Statistics
from abpress.semantics.outcome import State

_NOT_SAID = StopReason("workers", "a worker that has ended the search has died")


@dataclass(frozen=True, slots=True)
class _Begun:
    """A search of this process, which is in the middle of the tree: the first worker, which is a
    copy of this process, goes on with it. What it tells its user is in `soundness`."""

    asked: AskedExecutions
    soundness: Soundness
    search: CoreParts | CoreLeaves


def refusal(config: Config, with_finals: bool) -> str | None:
    """Why workers do not ask the core; None if they do."""
    if with_finals:
        return "final states"
    return unfit(config, property_of(config.question.properties))


def explore(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None],
    soundness: Soundness,
    with_finals: bool,
    begun: _Begun | None = None,
) -> Explored | str | None:
    """As `workers.explore`; why that has to do it all; or None if nobody asks the core."""
    if config.search.core == PYTHON or config.search.por not in ALGORITHMS:
        return None
    why = refusal(config, with_finals)
    if why is None and begun is None:
        why = _refused(program, config)
    if why is not None:
        return why
    frontier, writer = kept_search(program, config)
    if isinstance(frontier, Frontier):
        return "a search that Python has begun"
    attempt = partial(_attempted, program, config, limits, progress, soundness, writer)
    leaves = _in_leaves(config, begun) and not isinstance(frontier, KeptParts)
    if not leaves and config.search.por in UNDIVIDED:
        return CHOICE
    waited: set[NamedKey] = set()
    found = attempt(begun, leaves, frontier, waited)
    known = -1
    while found == WAITED and known < len(waited):
        known = len(waited)
        found = attempt(None, leaves, None, waited)
    if leaves and isinstance(found, str) and found.startswith(CHOICE):
        if config.search.por in UNDIVIDED:
            return found
        if begun is not None:
            begun.search.tell_again()
        return attempt(begun, False, None, waited)
    return found


def _attempted(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None],
    soundness: Soundness,
    writer: CheckpointFile | None,
    begun: _Begun | None,
    leaves: bool,
    frontier: KeptDesk | None,
    waited: set[NamedKey],
) -> Explored | str:
    """As `explore`, in leaves or in parts; adds to the cells for which threads are known to
    wait."""
    limits = limits_of(limits, writer)
    watch: Watch[ExecutionStatistics] = Watch(limits, lambda its: progress(its.progress()))
    stopped: list[StopReason] = []

    def ends(statistics: ExecutionStatistics) -> bool:
        stop = watch(statistics)
        stopped.extend([] if stop is None else [stop])
        return stop is not None

    desks: list[ForkedDesk[Any]] = []

    def desk(
        workers: int,
        send: Callable[[int, Any], None],
        present: Sequence[int] | None,
        kept: KeptDesk | None,
    ) -> ForkedDesk[Any]:
        if leaves:
            desks.append(_planner(config, workers, send, begun, present, kept, frozenset(waited)))
        else:
            desks.append(_dealer(workers, send, begun, present, kept))
        return desks[-1]

    if frontier is not None:
        frontier = replace(frontier, shares=tuple(_shared(program, config, frontier.shares)))
    own = limits_of_each(config, limits, writer)
    reports: list[WorkerReport] = []
    try:
        work = partial(_explored, program, config, own, begun, leaves)
        keeping = Keeping(frontier, None if writer is None else _Keeper(writer))
        reports = runs(config)(config.search.workers, work, ends, desk, keeping)
    except WorkerError as error:
        stopped.append(StopReason("workers", str(error)))
    its = desks[-1]
    if isinstance(its, Planner):
        waited |= its.waited
    if its.refused:
        return its.refused
    shares = [*its.shares, *(r.share for r in reports if r.share is not None)]
    stopped += [s.stopped for s in shares if s.stopped is not None]
    if not its.finished and all(share.explored.exhausted for share in shares):
        stopped.append(_NOT_SAID)
    loads = [report.load for report in reports]
    found = merged(config, shares, loads, stopped, soundness, its.committed)
    return telling_of_files(found, frontier, writer).telling({"core": NATIVE})


@dataclass(frozen=True, slots=True)
class _Keeper:
    """Writes what a desk knows, with what its workers have found, to a file."""

    file: CheckpointFile

    def due(self) -> bool:
        return self.file.due()

    def write(self, kept: KeptDesk) -> None:
        self.file.write(replace(kept, shares=tuple(share.kept for share in kept.shares)))


def _shared(program: Program, config: Config, shares: Iterable[KeptShare]) -> Iterator[WorkerShare]:
    """What was found in a search that is gone on with. Raises InputError."""
    for kept in shares:
        soundness = Soundness()
        asked = AskedExecutions(program, config, soundness, Watch(Limits()), with_finals=False)
        asked.take_over(kept.more)
        ledger: Ledger[State, ExecutionStatistics]
        ledger = Ledger(asked.property, ExecutionStatistics())
        try:
            ledger.take_over(found_again(asked.system, asked.property, its) for its in kept.found)
        except HandoverError as error:
            raise InputError(f"cannot resume {config.search.resume}: {error}") from error
        yield WorkerShare(
            asked.answer(ledger.closed(exhausted=True)),
            ExecutionStatistics(),
            soundness,
            kept.threads,
            None,
            asked.ends.any_complete,
            asked.ends.vacuous,
            kept,
        )


def _dealer(
    workers: int,
    send: Callable[[int, Any], None],
    begun: _Begun | None,
    present: Sequence[int] | None,
    kept: KeptDesk | None,
) -> Dealer:
    """Who gives parts of the tree out, of which some may be explored."""
    assert not isinstance(kept, KeptLeaves)
    done = None if begun is None else begun.search.not_told()
    return Dealer(workers, send, done, present, kept)


def _planner(
    config: Config,
    workers: int,
    send: Callable[[int, Any], None],
    begun: _Begun | None,
    present: Sequence[int] | None,
    kept: KeptDesk | None,
    waited: frozenset[NamedKey],
) -> Planner:
    """Who gives leaves out."""
    assert not isinstance(kept, KeptParts)
    tree = SharedWakeupTree(ALGORITHMS[config.search.por] in OBSERVING)
    if begun is None:
        return Planner(workers, send, tree, None, present, kept, waited)
    search = begun.search
    assert isinstance(search, CoreLeaves)
    told = said(search, search.rest(), search.done(), None)
    desk = Planner(workers, send, tree, told)
    desk.shares.append(_Findings(begun.asked, begun.soundness, search).news())
    return desk


def _in_leaves(config: Config, begun: _Begun | None = None) -> bool:
    """Whether workers share a wakeup tree, as no thread is known to have a choice."""
    return _has_leaves(config) and (begun is None or begun.search.core.certain)


def _has_leaves(config: Config) -> bool:
    return config.search.por not in SHARED


def alone(
    asked: AskedExecutions,
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None],
    soundness: Soundness,
) -> Explored | None:
    """What the core explores in this process, until that has taken `config.search.alone` seconds,
    and then with others, if processes can be started; None if no others are wanted. Raises
    CoreRefused."""
    if config.search.cluster or refusal(config, with_finals=False) is not None:
        return None
    search = _search(asked, config, Lone.of(config, limits).polling(asked.watch))
    try:
        outcome = search.alone()
        if outcome.stopped == OTHERS_COME:
            begun = _Begun(asked, soundness, search)
            try:
                found = explore(program, config, limits, progress, soundness, False, begun)
            except UnsupportedError:
                found = None
            except SearchOver:  # before others have come
                return asked.answer(search.outcome(exhausted=False)).telling({"core": NATIVE})
            if isinstance(found, Explored):
                return found
            if found is not None and not _has_leaves(config):
                raise CoreRefused(found)
            outcome = search.alone()
        return asked.answer(outcome).telling({"core": NATIVE})
    finally:
        search.core.close()


def _search(
    asked: AskedExecutions, config: Config, poll: Poll | None = None
) -> CoreParts | CoreLeaves:
    """A search by the core, of nothing yet. Raises CoreRefused."""
    keep_going, leads = config.search.keep_going, config.question.leads
    ledger: Ledger[State, ExecutionStatistics]
    ledger = Ledger(asked.property, ExecutionStatistics(), keep_going, poll, asked.ends.note, leads)
    algorithm = ALGORITHMS[config.search.por]
    its = asked.system, algorithm, asked.property, ledger, asked.bounds
    return CoreLeaves(*its) if _has_leaves(config) else CoreParts(*its)


def _refused(program: Program, config: Config) -> str | None:
    """Why the core cannot search, as far as that is seen before; it is built if it has to be."""
    asked = AskedExecutions(program, config, Soundness(), Watch(Limits()), with_finals=False)

    def tried() -> None:
        _search(asked, config).core.close()

    return cores.asked(tried, config.search.core)


def _explored(
    program: Program,
    config: Config,
    limits: Limits,
    begun: _Begun | None,
    leaves: bool,
    number: int,
    channel: ForkedChannel,
    goes_on: bool,
) -> WorkerReport:
    """What a worker explores; or goes on with what was begun."""
    watch: Watch[ExecutionStatistics] = Watch(limits)
    if begun is not None and goes_on:  # never with leaves
        asked, soundness = begun.asked, begun.soundness
        asked.watch = watch
    else:
        begun, soundness = None, Soundness()
        asked = AskedExecutions(program, config, soundness, watch, with_finals=False)

    def explored() -> WorkerReport:
        search = _search(asked, config) if begun is None else begun.search
        try:
            findings = _Findings(asked, soundness, search)
            talks = channel, watch, findings.news
            worker: PartWorker | LeafWorker
            if leaves and isinstance(search, CoreLeaves):
                worker = LeafWorker(search, *talks)
            else:
                worker = PartWorker(search, *talks, goes_on)
            worker.run()
            return WorkerReport(worker.load(), findings.share(worker), NOTHING_MET)
        finally:
            search.core.close()

    with without_cycle_collection():
        found = cores.asked(explored, config.search.core)
    if isinstance(found, WorkerReport):
        return found
    channel.send(PartRefused(found))
    while not isinstance(channel.wait(), TheEnd):
        pass
    return WorkerReport(Diary().load(0, 0, 0), None, NOTHING_MET)


class _Findings:
    """What a worker has found. Mutable: `_told` is what the dealer knows."""

    def __init__(
        self, asked: AskedExecutions, soundness: Soundness, search: CountedExecutions
    ) -> None:
        self._asked = asked
        self._soundness = soundness
        self._search = search
        self._told: object = None

    def news(self) -> WorkerShare | None:
        """All that was found, for when the worker dies; None if that is as before."""
        outcome = self._search.outcome(exhausted=True)
        found = len(outcome.found), outcome.fault is None, self._asked.kept()
        if found == self._told:
            return None
        self._told = found
        return self._share(outcome, ExecutionStatistics(), None)

    def share(self, worker: PartWorker | LeafWorker) -> WorkerShare:
        """All that was found at the end, with what was done and is not told yet."""
        outcome = replace(self._search.outcome(worker.exhausted), stopped=worker.stopped)
        return self._share(outcome, self._search.not_told(), worker.stopped)

    def _share(
        self, outcome: ExploredExecutions, done: ExecutionStatistics, stopped: StopReason | None
    ) -> WorkerShare:
        asked, ends = self._asked, self._asked.ends
        threads = asked.system.views.threads_met()
        found = tuple(kept_findings(asked.system, outcome))
        return WorkerShare(
            asked.answer(outcome),
            done,
            self._soundness,
            threads,
            stopped,
            ends.any_complete,
            ends.vacuous,
            KeptShare(asked.kept(), found, threads),
        )
