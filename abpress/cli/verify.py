"""`abpress verify`: decides whether a property of a program holds."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from functools import partial

from abpress.cli.failures import tell
from abpress.cli.options import add_program_options, add_verify_options, config_of
from abpress.cli.report import print_result, to_json, write_file, write_json
from abpress.cli.terminal import progress, terminable
from abpress.config import Config
from abpress.engines.table import Progress
from abpress.result import Verdict, undecided
from abpress.verify.measure import Cost, Stopwatch
from abpress.verify.run import Report, verify

STATUS = {Verdict.TRUE: 0, Verdict.FALSE: 1, Verdict.UNKNOWN: 2}
"""The exit status of each verdict."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add_program_options(parser)
    add_verify_options(parser)


def run(
    options: argparse.Namespace,
    ask: Callable[[Config, Progress], Report] = verify,
    view: Callable[[Report], None] | None = None,
) -> int:
    """Verifies, prints the result, and writes it to `--json`; returns the exit status.

    `view` shows more of the run, before the result.
    """
    stopwatch = Stopwatch()
    status = 2
    try:
        with terminable(), progress(options.quiet) as listener:
            report = ask(config_of(options), listener)
        status = STATUS[report.result.verdict]
    except (Exception, KeyboardInterrupt) as error:
        failure = tell(error, options.debug)
        status = failure.status
        result = undecided(options.property, failure.reason)
        report = Report(result, options.engine, options.por, {})
    cost = stopwatch.read()
    for warning in report.warnings:
        print(f"abpress: warning: {warning}", file=sys.stderr)
    for output in _outputs(options, report, cost, view):
        try:
            output()
        except BrokenPipeError:
            pass  # `main` meets it again; the status stays
        except Exception as error:
            status = max(status, tell(error, options.debug).status)
    with contextlib.suppress(BrokenPipeError):  # `main` meets it again; the status stays
        print_result(report.result, cost, report.sources, options.quiet)
        sys.stdout.flush()
    return status


def _outputs(
    options: argparse.Namespace, report: Report, cost: Cost, view: Callable[[Report], None] | None
) -> Iterator[Callable[[], None]]:
    """What is written, whatever becomes of the others."""
    if options.json is not None:
        data = to_json(report.result, report.engine, report.reduction, cost)
        yield partial(write_json, options.json, data)
    if options.certificate and report.certificate is not None:
        yield partial(write_file, options.certificate, report.certificate)
    if view is not None:
        yield partial(view, report)
