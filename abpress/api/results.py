"""Results, as users of the package see them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from abpress.api.outputs import AUTO, write_page, write_witness
from abpress.bench.files import write_whole
from abpress.config import Config
from abpress.errors import NOWHERE, Position
from abpress.result import Alarm, Verdict
from abpress.result import Result as EngineResult
from abpress.verify.measure import Cost
from abpress.verify.reports.table import FORMATS
from abpress.verify.run import PropertyAnswer, Report
from abpress.witness.trace import Diagnosis, Trace, place_of

NO_COST = Cost(0, 0, 0)


@dataclass(frozen=True, slots=True)
class TraceLine:
    """What a thread does on a line of the source, before another thread or line goes on.

    `text` is the line, `details` what is read and written there, and what happens to locks and
    threads, as the command prints it; `violation`: it is where the property is violated.
    """

    thread: str
    file: str
    line: int
    column: int
    function: str
    text: str
    details: tuple[str, ...]
    locks: tuple[str, ...]
    violation: bool


@dataclass(frozen=True, slots=True)
class PropertyResult:
    """The answer to one property. True in a condition if the property is proved.

    `sources` are the texts by the names of their files, `certificate` is the text of the checked
    proof, if there is one; several properties may share it.
    """

    answer: PropertyAnswer
    sources: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name of the property."""
        return self._result.property

    @property
    def verdict(self) -> Verdict:
        """TRUE, FALSE or UNKNOWN."""
        return self._result.verdict

    def __bool__(self) -> bool:
        return self.verdict is Verdict.TRUE

    @property
    def reason(self) -> str:
        """Why the answer is unknown, or what the violation is; empty if the property holds."""
        return self._result.reason

    @property
    def place(self) -> Position | None:
        """Where the violation is in the user's text; None if there is none, or it has no place."""
        if self._trace is None or self.verdict is not Verdict.FALSE:
            return None
        place = place_of(self._trace)
        return None if place is NOWHERE else place

    @property
    def diagnosis(self) -> Diagnosis | None:
        """The cause of the violation, if one is known: its name and a sentence or two."""
        return None if self._trace is None else self._trace.diagnosis

    @property
    def trace(self) -> tuple[TraceLine, ...]:
        """The execution that violates the property, which was replayed, in the order of time; of an
        unknown answer one to undefined behaviour, if some was met; else empty."""
        if self._trace is None:
            return ()
        from abpress.witness.rows import rows_of

        return tuple(
            TraceLine(
                row.thread,
                row.position.file,
                row.position.line,
                row.position.column,
                row.position.function,
                row.source,
                tuple(row.details()),
                row.locks,
                row.violation,
            )
            for row in rows_of(self._trace, self.sources)
        )

    def shown_trace(self, width: int = 100) -> str:
        """The execution as the command prints it, a lane for each thread; empty if there is
        none."""
        if self._trace is None:
            return ""
        from abpress.witness.lanes import render

        lines = render(self._trace, self.sources, width)
        return "\n".join(line.plain.rstrip() for line in lines)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on."""
        return self._result.assumptions

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was seen in executions and violates nothing."""
        return self._result.warnings

    @property
    def vacuous(self) -> str:
        """Of a proof: why no execution comes to its end; empty if one does."""
        return self._result.vacuous

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """What facts leave open of a property that is unknown."""
        return self._result.alarms

    @property
    def statistics(self) -> Mapping[str, int | float | str]:
        """Numbers of the search; their names differ between engines, and may change."""
        return self._result.statistics

    @property
    def engine(self) -> str:
        """Who has answered; `auto` if nobody alone."""
        return self.answer.engine

    @property
    def certificate(self) -> str | None:
        """The text of the checked certificate of a proof, if the engine has one."""
        return self.answer.certificate

    def __str__(self) -> str:
        reason = f": {self.reason}" if self.reason else ""
        return f"{self.name}: {self.verdict.value}{reason}"

    @property
    def _result(self) -> EngineResult:
        return self.answer.result

    @property
    def _trace(self) -> Trace | None:
        trace = self._result.trace
        return trace if isinstance(trace, Trace) else None


