"""`abpress validate`: confirms or rejects a standard witness, ours or that of another verifier."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from abpress.cli.failures import guarded
from abpress.cli.language_options import add_program_options
from abpress.cli.options import add_bound_options, add_debug_option, config_of
from abpress.cli.overseer import REASON, LastWords, Overseer
from abpress.cli.report import print_trace
from abpress.cli.terminal import terminable
from abpress.properties import PROPERTIES
from abpress.search.limits import Limits

STATUSES = """\
exit status:
  0  confirmed: an execution was replayed that does what the witness says, or all it states is
     proved, and the property
  1  rejected: there is no such execution, or an invariant or the property is violated
  2  unknown, with the reason
  3  a file or the command line cannot be read, the witness is malformed, or for another program or
     property, or something in the program is not supported
  4  internal error
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument(
        "witness_file",
        metavar="witness",
        type=Path,
        help="GraphML if the name ends in .graphml, else YAML, whose format says what it is of",
    )
    add_program_options(parser)
    parser.add_argument(
        "--property",
        metavar="NAME|FILE.prp",
        action="append",
        default=[],
        help=f"what the witness has to be for (default: what it says): {', '.join(PROPERTIES)}",
    )
    parser.add_argument(
        "--any-hash",
        action="store_true",
        help="the witness may be for a file with another content",
    )
    add_bound_options(parser)
    group = parser.add_argument_group("the output")
    group.add_argument("--quiet", action="store_true", help="print no execution")
    add_debug_option(group)


def run(options: argparse.Namespace) -> int:
    """Validates the witness and prints the answer; returns the exit status."""
    overseer: Overseer = options.overseer
    overseer.limits(Limits(options.time_limit, options.memory_limit))
    overseer.last_words(LastWords([f"abpress witness: unknown ({REASON})"]))

    def answer() -> int:
        from abpress.verify.witnesses.validate import WitnessAnswer, WitnessExpectation, validate

        config = config_of(options).but(line_markers=False)
        expected = WitnessExpectation(
            bool(options.property), options.data_model is not None, options.any_hash
        )
        with terminable():
            found = validate(config, options.witness_file, expected, overseer.started)
        statuses = {WitnessAnswer.CONFIRMED: 0, WitnessAnswer.REJECTED: 1, WitnessAnswer.UNKNOWN: 2}
        overseer.answers()
        with contextlib.suppress(BrokenPipeError):
            print(f"abpress witness: {found.standing.value} ({found.reason})")
            for assumption in found.assumptions:
                print(f"assuming: {assumption}")
            if found.trace is not None and not options.quiet:
                print()
                print_trace(found.trace, found.sources or {}, sys.stdout)
            sys.stdout.flush()
        return statuses[found.standing]

    status = guarded(answer, options.debug)
    overseer.answered(status)
    return status
