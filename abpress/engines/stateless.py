"""Stateless search: decides a property by exploring the executions of a program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from abpress.config import Config
from abpress.engines.answer import (
    Explored,
    concluded,
    is_over,
    note_missed_races,
    text_of_final,
)
from abpress.engines.order import InOrder
from abpress.engines.vacuity import Ends
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.later import later
from abpress.properties import asked
from abpress.properties.ends import End
from abpress.reductions.table import STATELESS
from abpress.result import Result, Soundness
from abpress.search.bounds import ExecutionBounds
from abpress.search.limits import Limits, Watch
from abpress.search.recorder import Recording
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics, Statistics
from abpress.semantics.outcome import State

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
    if config.search.workers > 1:
        if recording is not None:
            raise UnsupportedError("--workers: --show-executions and --tree show one process")
        tell = progress or (lambda _: None)
        return _BY_WORKERS(program, config, limits, tell, soundness, with_finals)
    property = asked(config.question.properties)
    system = InOrder(program, config, soundness)
    ends = Ends(system)
    met: dict[tuple[State, End], None] = {}

    def listen(statistics: ExecutionStatistics) -> None:
        if progress is not None:
            progress(statistics.progress())

    def final(state: State, end: End) -> None:
        ends.note(state, end)
        if with_finals:
            met[state, end] = None

    def restart() -> None:
        met.clear()
        if recording is not None:
            recording.restart()

    watch: Watch[ExecutionStatistics] = Watch(limits, listen)
    entry = STATELESS[config.search.por]
    note_missed_races(system, entry, property, soundness)
    algorithm = entry.make()
    if recording is not None:
        recording.system = system
        algorithm = recording.watching(algorithm)
    outcome = explore_executions(
        system,
        algorithm,
        property,
        keep_going=config.search.keep_going,
        bounds=ExecutionBounds(unroll=config.bounds.unroll, awaits=config.search.awaits),
        hooks=Hooks(
            poll=watch,
            on_final=final,
            on_blocked=lambda state: ends.note(state, End.BLOCKED),
            on_end=recording.ended if recording is not None else None,
            on_restart=restart,
        ),
        leads=config.question.leads,
    )
    expired = partial(is_over, watch, outcome.statistics)
    finals = (
        frozenset(text_of_final(system, state, end) for state, end in met) if with_finals else None
    )
    return concluded(system, outcome, config, soundness, expired, finals, ends)
