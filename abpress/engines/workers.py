"""Stateless search by several workers: one tree, one answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from abpress.config import PYTHON, Config
from abpress.engines.answer import ENDED_EARLY, Explored
from abpress.engines.executions import AskedExecutions
from abpress.engines.order import RANDOM
from abpress.errors import InputError, UnsupportedError
from abpress.interpreter import without_cycle_collection
from abpress.ir.program import Program
from abpress.later import later
from abpress.parallel.checkpoint import CheckpointFile, KeptSearch, Search, read
from abpress.parallel.kept import KeptShare
from abpress.parallel.load import Doing, WorkerLoad
from abpress.parallel.office import Keeping, WorkerError
from abpress.parallel.parts import Frontier, Heritage
from abpress.parallel.post import Channel
from abpress.parallel.processes import in_processes
from abpress.parallel.worker import FINISHED, Worker
from abpress.reductions.table import STATELESS
from abpress.result import Result, Soundness, Verdict, proved, undecided
from abpress.search.handover import program_hash
from abpress.search.limits import Limits, StopReason, Watch
from abpress.search.named import NOTHING_MET, Met
from abpress.search.statistics import ExecutionStatistics, Statistics

_IN_CLUSTER: Callable[..., list[Any]] = later("abpress.parallel.cluster", "in_cluster")

_EARLY = 10.0
_PART = 0.1
"""So many seconds, or this part of its time if that is less, before a limit of time a search ends
that is to be kept; of its memory workers use so much less."""


@dataclass(frozen=True, slots=True)
class WorkerShare:
    """What one worker says. `stopped` is the limit that it has met itself; `kept` is what a search
    that is gone on with has to know of it, if its desk keeps that."""

    explored: Explored
    statistics: ExecutionStatistics
    soundness: Soundness
    threads: int
    stopped: StopReason | None
    any_complete: bool
    vacuous: str
    kept: KeptShare | None = None


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """What one worker has done and met, and what it says, unless it has found nothing to do.
    `enough`: it has ended the search, because of what it has found."""

    load: WorkerLoad
    share: WorkerShare | None
    met: Met
    enough: bool = False


def explore(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None],
    soundness: Soundness,
    with_finals: bool,
    begun: Frontier | None = None,
    why_not_native: str | None = None,
) -> Explored:
    """As `stateless.explore`, by `config.search.workers` processes, here or in a cluster.

    The search may go on with one that was kept, or `begun` in this process, and is kept in a file
    if that is asked for.

    Each of those here has its part of the memory that there may be. The verdicts, and the numbers
    of complete executions of a search that is not ended early, are those of one process.
    """
    workers = config.search.workers
    if not STATELESS[config.search.por].shared:
        option = "--checkpoint and --resume" if workers == 1 else "--workers"
        raise UnsupportedError(f"{option}: {config.search.por} is not shared among workers")
    frontier, writer = kept_search(program, config)
    if frontier is not None and not isinstance(frontier, Frontier):
        raise InputError(
            f"cannot resume {config.search.resume}: workers that search with the native core"
            " have kept it, and only such workers go on with it;"
            f" {_to_have_them(config, why_not_native)}"
        )
    limits = limits_of(limits, writer)
    watch: Watch[ExecutionStatistics] = Watch(limits, lambda its: progress(its.progress()))
    stopped: list[StopReason] = []

    def ends(statistics: ExecutionStatistics) -> bool:
        stop = watch(statistics)
        stopped.extend([] if stop is None else [stop])
        return stop is not None

    own = limits_of_each(config, limits, writer)
    met, begin, reports = NOTHING_MET, begun or frontier, list[WorkerReport]()
    run = runs(config)
    try:
        while True:
            work = partial(_explored, program, config, own, with_finals, met)
            keeping = Keeping(begin, writer, commits=True)
            reports = run(workers, work, ends, keeping=keeping)
            for report in reports:
                met = met.joined(report.met)
            limited = stopped or any(r.share is not None and r.share.stopped for r in reports)
            if not met.stale or limited or any(report.enough for report in reports):
                break
            met, begin = met.renewed(), None
    except WorkerError as error:
        stopped.append(StopReason("workers", str(error)))
        reports = []
    shares = [report.share for report in reports if report.share is not None]
    stopped += [s.stopped for s in shares if s.stopped is not None]
    loads = [report.load for report in reports]
    return telling_of_files(merged(config, shares, loads, stopped, soundness), frontier, writer)


def runs(config: Config) -> Callable[..., list[Any]]:
    """What runs workers: here, or in a cluster."""
    if config.search.cluster:
        return partial(_IN_CLUSTER, config.search.cluster)
    return in_processes


def limits_of(limits: Limits, writer: CheckpointFile | None) -> Limits:
    """The limits of a search: if it is kept, there must be time to write it."""
    if writer is None:
        return limits
    early = min(_EARLY, _PART * (limits.time or 0))
    return replace(limits, started=limits.started - early)


def limits_of_each(config: Config, limits: Limits, writer: CheckpointFile | None) -> Limits:
    """The limits of each worker, of which those here share the memory."""
    if config.search.cluster:
        return Limits()
    each = None if limits.memory is None else limits.memory / config.search.workers
    if each is not None and writer is not None:
        each *= 1 - _PART
    return Limits(limits.time, each, started=limits.started)


def telling_of_files(
    found: Explored, frontier: KeptSearch | None, writer: CheckpointFile | None
) -> Explored:
    """The same with what is told of the search that was resumed, and of the one that was kept."""
    files = {} if frontier is None else {"resumed": f"after {frontier.executions:,} executions"}
    if writer is not None and writer.written:
        files["checkpoint"] = f"{writer.path}, after {writer.executions:,} executions"
    if writer is not None and writer.failed:
        told = f"{writer.path} is not up to date, it cannot be written: {writer.failed}"
        files["checkpoint"] = told
        found = found.warning(told)
    return found.telling(files)


def kept_search(
    program: Program, config: Config
) -> tuple[KeptSearch | None, CheckpointFile | None]:
    """The search to resume, and who keeps this one. Raises InputError and UnsupportedError."""
    old, new = config.search.resume, config.search.checkpoint
    if old is None and new is None:
        return None, None
    if len(config.question.properties) > 1:
        raise UnsupportedError("--checkpoint and --resume: only one property at a time")
    if config.search.order == RANDOM:
        raise UnsupportedError("--checkpoint and --resume: --order random cannot be gone on with")
    search = Search(program_hash(program), _options(config))
    writer = None if new is None else CheckpointFile(new, config.search.checkpoint_every, search)
    if writer is not None:
        writer.check()
    return None if old is None else read(old, search), writer


def _to_have_them(config: Config, why_not: str | None) -> str:
    """What somebody can do who wants workers with the native core; it is not asked, or why not."""
    if config.search.core == PYTHON or why_not is None:
        return "leave out --core python, or begin anew"
    return f"here they cannot search: {why_not}"


def _options(config: Config) -> dict[str, str]:
    """What has to be the same in a search that is resumed, as the user says it."""
    bounds, search = config.bounds, config.search
    alarms = [(a.property, sorted(a.places)) for a in config.question.alarms]
    return {
        "--algorithm": STATELESS[search.por].algorithm,
        "--property": config.question.named,
        "--keep-going": "on" if search.keep_going else "off",
        "--order": search.order,
        "--no-await": "off" if search.awaits else "on",
        "--unroll": str(bounds.unroll),
        "--max-threads": str(bounds.max_threads),
        "--recursion-bound": str(bounds.recursion_bound),
        "--input-domain": str(bounds.input_domain),
        "alarms": hashlib.sha256(repr(alarms).encode()).hexdigest()[:16] if alarms else "none",
    }


def _explored(
    program: Program,
    config: Config,
    limits: Limits,
    with_finals: bool,
    met: Met,
    number: int,
    channel: Channel,
    life: Heritage,
) -> WorkerReport:
    """What a worker explores."""
    soundness = Soundness()
    asked = AskedExecutions(program, config, soundness, Watch(limits), with_finals)
    for part in () if life.share is None else life.share.parts:
        asked.take_over(part.more)
    worker = Worker(
        number,
        asked.system,
        config.search.por,
        asked.property,
        channel,
        keep_going=config.search.keep_going,
        bounds=asked.bounds,
        hooks=asked.hooks(),
        leads=config.question.leads,
        life=life,
        met=met,
        keeps=asked.kept,
    )
    with without_cycle_collection():
        outcome = worker.run(begins=life.share is None)
    load = worker.load()
    if outcome is None:
        return WorkerReport(load, None, worker.met)
    found = WorkerShare(
        asked.answer(outcome),
        outcome.statistics,
        soundness,
        asked.system.views.threads_met(),
        outcome.stopped if outcome.stopped != FINISHED else None,
        asked.ends.any_complete,
        asked.ends.vacuous,
    )
    enough = not outcome.exhausted and outcome.stopped is None
    return WorkerReport(load, found, worker.met, enough)


def merged(
    config: Config,
    shares: Sequence[WorkerShare],
    loads: list[WorkerLoad],
    stopped: list[StopReason],
    soundness: Soundness,
    more: ExecutionStatistics | None = None,
) -> Explored:
    """What all of them say together; they have done so much `more`. Of several violations of a
    property the one with the shortest trace is told."""
    done = ExecutionStatistics()
    if more is not None:
        done.add(more)
    for share in shares:
        done.add(share.statistics)
        for reason in share.soundness.reasons:
            soundness.lose(reason)
        for assumption in share.soundness.assumptions:
            soundness.assume(assumption)
    violations = tuple(dict.fromkeys(v for share in shares for v in share.explored.violations))
    exhausted = not stopped and bool(shares) and all(s.explored.exhausted for s in shares)
    statistics = {
        "threads": max((share.threads for share in shares), default=0),
        **done.as_dict(),
        "workers": len(loads),
        **_timed(len(loads), exhausted),
        "events_by_worker": ", ".join(f"{its.events:,}" for its in loads),
        "waited_by_worker": ", ".join(f"{its.seconds(Doing.WAITING):.2f} s" for its in loads),
    }
    if config.search.keep_going:
        statistics["violations"] = "; ".join(violations) or "none"
    vacuous = ""
    if not any(share.any_complete for share in shares):
        vacuous = next((share.vacuous for share in shares if share.vacuous), "")
    results: dict[str, Result] = {}
    for name in config.question.properties:
        answers = [share.explored.results[name] for share in shares]
        false = [its for its in answers if its.verdict is Verdict.FALSE]
        shown = next((its for its in answers if its.trace is not None), None)
        if false:
            result = replace(min(false, key=_length), statistics=statistics)
        elif stopped:
            result = undecided(name, stopped[0].text, statistics)
        elif shown is not None:
            result = replace(shown, statistics=statistics)
        elif not exhausted:
            result = undecided(name, ENDED_EARLY, statistics)
        elif not soundness.complete:
            reason = next(its.reason for its in answers if its.verdict is Verdict.UNKNOWN)
            result = undecided(name, reason, statistics)
        else:
            result = proved(name, soundness, exhausted, statistics, vacuous)
        results[name] = result
    zero = min((its.begun for its in loads), default=0.0)
    told = tuple(its.to_json(worker, zero) for worker, its in enumerate(loads))
    results = {name: replace(result, load=told) for name, result in results.items()}
    finals = [share.explored.finals for share in shares]
    together = frozenset(f for its in finals if its is not None for f in its)
    return Explored(results, violations, exhausted, together if None not in finals else None)


def _timed(workers: int, exhausted: bool) -> dict[str, str]:
    """Which numbers depend on who comes first."""
    if workers == 1:
        return {}
    return {"depend_on_timing": "all but complete and deadlocked" if exhausted else "all"}


def _length(result: Result) -> tuple[int, object]:
    return len(result.trace.schedule), result.trace.schedule
