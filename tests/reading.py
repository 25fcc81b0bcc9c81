"""C programs that many runs of one test ask about are read once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from abpress.ir.passes.exits import without_exits
from abpress.ir.passes.pipeline import simplify
from abpress.ir.program import Program
from abpress.verify import load as loading
from abpress_frontend.load import LoadedProgram, load_program
from abpress_frontend.parse import ParsedSource, parse_file


@pytest.fixture
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files with the same name and text, read with the same options, are read and simplified
    once."""
    parsed: dict[object, ParsedSource] = {}
    loaded: dict[object, LoadedProgram] = {}

    def parse(options: Any) -> ParsedSource:
        key = options, options.file.read_bytes()
        if key not in parsed:
            parsed[key] = parse_file(options)
        return parsed[key]

    def load(options: Any, bound: Any, lifetimes: bool, source: ParsedSource) -> LoadedProgram:
        key = options, bound, lifetimes, options.file.read_bytes()
        if key not in loaded:
            loaded[key] = load_program(options, bound, lifetimes, source)
        return loaded[key]

    def once(function: Callable[..., Program]) -> Callable[..., Program]:
        found: dict[object, tuple[Program, Program]] = {}

        def call(program: Program, *rest: bool) -> Program:
            key = id(program), rest
            if key not in found:
                found[key] = program, function(program, *rest)
            return found[key][1]

        return call

    monkeypatch.setattr(loading, "parse_file", parse)
    monkeypatch.setattr(loading, "load_program", load)
    monkeypatch.setattr(loading, "without_exits", once(without_exits))
    monkeypatch.setattr(loading, "simplify", once(simplify))
