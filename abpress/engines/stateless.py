"""Stateless search: decides a property by exploring the executions of a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from abpress.config import AUTO, NATIVE, PYTHON, Config
from abpress.core.executions import ALGORITHMS, unfit
from abpress.core.executions import explore as explore_natively
from abpress.engines import core as cores
from abpress.engines.answer import Explored
from abpress.engines.executions import AskedExecutions
from abpress.engines.lone import OTHERS_COME, Lone
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.later import later
from abpress.result import Result, Soundness
from abpress.search.limits import Limits, StopReason, Watch, processors
from abpress.search.recorder import Recording
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics, Statistics

_BY_WORKERS: Callable[..., Explored] = later("abpress.engines.workers", "explore")
_BY_NATIVE_WORKERS: Callable[..., Explored | str | None]
_BY_NATIVE_WORKERS = later("abpress.engines.native_workers", "explore")
_NATIVE_ALONE: Callable[..., Explored | None] = later("abpress.engines.native_workers", "alone")
_BEGUN: Callable[..., Any] = later("abpress.parallel.begun", "begun_alone")

HAND_OVER = 1 << 12
"""Events of a Python search after which the core begins anew. It needs as long to get ready."""

BUILD = 1 << 16
"""The same where the core has to be built first, which takes two seconds."""


class _Core:
    """Asks the core for a search, as `--core` says, where somebody could; the search is done by
    `joined`, unless that returns None. Mutable."""

    def __init__(
        self,
        begin: Callable[[], AskedExecutions],
        config: Config,
        is_asked: bool,
        joined: Callable[[AskedExecutions], Explored | None],
    ) -> None:
        self._begin = begin
        self._joined = joined
        self._config = config
        self._is_asked = is_asked and config.search.por in ALGORITHMS
        self._why: str | None = None
        self._turn: cores.HandingOver[Explored] | None = None

    def first(self, asked: AskedExecutions) -> Explored | None:
        """What it says at once; None if Python begins."""
        core = self._config.search.core
        if not self._is_asked or core == PYTHON:
            return None
        self._why = unfit(self._config, asked.property)
        if self._why is None and core == AUTO:
            self._turn = cores.HandingOver(self._search, HAND_OVER, BUILD)
        elif self._why is None:
            found = self._search()
            if isinstance(found, Explored):
                return found
            self._why = found
        return None

    def hooks(self, hooks: Hooks) -> Hooks:
        """These, and a stop when the core has searched."""
        turn, watch = self._turn, hooks.poll
        if turn is None:
            return hooks

        def poll(statistics: ExecutionStatistics) -> StopReason | None:
            stop = None if watch is None else watch(statistics)
            return turn.polled(statistics.events) if stop is None else stop

        return replace(hooks, poll=poll)

    @property
    def answer(self) -> Explored | None:
        """What it says by now."""
        found = None if self._turn is None else self._turn.found
        return found if isinstance(found, Explored) else None

    @property
    def words(self) -> dict[str, str]:
        """What is told of who has searched, if it was Python."""
        found = self._why if self._turn is None else self._turn.found
        why = found if isinstance(found, str) else None
        return {"core": cores.by_python(why)} if self._is_asked else {}

    def _search(self) -> Explored | str:
        return cores.asked(self._explored, self._config.search.core)

    def _explored(self) -> Explored:
        asked, config = self._begin(), self._config
        found = self._joined(asked)
        if found is not None:
            return found
        outcome = explore_natively(
            asked.system,
            config.search.por,
            asked.property,
            poll=asked.watch,
            keep_going=config.search.keep_going,
            on_final=asked.ends.note,
            leads=config.question.leads,
            bounds=asked.bounds,
        )
        return asked.answer(outcome).telling({"core": NATIVE})


def search(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None = None,
    soundness: Soundness | None = None,
    recording: Recording | None = None,
) -> Result:
    """Decides `config.question.properties` with the algorithm `config.search.por`; the verdicts
    mean what they do in `explicit.search`."""
    return explore(program, config, limits, progress, soundness, recording=recording).result


def explore(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None = None,
    soundness: Soundness | None = None,
    with_finals: bool = False,
    recording: Recording | None = None,
) -> Explored:
    """As `search`, with `config.search.keep_going` beyond the first violation.

    With several workers and `config.search.alone`, a search that takes longer than that is shared
    from then on; one that does not is that of one process, with all its numbers. More workers of
    one machine than it has processors would take turns, and hand over more: they are not started.
    """
    asked, most = config.search.workers, max(2, processors())
    few = asked > most and not config.search.cluster
    told = config.but(workers=most) if few else config
    soundness = Soundness() if soundness is None else soundness
    found = _explored(program, told, limits, progress, soundness, with_finals, recording)
    return found.telling({"asked_workers": f"{asked}, more than processors"} if few else {})


def _explored(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None,
    soundness: Soundness,
    with_finals: bool,
    recording: Recording | None,
) -> Explored:
    its = config.search
    kept = its.checkpoint is not None or its.resume is not None
    shared = its.workers > 1 or bool(its.cluster) or kept
    if shared and recording is not None:
        raise UnsupportedError(
            "--workers, --checkpoint and --resume: --show-executions and --tree show one search"
            " in one process"
        )
    tell = progress or (lambda _: None)
    if shared and (its.alone is None or kept):
        told = program, config, limits, tell, soundness, with_finals
        native = _BY_NATIVE_WORKERS(*told)
        if isinstance(native, Explored):
            return native
        words = {} if native is None else {"core": cores.by_python(native)}
        return _BY_WORKERS(*told, why_not_native=native).telling(words)

    def listen(statistics: ExecutionStatistics) -> None:
        if progress is not None:
            progress(statistics.progress())

    watch = Watch(limits, listen)

    def begin() -> AskedExecutions:
        return AskedExecutions(program, config, soundness, watch, with_finals)

    def joined(asked: AskedExecutions) -> Explored | None:
        return _NATIVE_ALONE(asked, program, config, limits, tell, soundness) if shared else None

    core = _Core(begin, config, recording is None and not with_finals, joined)
    asked = begin()
    found = core.first(asked)
    if found is not None:
        return found
    algorithm = asked.entry.make()
    if recording is not None:
        recording.system = asked.system
        algorithm = recording.watching(algorithm)
    hooks = core.hooks(asked.hooks(recording))
    lone = Lone.of(config, limits)
    hooks = lone.hooks(hooks) if shared else hooks
    outcome = explore_executions(
        asked.system,
        algorithm,
        asked.property,
        keep_going=config.search.keep_going,
        bounds=asked.bounds,
        hooks=hooks,
        leads=config.question.leads,
    )
    if core.answer is not None:
        return core.answer
    if outcome.stopped == OTHERS_COME:
        begun = _BEGUN(asked.system, algorithm, outcome, *lone.rest, asked.kept())
        together = _BY_WORKERS(program, config, limits, tell, soundness, with_finals, begun)
        return together.telling(core.words)
    return asked.answer(outcome).telling(core.words)
