"""Where Python need not look for garbage in cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_cycle_collection() -> Iterator[None]:
    """Of millions of live objects none is garbage in a cycle: looking for some takes half the time.

    For searches, whose states are containers without cycles, for facts, and for the tokens and
    nodes of a file.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
