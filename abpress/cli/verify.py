"""`abpress verify`: decides whether a property of a program holds."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from abpress.api.outputs import made_witness, page_text, write_page, write_witness
from abpress.api.results import Result
from abpress.api.run import answered
from abpress.bench.files import write_whole
from abpress.cli.advice import advice
from abpress.cli.failures import tell
from abpress.cli.language_options import add_program_options
from abpress.cli.options import add_verify_options, config_of
from abpress.cli.output import say, write_json
from abpress.cli.overseer import ANSWER_S, REASON, LastWords, Overseer
from abpress.cli.report import (
    error_line,
    notes,
    print_report,
    print_traces,
    report_json,
    rows_of,
    summary,
    verdict_lines,
)
from abpress.cli.reports import texts, written
from abpress.cli.terminal import progress, terminable
from abpress.config import Config
from abpress.engines.table import Progress
from abpress.errors import InputError, UnsupportedError
from abpress.result import Verdict, undecided
from abpress.search.limits import WHILE_READING, Limits
from abpress.search.statistics import Statistics
from abpress.verify.choice import explained
from abpress.verify.load import load
from abpress.verify.measure import Cost, Stopwatch
from abpress.verify.run import PropertyAnswer, Report

STATUS = {Verdict.TRUE: 0, Verdict.FALSE: 1, Verdict.UNKNOWN: 2}
"""The exit status of each verdict; of several properties, that of what is said of all of them."""

MORE_S = 5.0
"""Seconds past the limit of time that a run has to write its answer if a page or a witness is part
of it."""

EVERYDAY = """
-D -I --malloc-may-fail --creation-may-fail --property --time-limit --memory-limit --engine
--workers --json --quiet --stats --certificate --witness --report --alarms
"""
"""The options of the short help."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add_program_options(parser)
    add_verify_options(parser)


def run(
    options: argparse.Namespace,
    ask: Callable[[Config, Progress], Result] | None = None,
    view: Callable[[Report], None] | None = None,
) -> int:
    """Verifies, prints the result, and writes it to `--json`; returns the exit status.

    `ask` is what decides, `answered` if it is not given; `view` shows more of the run, before the
    result.
    """
    stopwatch = Stopwatch()
    overseer: Overseer = options.overseer
    so_far = _SoFar(options, stopwatch)
    so_far.leave_last_words()
    so_far.leave_reports()
    overseer.limits(Limits(options.time_limit, options.memory_limit))
    status, config = 2, None
    try:
        with terminable(), progress(options.quiet) as listener:
            settled = so_far.decide
            decide = ask or partial(answered, started=overseer.started, settled=settled)
            config = config_of(options)
            so_far.config, so_far.asked = config, config.question.properties
            if getattr(options, "explain_choice", False):
                for line in explained(load(config, lean=True).program, config):
                    say(f"abpress: choice: {line}")
            result = decide(config, partial(so_far.listen, listener))
        report = result.report
        status = STATUS[result.verdict]
    except (Exception, KeyboardInterrupt) as error:
        failure = tell(error, options.debug)
        status = failure.status
        report = so_far.report(failure.reason)
    more = any(getattr(options, name, None) is not None for name in ("report", "witness"))
    overseer.answers(verdict_lines(report), MORE_S if more else ANSWER_S)
    cost = stopwatch.read()
    for warning in report.warnings:
        say(f"abpress: warning: {warning}")
    advised = advice(report, options.words)
    for output in _outputs(options, config, report, cost, view, advised):
        try:
            output()
        except BrokenPipeError:
            pass  # the reader has gone; the status stays
        except Exception as error:
            status = max(status, tell(error, options.debug).status)
    with contextlib.suppress(BrokenPipeError):
        alarms = getattr(options, "show_alarms", False)
        print_report(report, cost, options.quiet, options.stats, alarms, advised)
        sys.stdout.flush()
    overseer.answered(status)
    return status


