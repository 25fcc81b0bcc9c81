"""The parser of a command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from abpress.errors import InputError, did_you_mean

USAGE_STATUS = 3
"""Exit status of a command line that cannot be understood: the input cannot be read."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose usage errors do not look like the verdict "unknown" (status 2).

    If it `reads_programs`, files may stand anywhere, options of compilers are understood, and what
    follows `--` are arguments of the program.
    """

    reads_programs = False

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

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_STATUS, f"{self.prog}: {message}\n(try {self.prog} --help)\n")
