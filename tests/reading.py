"""C programs that many runs of one test ask about are read once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from abpress.config import Config, ProgramOptions
from abpress.ir.passes.exits import without_exits
from abpress.ir.passes.pipeline import simplify
from abpress.ir.program import Program
from abpress.verify import load as loading
from abpress_frontend.load import LoadedProgram, load_program, read_program
from abpress_frontend.parse import ParsedSource

HERE = Path(__file__).parent

ABOUT_READING = ("cli", "extending", "frontend", "ir")
"""Tests in these folders change how programs are read."""

MOST = 12
"""Random tests read many programs, each of them few times."""

MOST_PROGRAMS = 100
"""Of those that `program_of` keeps."""

Made = TypeVar("Made")

_programs: dict[object, Program] = {}


def texts(options: ProgramOptions) -> tuple[bytes, ...]:
    """What the files of a program say, as far as they can be read."""
    files = [one.file for one in options.compilations if one.text is None]
    return tuple(file.read_bytes() for file in files if file.is_file())


def kept(
    found: dict[object, Made], key: object, make: Callable[[], Made], most: int = MOST
) -> Made:
    """What was made for a key; the last ones are kept."""
    if key not in found:
        found[key] = make()
        if len(found) > most:
            del found[next(iter(found))]
    return found[key]


def program_of(config: Config, every_access: bool = False) -> Program:
    """The program of a file, which is read once for all tests whose file has this text, wherever it
    stands: positions name the file of the first one. It is another program each time."""
    its = config.program
    text = replace(its, file=Path()), texts(its)
    key = text, config.question.properties, config.bounds.recursion_bound, every_access

    def make() -> Program:
        return loading.load(config, every_access=every_access).program

    return replace(kept(_programs, key, make, MOST_PROGRAMS))


@pytest.fixture(autouse=True)
def read_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read once in a test, see `read_each_once`."""
    if request.path.relative_to(HERE).parts[0] not in ABOUT_READING:
        read_each_once(monkeypatch)


def read_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files with the same name and text, read with the same options, are read and simplified once,
    as long as nothing is put in the place of something else.

    Each time this is another program, which is equal: nothing is known of it.
    """
    changes = 0
    parsed: dict[object, ParsedSource] = {}
    loaded: dict[object, LoadedProgram] = {}

    def counted(change: Callable[..., None]) -> Callable[..., None]:
        def call(*given: Any, **named: Any) -> None:
            nonlocal changes
            changes += 1
            change(*given, **named)

        return call

    def parse(options: ProgramOptions) -> ParsedSource:
        return kept(parsed, (changes, options, texts(options)), lambda: read_program(options))

    def load(options: ProgramOptions, *rest: Any) -> LoadedProgram:
        key = changes, options, texts(options), rest[:-1]
        return kept(loaded, key, lambda: load_program(options, *rest))

    def once(function: Callable[..., Program]) -> Callable[..., Program]:
        found: dict[object, tuple[Program, Program]] = {}

        def call(program: Program, *rest: bool) -> Program:
            make = lambda: (program, function(program, *rest))  # noqa: E731
            return kept(found, (changes, id(program), rest), make)[1]

        return call

    simplified = once(simplify)
    monkeypatch.setattr(loading, "read_program", parse)
    monkeypatch.setattr(loading, "load_program", load)
    monkeypatch.setattr(loading, "without_exits", once(without_exits))
    monkeypatch.setattr(loading, "simplify", lambda *given: replace(simplified(*given)))
    for name in ("setattr", "setitem", "delattr", "undo"):
        change = getattr(pytest.MonkeyPatch, name)
        monkeypatch.setattr(pytest.MonkeyPatch, name, counted(change))
