"""Every file below tests/programs is a test case; its first line carries the expectation:

    // expect: true|false(PROPERTY)|unknown|unsupported|input-error ["part of the reason"] [args: …]

`args` are options of `abpress verify`.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from abpress.cli.main import build_parser
from abpress.cli.options import config_of
from abpress.cli.report import to_json, verdict_line
from abpress.engines import static
from abpress.errors import InputError, UnsupportedError
from abpress.result import Verdict
from abpress.verify.measure import Stopwatch
from abpress.verify.run import Report, verify
from abpress.witness.lanes import render

HERE = Path(__file__).resolve().parent
CASES = sorted((HERE / "programs").rglob("*.c"))

_EXPECT = re.compile(
    r"// expect: (?P<answer>true|false\([\w-]+\)|unknown|unsupported|input-error)"
    r'(?: "(?P<reason>[^"]+)")?(?: args: (?P<args>.+?))?\s*'
)


@dataclass(frozen=True, slots=True)
class Expectation:
    answer: str
    reason: str
    args: tuple[str, ...]


def expectation(file: Path) -> Expectation:
    with file.open(encoding="utf-8", errors="replace") as lines:
        first = lines.readline()
    match = _EXPECT.fullmatch(first.strip())
    assert match, f"{file}:1: no expectation in {first.strip()!r}"
    return Expectation(
        match["answer"], match["reason"] or "", tuple(shlex.split(match["args"] or ""))
    )


def test_there_are_cases() -> None:
    assert CASES


@pytest.mark.parametrize("file", CASES, ids=lambda file: str(file.relative_to(HERE / "programs")))
def test_program(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE.parent)
    expected = expectation(file)
    if expected.answer != "true":
        monkeypatch.setattr(static, "_SECONDS_BESIDE", 1.0)  # for invariants that are in vain
    command = ["verify", str(file.relative_to(HERE.parent)), "--time-limit", "60", *expected.args]
    command += [] if "--property" in expected.args else ["--property", "unreach-call"]
    stopwatch = Stopwatch()
    report: Report | None = None
    try:
        report = verify(config_of(build_parser().parse_args(command)))
    except UnsupportedError as error:
        answer, reason = "unsupported", str(error)
    except InputError as error:
        answer, reason = "input-error", str(error)
    else:
        answer = verdict_line(report.result).removeprefix("abpress verdict: ").partition(" (")[0]
        reason = report.result.reason
    again = f"re-run: scripts/abpress {shlex.join(command)}"
    assert answer == expected.answer, f"{reason}\n{again}"
    assert expected.reason in reason, again
    if report is not None and report.result.verdict is Verdict.FALSE:
        _check_trace(report, stopwatch, again)


def _check_trace(report: Report, stopwatch: Stopwatch, again: str) -> None:
    data = to_json(report.result, report.engine, report.reduction, stopwatch.read())["trace"]
    assert data["schedule"], again
    assert data["steps"], again
    if report.result.property == "no-deadlock":
        assert data["blocked"], again
    if report.result.property in ("unreach-call", "no-overflow"):
        ends = report.result.trace.steps[-1].position.origin
        assert report.result.reason.startswith(f"{ends}: "), again
    for width in (60, 120):
        lines = render(report.result.trace, report.sources, width)
        assert lines, again
        assert all(line.cell_len <= width for line in lines), again
