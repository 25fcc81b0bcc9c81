"""Commands that stand in for `abpress verify`, and how to build jobs for them."""

from __future__ import annotations

import sys
from pathlib import Path

from abpress.bench.execute import Files, Job
from abpress.bench.record import RunLimits, Task

_PRELUDE = """\
import json, os, signal, subprocess, sys, time
result, task = sys.argv[1:]
def answer(verdict, status, reason="", **more):
    data = {"verdict": verdict, "property": "unreach-call", "reason": reason, "engine": "fake",
            "reduction": "none", "statistics": {"states": 7}, "trace": None, **more}
    with open(result, "w") as out:
        json.dump(data, out)
    sys.exit(status)
"""


class Fake:
    """A command that runs a piece of Python; `answer(verdict, status)` writes the result."""

    def __init__(self, script: str) -> None:
        self._script = _PRELUDE + script

    def __call__(self, job: Job, limits: RunLimits, files: Files) -> list[str]:
        return [sys.executable, "-c", self._script, str(files.result), job.task.name]


def a_task(name: str = "t", expected: str | None = "true", file: Path = Path("t.c")) -> Task:
    return Task(name, file, "unreach-call", expected)


def a_job(task: Task | None = None, config: str = "c", options: tuple[str, ...] = ()) -> Job:
    return Job(task or a_task(), config, options)
