"""The source lines of a trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from abpress.errors import Position
from abpress.witness.trace import Trace


def place_for_people(position: Position, sources: Mapping[str, str]) -> Position:
    """The innermost place of the user's own files: a call site for code of a library model."""
    for place in (position, *reversed(position.stack)):
        if place.file in sources:
            return place
    return position


class SourceLines:
    """Looks lines up in source texts, which are given by the names that positions use."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._lines = {file: text.split("\n") for file, text in sources.items()}

    def at(self, position: Position) -> str:
        """The line without indentation, empty if there is none."""
        lines = self._lines.get(position.file, ())
        return " ".join(lines[position.line - 1].split()) if 0 < position.line <= len(lines) else ""


def with_source_lines(trace: Trace, sources: Mapping[str, str]) -> Trace:
    """The trace with the text of the source line at each step and each blocked thread."""
    lines = SourceLines(sources)
    return replace(
        trace,
        steps=tuple(replace(step, source=lines.at(step.position)) for step in trace.steps),
        blocked=tuple(replace(b, source=lines.at(b.position)) for b in trace.blocked),
        ready=tuple(replace(b, source=lines.at(b.position)) for b in trace.ready),
    )
