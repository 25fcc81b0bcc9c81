"""Sleep sets alone ([Godefroid96]): all threads, but none whose exploration would repeat something.

Every complete execution is explored once per happens-before class; what is repeated is cut off
late, in executions that end blocked by their sleep sets.
"""

from __future__ import annotations

from abpress.reductions.stateless.none import AllInterleavings


class SleepSets(AllInterleavings):
    """Explores all threads that do not sleep."""

    uses_sleep = True
