"""Verdicts to keep: what AbPress once said of tasks, as a guard against regressions.

A file of JSON lines, one per task and property, sorted: `task` (the path of its definition relative
to the file, without suffix), `property`, `verdict`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from abpress.bench.files import write_whole
from abpress.bench.record import Run
from abpress.errors import InputError
from abpress.yaml_text import fail, read_text


def read_expected(file: Path) -> dict[tuple[str, str], str]:
    """(task, property) -> verdict. Raises InputError."""
    found: dict[tuple[str, str], str] = {}
    for number, line in enumerate(read_text(file).splitlines(), start=1):
        try:
            data = json.loads(line)
            task, property, verdict = data["task"], data["property"], data["verdict"]
        except (ValueError, TypeError, KeyError):
            fail(file, number, "a task, a property and a verdict are expected")
        if (task, property) in found:
            fail(file, number, f"{task} ({property}) is there twice")
        found[task, property] = verdict
    return found


def check_expected(file: Path) -> None:
    """Raises InputError if verdicts could not be added to a file."""
    if file.exists():
        read_expected(file)
    elif not file.parent.is_dir():
        raise InputError(f"{file.parent}: no such folder")


def write_expected(
    file: Path, runs: Iterable[Run], definitions: Mapping[tuple[str, str], Path]
) -> None:
    """Writes the verdicts of the runs of one configuration; those of other tasks are kept.

    `definitions` maps the name and property of a task to its definition, without suffix.
    Raises InputError.
    """
    known = read_expected(file) if file.exists() else {}
    for run in runs:
        task = expected_name(file, definitions[run.task, run.property])
        known[task, run.property] = run.verdict
    text = "".join(
        json.dumps({"task": task, "property": property, "verdict": verdict}) + "\n"
        for (task, property), verdict in sorted(known.items())
    )
    write_whole(file, text)


def expected_name(file: Path, definition: Path) -> str:
    """How a file of verdicts names a task."""
    return Path(os.path.relpath(definition, file.resolve().parent)).as_posix()
