"""The command `abpress`: its sub-commands, and the last line of defence against tracebacks."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NoReturn

from abpress.cli.first_words import first_words
from abpress.cli.output import open_streams, say
from abpress.cli.overseer import NOBODY, Overseer, overseen

STATUSES = """\
exit status:
  0  true: no execution violates the property
  1  false: an execution violates it (it was replayed)
  2  unknown, with the reason
  3  the input or the command line cannot be read, or something in it is not supported
  4  internal error
"""


@dataclass(frozen=True, slots=True)
class Command:
    """A sub-command: a line of help, its arguments, and what it does (it returns the status)."""

    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    statuses: str = STATUSES


def commands() -> dict[str, Command]:
    """The table of sub-commands."""
    from abpress.cli import bench, check_proof, explore, linearize, show, verify

    return {
        "verify": Command("decide whether a property holds", verify.arguments, verify.run),
        "explore": Command(
            "explore the executions of a program with an algorithm of choice",
            explore.arguments,
            explore.run,
        ),
        "linearize": Command(
            "check the results of concurrent calls of a library against sequential ones",
            linearize.arguments,
            linearize.run,
            linearize.STATUSES,
        ),
        "check-proof": Command(
            "check a certificate of a verdict true",
            check_proof.arguments,
            check_proof.run,
            check_proof.STATUSES,
        ),
        "bench": Command(
            "run many tasks, and judge and compare the verdicts",
            bench.arguments,
            bench.run,
            bench.STATUSES,
        ),
        "show": Command("print the program model of a file", show.arguments, show.run),
    }


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    from abpress import __version__
    from abpress.cli.options import Parser

    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(
        prog="abpress",
        description="AbPress verifies multi-threaded C programs.",
        epilog=STATUSES,
        formatter_class=raw,
    )
    parser.add_argument("--version", action="version", version=f"abpress {__version__}")
    parser.set_defaults(overseer=NOBODY)
    table = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for name, command in commands().items():
        sub = table.add_parser(
            name,
            help=command.help,
            description=command.help,
            epilog=command.statuses,
            formatter_class=raw,
        )
        command.arguments(sub)
        sub.set_defaults(run=command.run)
    return parser


def main() -> int:
    """The command of this process, in a process of its own that is overseen; its exit status."""
    open_streams()
    if sys.argv[1:2] == ["bench"] or not hasattr(os, "fork"):  # it oversees its own runs
        return ended(perform(sys.argv[1:]))
    return ended(overseen(partial(perform, sys.argv[1:]), first_words(sys.argv[1:])))


def ended(status: int) -> NoReturn:
    """Ends this process. Nothing is left to be written; a stream that is broken stays so."""
    os._exit(status)


def perform(arguments: Sequence[str], overseer: Overseer = NOBODY) -> int:
    """Runs one command, and writes all that it prints; returns the exit status.

    An error of writing is never a status that means a verdict.
    """
    try:
        try:
            parser = build_parser()
            options = parser.parse_args(arguments, argparse.Namespace(overseer=overseer))
            if options.command is None:
                parser.print_help()
                status = 3
            else:
                status = options.run(options)
        except SystemExit as end:  # --help, or a usage error
            status = end.code if isinstance(end.code, int) else 3
        sys.stdout.flush()
    except KeyboardInterrupt:
        say("abpress: interrupted")
        return 2
    except BrokenPipeError:
        return 4  # the reader of our output has gone, and wants no message
    except OSError as error:
        say(f"abpress: cannot write the output: {error.strerror}")
        return 4
    except Exception as error:
        from abpress.cli.failures import tell

        return tell(error, debug=False).status
    return status
