"""The output of `abpress linearize`: the bad clients, the summary, and the JSON file."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from abpress.cli.failures import Failure
from abpress.cli.output import number_lines, say
from abpress.cli.report import print_trace, width_of
from abpress.clients.check import Checked, ClientAnswer
from abpress.clients.timeline import comparison, timeline
from abpress.properties.deadlock import NoDeadlock
from abpress.properties.steps import UnreachCall
from abpress.verify.measure import Cost

FALSE = {
    ClientAnswer.FORBIDDEN: "results",
    ClientAnswer.VIOLATION: UnreachCall.name,
    ClientAnswer.DEADLOCK: NoDeadlock.name,
}
"""What a verdict "false" is about."""

MEANINGS = {
    ClientAnswer.ALLOWED: "every result is one that some sequential order gives",
    ClientAnswer.FORBIDDEN: "results that no sequential order gives",
    ClientAnswer.VIOLATION: "a violation within a call",
    ClientAnswer.DEADLOCK: "calls that wait for one another",
    ClientAnswer.UNKNOWN: "unknown",
}


@dataclass(slots=True)
class Session:
    """The clients that were checked so far, and why there are no more. Mutable."""

    checked: list[Checked] = field(default_factory=list)
    failure: Failure | None = None
    stopped: str | None = None
    next_words: float = 0.0  # when last words may be left again, in `time.monotonic`

    @property
    def bad(self) -> list[Checked]:
        """The clients that some execution fails."""
        return [its for its in self.checked if its.answer in FALSE]

    @property
    def assumptions(self) -> list[str]:
        """What the answers rest on."""
        reports = [its.report for its in self.checked if its.report is not None]
        return list(dict.fromkeys(a for report in reports for a in report.result.assumptions))

    @property
    def warnings(self) -> list[str]:
        """What the frontend has to say about the clients, and so about the library."""
        reports = [its.report for its in self.checked if its.report is not None]
        return list(dict.fromkeys(w for report in reports for w in report.warnings))

    def status(self) -> int:
        """The exit status of the command."""
        answers = {its.answer for its in self.checked}
        if self.bad:
            return 1
        if self.failure is not None:
            return self.failure.status
        return 2 if ClientAnswer.UNKNOWN in answers or self.stopped or not self.checked else 0

    def verdict(self) -> tuple[str, str]:
        """true, false or unknown; and what is false, or why it is not known."""
        for its in self.bad:
            return "false", FALSE[its.answer]
        if self.failure is not None:
            return "unknown", self.failure.reason
        if not self.checked:
            return "unknown", self.stopped or "there are no such clients"
        unknown = [its.reason for its in self.checked if its.answer is ClientAnswer.UNKNOWN]
        reason = self.stopped or next(iter(unknown), "")
        return ("unknown" if reason else "true"), reason


def print_checked(checked: Checked, number: int, with_trace: bool) -> None:
    """Prints what is wrong with a client: its history, and perhaps the whole execution."""
    if checked.answer is ClientAnswer.ALLOWED:
        return
    print(f"client {number}: {checked.client}")
    reason = checked.reason if checked.history is None else MEANINGS[checked.answer]
    print(f"{checked.answer.value}: {reason}")
    if checked.history is not None and checked.trace is not None:
        print()
        for line in timeline(checked.history, width_of(sys.stdout)):
            print(line)
        if checked.answer is ClientAnswer.FORBIDDEN:
            print()
            for line in comparison(checked.history, checked.orders):
                print(line)
        if with_trace and checked.report is not None:
            print()
            print_trace(checked.trace, checked.report.sources, sys.stdout)
            print()
    print(flush=True)


def print_summary(options: argparse.Namespace, session: Session, cost: Cost) -> None:
    """Prints the verdict line, what it is about, and the numbers."""
    for warning in session.warnings:
        say(f"abpress: warning: {warning}")
    lines = verdict_lines(options, session)
    lines += [] if options.quiet else number_lines(rows_of(session), cost)
    print(*lines, sep="\n")


def verdict_lines(options: argparse.Namespace, session: Session) -> list[str]:
    """The verdict, what it is about, and what it rests on."""
    verdict, about = session.verdict()
    answer = {"true": verdict, "false": f"false({about})", "unknown": f"unknown ({about})"}
    lines = [f"abpress verdict: {answer[verdict]}"]
    if verdict == "true" and not options.quiet:
        meaning = MEANINGS[ClientAnswer.ALLOWED] + _order(options)
        lines.append(f"for the clients that were checked: {meaning}")
    lines += [f"assuming: {assumption}" for assumption in session.assumptions]
    return lines


def rows_of(session: Session) -> dict[str, str]:
    """The numbers of clients by their answers, and of states, as text."""
    rows = {"clients": f"{len(session.checked):,}"}
    counts = Counter(its.answer for its in session.checked)
    met = [answer for answer in ClientAnswer if counts[answer]]
    rows |= {f"  {answer.value}": f"{counts[answer]:,}" for answer in met}
    rows["states"] = f"{sum(_number(its, 'states') for its in session.checked):,}"
    return rows


def _order(options: argparse.Namespace) -> str:
    if options.real_time:
        return ", in which calls that do not overlap keep their order"
    return ", in which the calls of each thread keep their order"


def _number(its: Checked, name: str) -> int:
    value = 0 if its.report is None else its.report.result.statistics.get(name, 0)
    return value if isinstance(value, int) else 0


def to_json(options: argparse.Namespace, session: Session, cost: Cost) -> dict[str, Any]:
    """The answers as data."""
    verdict, about = session.verdict()
    return {
        "verdict": verdict,
        "about": about,
        "library": str(options.file),
        "specification": None if options.spec is None else str(options.spec),
        "real_time": options.real_time,
        "seed": options.seed,
        "assumptions": session.assumptions,
        **asdict(cost),
        "clients": [_client(its) for its in session.checked],
    }


def _client(its: Checked) -> dict[str, Any]:
    report = its.report
    return {
        "client": str(its.client),
        "answer": its.answer.value,
        "reason": its.reason,
        "allowed": [list(results) for results in its.orders],
        "history": None if its.history is None else its.history.to_json(),
        "engine": None if report is None else report.engine,
        "reduction": None if report is None else report.reduction,
        "statistics": {} if report is None else dict(report.result.statistics),
        "seconds": round(its.seconds, 3),
        "program": None if its.program is None else its.program.text,
        "trace": None if its.trace is None else its.trace.to_json(),
    }
