"""The output of `abpress verify`: verdict line, statistics, trace, and the JSON file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TextIO

from abpress.cli.output import number_lines, styled
from abpress.engines.table import ENGINES
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
    if result.vacuous:
        print(f"vacuous: {result.vacuous}")
    for assumption in result.assumptions:
        print(f"assuming: {assumption}")
    if not quiet:
        print(*number_lines(rows_of(result, rates(result, cost)), cost), sep="\n")


def rows_of(result: Result, more: Mapping[str, int]) -> dict[str, str]:
    """The numbers of a result, and more of them, as text by their names."""
    numbers = {**result.statistics, **more}
    return {name.replace("_", " "): _number(value) for name, value in numbers.items()}


def _number(value: int | float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}"


def print_trace(trace: Any, sources: Mapping[str, str], out: TextIO) -> None:
    """Prints the execution, one lane per thread, and an empty line."""
    from rich.console import Console

    from abpress.witness.lanes import render

    console = Console(file=styled(out), highlight=False)
    for line in render(trace, sources, width_of(out)):
        line.rstrip()
        line.plain = _shown(line.plain)
        if out.isatty():
            console.print(line, no_wrap=True, overflow="crop", crop=True)
        else:
            print(line.plain, file=out)
    print(file=out)


def _shown(text: str) -> str:
    """The text with a sign in the place of each character that is not shown as it is."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else chr(0x2400 + ord(c)) if c < " " else "�" for c in text)


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
        "vacuous": result.vacuous or None,
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
