"""What one turn of an engine may use of the time or of states, and what ends it early."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic

from abpress.engines.table import Progress
from abpress.result import Result
from abpress.search.limits import INTERRUPTED, STATES_EXCEEDED, Extension, Interrupt, Limits
from abpress.search.processor import processor_time
from abpress.search.statistics import Statistics


@dataclass(frozen=True, slots=True)
class SearchPause:
    """Who is asked while a search waits, after it has used so many seconds."""

    after: float
    ask: Callable[[], None]


@dataclass(slots=True)
class Share:
    """What one turn may use: a part of the time, or a number of states. Mutable.

    `slice` is a number of states that is kept to exactly. `early` is asked whether something has
    become known with which another turn would have less to do. `interrupt` is set then, when the
    states are used up, and when the user interrupts the run. Where one process does the work, the
    time is its `processor` time; by the clock the others keep half of what it leaves them. When so
    many seconds of it were used others are asked, once, while it waits: that is its `pause`.
    """

    whole: Limits
    progress: Progress
    time: float | None = None
    states: int | None = None
    slice: int | None = None
    processor: bool = False
    early: Callable[[], bool] = lambda: False
    pause: SearchPause | None = None
    ended_early: bool = False
    used_up: bool = False
    latest: Statistics = field(default_factory=Statistics)
    interrupt: Interrupt = field(default_factory=Interrupt)
    extension: Extension = field(default_factory=Extension)
    began: float = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.now()

    def now(self) -> float:
        """The time, by the clock that is its own."""
        return processor_time() if self.processor else monotonic()

    @property
    def used(self) -> float:
        """The seconds that it has taken since it was made, without the pause."""
        return self.now() - self.began - self.extension.seconds

    @property
    def limits(self) -> Limits:
        """The limits of the search."""
        if self.time is not None:
            whole, began = self.whole, monotonic()
            used = None
            if self.processor:
                used = processor_time()
                if whole.time is not None:
                    most = self.time + max(0.0, whole.left - self.time) / 2
                    whole = Limits(most, started=began, whole=whole)
            memory, interrupt, more = self.whole.memory, self.interrupt, self.extension
            return Limits(self.time, memory, interrupt, began, self.slice, whole, used, more)
        more = self.extension
        return replace(self.whole, interrupt=self.interrupt, states=self.slice, extension=more)

    def again(self) -> Share:
        """The same share, of which nothing was used."""
        its = self.time, self.states, self.slice, self.processor
        return Share(self.whole, self.progress, *its)

    def listen(self, statistics: Statistics) -> None:
        """Takes in how far the search has got."""
        self.latest = statistics
        if self.states is not None and statistics.states >= self.states:
            self.used_up = True
        self._rest()
        self.ended_early |= self.early()
        ended = self.used_up or self.ended_early
        self.interrupt.requested |= ended or self.whole.interrupt.requested
        self.progress(statistics)

    def _rest(self) -> None:
        if self.pause is None or self.used < self.pause.after:
            return
        pause, self.pause = self.pause, None
        began = self.now()
        self.extension.seconds = inf  # for whoever keeps the limits as soon as the pause is over
        try:
            pause.ask()
        finally:
            self.extension.seconds = self.now() - began

    def has_ended(self, result: Result, limits: Limits) -> bool:
        """Whether an unknown result is due to the share: a longer one may help."""
        if self.ended_early:
            return False
        used_up = self.used_up and result.reason == INTERRUPTED.text
        late = self.time is not None and result.reason == limits.time_exceeded.text
        sliced = self.slice is not None and result.reason == STATES_EXCEEDED.text
        return used_up or late or sliced

    def __str__(self) -> str:
        states = self.states if self.slice is None else self.slice
        return f"{self.time:.1f} s" if self.time is not None else f"{states} states"
