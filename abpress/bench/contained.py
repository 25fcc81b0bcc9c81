"""One command in a session of its own, measured and kept within limits from outside.

The command is expected to keep the limits of time and memory by itself, and to answer. One that
does not is asked to terminate when it is over its time by a grace, and killed soon after; one that
is over its memory is killed. Kernel limits (setrlimit) stand behind that, for each process. When
the command has ended, whatever it started is killed.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import secrets
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path

from abpress.bench import processes
from abpress.bench.processes import Process
from abpress.bench.record import RunLimits
from abpress.parallel.parents import die_with

_GRACE_S = 1.0
"""Over its limit of time by so much, a run is asked to terminate."""
_TERM_S = 3.0
"""It then has so long to do so."""
_MEMORY_SLACK = 1.1
"""Over its limit of memory by this factor, a run is killed."""
_FILE_BYTES = 2**30
"""No file that a run writes gets larger."""
_MARK = "ABPRESS_BENCH_RUN"
_SWEEPS = 50


class Stop(Enum):
    """Why a run was ended from outside."""

    CPU = "CPU time limit"
    WALL = "time limit"
    MEMORY = "memory limit"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a command ended. `status`: negative for a signal, None if it was stopped from outside.

    CPU time and memory (MiB, peak) are of all its processes that could be seen.
    """

    status: int | None
    stop: Stop | None
    cpu_s: float
    wall_s: float
    memory_mb: float


class Contained:
    """A command that runs. Mutable: `look` takes measures, and acts on them."""

    def __init__(self, command: Sequence[str], limits: RunLimits, errors: Path) -> None:
        """Starts the command; its standard error goes to a file. Raises OSError."""
        self._limits = limits
        self._stop: Stop | None = None
        self._kill_at = math.inf
        self._known: dict[int, int] = {}
        self._cpu_s = 0.0
        self._memory_mb = 0.0
        self._mark = f"{_MARK}={secrets.token_hex(16)}"
        name, _, value = self._mark.partition("=")
        with errors.open("wb") as stream:
            self._started = time.monotonic()
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stream,
                start_new_session=True,
                env={**os.environ, name: value},
                # Only safe while this process has no other threads, as in `runner`.
                preexec_fn=partial(_limit, limits, os.getpid()),
            )

    def ended(self) -> Ending | None:
        """How it ended; None while it runs. Once it has ended, nothing of it is left."""
        process = self._process
        if process.returncode is not None:
            raise AssertionError("internal error: asked again after the end")
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return None
        wall_s = time.monotonic() - self._started
        self._sweep()  # before the id of the process is free for another one
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        peak = usage.ru_maxrss / 1024
        # Between fork and exec it was a copy of this process, and that counts in its peak.
        if peak > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 or not self._memory_mb:
            self._memory_mb = max(self._memory_mb, peak)
        cpu_s = max(self._cpu_s, usage.ru_utime + usage.ru_stime)
        most = self._limits.cpu_s
        by_kernel = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        if self._stop is None and by_kernel and most is not None and cpu_s > most:
            self._stop = Stop.CPU
        return Ending(
            None if self._stop else process.returncode,
            self._stop,
            round(cpu_s, 3),
            round(wall_s, 3),
            round(self._memory_mb, 1),
        )

    def look(self, every: Mapping[int, Process]) -> None:
        """Measures what the processes use, and stops what is over a limit."""
        alive = self._members(every)
        self._cpu_s = max(self._cpu_s, sum(p.cpu_s for p in alive.values()))
        memory_mb = sum(p.memory_mb for p in alive.values())
        self._memory_mb = max(self._memory_mb, memory_mb)
        now = time.monotonic()
        limits = self._limits
        if now >= self._kill_at:
            self.kill()
        elif limits.memory_mb is not None and memory_mb > limits.memory_mb * _MEMORY_SLACK:
            self._stop = self._stop or Stop.MEMORY
            self.kill()
        elif self._stop is None:
            if limits.cpu_s is not None and self._cpu_s > limits.cpu_s:
                self._terminate(Stop.CPU, now)
            elif limits.wall_s is not None and now - self._started > limits.wall_s + _GRACE_S:
                self._terminate(Stop.WALL, now)

    def kill(self) -> None:
        """Kills all that is left of it; `ended` tells when it is gone."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        processes.kill(self._members(processes.snapshot()))

    def _terminate(self, stop: Stop, now: float) -> None:
        self._stop = stop
        self._kill_at = now + _TERM_S
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGTERM)

    def _members(self, every: Mapping[int, Process]) -> dict[int, Process]:
        alive = processes.members(every, self._process.pid, self._known)
        self._known.update((p.pid, p.start) for p in alive.values())
        return alive

    def _sweep(self) -> None:
        """Kills what the command has left behind, until nothing is found."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for _ in range(_SWEEPS):
            every = processes.snapshot()
            left = self._members(every) | processes.marked(every, self._mark.encode())
            left.pop(os.getpid(), None)
            if not left:
                return
            processes.kill(left)
            time.sleep(0.002)


def _limit(limits: RunLimits, runner: int) -> None:
    """Sets the limits of the kernel, in the child before the command, behind those of `look`."""
    die_with(runner)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, _FILE_BYTES)
    if limits.cpu_s is not None:
        _lower(resource.RLIMIT_CPU, math.ceil(limits.cpu_s + _TERM_S))
    if limits.memory_mb is not None:
        # Address space that is reserved but not used counts here: more is allowed than in `look`.
        _lower(resource.RLIMIT_DATA, int((limits.memory_mb * 1.5 + 512) * 2**20))


def _lower(kind: int, value: int) -> None:
    _, most = resource.getrlimit(kind)
    if most != resource.RLIM_INFINITY:
        value = min(value, most)
    resource.setrlimit(kind, (value, value))
