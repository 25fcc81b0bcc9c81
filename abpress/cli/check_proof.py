"""`abpress check-proof`: checks whether a certificate proves a property of a program."""

from __future__ import annotations

import argparse
from pathlib import Path

from abpress.cli.failures import guarded
from abpress.cli.options import add_debug_option, add_program_options, config_of
from abpress.errors import InputError, Position

STATUSES = """\
exit status:
  0  accepted: no execution violates the property that the certificate names
  1  rejected: the certificate does not prove that, with the reason
  2  a limit was reached
  3  a file or the command line cannot be read, or something in it is not supported
  4  internal error
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("certificate", type=Path, help="what `verify --certificate` has written")
    add_program_options(parser)
    add_debug_option(parser)


def run(options: argparse.Namespace) -> int:
    """Checks the certificate and prints the answer; returns the exit status."""

    def answer() -> int:
        from abpress.proof.certificate import Rejected
        from abpress.verify.certify import check_proof

        try:
            accepted = check_proof(config_of(options), _text(options.certificate))
        except Rejected as error:
            print(f"abpress proof: rejected ({error.reason})")
            return 1
        print(f"abpress proof: accepted ({accepted.property})")
        for assumption in accepted.assumptions:
            print(f"assuming: {assumption}")
        print(f"  nodes  {accepted.nodes:,}")
        print(f"  steps  {accepted.steps:,}")
        return 0

    return guarded(answer, options.debug)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        message = f"cannot read the certificate: {error.strerror}"
        raise InputError(message, Position(str(path), 1, 1)) from error
