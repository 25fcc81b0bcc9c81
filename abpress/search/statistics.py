"""The statistics of searches: executions by how they end, and the work that they took.

NOTE(complete-executions): each kind of end is counted for itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from abpress.errors import Position
from abpress.properties.ends import End

MOST_THREADS = "most threads"
"""The name of the number of threads that an execution of a hunt had at most."""


FINDING_FACTS = "facts"
"""The name of the number of times that an engine without a search has looked at its limits."""


class Outcome(Enum):
    """How an execution ends."""

    COMPLETE = "complete"  # the program has ended
    DEADLOCKED = "deadlocked"  # every unfinished thread waits for another one
    ASSUME_BLOCKED = "assume_blocked"  # some thread waits at an assumption or in a waiting loop
    SLEEP_SET_BLOCKED = "sleep_set_blocked"  # what follows has been explored elsewhere
    CUT = "cut"  # a thread has come to a bound, and no other can move
    VIOLATING = "violating"  # the last step violates a property


OUTCOMES = {
    End.COMPLETE: Outcome.COMPLETE,
    End.DEADLOCK: Outcome.DEADLOCKED,
    End.BLOCKED: Outcome.ASSUME_BLOCKED,
}
"""How an execution ends in a state without a step, unless a bound has been met."""


@dataclass(frozen=True, slots=True)
class Left:
    """How many executions are left to explore, as estimated: at least, likely, at most."""

    least: float
    likely: float
    most: float

    def __add__(self, other: Left) -> Left:
        return Left(self.least + other.least, self.likely + other.likely, self.most + other.most)


_COUNTED = ("complete", "deadlocked", "assume_blocked", "violating")


class SearchCounts(Protocol):
    """What a search has done so far, as its ledger and its report see it."""

    def count(self, outcome: Outcome, /) -> None:
        """Counts one more execution."""

    def as_dict(self) -> dict[str, int | float | str]:
        """Names and numbers for reports."""


@dataclass(slots=True)
class _Executions:
    """Numbers of executions by their outcome, each in the field of its name. Mutable: the search
    counts as it goes.

    `max_depth` are the steps of the longest one, `more` are numbers of the reduction.
    """

    complete: int = 0
    deadlocked: int = 0
    assume_blocked: int = 0
    violating: int = 0
    max_depth: int = 0
    more: dict[str, int] = field(default_factory=dict)

    def count(self, outcome: Outcome) -> None:
        """Counts one more execution."""
        setattr(self, outcome.value, getattr(self, outcome.value) + 1)


@dataclass(slots=True)
class Statistics(_Executions):
    """What a search that stores states has done so far.

    Executions are counted once per end: the distinct states without a step, by the way they end,
    and the steps that end with a violation of any property. `thread_choices` are the states at
    which several threads were explored. `left` is that of `ExecutionStatistics`.
    """

    states: int = 0
    steps: int = 0
    thread_choices: int = 0
    left: Left | None = None

    def add(self, other: Statistics) -> None:
        """Adds what another search has done that has met other states."""
        for name in (*_COUNTED, "states", "steps", "thread_choices"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.max_depth = max(self.max_depth, other.max_depth)

    @property
    def executions(self) -> int:
        """All maximal executions, however they end, but not those that meet a known state."""
        return self.complete + self.deadlocked + self.assume_blocked + self.violating

    def as_dict(self) -> dict[str, int | float | str]:
        """Names and numbers for reports."""
        return {
            "states": self.states,
            "transitions": self.steps,
            "thread_choices": self.thread_choices,
            "executions": self.executions,
            "complete_executions": self.complete,
            "deadlocked_executions": self.deadlocked,
            "blocked_executions": self.assume_blocked,
            "violating_executions": self.violating,
            "max_depth": self.max_depth,
            **self.more,
        }


@dataclass(slots=True)
class JointStatistics(Statistics):
    """What several searches have done so far, and whose they are."""

    doing: tuple[str, ...] = ()

    @classmethod
    def of(cls, parts: Iterable[Statistics], doing: Iterable[str]) -> JointStatistics:
        """The sums of the numbers of searches."""
        joint = cls(doing=tuple(doing))
        for part in parts:
            joint.states += part.states
            joint.steps += part.steps
            joint.complete += part.executions
        return joint

    def as_dict(self) -> dict[str, int | float | str]:
        return {
            "at work": ", ".join(self.doing),
            "states": self.states,
            "transitions": self.steps,
            "executions": self.executions,
        }


@dataclass(slots=True)
class ExecutionStatistics(_Executions):
    """What a search without stored states has done so far.

    Each execution is counted. `events` are steps taken, `races` those that were looked at.
    `waiting_loops` are places where threads waited in a loop. `left` estimates how many executions
    are left; None if nothing is known.
    """

    sleep_set_blocked: int = 0
    cut: int = 0
    events: int = 0
    races: int = 0
    waiting_loops: tuple[Position, ...] = ()
    left: Left | None = None

    @property
    def executions(self) -> int:
        """All executions, however they end."""
        return sum(self.ends().values()) + self.violating

    def ends(self) -> dict[str, int]:
        """The numbers of executions that end without a violation."""
        return {
            "complete": self.complete,
            "deadlocked": self.deadlocked,
            "assume_blocked": self.assume_blocked,
            "sleep_set_blocked": self.sleep_set_blocked,
            "cut": self.cut,
        }

    def add(self, other: ExecutionStatistics) -> None:
        """Adds what another search has done in another part of the tree."""
        for name in (*_COUNTED, "sleep_set_blocked", "cut", "events", "races"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        if other.left is not None:
            self.left = other.left if self.left is None else self.left + other.left
        self.max_depth = max(self.max_depth, other.max_depth)
        self.waiting_loops = tuple(dict.fromkeys((*self.waiting_loops, *other.waiting_loops)))
        for name, number in other.more.items():
            self.more[name] = self.more.get(name, 0) + number

    def as_dict(self) -> dict[str, int | float | str]:
        """Names and numbers for reports."""
        return {
            "executions": self.executions,
            **{f"{name}_executions": number for name, number in self.ends().items()},
            "violating_executions": self.violating,
            "events": self.events,
            "races": self.races,
            "max_depth": self.max_depth,
            "waiting_loops": ", ".join(_places(self.waiting_loops)) or "none",
            **self.more,
        }

    def progress(self) -> Statistics:
        """These numbers in the words of the search that stores states: an event makes a state."""
        return Statistics(
            states=self.events + 1,
            steps=self.events,
            complete=self.complete,
            deadlocked=self.deadlocked,
            assume_blocked=self.assume_blocked + self.sleep_set_blocked + self.cut,
            violating=self.violating,
            max_depth=self.max_depth,
            left=self.left,
        )


def _places(positions: Iterable[Position]) -> Iterable[str]:
    """Lines of the user's files, each once, in their order."""
    lines = {(place.file, place.line) for place in (p.origin for p in positions)}
    return (f"{file}:{line}" for file, line in sorted(lines))
