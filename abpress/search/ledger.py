"""What a search has found so far."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic

from abpress.properties.finding import Finding
from abpress.semantics.protocols import S, Step

Schedule = tuple[tuple[int, tuple[int, ...]], ...]
"""An execution from the initial state: per step its thread and choices."""


@dataclass(frozen=True, slots=True)
class Found(Generic[S]):
    """An execution that violates the property: its steps, and what it ends with."""

    path: tuple[Step[S], ...]
    finding: Finding

    @property
    def schedule(self) -> Schedule:
        """What replays the execution."""
        return tuple((step.thread, step.choices) for step in self.path)


@dataclass(slots=True)
class Ledger(Generic[S]):
    """The findings of a search, one execution for each key. Mutable.

    With `keep_going` the search goes on beyond a finding.
    """

    keep_going: bool
    _found: dict[Hashable, Found[S]] = field(default_factory=dict)

    @property
    def found(self) -> tuple[Found[S], ...]:
        """What was found, first found first."""
        return tuple(self._found.values())

    def note(self, finding: Finding | None, path: Iterable[Step[S]], *last: Step[S]) -> bool:
        """Notes a finding of the execution of these steps; returns whether the search ends."""
        if finding is None:
            return False
        if finding.key not in self._found:
            self._found[finding.key] = Found((*path, *last), finding)
        return not self.keep_going
