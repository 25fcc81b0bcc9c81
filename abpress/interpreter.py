"""What Python need not do: look for garbage in cycles, ask for memory in each call."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Returned = TypeVar("Returned")

_WORDS = 1 << 17
"""What a frame says that it needs: a chunk is the next power of two, so as much is left of it."""


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


def with_room_for_calls(
    function: Callable[Given, Returned], *args: Given.args, **kwargs: Given.kwargs
) -> Returned:
    """What the function returns; the frames of all that it calls are in one chunk of memory.

    A chunk of CPython (3.11 and later) is 16 KiB, and is given back when the first frame in it
    ends. A loop whose calls happen to be first in a chunk asks the system for memory in each of
    them, up to a sixth of the time of a search. A chunk is larger only if one frame needs that.
    """
    return function(*args, **kwargs)


with_room_for_calls.__code__ = with_room_for_calls.__code__.replace(co_stacksize=_WORDS)
