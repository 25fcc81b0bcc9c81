"""`abpress check-proof`: checks whether certificates prove properties of a program."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from abpress.cli.failures import overseen_answer
from abpress.cli.first_options import add_limit_options
from abpress.cli.language_options import add_program_options
from abpress.cli.options import add_debug_option, config_of
from abpress.cli.overseer import REASON, LastWords, Overseer
from abpress.errors import InputError, Position

STATUSES = """\
exit status:
  0  accepted: no execution violates the properties that the certificates name
  1  rejected: a certificate does not prove that, with the reason
  2  unknown: a limit was reached, or the solver gave up on a question
  3  a file or the command line cannot be read, or something in it is not supported
  4  internal error
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("certificate", type=Path, help="what `verify --certificate` has written")
    add_program_options(parser)
    add_limit_options(parser.add_argument_group("limits"))
    add_debug_option(parser)


def run(options: argparse.Namespace) -> int:
    """Checks the certificate and prints the answer; returns the exit status."""
    overseer: Overseer = options.overseer
    overseer.last_words(LastWords([f"abpress proof: unknown ({REASON})"]))
    lines: list[str] = []

    def answer() -> int:
        from abpress.api.proofs import checked_proof

        checked = checked_proof(config_of(options), _text(options.certificate))
        if not checked:
            answer = "rejected" if checked.rejected else "unknown"
            lines.append(f"abpress proof: {answer} ({checked.reason})")
            return 1 if checked.rejected else 2
        for accepted in checked.accepted:
            lines.append(f"abpress proof: accepted ({accepted.property})")
            lines.extend(f"assuming: {assumption}" for assumption in accepted.assumptions)
            lines.append(f"  nodes  {accepted.nodes:,}")
            lines.append(f"  steps  {accepted.steps:,}")
        return 0

    status = overseen_answer(options, answer)
    overseer.answers()
    with contextlib.suppress(BrokenPipeError):  # the reader has gone; the status stays
        print(*lines, sep="\n", end="\n" * bool(lines), flush=True)
    overseer.answered(status)
    return status


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        message = f"cannot read the certificate: {error.strerror}"
        raise InputError(message, Position(str(path), 1, 1)) from error
