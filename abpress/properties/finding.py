"""Findings: violations at the end of an execution, with their own checks and words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from abpress.errors import Position
from abpress.properties.ends import End, classify
from abpress.semantics.outcome import Violation
from abpress.semantics.protocols import S, Step, TransitionSystem


class Finding(Protocol):
    """A violation of a property, which an execution ends with: its last step commits it, or the
    state that it reaches shows it.
    """

    @property
    def key(self) -> Hashable:
        """Equal for two findings that count as one."""

    @property
    def message(self) -> str:
        """What is wrong, without the place."""

    @property
    def sentence(self) -> str:
        """What is wrong, with the place, in one line."""

    @property
    def of_step(self) -> bool:
        """Whether the last step commits it: then only what happens before that step matters."""

    @property
    def waits(self) -> tuple[int, ...]:
        """The threads of the last state that wait, where that is what is found."""

    @property
    def ready(self) -> tuple[Ready, ...]:
        """What threads stand before in the last state, where that is what is found."""

    def is_committed_by(self, step: Step[S], /) -> bool:
        """Whether a step commits it, whichever thread takes the step. Asked by replays of steps
        that end the execution."""

    def is_shown_by(self, system: TransitionSystem[S], state: S, /) -> bool:
        """Whether a state shows it. Asked by replays of the last state."""

    def shown(self, system: TransitionSystem[S], state: S, /) -> Finding | None:
        """A finding with the same key that a state shows, with its threads; None if none."""


class Ready(NamedTuple):
    """What a thread is about to do: its name, where, and in words."""

    thread: str
    position: Position
    text: str


class Shown(ABC):
    """A finding that states show: it says itself what `shown` is. No step commits it."""

    __slots__ = ()

    @property
    def of_step(self) -> bool:
        return False

    @property
    def ready(self) -> tuple[Ready, ...]:
        return ()

    @abstractmethod
    def shown(self, system: TransitionSystem[S], state: S) -> Finding | None:
        """As `Finding.shown`."""

    def is_committed_by(self, step: Step[S]) -> bool:
        return False

    def is_shown_by(self, system: TransitionSystem[S], state: S) -> bool:
        return self.shown(system, state) is not None


@dataclass(frozen=True, slots=True)
class Reached:
    """A position is reached that must not be: the call of reach_error, a failing assertion."""

    violation: Violation

    @property
    def key(self) -> Hashable:
        return self.violation

    @property
    def message(self) -> str:
        return self.violation.message

    @property
    def sentence(self) -> str:
        return f"{self.violation.position.origin}: {self.violation.message}"

    def told(self, message: str) -> Reached:
        """The same in other words, for people."""
        return Reached(replace(self.violation, message=message))

    @property
    def of_step(self) -> bool:
        return True

    @property
    def waits(self) -> tuple[int, ...]:
        return ()

    @property
    def ready(self) -> tuple[Ready, ...]:
        return ()

    def is_committed_by(self, step: Step[S]) -> bool:
        """Whether the step reaches the same position with the same words."""
        a, b = self.violation, step.violation
        if b is None:
            return False
        return (a.property, a.message, a.position) == (b.property, b.message, b.position)

    def is_shown_by(self, system: TransitionSystem[S], state: S) -> bool:
        return False

    def shown(self, system: TransitionSystem[S], state: S) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Deadlock(Shown):
    """No thread can move, and every unfinished one waits for another one.

    `waits` are these threads. All deadlocks count as one finding.
    """

    waits: tuple[int, ...]

    @property
    def key(self) -> Hashable:
        return Deadlock

    @property
    def message(self) -> str:
        return "deadlock"

    @property
    def sentence(self) -> str:
        return "deadlock"

    def shown(self, system: TransitionSystem[S], state: S) -> Deadlock | None:
        """The deadlock of the state, of whichever threads."""
        threads = tuple(system.threads(state))
        if any(system.steps(state, thread) for thread in threads):
            return None
        return Deadlock(threads) if classify(system, state) is End.DEADLOCK else None
