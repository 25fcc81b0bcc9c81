"""How a run may be led, and what is known of one that was."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from abpress.replay.machine import StopEvent, ThreadSwitch
from abpress.replay.plan import CallKey


@dataclass(frozen=True, slots=True)
class Matching:
    """How what the program does is found in the plan: whether lines count, whether items may be
    left out that the program should show, and whether what is read at once that the model reads
    member by member is read when the last member is."""

    lines: bool
    lenient: bool
    late: bool = False


MATCHINGS = (
    Matching(True, False),
    Matching(True, False, late=True),
    Matching(False, False),
    Matching(True, True),
    Matching(False, True),
)
"""The ways that are tried, best first."""


@dataclass(slots=True)
class Led:
    """A run that was led: its last event, None if it has ended otherwise; where the threads stand;
    its switches of threads; and where it has left the plan. Mutable while it runs."""

    last: StopEvent | None = None
    silent: str = ""
    pending: dict[int, StopEvent] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=lambda: {0: "main"})
    finished: set[int] = field(default_factory=set)
    departures: list[str] = field(default_factory=list)
    spurious: list[str] = field(default_factory=list)
    switches: list[ThreadSwitch] = field(default_factory=list)
    accesses: dict[str, list[StopEvent]] = field(default_factory=dict)  # by thread
    stops: set[tuple[str, int]] = field(default_factory=set)  # functions and lines of other stops
    asked: Counter[CallKey] = field(default_factory=Counter)  # values that the program was given
    met: tuple[StopEvent, StopEvent] | None = None  # a data race, of whatever lines
    raced: tuple[StopEvent, StopEvent] | None = None  # that of the trace

    def number(self, name: str) -> int | None:
        """The number of a thread; None if it was not created."""
        return next((number for number, its in self.names.items() if its == name), None)
