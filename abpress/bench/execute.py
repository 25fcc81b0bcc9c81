"""One task under one configuration: the command line, and what its run has left behind."""

from __future__ import annotations

import json
import shutil
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from abpress.bench.contained import Contained, Ending
from abpress.bench.judge import UNKNOWN, failure, judge
from abpress.bench.record import Category, Run, RunLimits, Task

WITNESS = "witness.yml"
"""The name by which the competition finds the witness of a run."""

_INVARIANTS_TIME = "10s"

_TAIL_BYTES = 4096
_REASON_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Job:
    """A task under a configuration; `options` are those of the configuration."""

    task: Task
    config: str
    options: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from all other jobs of a benchmark."""
        return self.task.name, self.task.property, self.config

    @property
    def search_options(self) -> tuple[str, ...]:
        """All options that decide what the program means and how it is searched."""
        return ("--data-model", self.task.data_model, *self.task.options, *self.options)


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a run: the result, and perhaps a certificate and a witness, from the command."""

    result: Path
    certificate: Path | None
    witness: Path | None = None


Command = Callable[[Job, RunLimits, Files], list[str]]
"""How a job is run: a command that writes the files of `abpress verify --json --certificate`."""


def run_of(
    job: Job, verdict: str, reason: str, category: Category, ending: Ending | None = None
) -> Run:
    """The run of a job of which nothing but its ending is known, worth no points."""
    task = job.task
    return Run(
        task=task.name,
        property=task.property,
        config=job.config,
        options=job.search_options,
        expected=task.expected,
        verdict=verdict,
        reason=" ".join(reason.split())[:_REASON_CHARACTERS],
        status=None if ending is None else ending.status,
        category=category,
        score=0,
        cpu_s=0.0 if ending is None else ending.cpu_s,
        wall_s=0.0 if ending is None else ending.wall_s,
        memory_mb=0.0 if ending is None else ending.memory_mb,
        engine="",
        reduction="",
        statistics={},
    )


def verify_command(job: Job, limits: RunLimits, files: Files) -> list[str]:
    """`abpress verify`, by the Python that runs here."""
    command = [
        *(sys.executable, "-m", "abpress", "verify", str(job.task.file)),
        *("--property", job.task.property, "--json", str(files.result), "--quiet"),
        *job.search_options,
    ]
    if limits.wall_s is not None:
        command += ["--time-limit", f"{limits.wall_s:.6f}s"]
    if limits.memory_mb is not None:
        command += ["--memory-limit", f"{limits.memory_mb:.6f}MiB"]
    if files.certificate is not None:
        command += ["--certificate", str(files.certificate)]
    if files.witness is not None:
        command += ["--witness", str(files.witness), "--invariants-time", _INVARIANTS_TIME]
    return command


class RunningJob:
    """A job that runs, with a folder for its files. Mutable, as its process is."""

    def __init__(
        self,
        job: Job,
        limits: RunLimits,
        command: Command,
        scratch: Path,
        keep: Path | None,
        certificates: bool,
        witnesses: bool = False,
    ) -> None:
        """Starts the command. `keep` is the output folder, for traces (and certificates, and
        witnesses).

        Raises OSError if the command cannot be started.
        """
        self.job = job
        self._keep = keep
        self._scratch = scratch
        self._errors = scratch / "errors"
        self._files = Files(
            scratch / "result.json",
            scratch / "certificate" if certificates else None,
            scratch / WITNESS if witnesses else None,
        )
        self.process = Contained(command(job, limits, self._files), limits, self._errors)

    def finish(self, ending: Ending) -> Run:
        """The run, when its process has ended; moves what is to be kept to the output folder."""
        data, complaint = _read(self._files.result)
        verdict = _verdict(data, self.job.task.property)
        reason = str(data.get("reason", ""))
        if ending.stop is not None:
            verdict, reason = UNKNOWN, ending.stop.value
        elif complaint:
            reason = _end(ending, complaint, _last_line(self._errors))
        category, score = judge(verdict, self.job.task.expected)
        failed = failure(ending, verdict, reason)
        if failed is not None:
            category, score = failed, 0
            if verdict != UNKNOWN:
                last = _last_line(self._errors)
                reason = f"verdict {verdict} with exit status {ending.status}: {last}"
                verdict = UNKNOWN
        elif complaint:
            category = Category.ERROR
        trace = certificate = None
        if verdict.startswith("false"):
            trace = self._kept("traces", json.dumps(data.get("trace"), indent=1) + "\n")
        if verdict == "true":
            certificate = self._kept_file("certificates", self._files.certificate)
        if verdict != UNKNOWN:
            self._kept_file("witnesses", self._files.witness, f"/{WITNESS}")
        run = run_of(self.job, verdict, reason, category, ending)
        return replace(
            run,
            score=score,
            engine=str(data.get("engine", "")),
            reduction=str(data.get("reduction", "")),
            statistics=data.get("statistics", {}),
            trace=trace,
            certificate=certificate,
        )

    def discard(self) -> None:
        """Removes the folder of its files."""
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _kept_file(self, kind: str, file: Path | None, end: str = ".json") -> str | None:
        """Keeps what the command has written, if it was asked to and did; see `_kept`."""
        if file is None or not file.exists():
            return None
        return self._kept(kind, file.read_text(encoding="utf-8"), end)

    def _kept(self, kind: str, text: str, end: str = ".json") -> str | None:
        """Writes a file of the output folder, whose name ends so; returns its name relative to
        that."""
        if self._keep is None:
            return None
        task = self.job.task
        name = f"{kind}/{self.job.config}/{task.name}.{task.property}{end}"
        path = self._keep / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return name


def _read(path: Path) -> tuple[Mapping[str, Any], str]:
    """The result that the command wrote; or nothing, and why."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, "no result"
    except (OSError, ValueError, RecursionError):
        return {}, "the result cannot be read"
    well_formed = (
        isinstance(data, dict)
        and data.get("verdict") in ("true", "false", UNKNOWN)
        and isinstance(data.get("statistics"), dict)
    )
    return (data, "") if well_formed else ({}, "the result cannot be read")


def _verdict(data: Mapping[str, Any], asked: str) -> str:
    """The verdict; a violation of another property than was asked is that of a sub-property."""
    verdict = str(data.get("verdict", UNKNOWN))
    violated = data.get("property", asked)
    return f"false({violated})" if verdict == "false" and violated != asked else verdict


def _end(ending: Ending, complaint: str, last: str) -> str:
    status = ending.status
    if status is not None and status < 0:
        try:
            complaint += f", killed by {signal.Signals(-status).name}"
        except ValueError:
            complaint += f", killed by signal {-status}"
    elif status is not None:
        complaint += f", exit status {status}"
    return f"{complaint}: {last}" if last else complaint


def _last_line(errors: Path) -> str:
    """The last line that the command wrote on its standard error."""
    with errors.open("rb") as stream:
        stream.seek(0, 2)
        stream.seek(max(0, stream.tell() - _TAIL_BYTES))
        lines = stream.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""
