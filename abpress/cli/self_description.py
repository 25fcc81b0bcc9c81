"""What describes the command line to others: `abpress --man` and `abpress --completion SHELL`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

SHELLS = ("bash", "zsh", "fish")

MakeParser = Callable[[], argparse.ArgumentParser]


class ManualAction(argparse.Action):
    """Prints the manual page, and ends; `whole` makes the parser of all commands."""

    def __init__(
        self, option_strings: Sequence[str], dest: str, help: str, whole: MakeParser
    ) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)
        self._whole = whole

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from abpress.cli.manual import manual

        print(manual(self._whole()), end="")
        parser.exit()


class CompletionAction(argparse.Action):
    """Prints the completion of a shell, and ends; `whole` makes the parser of all commands."""

    def __init__(
        self, option_strings: Sequence[str], dest: str, help: str, whole: MakeParser
    ) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, choices=SHELLS, help=help)
        self._whole = whole

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, values: Any, *_: object
    ) -> NoReturn:
        try:
            from abpress.cli.completion import completion
        except ModuleNotFoundError:
            parser.error("shtab is not installed: pip install 'abpress[completion]'")
        print(completion(self._whole(), values))
        parser.exit()
