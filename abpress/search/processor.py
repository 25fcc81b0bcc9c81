"""Processor time: what work takes on however busy a machine, in seconds.

What ends by it ends at the same point of the work wherever the machine is as fast.
"""

from __future__ import annotations

import os
import sys
from time import process_time

_WHOLE_PROCESS = 2
"""With the number of a process, the clock of Linux for all its threads (`clock_getcpuclockid`)."""


def processor_time() -> float:
    """What this process has used, and those that it has started and that have ended."""
    its = os.times()
    return process_time() + its.children_user + its.children_system


def processor_time_of(pid: int) -> float | None:
    """What a process that has not ended has used; None where the system does not tell."""
    if sys.platform != "linux":
        return None
    from time import clock_gettime

    try:
        return clock_gettime(~pid << 3 | _WHOLE_PROCESS)
    except OSError:
        return None
