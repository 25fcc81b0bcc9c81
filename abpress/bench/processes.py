"""The processes of this machine, as /proc tells; where there is no /proc, there are none to see."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE_MIB = os.sysconf("SC_PAGE_SIZE") / 2**20


@dataclass(frozen=True, slots=True)
class Process:
    """A process at a moment. `start` tells it from a later one with the same id.

    `cpu_s` includes the children that it has waited for; `memory_mb` is MiB of resident memory.
    """

    pid: int
    parent: int
    session: int
    start: int
    cpu_s: float
    memory_mb: float


def snapshot() -> dict[int, Process]:
    """All processes that are alive (zombies are not), by id."""
    return {p.pid: p for p in map(_read, _ids()) if p is not None}


def _ids() -> list[int]:
    try:
        return sorted(int(name) for name in os.listdir(_PROC) if name.isdigit())
    except OSError:
        return []


def _read(pid: int) -> Process | None:
    try:
        text = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # The second field is the name in parentheses, and may hold anything.
    fields = text[text.rindex(b")") + 2 :].split()
    if fields[0] in (b"Z", b"X"):
        return None
    ticks = sum(int(number) for number in fields[11:15])
    return Process(
        pid,
        int(fields[1]),
        int(fields[3]),
        int(fields[19]),
        ticks / _TICK,
        int(fields[21]) * _PAGE_MIB,
    )


def members(
    every: Mapping[int, Process], leader: int, known: Mapping[int, int]
) -> dict[int, Process]:
    """The processes that a leader of a session started, as far as that can be seen.

    They are of its session, descend from such a process, or were seen before: `known` maps their
    ids to their starts.
    """
    found = {
        p.pid: p
        for p in every.values()
        if leader in (p.pid, p.session) or known.get(p.pid) == p.start
    }
    children: dict[int, list[Process]] = {}
    for process in every.values():
        children.setdefault(process.parent, []).append(process)
    todo = list(found)
    while todo:
        for child in children.get(todo.pop(), ()):
            if child.pid not in found:
                found[child.pid] = child
                todo.append(child.pid)
    return found


def marked(every: Mapping[int, Process], mark: bytes) -> dict[int, Process]:
    """The processes that were started with an environment that holds the entry `mark`."""
    found = {}
    for pid, process in every.items():
        with contextlib.suppress(OSError):
            if mark in (_PROC / str(pid) / "environ").read_bytes().split(b"\0"):
                found[pid] = process
    return found


def kill(pids: Mapping[int, Process]) -> None:
    """Ends the processes at once."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def age() -> float:
    """Seconds since this process was made, by a fork; 0 where the system does not tell."""
    process = _read(os.getpid())
    if process is None or sys.platform != "linux":
        return 0.0
    return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - process.start / _TICK)


def waited(pid: int) -> float:
    """Seconds that the first thread of a process has waited for a processor while it could have
    run; 0 where the system does not tell."""
    try:
        return int((_PROC / str(pid) / "schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
