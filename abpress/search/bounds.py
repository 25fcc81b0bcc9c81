"""Bounds of loops in the stateless search: its executions must end."""

from __future__ import annotations

from dataclasses import dataclass

from abpress.search.awaits import Awaiting
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State


@dataclass(frozen=True, slots=True)
class ExecutionBounds:
    """The bounds of loops.

    `unroll`: a thread that would come back to a place for one time more than that does not go on;
    nor does one that has made so many `steps`. Then the soundness flag is cleared. `awaits`: loops
    that only wait are waiting (`awaits.Awaiting`); nothing is lost.
    """

    unroll: int | None = None
    steps: int = 10_000
    awaits: bool = True

    def reason(self, unrolled: bool) -> str:
        """Why the verdict "true" is withheld where a thread does not go on."""
        if unrolled:
            return f"loops are unrolled {self.unroll} times"
        return f"threads of more than {self.steps} steps"


class Count:
    """Counts the steps of threads, and how often they come to places, along the current path.
    Mutable."""

    def __init__(self, system: Interpreter | Awaiting, bounds: ExecutionBounds) -> None:
        self._system = system
        self._bounds = bounds
        self._steps: dict[int, int] = {}
        self._visits: dict[tuple[int, str, int], int] = {}
        self._arrivals: list[tuple[int, tuple[int, str, int] | None]] = []
        self._cut: list[frozenset[int]] = [frozenset()]

    def arrive(self, state: State, thread: int, alive: bool) -> frozenset[int]:
        """The thread has made a step; returns the threads that do not go on."""
        bounds, cut, place = self._bounds, self._cut[-1], None
        steps = self._steps[thread] = self._steps.get(thread, 0) + 1
        if alive:
            reason = bounds.reason(False) if steps >= bounds.steps else None
            if bounds.unroll is not None:
                template, location = self._system.location(state, thread)
                place = (thread, template, location)
                entry = self._system.program.templates[template].entry
                visits = self._visits.get(place, int(location == entry))  # where it has begun
                self._visits[place] = visits + 1
                if visits > bounds.unroll:
                    reason = bounds.reason(True)
            if reason is not None:
                self._system.soundness.lose(reason)
                cut |= {thread}
        self._arrivals.append((thread, place))
        self._cut.append(cut)
        return cut

    def back(self) -> None:
        """Takes the last step back."""
        self._cut.pop()
        thread, place = self._arrivals.pop()
        self._steps[thread] -= 1
        if place is not None:
            self._visits[place] -= 1
