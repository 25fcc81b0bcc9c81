"""The command `abpress`: its sub-commands, and the last line of defence against tracebacks."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

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
    import argparse

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status."""
    # Streams that are closed from the start swallow what is written.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    status = 0
    try:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # terminals without our box characters
        parser = build_parser()
        options = parser.parse_args(arguments)
        if options.command is None:
            parser.print_help()
            return 3
        status = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("abpress: interrupted", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has gone; keep the interpreter from writing to it at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"abpress: cannot write the output: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 4
    except Exception as error:
        from abpress.cli.failures import tell

        return tell(error, debug=False).status
    return status
