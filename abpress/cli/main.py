"""The command `abpress`: its sub-commands, and the last line of defence against tracebacks."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import NoReturn, Protocol

from abpress.cli.first_words import first_words
from abpress.cli.output import open_streams, say
from abpress.cli.overseer import NOBODY, Overseer
from abpress.cli.parser import Parser
from abpress.cli.self_description import CompletionAction, ManualAction
from abpress.interpreter import with_room_for_calls, without_cycle_collection
from abpress.version import __version__

STATUSES = """\
exit status:
  0  true: no execution violates the property
  1  false: an execution violates it (it was replayed)
  2  unknown, with the reason
  3  the input or the command line cannot be read, or something in it is not supported
  4  internal error
"""


_PROGRAMS = (".c", ".i", ".abp", ".json")
"""How names of programs end."""


class Command(Protocol):
    """The module of a sub-command: its arguments, and what it does (it returns the status)."""

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def run(self, options: argparse.Namespace) -> int: ...


COMMANDS = {
    "verify": "decide whether a property holds",
    "explore": "explore the executions of a program with an algorithm of choice",
    "linearize": "check the results of concurrent calls of a library against sequential ones",
    "check-proof": "check a certificate of a verdict true",
    "validate": "confirm or reject a standard witness, of whatever verifier",
    "replay": "repeat the execution of a verdict false on the compiled program",
    "bench": "run many tasks, and judge and compare the verdicts",
    "show": "print the program model of a file",
    "step": "step through an execution that verify --report has written",
}
"""Sub-command -> a line of help. Its module in `abpress.cli` has its name, a `Command`, and the
text STATUSES if its exit statuses are not those above, and EVERYDAY, the options of the short help,
if it has one."""


def build_parser(chosen: str | None = None) -> argparse.ArgumentParser:
    """The parser of the whole command line; of other commands than a chosen one (or of all, if it
    is none of them) it has the names only, as loading them takes longer than small programs do."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(
        prog="abpress",
        description="AbPress verifies multi-threaded C programs. `abpress FILE` verifies one.",
        epilog=STATUSES,
        formatter_class=raw,
    )
    parser.add_argument("--version", action="version", version=f"abpress {__version__}")
    parser.add_argument(
        "--man", action=ManualAction, whole=build_parser, help="print the manual page, and exit"
    )
    parser.add_argument(
        "--completion",
        action=CompletionAction,
        whole=build_parser,
        help="print the completion of commands and options for a shell, and exit",
    )
    parser.set_defaults(overseer=NOBODY, words=())
    table = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for name, text in COMMANDS.items():
        if chosen is not None and name != chosen:
            table.add_parser(name, help=text)
            continue
        module = import_module(f"abpress.cli.{name.replace('-', '_')}")
        command: Command = module
        statuses: str = getattr(module, "STATUSES", STATUSES)
        sub = table.add_parser(
            name, help=text, description=text, epilog=statuses, formatter_class=raw
        )
        command.arguments(sub)
        everyday = frozenset(getattr(module, "EVERYDAY", "").split())
        if everyday:
            sub.shorten(everyday)
        sub.set_defaults(run=command.run)
    return parser


def main() -> int:
    """The command of this process, in a process of its own that is overseen; its exit status."""
    open_streams()
    arguments = said_in_full(sys.argv[1:])
    if arguments[:1] in (["bench"], ["step"]) or not hasattr(os, "fork"):  # see to themselves
        return ended(with_room_for_calls(perform, arguments))
    from abpress.cli.overseen import overseen

    performed = partial(with_room_for_calls, perform, arguments)
    return ended(overseen(performed, first_words(arguments)))


def said_in_full(arguments: Sequence[str]) -> list[str]:
    """The arguments with the command: `abpress a.c` is `abpress verify a.c` (as is `abpress -`,
    for standard input), and `abpress help verify` is `abpress verify --help`."""
    if arguments[:1] == ["help"]:
        return [*arguments[1:2], "--help"]
    first = next((word for word in arguments if word == "-" or not word.startswith("-")), "")
    means_file = first not in COMMANDS and (first == "-" or first.endswith(_PROGRAMS))
    return ["verify", *arguments] if means_file else list(arguments)


def ended(status: int) -> NoReturn:
    """Ends this process. Nothing is left to be written; a stream that is broken stays so."""
    os._exit(status)


def perform(arguments: Sequence[str], overseer: Overseer = NOBODY) -> int:
    """Runs one command, and writes all that it prints; returns the exit status.

    An error of writing is never a status that means a verdict.
    """
    try:
        try:
            with without_cycle_collection():  # modules that are loaded are no garbage
                parser = build_parser(arguments[0] if arguments else "")
            options = parser.parse_args(
                arguments, argparse.Namespace(overseer=overseer, words=arguments)
            )
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
