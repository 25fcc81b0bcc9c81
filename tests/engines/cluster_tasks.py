"""What workers do in `test_clusters`: a module that is quickly loaded."""

from __future__ import annotations

import os

from abpress.core import library
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
