"""Command-line options that decide what program a file means."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from abpress.cli.parser import Parser
from abpress.config import COMPETITION, MACHINE, Config
from abpress.properties import ERROR_FUNCTIONS, PROPERTIES

DEFAULT = " (default: %(default)s)"
ARGUMENT_LENGTH = 8
"""Characters of an argument of main, at most, if nothing else is said."""
DEFAULTS = Config.of(Path())


def define(text: str) -> str:
    """A macro definition, NAME or NAME=VALUE. Raises ArgumentTypeError."""
    if not re.match(r"!?[A-Za-z_]\w*(\([^)]*\))?(=|$)", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME or NAME=VALUE")
    return text


def undefine(text: str) -> str:
    """A macro that is not defined, as `define` says it. Raises ArgumentTypeError."""
    if not re.fullmatch(r"[A-Za-z_]\w*", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not the name of a macro")
    return f"!{text}"


def argument_bounds(text: str) -> tuple[int, int]:
    """COUNT or COUNT,LENGTH. Raises ArgumentTypeError."""
    match = re.fullmatch(r"(\d{1,2})(?:,(\d{1,3}))?", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not COUNT or COUNT,LENGTH")
    return int(match[1]), int(match[2] or ARGUMENT_LENGTH)


def add_program_options(parser: argparse.ArgumentParser, files: str = "+") -> None:
    """Adds the options that decide what program a file means; `files` is how many there are."""
    parser.add_argument(
        "files",
        metavar="file",
        nargs=files,
        type=Path,
        help="C source: .c or .i, the files of a program together; - for standard input;"
        " compile_commands.json, for the options of these files, or of its own; .abp, textual IR",
    )
    group = add_language_options(parser)
    group.add_argument(
        "--entry",
        metavar="FUNCTION",
        default=DEFAULTS.program.entry,
        help="where the program starts" + DEFAULT,
    )


def add_language_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Adds the options that decide what a text in C means; returns the group."""
    if isinstance(parser, Parser):
        parser.reads_programs = True
    group = parser.add_argument_group(
        "the program",
        "Options of compilers are understood: -std=, -m32, -m64, -fwrapv, -isystem DIR;\n"
        "what cannot matter (-O2, -Wall, -pthread, -o FILE, -lm, ...) is left out. Behind\n"
        "-- stand the arguments that main is called with.",
    )
    group.add_argument(
        *("-D", "--define"),
        metavar="NAME[=VALUE]",
        dest="defines",
        action="append",
        type=define,
        default=[],
        help="define a macro (repeatable)",
    )
    group.add_argument(
        *("-I", "--include"),
        metavar="DIR",
        dest="include_dirs",
        action="append",
        type=Path,
        default=[],
        help="search a folder for #include (repeatable)",
    )
    group.add_argument(
        *("-U", "--undefine"),
        metavar="NAME",
        dest="defines",
        action="append",
        type=undefine,
        help="take a macro back (repeatable)",
    )
    group.add_argument(
        "--include-file",
        metavar="FILE",
        dest="included",
        action="append",
        type=Path,
        default=[],
        help="read a file before the first line, as -include FILE (repeatable)",
    )
    group.add_argument(
        "--data-model",
        choices=("ILP32", "LP64"),
        type=str.upper,
        help=f"sizes of long and of pointers (default: {MACHINE}, which this machine has;"
        f" {COMPETITION} if a property file is given)",
    )
    group.add_argument(
        "--any-arguments",
        metavar="COUNT[,LENGTH]",
        dest="argument_bounds",
        type=argument_bounds,
        help="main is called with any arguments, at most so many of at most so many characters"
        f" (default: {ARGUMENT_LENGTH})",
    )
    group.add_argument(
        "--undefined-functions",
        choices=("error", "havoc"),
        default=DEFAULTS.program.undefined_functions,
        help="a call of a function without a body: refuse the program, or any result" + DEFAULT,
    )
    group.add_argument(
        "--error-function",
        choices=("any", *ERROR_FUNCTIONS),
        default=DEFAULTS.program.error_function,
        help="whose call is an error; any: these, and failing assertions, which otherwise only end"
        " the program; a property file says it" + DEFAULT,
    )
    group.add_argument(
        "--malloc-may-fail", action="store_true", help="malloc and the like may return NULL"
    )
    group.add_argument(
        "--creation-may-fail",
        action="store_true",
        help="pthread_create, pthread_mutex_init and the like may fail",
    )
    group.add_argument(
        "--signed-overflow",
        choices=("end", "wrap"),
        default=DEFAULTS.program.signed_overflow,
        help="an execution ends there without violation (true then says so), or wraps" + DEFAULT,
    )
    group.add_argument(
        "--spurious-failures",
        choices=("on", "off"),
        default=DEFAULTS.program.spurious_failures,
        help="a weak compare-and-exchange and mtx_trylock may fail for no reason" + DEFAULT,
    )
    group.add_argument(
        "--spurious-wakeups",
        choices=("auto", "on", "chosen", "off"),
        default=DEFAULTS.program.spurious_wakeups,
        help="waiting on a condition may end for no reason: on, at any time; chosen, if that was"
        " chosen when it began, so that no wait needs to; off; auto: on, and chosen for "
        + ", ".join(p.name for p in PROPERTIES.values() if p.variant.spurious_wakeups != "on")
        + DEFAULT,
    )
    return group
