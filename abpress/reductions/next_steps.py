"""The next steps of threads with what they access, and nodes at which a search looks at them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from abpress.relations.footprint import Footprint
from abpress.semantics.outcome import ConcreteStep, State


@dataclass(slots=True, eq=False)
class Next:
    """The steps of a thread in a state (none if it waits), and what they access together."""

    steps: tuple[ConcreteStep, ...]
    access: Footprint


NextSteps = Callable[[State, int], Next]
"""The next steps of a thread in a state."""


@dataclass(slots=True, eq=False)
class SearchNode:
    """A state at which a search chooses among `threads`. Mutable: `known` are the next steps of
    those that were asked about."""

    state: State
    threads: Sequence[int]
    look: NextSteps
    known: dict[int, Next] = field(default_factory=dict, kw_only=True)

    def next_of(self, thread: int) -> Next:
        """The next steps of one of the threads, looked for once."""
        found = self.known.get(thread)
        if found is None:
            found = self.known[thread] = self.look(self.state, thread)
        return found
