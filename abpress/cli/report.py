"""The output of `abpress verify`: verdict line, statistics, trace, and the JSON file."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from abpress.engines.table import ENGINES
from abpress.errors import InputError
from abpress.result import Result, Verdict
from abpress.search.statistics import ExecutionStatistics
from abpress.verify.measure import Cost


def verdict_line(result: Result) -> str:
    """`abpress verdict: …`, the one line that programs look for."""
    match result.verdict:
        case Verdict.TRUE:
            answer = "true"
        case Verdict.FALSE:
            answer = f"false({result.property})"
        case Verdict.UNKNOWN:
            answer = f"unknown ({result.reason})"
    return f"abpress verdict: {answer}"


def print_result(result: Result, cost: Cost, sources: Mapping[str, str], quiet: bool) -> None:
    """Prints the trace of a violation, the verdict with its assumptions, and the statistics."""
    if result.trace is not None and not quiet:
        print_trace(result.trace, sources, sys.stdout)
    print(verdict_line(result))
    if quiet:
        return
    for assumption in result.assumptions:
        print(f"assuming: {assumption}")
    rows = {name.replace("_", " "): _number(value) for name, value in result.statistics.items()}
    rows.update((name.replace("_", " "), _number(n)) for name, n in rates(result, cost).items())
    print_numbers(rows, cost)


def print_numbers(rows: Mapping[str, str], cost: Cost) -> None:
    """Prints the rows, and what the run has cost, by their names."""
    rows = {
        **rows,
        "cpu time": f"{cost.cpu_s:.2f} s",
        "wall time": f"{cost.wall_s:.2f} s",
        "peak memory": f"{cost.peak_memory_mb:.0f} MB",
    }
    width = max(map(len, rows))
    for name, text in rows.items():
        print(f"  {name:<{width}}  {text}")


def _number(value: int | float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}"


def print_trace(trace: Any, sources: Mapping[str, str], out: TextIO) -> None:
    """Prints the execution, one lane per thread, and an empty line."""
    from rich.console import Console

    from abpress.witness.lanes import render

    console = Console(file=out, highlight=False)
    for line in render(trace, sources, width_of(out)):
        line.rstrip()
        if out.isatty():
            console.print(line, no_wrap=True, overflow="crop", crop=True)
        else:
            print(line.plain, file=out)
    print(file=out)


def rates(result: Result, cost: Cost) -> dict[str, int]:
    """Executions and events of a stateless search per second of processor time, of the whole run:
    reading the program and replaying a violation count."""
    counts = {name: result.statistics.get(name) for name in ("executions", "events")}
    if counts["events"] is None or not cost.cpu_s:
        return {}
    return {f"{name}_per_s": round(int(n or 0) / cost.cpu_s) for name, n in counts.items()}


def width_of(out: TextIO) -> int:
    """The columns of a terminal; 100 for anything else."""
    from rich.console import Console

    return Console(file=out).width if out.isatty() else 100


def to_json(result: Result, engine: str, reduction: str, cost: Cost) -> dict[str, Any]:
    """The result as data. A search of executions has `executions`: their numbers by how they end,
    and `rates`."""
    data = {
        "verdict": result.verdict.value,
        "property": result.property,
        "reason": result.reason,
        "engine": engine,
        "reduction": reduction,
        **asdict(cost),
        "statistics": dict(result.statistics),
        "trace": None if result.trace is None else result.trace.to_json(),
        "assumptions": list(result.assumptions),
    }
    its = ENGINES.get(engine)
    if its is not None and its.executions is not None:
        data["rates"] = rates(result, cost)
        data["executions"] = {
            end: result.statistics.get(f"{end}_executions", 0)
            for end in ExecutionStatistics().ends()
        }
    return data


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Writes data as JSON. Raises InputError."""
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    # A byte of the program that is no UTF-8 becomes an escape, which JSON has, too.
    write_file(path, text.encode("utf-8", "backslashreplace").decode())


def write_file(path: Path, text: str) -> None:
    """Writes the file in one go: it is never seen half-written. Raises InputError."""
    try:
        if path.exists() and not path.is_file():  # a pipe, a terminal, /dev/null
            path.write_text(text, encoding="utf-8")
            return
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                out.write(text)
            os.chmod(draft, 0o666 & ~_umask())
            os.replace(draft, path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
