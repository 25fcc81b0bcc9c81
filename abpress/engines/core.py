"""Who searches: Python, or the native core.

With `--core auto` Python begins, and the core begins anew what is not over after some steps. While
it searches the Python search rests, and goes on where the core refuses. Each has an interpreter of
its own; they tell the same numbers, NOTE(core-refuses), so nobody sees who it was.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import inf
from typing import Generic, TypeVar

from abpress.config import NATIVE, PYTHON
from abpress.core.build import is_built
from abpress.core.reference import CoreDiffers, CoreRefused
from abpress.search.limits import StopReason

T = TypeVar("T")

_HANDED_OVER = StopReason("core", "the native core has searched")


def asked(search: Callable[[], T], core: str) -> T | str:
    """What a search by the core returns, or why that is refused; defects are told, and a build that
    fails to those who have asked for it by `--core`."""
    try:
        return search()
    except CoreRefused as refused:
        if isinstance(refused, CoreDiffers) or (refused.is_news and core == NATIVE):
            print(f"abpress: warning: no native core: {refused}", file=sys.stderr)
        return str(refused)


def by_python(why: str | None) -> str:
    """What is told of a search by Python, with the reason why the core has not done it."""
    return PYTHON if why is None else f"{PYTHON} ({why})"


class HandingOver(Generic[T]):
    """The core is asked while Python searches: once, after some steps, or after more where it has
    to be built first. Mutable: `found` is what it has searched, or why it refuses."""

    def __init__(self, search: Callable[[], T | str], after: int, after_build: int) -> None:
        self._search = search
        self._after: float = after
        self._after_build = after_build
        self.found: T | str | None = None

    def polled(self, steps: int) -> StopReason | None:
        """What ends the search of Python, which has taken so many steps."""
        if steps < self._after:
            return None
        if self._after < self._after_build and not is_built():
            self._after = self._after_build
            return None
        self._after = inf
        self.found = self._search()
        return None if isinstance(self.found, str) else _HANDED_OVER
