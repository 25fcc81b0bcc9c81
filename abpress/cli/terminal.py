"""The terminal while a search runs: its progress, and requests to end it."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator

from abpress.engines.table import Progress
from abpress.search.statistics import Statistics


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """A request to terminate is the same as Ctrl-C: there is an answer before the end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def progress(quiet: bool, prefix: Callable[[], str] = str) -> Iterator[Progress]:
    """A line on the terminal that says what is going on; nothing in a pipe.

    `prefix` says of what; it is asked at every update.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status(f"{prefix()}reading the program") as status:

        def show(numbers: Statistics) -> None:
            status.update(
                f"{prefix()}searching: {numbers.states:,} states, {numbers.steps:,} steps,"
                f" {numbers.executions:,} executions"
            )

        yield show
