"""Results as JSON lines: written one by one as they come, and read again to go on or to compare.

A line is a run with what else it depends on: the limits, the version of AbPress, and a digest of
the program. A line is written at once; what a killed writer leaves unfinished is cut off.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, Any

from abpress.bench.execute import Job
from abpress.bench.judge import judge
from abpress.bench.record import Run, RunLimits
from abpress.errors import InputError
from abpress.yaml_text import fail

NAME = "results.jsonl"


class ResultStore:
    """The results of an output folder, opened for adding. Use as a context.

    Nobody else can open them at the same time.
    """

    def __init__(self, folder: Path, limits: RunLimits, version: str, resume: bool) -> None:
        """Opens or makes the file. Raises InputError: it is there and `resume` is not wanted, is
        in use, or cannot be read or written."""
        self.path = folder / NAME
        self._common = {"limits": asdict(limits), "version": version}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = self.path.open("a+b")
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}") from error
        try:
            self._lock()
            self._done = self._read(resume)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> ResultStore:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, job: Job, run: Run) -> None:
        """Writes the run of a job. Raises OSError."""
        line = {**run.to_json(), **self._common, "program": _digest(job.task.file)}
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()

    def done(self, jobs: Sequence[Job]) -> dict[tuple[str, str, str], Run]:
        """The runs of those jobs that were run before under the same conditions.

        They are judged anew, by what is expected now.
        """
        found = {}
        for job in jobs:
            line = self._done.get((*job.key, job.search_options))
            if line is None:
                continue
            data, run = line
            if data.get("program") != _digest(job.task.file):
                continue
            if run.definite():
                category, score = judge(run.verdict, job.task.expected)
                run = replace(run, category=category, score=score)
            found[job.key] = replace(run, expected=job.task.expected)
        return found

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(f"{self.path} is in use by another run") from error

    def _read(self, resume: bool) -> dict[tuple[Any, ...], tuple[dict[str, Any], Run]]:
        self._file.seek(0)
        text = self._file.read()
        if text and not resume:
            raise InputError(
                f"{self.path} is there already: --resume goes on with it,"
                " another --output starts anew"
            )
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            os.truncate(self.path, len(whole))
        return {
            (run.task, run.property, run.config, run.options): (data, run)
            for data, run in _lines(self.path, whole)
            if all(data.get(key) == value for key, value in self._common.items())
        }


def read_runs(path: Path) -> list[Run]:
    """The runs of a file of JSON lines; of two of the same job, the later. Raises InputError."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    whole = text[: text.rfind(b"\n") + 1]
    runs = [run for _, run in _lines(path, whole)]
    return list({(run.task, run.property, run.config): run for run in runs}.values())


def _lines(path: Path, text: bytes) -> list[tuple[dict[str, Any], Run]]:
    found = []
    for number, line in enumerate(text.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            found.append((data, Run.from_json(data)))
        except (KeyError, TypeError, ValueError, RecursionError):
            fail(path, number, "not the result of a run")
    return found


def _digest(program: Path) -> str:
    """A digest of a program's text; the empty text if it cannot be read."""
    try:
        return hashlib.sha256(program.read_bytes()).hexdigest()
    except OSError:
        return ""
