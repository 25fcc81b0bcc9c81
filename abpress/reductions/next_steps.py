"""The next steps of threads, with what they access: what searches of concrete states look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from abpress.relations.footprint import Footprint
from abpress.semantics.outcome import ConcreteStep, State


@dataclass(slots=True, eq=False)
class Next:
    """The steps of a thread in a state (none if it waits), and what they access together."""

    steps: tuple[ConcreteStep, ...]
    access: Footprint


NextSteps = Callable[[State, int], Next]
"""The next steps of a thread in a state."""
