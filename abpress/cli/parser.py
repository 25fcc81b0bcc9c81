"""The parser of a command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Any, NoReturn

from abpress.errors import InputError, did_you_mean

USAGE_STATUS = 3
"""Exit status of a command line that cannot be understood: the input cannot be read."""


class _FullHelp(argparse.Action):
    """Prints the help of a `Parser` with all options, and ends."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        assert isinstance(parser, Parser)
        print(parser.format_full_help(), end="")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """An argument parser whose usage errors do not look like the verdict "unknown" (status 2).

    If it `reads_programs`, files may stand anywhere, options of compilers are understood, and what
    follows `--` are arguments of the program.
    """

    reads_programs = False

    def shorten(self, everyday: Set[str]) -> None:
        """From now on `--help` has these options only, and `--help-all` has all of them."""
        self.add_argument("--help-all", action=_FullHelp, help="all options, and exit")
        self._everyday = {"-h", "--help-all", *everyday}

    def format_help(self) -> str:
        """The help; where it has been shortened, that of the options for every day."""
        everyday = getattr(self, "_everyday", None)
        if everyday is None:
            return super().format_help()
        rare = [
            a for a in self._actions if a.option_strings and everyday.isdisjoint(a.option_strings)
        ]
        kept, usage = [action.help for action in rare], self.usage
        for action in rare:
            action.help = argparse.SUPPRESS
        self.usage = "%(prog)s [option ...] file ... [-- argument ...]"
        try:
            return super().format_help()
        finally:
            self.usage = usage
            for action, text in zip(rare, kept, strict=True):
                action.help = text

    def format_full_help(self) -> str:
        """The help with all options."""
        return super().format_help()

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As of any parser; of a command, what is no option of it is an error."""
        if not self.reads_programs or args is None:
            options, rest = super().parse_known_args(args, namespace)
            self._require_known(rest)
            return options, rest
        from abpress.cli import compiler

        words = list(args)
        end = words.index("--") if "--" in words else len(words)
        try:
            ours = compiler.options_of(words[:end])
        except InputError as error:
            self.error(str(error))
        options, rest = super().parse_known_args(ours, namespace)
        if hasattr(options, "files"):
            options.files += [Path(word) for word in rest if not word.startswith("-")]
            rest = [word for word in rest if word.startswith("-")]
            options.arguments = tuple(words[end + 1 :]) if end < len(words) else None
        self._require_known(rest)
        return options, rest

    def _require_known(self, rest: Sequence[str]) -> None:
        """Ends with a message if there are options left that nobody knows."""
        unknown = next((word for word in rest if word.startswith("-")), None)
        if unknown is not None:
            name = unknown.partition("=")[0]
            self.error(
                f"there is no option {name}{did_you_mean(name, self._option_string_actions)}"
            )

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """As of any parser; of a word that is like one of the choices, that is said."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += did_you_mean(str(value), map(str, action.choices or ()))
            raise

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_STATUS, f"{self.prog}: {message}\n(try {self.prog} --help)\n")
