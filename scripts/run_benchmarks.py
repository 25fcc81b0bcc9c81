"""Runs SV-COMP tasks through `abpress verify` and prints the table; see `run-benchmarks --help`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from taskrun import Outcome, Runner, Task, summary

from abpress.properties import PROPERTIES, property_key

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Exit status 1 if a verdict is wrong, 2 if the tasks cannot be read."""
    parser = argparse.ArgumentParser(
        prog="run-benchmarks",
        description="Runs SV-COMP tasks: task, expected verdict, verdict, time, states.",
        epilog="exit status: 0, 1 if a verdict is wrong, 2 if the tasks cannot be read",
    )
    parser.add_argument(
        "tasks",
        nargs="*",
        type=Path,
        default=[ROOT / "benchmarks" / "svcomp"],
        help=".yml files, .set files, or folders (default: benchmarks/svcomp)",
    )
    parser.add_argument("--property", help="only the tasks of this property")
    parser.add_argument("--time-limit", type=float, default=30.0, help="seconds per task (30)")
    parser.add_argument("--memory-limit", default="2GB", help="per task (2GB)")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="tasks at the same time (1)")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="OPTION",
        help="pass on to abpress verify, e.g. --option=--por=none (repeatable)",
    )
    options = parser.parse_args()
    try:
        tasks = [
            task
            for file in _files(options.tasks)
            for task in read_tasks(file, tuple(options.option))
            if options.property in (None, task.property)
        ]
    except (OSError, ValueError, KeyError, yaml.YAMLError) as error:
        print(f"run-benchmarks: {error}", file=sys.stderr)
        return 2
    if not tasks:
        print("run-benchmarks: no tasks", file=sys.stderr)
        return 2
    outcomes: list[Outcome] = []
    width = max(len(task.name) for task in tasks)
    print(f"{'task':<{width}}  {'property':<12}  expected  verdict  {'s':>7}  {'states':>10}")
    with Runner(options.jobs, options.time_limit, options.memory_limit) as runner:
        for outcome in runner.run_all(tasks):
            outcomes.append(outcome)
            print(_row(outcome, width), flush=True)
    print(summary(outcomes))
    return 1 if any(outcome.judgement == "WRONG" for outcome in outcomes) else 0


def _row(outcome: Outcome, width: int) -> str:
    task = outcome.task
    states = "" if outcome.states is None else f"{outcome.states:,}"
    note = outcome.reason if outcome.judgement == "unknown" else ""
    return (
        f"{task.name:<{width}}  {task.property:<12}  {task.expected or '?':<8}  "
        f"{outcome.verdict:<7}  {outcome.seconds:>7.2f}  {states:>10}  "
        f"{outcome.judgement} {note}"
    ).rstrip()


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.yml"))
        elif path.suffix == ".set":
            for line in path.read_text(encoding="utf-8").splitlines():
                pattern = line.partition("#")[0].strip()
                if pattern:
                    yield from sorted(path.parent.glob(pattern))
        elif path.exists():
            yield path
        else:
            raise ValueError(f"{path}: no such task file, set or folder")


def read_tasks(file: Path, options: tuple[str, ...] = ()) -> list[Task]:
    """The tasks of a task definition (format 2.0), one per property that is supported.

    Raises ValueError for what is not a task definition.
    """
    data: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
    if not isinstance(data, dict) or "input_files" not in data:
        raise ValueError(f"{file}: not a task definition (no input_files)")
    inputs = data["input_files"]
    (source,) = [inputs] if isinstance(inputs, str) else inputs
    model = data.get("options", {}).get("data_model", "ILP32")
    tasks = []
    for entry in data.get("properties", ()):
        name = _property(file.parent / entry["property_file"])
        if name is None:
            continue
        expected = entry.get("expected_verdict")
        tasks.append(
            Task(
                f"{file.parent.name}/{file.stem}",
                file.parent / source,
                name,
                None if expected is None else str(bool(expected)).lower(),
                ("--data-model", model, *options),
            )
        )
    return tasks


def _property(path: Path) -> str | None:
    """The short name of a property file; None for a property that is not supported."""
    from abpress.errors import UnsupportedError

    try:
        key = property_key(str(path))
    except UnsupportedError:
        return None
    return key if key in PROPERTIES else None


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
