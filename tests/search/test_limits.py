"""Time, memory and interrupts as data."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic

from abpress.search.limits import (
    INTERRUPTED,
    Interrupt,
    Limits,
    StopReason,
    Watch,
    interruptible,
    resident_memory,
)


def test_no_limits_never_stop() -> None:
    assert Watch(Limits())(None) is None


def test_time_limit() -> None:
    assert Watch(Limits(time=5, started=monotonic() - 4))(None) is None
    stopped = Watch(Limits(time=5, started=monotonic() - 5))(None)
    assert stopped == StopReason("time", "time limit of 5 s")


def test_memory_limit() -> None:
    assert Watch(Limits(memory=resident_memory() + 1000))(None) is None
    assert Watch(Limits(memory=0.5))(None) == StopReason("memory", "memory limit of 0.5243 MB")


MEASURES = """
from abpress.search.limits import peak_memory, resident_memory

before = resident_memory()
block = b"x" * (64 << 20)
assert resident_memory() - before > 50
assert peak_memory() >= resident_memory() - 1
del block
assert peak_memory() - before > 50
"""


def test_memory_is_measured() -> None:
    # In a process of its own: one that ran other tests has freed memory to use again.
    subprocess.run([sys.executable, "-c", MEASURES], check=True, cwd=Path(__file__).parents[2])


def test_interrupt_flag() -> None:
    assert Watch(Limits(interrupt=Interrupt(True)))(None) is INTERRUPTED


def test_progress_at_most_every_interval() -> None:
    seen: list[int] = []
    watch = Watch(Limits(), seen.append)
    for i in range(1000):
        watch(i)
    assert seen == [0]


def test_first_interrupt_sets_the_flag_and_the_handler_is_restored() -> None:
    previous = signal.getsignal(signal.SIGINT)
    with interruptible() as interrupt:
        assert not interrupt.requested
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupt.requested
    assert signal.getsignal(signal.SIGINT) is previous


def test_second_interrupt_kills() -> None:
    program = (
        "import os, signal\n"
        "from abpress.search.limits import interruptible\n"
        "with interruptible():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('once', flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('twice', flush=True)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout == "once\n"
    assert run.returncode == -signal.SIGINT
