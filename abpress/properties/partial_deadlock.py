"""no-partial-deadlock: no threads wait for one another for ever, while others may go on."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from abpress.errors import Position
from abpress.properties.finding import Finding, Shown
from abpress.properties.preserved import Preserved
from abpress.properties.property import Aspect, Property, Variant
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.protocols import S, TransitionSystem


@dataclass(frozen=True, slots=True)
class Circle(Shown):
    """Threads of which each waits for the next one; `names` and `positions` are theirs.

    Circles of threads that stand at the same places count as one.
    """

    waits: tuple[int, ...]
    names: tuple[str, ...]
    positions: tuple[Position, ...]

    @property
    def key(self) -> Hashable:
        return frozenset(position.origin for position in self.positions)

    @property
    def message(self) -> str:
        return "partial deadlock"

    @property
    def sentence(self) -> str:
        """Who waits for whom, and where."""
        if len(self.names) == 1:
            return f"partial deadlock: {self.names[0]} waits for itself ({self._places[0]})"
        following = (*self.names[1:], self.names[0])
        parts = [
            f"{name} waits for {other} ({place})"
            for name, other, place in zip(self.names, following, self._places, strict=True)
        ]
        return f"partial deadlock: {', '.join(parts)}"

    @property
    def _places(self) -> list[str]:
        return [str(position.origin) for position in self.positions]

    def shown(self, system: TransitionSystem[S], state: S) -> Circle | None:
        """The circle at the same places that the state shows, of whichever threads."""
        found = circle(system, state)
        return found if found is not None and found.key == self.key else None


class NoPartialDeadlock(Property):
    """Violated by a state in which threads wait for one another in a circle: each for a lock that
    the next one owns, or for its end. What the others do cannot help them.
    """

    name = "no-partial-deadlock"
    meaning = "no threads wait in a circle, each for a lock that the next one owns, or for its end"
    ltl = "G ! partial-deadlock"
    looks_at = frozenset({Aspect.CIRCLE})
    needs = Preserved.STABLE
    variant = Variant(spurious_wakeups="chosen")

    def suspects(self, system: TransitionSystem[S]) -> Callable[[Any], bool] | None:
        """Whether threads of a state may wait so."""
        return system.circles.suspicious if isinstance(system, Interpreter) else None

    def of_state(self, system: TransitionSystem[S], state: S) -> Finding | None:
        """A circle of the state."""
        if isinstance(system, Interpreter) and not system.circles.suspicious(state):
            return None
        return circle(system, state)


def circle(system: TransitionSystem[S], state: S) -> Circle | None:
    """The circle that a state of a program shows. Raises TypeError for what runs no program."""
    if not isinstance(system, Interpreter):
        raise TypeError("only states of programs show what threads wait for")
    threads = system.circles.circle(state)
    if not threads:
        return None
    return Circle(
        threads,
        tuple(system.views.thread_name(thread) for thread in threads),
        tuple(system.circles.position(state, thread) for thread in threads),
    )
