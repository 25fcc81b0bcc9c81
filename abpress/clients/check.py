"""Checks that the calls of a client return only what some sequential order of them gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from time import monotonic

from abpress.clients.client import Call, Client
from abpress.clients.concurrent import ClientProgram
from abpress.clients.history import History, history
from abpress.clients.library import Library
from abpress.clients.sequential import Order, Results, allowed
from abpress.config import Config
from abpress.engines.table import ENGINES, Progress
from abpress.properties.deadlock import NoDeadlock
from abpress.properties.steps import UnreachCall
from abpress.result import Verdict
from abpress.search.limits import Limits
from abpress.verify.load import load
from abpress.verify.run import Report, verify
from abpress.witness.trace import Trace

_POINTER_BITS = {"ILP32": 32, "LP64": 64}


class ClientAnswer(Enum):
    """What is known about a client."""

    ALLOWED = "allowed"  # no execution fails, and all results are those of a sequential order
    FORBIDDEN = "forbidden"  # an execution has results that no sequential order gives
    VIOLATION = "violation"  # an execution calls reach_error or fails an assertion in a call
    DEADLOCK = "deadlock"  # an execution ends with calls that wait for one another
    UNKNOWN = "unknown"  # the search did not come to its end; `reason` says why


class Unsettled(Exception):
    """The results that are allowed are not all known; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Written:
    """A client as a program in C."""

    program: ClientProgram
    text: str
    file: Path


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer for a client.

    `program` is None if its allowed results are not known. `report` is that of the last search;
    `history` is that of its trace, of an answer that has one.
    """

    client: Client
    answer: ClientAnswer
    reason: str
    program: Written | None
    report: Report | None
    history: History | None
    seconds: float

    @property
    def orders(self) -> Mapping[Results, tuple[Order, ...]]:
        """The results that are allowed, with their orders; none if they are not known."""
        return {} if self.program is None else self.program.program.orders

    @property
    def trace(self) -> Trace | None:
        """The execution that is the answer's reason, if there is one."""
        trace = self.report.result.trace if self.report is not None else None
        return trace if isinstance(trace, Trace) else None


@dataclass(frozen=True, slots=True)
class Checker:
    """How clients of a library are checked.

    `config` holds the options of the searches; its file, property and limit of time do not count.
    `limits` are those of all checks together, `client_limit` are the seconds for one of them.
    `waits`: what `may_wait` says. `folder` is where programs are written.
    """

    library: Library
    reference: Library
    config: Config
    real_time: bool
    waits: bool
    limits: Limits
    client_limit: float | None
    folder: Path

    def check(self, client: Client, name: str, listener: Progress = lambda _: None) -> Checked:
        """The answer for a client; its programs are those that `write` writes.

        A forbidden result, a violation and a deadlock are each an answer when found first: what
        else the client's executions do is not known then. Ctrl-C makes the answer UNKNOWN, or is
        raised as KeyboardInterrupt. Raises InputError and UnsupportedError.
        """
        started = monotonic()
        program: Written | None = None

        def answered(
            answer: ClientAnswer,
            reason: str,
            report: Report | None = None,
            its: History | None = None,
        ) -> Checked:
            return Checked(client, answer, reason, program, report, its, monotonic() - started)

        try:
            program = self.write(client, name)
        except Unsettled as why:
            return answered(ClientAnswer.UNKNOWN, why.reason)
        for property in (UnreachCall.name, NoDeadlock.name):
            left = self._seconds(monotonic() - started)
            report = verify(
                self.config.but(file=program.file, property=property, time_limit=left),
                listener,
            )
            result = report.result
            if result.verdict is Verdict.UNKNOWN:
                return answered(ClientAnswer.UNKNOWN, result.reason, report)
            if isinstance(result.trace, Trace):
                file = str(program.file)
                its = history(program.program, program.text, file, result.trace)
                return answered(_answer(result.trace, file), result.reason, report, its)
            if not self.waits and _has_no_deadlock(report):
                break
        return answered(ClientAnswer.ALLOWED, "", report)

    def write(self, client: Client, name: str) -> Written:
        """Writes the client as `name.c`, and what tells its allowed results as `name-alone.c`.

        Raises Unsettled if a limit ends it, InputError and UnsupportedError.
        """
        alone = self.folder / f"{name}-alone.c"
        limits = replace(self.limits, time=self._seconds(), started=monotonic())
        found = allowed(client, self.reference, self.config, limits, alone, self.real_time)
        if found.doubt is not None:
            raise Unsettled(f"{found.doubt}, in the sequential reference")
        program = ClientProgram(client, self.library, found.orders, self.real_time)
        file = self.folder / f"{name}.c"
        text = program.text(_POINTER_BITS[self.config.program.data_model])
        file.write_text(text, encoding="utf-8")
        return Written(program, text, file)

    def _seconds(self, used: float = 0.0) -> float | None:
        """The time that is left for a check that has used some; None for no limit."""
        left = None if self.client_limit is None else self.client_limit - used
        if self.limits.time is not None:
            whole = self.limits.started + self.limits.time - monotonic()
            left = whole if left is None else min(left, whole)
        return None if left is None else max(left, _LEAST)


_LEAST = 0.001
"""Seconds; a search with less than nothing left ends at its first look at the clock."""


def may_wait(library: Library, config: Config, folder: Path) -> bool:
    """Whether an operation may wait at a condition variable.

    Then executions are different for the two properties: spurious wake-ups may lead to results,
    and keep a search from seeing deadlocks. Raises InputError and UnsupportedError.
    """
    every = tuple(
        Call(operation.name, tuple(domain[0] for domain in operation.domains), operation.has_result)
        for operation in library.operations
    )
    orders: Mapping[Results, tuple[Order, ...]] = {}
    text = ClientProgram(Client((every,)), library, orders, False).text(64)
    file = folder / "every-operation.c"
    file.write_text(text, encoding="utf-8")
    on, off = (load(config.but(file=file, spurious_wakeups=w)).program for w in ("on", "off"))
    return on != off


def _has_no_deadlock(report: Report) -> bool:
    """Whether a search for violations has come to its end, and would have met any deadlock."""
    engine = ENGINES.get(report.engine)
    if engine is None or not engine.answers(NoDeadlock.name, report.reduction):
        return False
    return report.result.statistics.get("deadlocked_executions") == 0


def _answer(trace: Trace, file: str) -> ClientAnswer:
    if trace.blocked:
        return ClientAnswer.DEADLOCK
    place = trace.steps[-1].position
    return ClientAnswer.FORBIDDEN if place.origin.file == file else ClientAnswer.VIOLATION
