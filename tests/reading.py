"""C programs that many runs of one test ask about are read once."""

from __future__ import annotations

from typing import Any

import pytest

from abpress.verify import load as loading
from abpress_frontend.load import LoadedProgram, load_program
from abpress_frontend.parse import ParsedSource, parse_file


@pytest.fixture
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files with the same name and text, read with the same options, are read once."""
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

    monkeypatch.setattr(loading, "parse_file", parse)
    monkeypatch.setattr(loading, "load_program", load)
