"""Checks of clients as the command makes them, in a folder of the test."""

from __future__ import annotations

from pathlib import Path

from abpress.clients.check import Checked, Checker
from abpress.clients.client import parse_client
from abpress.clients.library import Library, read_library, reference
from abpress.config import Config
from abpress.search.limits import Limits


def written(folder: Path, text: str, name: str = "library.c") -> Library:
    """The library with this text."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return read_library(file)


def check(
    folder: Path,
    library: Library,
    client: str,
    *defines: str,
    spec: Path | None = None,
    real_time: bool = False,
    config: Config | None = None,
    waits: bool = False,
) -> Checked:
    """The answer for a client, given as text."""
    config = config or Config.of(Path(), defines=defines, engine="explicit")
    measure = reference(library, spec)
    checker = Checker(library, measure, config, real_time, waits, Limits(), None, folder)
    return checker.check(parse_client(client, library), "client")
