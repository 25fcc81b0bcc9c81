"""Stateless search: decides a property by exploring the executions of a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from typing import Any

from abpress.config import Config
from abpress.engines.answer import Explored
from abpress.engines.executions import AskedExecutions
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.later import later
from abpress.result import Result, Soundness
from abpress.search.limits import Limits, StopReason, Watch, resident_memory
from abpress.search.recorder import Recording
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics, Statistics

_BY_WORKERS: Callable[..., Explored] = later("abpress.engines.workers", "explore")
_BEGUN: Callable[..., Any] = later("abpress.parallel.begun", "begun_alone")

OTHERS_COME = StopReason("workers", "others go on with the search")


@dataclass(slots=True)
class Lone:
    """A search of one process, with which others go on if it takes long. Mutable: `rest` is what
    `Hooks.on_stop` was told. Nobody comes if it has taken half of the memory, in MiB, that each
    would have."""

    until: float
    memory: float
    rest: tuple[Any, ...] = ()

    def hooks(self, hooks: Hooks) -> Hooks:
        """These, and a stop when others come."""
        asked = hooks.poll

        def poll(statistics: ExecutionStatistics) -> StopReason | None:
            stop = None if asked is None else asked(statistics)
            if stop is None and monotonic() >= self.until:
                self.until = inf
                return OTHERS_COME if 2 * resident_memory() <= self.memory else None
            return stop

        def stopped(*rest: Any) -> None:
            self.rest = rest

        return replace(hooks, poll=poll, on_stop=stopped)


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
    from then on; one that does not is that of one process, with all its numbers.
    """
    soundness = Soundness() if soundness is None else soundness
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
        return _BY_WORKERS(program, config, limits, tell, soundness, with_finals)

    def listen(statistics: ExecutionStatistics) -> None:
        if progress is not None:
            progress(statistics.progress())

    asked = AskedExecutions(program, config, soundness, Watch(limits, listen), with_finals)
    algorithm = asked.entry.make()
    if recording is not None:
        recording.system = asked.system
        algorithm = recording.watching(algorithm)
    hooks = asked.hooks(recording)
    lone = Lone(monotonic() + (its.alone or 0.0), (limits.memory or inf) / its.workers)
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
    if outcome.stopped == OTHERS_COME:
        begun = _BEGUN(asked.system, algorithm, outcome, *lone.rest, asked.kept())
        return _BY_WORKERS(program, config, limits, tell, soundness, with_finals, begun)
    return asked.answer(outcome)
