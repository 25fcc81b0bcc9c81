"""Runs `abpress verify` on many programs, each in a process of its own, and collects the results.

Shared by `run-benchmarks`, `run-corpus` and `table1`. A process that outlives its limit is killed
with all that it started.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_GRACE = 15.0
"""Seconds past its time limit after which a process is killed."""


@dataclass(frozen=True, slots=True)
class Task:
    """A program, a question, and the expected answer: true, false, or None when it is not known."""

    name: str
    file: Path
    property: str
    expected: str | None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of a task. `status` is the exit status, None when the process was killed."""

    task: Task
    verdict: str
    reason: str
    status: int | None
    seconds: float
    statistics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def states(self) -> int | None:
        """How many states (of the explicit engine) or nodes (of the last tree) there were."""
        states: int | None = self.statistics.get("states", self.statistics.get("nodes"))
        return states

    @property
    def judgement(self) -> str:
        """ok, WRONG, unknown, or ? where no answer is known."""
        if self.verdict == "unknown":
            return "unknown"
        if self.task.expected is None:
            return "?"
        return "ok" if self.verdict == self.task.expected else "WRONG"


class Runner:
    """Runs tasks, several at a time. Use as a context: it leaves no process behind."""

    def __init__(self, jobs: int, time_limit: float, memory_limit: str) -> None:
        self._jobs = jobs
        self._time_limit = time_limit
        self._memory_limit = memory_limit
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def __enter__(self) -> Runner:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)

    def run_all(self, tasks: Sequence[Task]) -> Iterator[Outcome]:
        """The outcomes in the order of the tasks, each as soon as those before it are there."""
        with ThreadPoolExecutor(self._jobs) as pool:
            futures: list[Future[Outcome]] = [pool.submit(self.run, task) for task in tasks]
            try:
                for future in futures:
                    yield future.result()
            except BaseException:
                self.__exit__()
                raise

    def run(self, task: Task) -> Outcome:
        """Runs one task."""
        with tempfile.TemporaryDirectory() as folder:
            result = Path(folder) / "result.json"
            command = [
                *(sys.executable, "-m", "abpress", "verify", str(task.file)),
                *("--property", task.property, "--json", str(result), "--quiet"),
                *("--time-limit", f"{self._time_limit:g}", "--memory-limit", self._memory_limit),
                *task.options,
            ]
            with self._lock:
                if self._stopped:
                    return Outcome(task, "unknown", "not run", None, 0.0)
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                    errors="replace",
                    start_new_session=True,
                )
                self._running.add(process)
            try:
                _, errors = process.communicate(timeout=self._time_limit + _GRACE)
                status: int | None = process.returncode
            except subprocess.TimeoutExpired:
                _kill(process)
                errors, status = "does not keep its time limit", None
                process.communicate()
            finally:
                with self._lock:
                    self._running.discard(process)
            return _outcome(task, result, status, errors)


def _outcome(task: Task, result: Path, status: int | None, errors: str) -> Outcome:
    try:
        data: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        last = (errors.strip().splitlines() or ["no output"])[-1]
        return Outcome(task, "unknown", f"no result: {last}", status, 0.0)
    return Outcome(
        task,
        data["verdict"],
        data["reason"],
        status,
        data["wall_s"],
        data["statistics"],
    )


def _kill(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def summary(outcomes: Sequence[Outcome]) -> str:
    """One line of counts."""
    counts = dict.fromkeys(("ok", "WRONG", "unknown", "?"), 0)
    for outcome in outcomes:
        counts[outcome.judgement] += 1
    names = {"ok": "right", "WRONG": "wrong", "?": "not judged"}
    return f"{len(outcomes)} tasks: " + ", ".join(
        f"{count} {names.get(name, name)}" for name, count in counts.items() if count or name != "?"
    )