@dataclass(slots=True)
class _SoFar:
    """What is known of a run while it goes on. Mutable.

    `config` is what is asked, `asked` the properties, `numbers` those of the last search, and
    `decided` has the answers that are there already, with their traces as text in `shown`, and the
    witness of the first violation by its file.
    """

    options: argparse.Namespace
    stopwatch: Stopwatch
    config: Config | None = None
    asked: tuple[str, ...] = ()
    numbers: Statistics | None = None
    decided: Report | None = None
    shown: Sequence[str] = ()
    witness: dict[str, str] = field(default_factory=dict)

    def listen(self, listener: Progress, numbers: Statistics) -> None:
        """Passes progress on."""
        self.numbers = numbers
        self.leave_last_words()
        listener(numbers)

    def decide(self, report: Report) -> None:
        """Takes in what is decided."""
        self.decided = report
        results = [answer.result for answer in report.answers]
        if not self.options.quiet and any(result.trace is not None for result in results):
            text = io.StringIO()
            print_traces(results, report.sources, text)
            self.shown = text.getvalue().splitlines()
        self.leave_last_words()
        self.leave_reports()

    def report(self, reason: str) -> Report:
        """What is said if no more is found out, for this reason."""
        numbers = None if self.numbers is None else self.numbers.as_dict()
        options, known = self.options, self.decided
        if known is None:
            asked = ",".join(options.property) or "all"
            return Report((_undecided(options, asked, reason, numbers),), {})
        answers = {answer.result.property: answer for answer in known.answers}
        for name in self.asked:
            answers.setdefault(name, _undecided(options, name, reason, numbers))
        return replace(known, answers=tuple(answers[name] for name in self.asked))

    def _ended(self) -> Report:
        """The report of a run that is ended now."""
        nothing = self.numbers is None and self.decided is None
        return self.report(REASON + (WHILE_READING if nothing else ""))

    def leave_reports(self) -> None:
        """Says what is to be written of a run that is ended before anything else is decided."""
        options, report, cost = self.options, self._ended(), self.stopwatch.read()
        files = {str(path): text() for path, text in texts(options, report, cost)}
        if getattr(options, "report", None) is not None:
            path, page = page_text(None, report, cost, options.report, str(options.files[0]))
            files[str(path)] = page
        files |= self._witness(report)
        if files:
            options.overseer.reports(files)

    def _witness(self, report: Report) -> dict[str, str]:
        """The witness of a violation, and its file, while other properties are still open."""
        file: Path | None = getattr(self.options, "witness", None)
        verdicts = {answer.result.verdict for answer in report.answers}
        if file is None or self.config is None or not {Verdict.FALSE, Verdict.UNKNOWN} <= verdicts:
            return {}
        if not self.witness:
            with contextlib.suppress(InputError, UnsupportedError):
                made = made_witness(self.config, report, file, self.options.witness_format)
                self.witness = {} if made is None else {str(file): made[1]}
        return self.witness

    def leave_last_words(self) -> None:
        """Says what is to be said of a run that is ended now."""
        report, options = self._ended(), self.options
        result = report.result
        data = None if options.json is None else report_json(report, Cost(0, 0, 0))
        said: Mapping[str, str] | str = summary(result, report.engine, report.data_model)
        if options.stats:
            said = rows_of(result, {})
        results = [answer.result for answer in report.answers]
        errors = () if options.quiet else filter(None, dict.fromkeys(map(error_line, results)))
        lines = [*errors, *verdict_lines(report), *notes(results), *self.shown]
        self.options.overseer.last_words(
            LastWords(
                lines,
                None if options.quiet else said,
                None if options.json is None else str(options.json),
                data,
                STATUS[result.verdict],
            )
        )


def _undecided(
    options: argparse.Namespace,
    asked: str,
    reason: str,
    numbers: Mapping[str, int | float | str] | None,
) -> PropertyAnswer:
    return PropertyAnswer(undecided(asked, reason, numbers), options.engine, options.por)


def _write_witness(options: argparse.Namespace, config: Config, report: Report, cost: Cost) -> None:
    """Writes the standard witness of the verdict, or says why there is none. Raises InputError and
    UnsupportedError."""
    from abpress.witness.standard.model import CorrectnessWitness

    witness = write_witness(
        config, report, cost, options.witness, options.witness_format, options.invariants_time
    )
    if witness is None:
        say("abpress: no witness is written: the answer is unknown")
    elif isinstance(witness, CorrectnessWitness) and not witness.invariants:
        more = "" if options.invariants_time is not None else "; --invariants-time 10s looks longer"
        why = more if report.certificate is not None else f": engine {report.engine} knows none"
        say(f"abpress: the witness says that the property holds, and states no invariants{why}")


def _write_page(
    folder: Path,
    report: Report,
    cost: Cost,
    name: str,
    advised: Sequence[str],
    config: Config | None,
) -> None:
    """Writes the page of the run into the folder, and says where. Raises InputError."""
    page, length = write_page(config, report, cost, folder, name, advised)
    say(f"abpress: report: {page} ({-(-length // 1000):,} kB)")


def _outputs(
    options: argparse.Namespace,
    config: Config | None,
    report: Report,
    cost: Cost,
    view: Callable[[Report], None] | None,
    advised: Sequence[str],
) -> Iterator[Callable[[], None]]:
    """What is written, whatever becomes of the others; what takes longest comes last."""
    if options.json is not None:
        data = report_json(report, cost, advised, options.words)
        yield partial(write_json, options.json, data)
    if options.certificate and report.certificate is not None:
        yield partial(write_whole, options.certificate, report.certificate)
    yield from written(options, report, cost)
    if getattr(options, "witness", None) is not None and config is not None:
        yield partial(_write_witness, options, config, report, cost)
    if getattr(options, "report", None) is not None:
        name = str(options.files[0])
        yield partial(_write_page, options.report, report, cost, name, advised, config)
    if view is not None:
        yield partial(view, report)
