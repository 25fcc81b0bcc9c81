"""The cost of a run: processor time, wall time and memory."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field

from abpress.search.limits import MIB, peak_memory


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds, of this process and of workers that have ended, and megabytes (10**6 bytes) of
    resident memory at the peak of this process."""

    cpu_s: float
    wall_s: float
    peak_memory_mb: float


def _cpu_seconds() -> float:
    its = os.times()
    return time.process_time() + its.children_user + its.children_system


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Runs since it was made."""

    cpu: float = field(default_factory=_cpu_seconds)
    wall: float = field(default_factory=time.monotonic)

    def read(self) -> Cost:
        """The cost until now."""
        return Cost(
            round(_cpu_seconds() - self.cpu, 3),
            round(time.monotonic() - self.wall, 3),
            round(peak_memory() * MIB / 10**6, 1),
        )
