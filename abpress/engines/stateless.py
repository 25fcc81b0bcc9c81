"""Stateless search: decides a property by exploring the executions of a program."""

from __future__ import annotations

from collections.abc import Callable

from abpress.config import Config
from abpress.engines.answer import Explored
from abpress.engines.executions import AskedExecutions
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.later import later
from abpress.result import Result, Soundness
from abpress.search.limits import Limits, Watch
from abpress.search.recorder import Recording
from abpress.search.stateless import explore_executions
from abpress.search.statistics import ExecutionStatistics, Statistics

_BY_WORKERS: Callable[..., Explored] = later("abpress.engines.workers", "explore")


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
    """As `search`, with `config.search.keep_going` beyond the first violation."""
    soundness = Soundness() if soundness is None else soundness
    its = config.search
    kept = its.checkpoint is not None or its.resume is not None
    if its.workers > 1 or its.cluster or kept:
        if recording is not None:
            raise UnsupportedError(
                "--workers, --checkpoint and --resume: --show-executions and --tree show one search"
                " in one process"
            )
        tell = progress or (lambda _: None)
        return _BY_WORKERS(program, config, limits, tell, soundness, with_finals)

    def listen(statistics: ExecutionStatistics) -> None:
        if progress is not None:
            progress(statistics.progress())

    asked = AskedExecutions(program, config, soundness, Watch(limits, listen), with_finals)
    algorithm = asked.entry.make()
    if recording is not None:
        recording.system = asked.system
        algorithm = recording.watching(algorithm)
    outcome = explore_executions(
        asked.system,
        algorithm,
        asked.property,
        keep_going=config.search.keep_going,
        bounds=asked.bounds,
        hooks=asked.hooks(recording),
        leads=config.question.leads,
    )
    return asked.answer(outcome)
