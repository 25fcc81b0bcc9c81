"""What workers do in `test_clusters`: a module that is quickly loaded."""

from __future__ import annotations

import os
from importlib import import_module
from time import sleep
from typing import Any

from abpress.core import library
from abpress.parallel import forked_worker
from abpress.parallel.forked_worker import ForkedWorker
from abpress.parallel.parts import Heritage
from abpress.parallel.post import Channel


def fails(worker: int, channel: Channel, life: Heritage) -> None:
    raise ValueError("this is wrong")


def waits(worker: int, channel: Channel, life: Heritage) -> str:
    channel.wait()
    return "ended"


def moves(environment: dict[str, str]) -> dict[str, str]:
    """Goes on as on a machine with other variables, where the core is not loaded yet; returns what
    they were."""
    before = {name: os.environ.get(name, "") for name in environment}
    os.environ.update(environment)
    library.load.cache_clear()
    return before


_STEPS, _TURN = (forked_worker.LEAST, forked_worker.MOST), ForkedWorker.turn


def pauses(steps: int, seconds: float) -> None:
    """Native workers pause after so many steps, and so have time to be told something."""
    import_module("abpress.engines.native_workers")

    def paused(self: Any) -> None:
        _TURN(self)
        sleep(seconds)

    forked_worker.LEAST = forked_worker.MOST = steps
    ForkedWorker.turn = paused  # type: ignore[method-assign]


def hurries() -> None:
    """They do so no more."""
    forked_worker.LEAST, forked_worker.MOST = _STEPS
    ForkedWorker.turn = _TURN  # type: ignore[method-assign]