@dataclass(frozen=True, slots=True)
class Result:
    """The answers of a run. True in a condition if all properties are proved.

    `config` is what was asked, `report` what was answered, `cost` what that took; these are inner
    values, and may change.
    """

    config: Config
    report: Report
    cost: Cost = NO_COST

    @property
    def properties(self) -> tuple[PropertyResult, ...]:
        """The answer to each property, in the order in which they were asked."""
        return tuple(PropertyResult(its, self.report.sources) for its in self.report.answers)

    def __getitem__(self, name: str) -> PropertyResult:
        """The answer to a property. Raises KeyError if it was not asked."""
        for its in self.properties:
            if its.name == name:
                return its
        raise KeyError(name)

    def __iter__(self) -> Iterator[PropertyResult]:
        return iter(self.properties)

    @property
    def verdict(self) -> Verdict:
        """FALSE if any property is violated, TRUE if all are proved."""
        return self.report.result.verdict

    def __bool__(self) -> bool:
        return self.verdict is Verdict.TRUE

    @property
    def reason(self) -> str:
        """What the first violation is, or why answers are unknown; empty if all hold."""
        return self.report.result.reason

    @property
    def violated(self) -> PropertyResult | None:
        """The first property that is violated."""
        return next((its for its in self.properties if its.verdict is Verdict.FALSE), None)

    @property
    def diagnosis(self) -> Diagnosis | None:
        """The cause of the first violation, if one is known."""
        return None if self.violated is None else self.violated.diagnosis

    @property
    def trace(self) -> tuple[TraceLine, ...]:
        """The execution of the first violation; empty if there is none."""
        return () if self.violated is None else self.violated.trace

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the answers rest on."""
        return tuple(dict.fromkeys(a for its in self.properties for a in its.assumptions))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was noticed while the program was read, and in executions."""
        seen = (w for its in self.properties for w in its.warnings)
        return tuple(dict.fromkeys((*self.report.warnings, *seen)))

    @property
    def statistics(self) -> Mapping[str, int | float | str]:
        """Numbers of the searches; their names differ between engines, and may change."""
        return self.report.result.statistics

    @property
    def certificate(self) -> str | None:
        """The text of the checked certificates of all proofs, for `check_proof`; None if there is
        none."""
        return self.report.certificate

    def write_certificate(self, file: str | os.PathLike[str]) -> bool:
        """Writes the certificates, as `--certificate` does; returns whether there are any. Raises
        InputError if that cannot be written."""
        if self.certificate is None:
            return False
        write_whole(Path(file), self.certificate)
        return True

    def write_witness(
        self,
        file: str | os.PathLike[str],
        *,
        format: str = AUTO,
        invariants_time: float | None = None,
    ) -> bool:
        """Writes the standard witness of the verdict, as `--witness` does, in a format that
        `--witness-format` has; returns whether there is one, which there is not if the answer is
        unknown. Of a proof invariants are looked for, for so many seconds (None: as the command
        does).

        Raises InputError if that cannot be written, UnsupportedError for a program of several files
        or a text, ValueError for a format that there is not.
        """
        from abpress.witness.standard.formats import FORMATS as STANDARD

        if format not in (AUTO, *STANDARD):
            raise ValueError(f"there is no format {format!r}: {', '.join((AUTO, *STANDARD))}")
        written = write_witness(
            self.config, self.report, self.cost, Path(file), format, invariants_time
        )
        return written is not None

    def write_report(self, folder: str | os.PathLike[str]) -> Path:
        """Writes the page of the run into a folder, which is made, as `--report` does; returns its
        path. Raises InputError."""
        return write_page(self.config, self.report, self.cost, Path(folder), self._name)[0]

    def write_sarif(self, file: str | os.PathLike[str]) -> None:
        """Writes the result as SARIF 2.1.0, as `--sarif` does. Raises InputError."""
        self._write("sarif", file)

    def write_junit(self, file: str | os.PathLike[str]) -> None:
        """Writes the result as JUnit XML, as `--junit` does. Raises InputError."""
        self._write("junit", file)

    def _write(self, name: str, file: str | os.PathLike[str]) -> None:
        write_whole(Path(file), FORMATS[name].write(self.report, self.cost, self._name))

    @property
    def _name(self) -> str:
        return str(self.config.program.file)

    def __str__(self) -> str:
        return "\n".join(map(str, self.properties))
