"""Completion of the command line in shells, made by shtab of the parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import shtab


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """The text that a shell (`bash`, `zsh`, `fish`) reads to complete the command."""
    for action in actions_below(parser):
        if action.type is Path or action.metavar == "NAME|FILE.prp":
            folder = action.metavar == "DIR"
            action.complete = shtab.DIRECTORY if folder else shtab.FILE  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell))


def actions_below(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of those of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from actions_below(sub)
