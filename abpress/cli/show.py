"""`abpress show`: the program model of a file, as text that parses back, or as a graph."""

from __future__ import annotations

import argparse
import contextlib
import sys

from abpress.cli.failures import overseen_answer
from abpress.cli.first_options import add_limit_options
from abpress.cli.language_options import add_program_options
from abpress.cli.options import add_debug_option, config_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add_program_options(parser)
    group = parser.add_argument_group("the output")
    group.add_argument("--dot", action="store_true", help="control-flow graphs for Graphviz")
    group.add_argument(
        "--plain", action="store_true", help="as lowered, before the simplifying passes"
    )
    add_debug_option(group)
    add_limit_options(parser.add_argument_group("limits"))


def run(options: argparse.Namespace) -> int:
    """Prints the program; returns the exit status."""

    def show() -> int:
        from abpress.ir.dot import to_dot
        from abpress.ir.text import format_program
        from abpress.verify.load import load

        loaded = load(config_of(options), simplified=not options.plain)
        text = to_dot(loaded.program) if options.dot else format_program(loaded.program)
        options.overseer.answers()
        with contextlib.suppress(BrokenPipeError):  # who reads the beginning wants no more
            sys.stdout.write(text if text.endswith("\n") else text + "\n")
            sys.stdout.flush()
        return 0

    return overseen_answer(options, show)
