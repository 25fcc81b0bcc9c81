"""A report as data: what was asked, and what each answer rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import Any

from abpress.config import Config
from abpress.errors import printable
from abpress.properties import PROPERTIES
from abpress.result import Alarm, Result, Verdict
from abpress.verify.load import Programs
from abpress.verify.measure import Cost
from abpress.verify.page.execution import execution_data
from abpress.verify.page.proofs import proof_data
from abpress.verify.page.sources import ShownFiles
from abpress.verify.run import PropertyAnswer, Report
from abpress.version import __version__
from abpress.witness.trace import Trace

VERSION = 1
"""Of the data; a change that breaks readers makes it another one."""


def report_data(
    report: Report,
    cost: Cost,
    name: str,
    advised: Sequence[str] = (),
    config: Config | None = None,
) -> dict[str, Any]:
    """What a page about the run shows, for JSON; `name` is that of what was verified, `advised`
    what to try where the answer is unknown, and `config` is that of the run: with it the page
    shows what is proved where. docs/report.md says what the members are."""
    files = ShownFiles(report.sources)
    for file in list(report.sources)[:1]:  # the one that was asked about
        files.line(file, 1)
    programs = None if config is None else report.programs or Programs(config)
    answers = [_answer(answer, files, programs) for answer in report.answers]
    result = report.result
    return {
        "version": VERSION,
        "tool": __version__,
        "name": printable(PurePath(name).name),
        "verdict": result.verdict.value,
        "engine": report.engine,
        "data_model": report.data_model,
        "cost": asdict(cost),
        "warnings": [printable(text) for text in report.warnings],
        "advice": [printable(text) for text in advised],
        "answers": answers,
        "files": files.data(),
    }


def _answer(answer: PropertyAnswer, files: ShownFiles, programs: Programs | None) -> dict[str, Any]:
    result = answer.result
    trace = result.trace
    known = PROPERTIES.get(result.property)
    return {
        "property": result.property,
        "meaning": "" if known is None else known.meaning,
        "verdict": result.verdict.value,
        "reason": printable(result.reason),
        "engine": answer.engine,
        "reduction": answer.reduction,
        "vacuous": printable(result.vacuous),
        "notes": [printable(text) for text in _notes(result)],
        "numbers": {key.replace("_", " "): value for key, value in result.statistics.items()},
        "alarms": [_alarm(alarm, files) for alarm in result.alarms],
        "execution": execution_data(trace, files) if isinstance(trace, Trace) else None,
        "proof": None
        if programs is None or result.verdict is not Verdict.TRUE
        else proof_data(answer.certificate, programs, files),
    }


def _notes(result: Result) -> list[str]:
    """What the verdict assumes, and what was seen on the way."""
    assumed = [f"assuming: {assumption}" for assumption in result.assumptions]
    return [*assumed, *(f"warning: {warning}" for warning in result.warnings)]


def _alarm(alarm: Alarm, files: ShownFiles) -> dict[str, Any]:
    return {
        "what": printable(alarm.what),
        "accesses": [
            {
                "does": printable(access.does),
                "thread": access.thread,
                "locks": list(map(printable, access.locks)),
                "calls": list(map(printable, access.stack)),
                **files.line(access.file, access.line),
            }
            for access in alarm.accesses
        ],
        "missing": list(map(printable, alarm.missing)),
    }
