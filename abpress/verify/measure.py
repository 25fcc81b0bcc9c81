"""The cost of a run: processor time, wall time and memory."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from abpress.search.limits import MIB, peak_memory
from abpress.search.processor import processor_time


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds, of this process and of workers that have ended, and megabytes (10**6 bytes) of
    resident memory at the peak of this process."""

    cpu_s: float
    wall_s: float
    peak_memory_mb: float


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Runs since it was made."""

    cpu: float = field(default_factory=processor_time)
    wall: float = field(default_factory=time.monotonic)

    def read(self) -> Cost:
        """The cost until now."""
        return Cost(
            round(processor_time() - self.cpu, 3),
            round(time.monotonic() - self.wall, 3),
            round(peak_memory() * MIB / 10**6, 1),
        )
