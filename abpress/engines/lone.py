"""A search of one process, with which others go on if it takes long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from typing import Any

from abpress.config import Config
from abpress.search.limits import Limits, StopReason, resident_memory
from abpress.search.stateless import Hooks
from abpress.search.statistics import ExecutionStatistics

OTHERS_COME = StopReason("workers", "others go on with the search")

Poll = Callable[[ExecutionStatistics], StopReason | None]


@dataclass(slots=True)
class Lone:
    """Such a search. Mutable: `rest` is what `Hooks.on_stop` was told. Nobody comes if it has taken
    half of the memory, in MiB, that each would have."""

    until: float
    memory: float
    rest: tuple[Any, ...] = ()

    @classmethod
    def of(cls, config: Config, limits: Limits) -> Lone:
        """A search that begins now."""
        its = config.search
        return cls(monotonic() + (its.alone or 0.0), (limits.memory or inf) / its.workers)

    def polling(self, asked: Poll | None) -> Poll:
        """What asks this, and stops the search once when others come."""

        def poll(statistics: ExecutionStatistics) -> StopReason | None:
            stop = None if asked is None else asked(statistics)
            if stop is None and monotonic() >= self.until:
                self.until = inf
                return OTHERS_COME if 2 * resident_memory() <= self.memory else None
            return stop

        return poll

    def hooks(self, hooks: Hooks) -> Hooks:
        """These, and a stop when others come."""

        def stopped(*rest: Any) -> None:
            self.rest = rest

        return replace(hooks, poll=self.polling(hooks.poll), on_stop=stopped)
