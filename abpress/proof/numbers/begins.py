"""When cells begin to count: what the first thread does while it is alone does not. NOTE(growth)"""

from __future__ import annotations

from collections.abc import Mapping

from abpress.modular.numbers.holding import NumericHolding
from abpress.proof.numbers.arithmetic import whole
from abpress.proof.numbers.certificate import Span


class BeginsToCount:
    """The cells that are counted, and what they hold when they begin to count (mutable)."""

    def __init__(self, holding: NumericHolding, counted: frozenset[str]) -> None:
        self._holding = holding
        self._counted = counted
        self._begun: dict[str, Span] = {}

    def prepared(self, template: str, location: int, cell: str) -> bool:
        """Whether a cell that is counted does not count yet."""
        return cell in self._counted and self._holding.prepares(template, location, cell)

    def counts(self, template: str, location: int, cell: str) -> bool:
        """Whether a cell that is counted counts there."""
        return cell in self._counted and not self._holding.prepares(template, location, cell)

    def note(
        self, template: str, location: int, target: int | None, cells: Mapping[str, Span]
    ) -> None:
        """An edge is taken from a location to another one, or to the thread's end: others may be
        there from then on, and see what was prepared."""
        if not self._holding.is_revealed(template, location, target):
            return
        for cell in self._counted:
            if self.prepared(template, location, cell):
                low, high = cells.get(cell, whole(self._holding.memory.types[cell]))
                least, most = self._begun.get(cell, (low, high))
                self._begun[cell] = min(low, least), max(high, most)

    def first(self) -> dict[str, Span]:
        """What counted cells hold at first, or, if the first thread prepares them, when it is not
        alone any more."""
        main = self._holding.program.main
        entry = self._holding.program.templates[main].entry
        memory = self._holding.memory
        found: dict[str, Span] = {}
        for cell in self._counted:
            initial = memory.initial.get(cell, whole(memory.types[cell]))
            low, high = self._begun.get(cell, initial)
            if not self._holding.prepares(main, entry, cell):
                low, high = min(low, initial[0]), max(high, initial[1])
            found[cell] = low, high
        return found
