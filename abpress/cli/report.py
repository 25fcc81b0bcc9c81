"""The output of `abpress verify`: verdict line, statistics, trace, and the JSON file."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TextIO

from abpress.cli.output import VERSION, number_lines, styled
from abpress.engines.table import ENGINES
from abpress.errors import NOWHERE
from abpress.result import Alarm, Result, Verdict
from abpress.search.statistics import ExecutionStatistics
from abpress.verify.measure import Cost
from abpress.verify.run import Report
from abpress.witness.trace import Trace, place_of


def verdict_line(result: Result, named: bool = False) -> str:
    """`abpress verdict: …`, the one line that programs look for; `named`: that of one property
    among several, `abpress verdict (unreach-call): …`."""
    match result.verdict:
        case Verdict.TRUE:
            answer = "true"
        case Verdict.FALSE:
            answer = f"false({result.property})"
        case Verdict.UNKNOWN:
            answer = f"unknown ({result.reason})"
    name = f" ({result.property})" if named else ""
    return f"abpress verdict{name}: {answer}"


def verdict_lines(report: Report) -> list[str]:
    """The verdict for each property, and of several properties that for all of them."""
    several = len(report.answers) > 1
    lines = [verdict_line(answer.result, several) for answer in report.answers]
    return [*lines, verdict_line(report.result)] if several else lines


def print_report(
    report: Report,
    cost: Cost,
    quiet: bool,
    stats: bool,
    alarms: bool = False,
    advised: Sequence[str] = (),
) -> None:
    """Prints the answer, then what shows it, then what it has cost: a line for each violation, as
    compilers do, the verdict for each property, of several properties that for all of them, what
    verdicts assume, and what is advised; the alarms, if asked for them, and the traces; two lines
    of numbers, or with `stats` all. Two lines say the verdict again: below a long trace it is in
    sight, too."""
    results = [answer.result for answer in report.answers]
    together = report.result
    if not quiet:
        for line in filter(None, dict.fromkeys(map(error_line, results))):
            print(line)
    print(*verdict_lines(report), sep="\n")
    for note in (*notes(results), *(() if quiet else advised)):
        print(note)
    for alarm in (alarm for result in results for alarm in result.alarms if alarms):
        print("", *alarm_lines(alarm), sep="\n")
    if quiet:
        return
    if print_traces(results, report.sources, sys.stdout):
        print()
    model = {"data model": report.data_model} if report.data_model else {}
    numbers: Mapping[str, str] | str = summary(together, report.engine, report.data_model)
    if stats:
        numbers = {**model, **rows_of(together, rates(together, cost))}
    print(*number_lines(numbers, cost), sep="\n")


SUMMED = {
    "threads": "thread",
    "states": "state",
    "executions": "execution",
    "nodes": "node",
    "refinements": "refinement",
    "queries": "query",
}
"""Of the numbers of a run, those that its summary has, if they are there and not 0; and what one of
them is called."""


def summary(result: Result, engine: str, data_model: str) -> str:
    """What was answered, by whom, and what was searched, in one line."""
    counted = ((name, one, result.statistics.get(name)) for name, one in SUMMED.items())
    numbers = (
        f"{n:,} {one if n == 1 else name}" for name, one, n in counted if isinstance(n, int) and n
    )
    said = f"{result.verdict.value} by {engine}"
    return ", ".join(filter(None, (said, data_model, *numbers)))


def error_line(result: Result) -> str:
    """Where a violation is and what, as `file:line:column: error: …`; empty if there is none."""
    trace = result.trace
    if result.verdict is not Verdict.FALSE or not isinstance(trace, Trace):
        return ""
    place = place_of(trace)
    return "" if place is NOWHERE else f"{place}: error: {trace.message} [{result.property}]"


def notes(results: Sequence[Result]) -> Iterator[str]:
    """What is to be said of the verdicts, as `assuming: …`, each once. If it is not for all
    of several properties, those are in brackets."""
    found: dict[str, list[str]] = {}
    for result in results:
        vacuous = (f"vacuous: {result.vacuous}",) if result.vacuous else ()
        assumptions = (f"assuming: {assumption}" for assumption in result.assumptions)
        warnings = (f"warning: {warning}" for warning in result.warnings)
        for note in dict.fromkeys((*vacuous, *assumptions, *warnings)):
            found.setdefault(note, []).append(result.property)
    for note, of in found.items():
        others = [result.property for result in results if result.property not in of]
        if not others:
            yield note
        elif len(others) < len(of):
            yield f"{note} [all but {', '.join(others)}]"
        else:
            yield f"{note} [{', '.join(of)}]"


def alarm_lines(alarm: Alarm) -> Iterator[str]:
    """An alarm in lines: what it is, the accesses or the check, and which facts are missing."""
    yield f"alarm ({alarm.property}): {alarm.what}"
    for access in alarm.accesses:
        holding = f", holding {' and '.join(access.locks)}" if access.locks else ""
        yield (
            f"  {access.file}:{access.line}:{access.column}: {access.does}"
            f" (thread {access.thread}{holding})"
        )
        yield from (f"    called at {call}" for call in reversed(access.stack))
    yield from (f"  missing: {fact}" for fact in alarm.missing)


def rows_of(result: Result, more: Mapping[str, int]) -> dict[str, str]:
    """The numbers of a result, and more of them, as text by their names."""
    numbers = {**result.statistics, **more}
    return {name.replace("_", " "): _number(value) for name, value in numbers.items()}


def _number(value: int | float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}"


def print_traces(results: Sequence[Result], sources: Mapping[str, str], out: TextIO) -> bool:
    """Prints the executions that results have, each once, below an empty line; returns whether
    there are some."""
    shown: list[Any] = []
    for trace in (result.trace for result in results):
        if trace is not None and trace not in shown:
            print(file=out)
            print_trace(trace, sources, out)
            shown.append(trace)
    return bool(shown)


def print_trace(trace: Any, sources: Mapping[str, str], out: TextIO) -> None:
    """Prints the execution, one lane per thread."""
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


def report_json(
    report: Report, cost: Cost, advised: Sequence[str] = (), words: Sequence[str] = ()
) -> dict[str, Any]:
    """The report as data: the result for all properties; of several, `results` has that of each.
    `words` are those of the command line."""
    data: dict[str, Any] = {"version": VERSION}
    data |= to_json(report.result, report.engine, report.reduction, cost)
    data["data_model"] = report.data_model or None
    if words:
        data["command"] = list(words)
    if advised:
        data["advice"] = list(advised)
    if len(report.answers) > 1:
        data["results"] = [to_json(a.result, a.engine, a.reduction) for a in report.answers]
    return data


def to_json(
    result: Result, engine: str, reduction: str, cost: Cost | None = None
) -> dict[str, Any]:
    """The result as data. A search of executions has `executions`: their numbers by how they end,
    and `rates`; one that workers have shared has `load`: what each of them did, and when."""
    data = {
        "verdict": result.verdict.value,
        "property": result.property,
        "reason": result.reason,
        "vacuous": result.vacuous or None,
        "engine": engine,
        "reduction": reduction,
        **({} if cost is None else asdict(cost)),
        "statistics": dict(result.statistics),
        "trace": None if result.trace is None else result.trace.to_json(),
        "assumptions": list(result.assumptions),
        "warnings": list(result.warnings),
        **({"alarms": [asdict(alarm) for alarm in result.alarms]} if result.alarms else {}),
    }
    if result.load:
        data["load"] = list(result.load)
    its = ENGINES.get(engine)
    if its is not None and its.executions is not None:
        if cost is not None:
            data["rates"] = rates(result, cost)
        data["executions"] = {
            end: result.statistics.get(f"{end}_executions", 0)
            for end in ExecutionStatistics().ends()
        }
    return data
