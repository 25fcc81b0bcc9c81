"""What workers do in `test_clusters`: a module that is quickly loaded."""

from __future__ import annotations

from abpress.parallel.parts import Heritage
from abpress.parallel.post import Channel


def fails(worker: int, channel: Channel, life: Heritage) -> None:
    raise ValueError("this is wrong")


def waits(worker: int, channel: Channel, life: Heritage) -> str:
    channel.wait()
    return "ended"
