"""Who else is at the same run, as one worker sees them."""

from __future__ import annotations

from collections.abc import Set

from abpress.engines.table import Engine
from abpress.verify.turn import Turn


class Colleagues:
    """Other workers. These are nobody: a worker is alone."""

    @property
    def settled(self) -> Set[str]:
        """The properties that they have decided so far."""
        return frozenset()

    def begins(self, engine: Engine) -> None:
        """Tells them that an engine has its turn."""

    def ended(self, turn: Turn) -> None:
        """Tells them how a turn has ended."""


NOBODY = Colleagues()
