"""A search without stored states as an engine asks it: its system, what it is told, its answer."""

from __future__ import annotations

from typing import Any

from abpress.config import Config
from abpress.engines.answer import (
    Explored,
    concluded,
    expiry,
    note_missed_races,
    text_of_final,
)
from abpress.engines.order import InOrder
from abpress.engines.vacuity import Ends
from abpress.ir.program import Program
from abpress.properties import asked
from abpress.properties.ends import End
from abpress.reductions.table import STATELESS
from abpress.result import Soundness
from abpress.search.bounds import ExecutionBounds
from abpress.search.limits import Watch
from abpress.search.recorder import Recording
from abpress.search.stateless import ExploredExecutions, Hooks
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.outcome import State


class AskedExecutions:
    """One search for `config.question.properties` with the algorithm `config.search.por`, or a part
    of it. Mutable: it takes in what it is told by `hooks`."""

    def __init__(
        self,
        program: Program,
        config: Config,
        soundness: Soundness,
        watch: Watch[ExecutionStatistics],
        with_finals: bool,
    ) -> None:
        self.property = asked(config.question.properties)
        self.system = InOrder(program, config, soundness)
        self.entry = STATELESS[config.search.por]
        self.bounds = ExecutionBounds(unroll=config.bounds.unroll, awaits=config.search.awaits)
        self.ends = Ends(self.system)
        self._config = config
        self._soundness = soundness
        self.watch = watch
        self._finals: dict[tuple[State, End], None] | None = {} if with_finals else None
        self._earlier: set[str] = set()  # finals of a search that is gone on with
        note_missed_races(self.system, self.entry, self.property, soundness)

    def hooks(self, recording: Recording | None = None) -> Hooks:
        """What the search tells; a recording hears of it, too."""

        def restart() -> None:
            if self._finals is not None:
                self._finals.clear()
            if recording is not None:
                recording.restart()

        return Hooks(
            poll=self.watch,
            on_final=self._final,
            on_blocked=lambda state: self.ends.note(state, End.BLOCKED),
            on_end=recording.ended if recording is not None else None,
            on_restart=restart,
        )

    def answer(self, outcome: ExploredExecutions) -> Explored:
        """What the outcome of the search says."""
        finals = None
        if self._finals is not None:
            finals = frozenset(self._final_texts())
        expired = expiry(self.watch, outcome.statistics, bool(outcome.found))
        its = self._config, self._soundness, expired, finals, self.ends
        return concluded(self.system, outcome, *its)

    def kept(self) -> tuple[Any, ...]:
        """What was told so far, as plain values: to be kept with the search."""
        soundness = self._soundness
        finals = () if self._finals is None else tuple(sorted(self._final_texts()))
        told = soundness.reasons, soundness.assumptions, soundness.warnings
        return (*map(tuple, told), self.ends.kept(), finals)

    def take_over(self, kept: tuple[Any, ...]) -> None:
        """Takes in what another search was told."""
        reasons, assumptions, warnings, ends, finals = kept
        for reason in reasons:
            self._soundness.lose(reason)
        for assumption in assumptions:
            self._soundness.assume(assumption)
        for warning in warnings:
            self._soundness.warn(warning)
        self.ends.take_over(ends)
        self._earlier.update(finals)

    def _final_texts(self) -> set[str]:
        return self._earlier | {text_of_final(self.system, *its) for its in self._finals or ()}

    def _final(self, state: State, end: End) -> None:
        self.ends.note(state, end)
        if self._finals is not None:
            self._finals[state, end] = None
