"""What a stateless search counts."""

from __future__ import annotations

from dataclasses import dataclass, field

from abpress.explore.driver import Statistics


@dataclass(slots=True)
class ExecutionStatistics:
    """What a search has done so far. Mutable: the search counts as it goes.

    Executions are counted by the way they end. `assume_blocked`: some thread waits at an assumption
    or in a waiting loop. `sleep_set_blocked`: a thread can move, but what follows has been explored
    elsewhere. `cut`: a thread has come to a bound, and no other can move. `events` are steps taken,
    `races` those that were looked at.
    """

    complete: int = 0
    deadlocked: int = 0
    assume_blocked: int = 0
    sleep_set_blocked: int = 0
    cut: int = 0
    violating: int = 0
    events: int = 0
    races: int = 0
    max_depth: int = 0
    more: dict[str, int] = field(default_factory=dict)

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

    def as_dict(self) -> dict[str, int | float | str]:
        """Names and numbers for reports."""
        return {
            "executions": self.executions,
            **{f"{name}_executions": number for name, number in self.ends().items()},
            "violating_executions": self.violating,
            "events": self.events,
            "races": self.races,
            "max_depth": self.max_depth,
            **self.more,
        }

    def progress(self) -> Statistics:
        """The same in the words of the search that stores states: every event makes a state."""
        return Statistics(
            states=self.events + 1,
            steps=self.events,
            complete=self.complete,
            deadlocked=self.deadlocked,
            blocked=self.assume_blocked + self.sleep_set_blocked + self.cut,
            violating=self.violating,
            max_depth=self.max_depth,
        )
