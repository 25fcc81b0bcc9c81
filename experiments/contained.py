"""Runs a function in a child process with limits on time and memory."""

from __future__ import annotations

import os
import pickle
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable

from experiments.observed import Answer

DIED = Answer("crash", "the process died")

_MEMORY_BYTES = 2 << 30
"""What it may use more than the process has that asks."""


def contained(work: Callable[[], Answer], seconds: float) -> Answer:
    """The answer of `work`; "undecided" if it takes too long, "crash" if it raises."""
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiving)
        most = _in_use() + _MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        try:
            result = work()
        except MemoryError:
            result = Answer("undecided", "memory")
        except BaseException:
            result = Answer("crash", traceback.format_exc())
        with os.fdopen(sending, "wb") as pipe:
            pickle.dump(result, pipe)
        os._exit(0)
    os.close(sending)
    data, until = b"", time.monotonic() + seconds
    try:
        while True:
            ready = select.select([receiving], [], [], max(0.0, until - time.monotonic()))[0]
            if not ready:
                return Answer("undecided", "time")
            part = os.read(receiving, 1 << 16)
            if not part:
                break
            data += part
    finally:
        os.close(receiving)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if not data:
        return DIED
    received = pickle.loads(data)
    assert isinstance(received, Answer)
    return received


def _in_use() -> int:
    """Bytes of addresses of this process; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0
