"""The files that a report shows, each once."""

from __future__ import annotations

from collections.abc import Mapping

from abpress.errors import Position, printable
from abpress.witness.sources import place_for_people


class ShownFiles:
    """Numbers the files of places, in the order in which they are asked for. Mutable."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.sources = sources
        self._numbers: dict[str, int] = {}

    def place(self, position: Position) -> dict[str, int]:
        """`file`, a number, and `line` of a place for people; nothing of one that is nowhere."""
        place = place_for_people(position, self.sources)
        return self.line(place.file, place.line)

    def line(self, file: str, line: int) -> dict[str, int]:
        """The same of a line."""
        if line <= 0 or file not in self.sources:
            return {}
        return {"file": self._numbers.setdefault(file, len(self._numbers)), "line": line}

    def data(self) -> list[dict[str, object]]:
        """The files that were asked for, with their lines."""
        return [
            {
                "name": printable(name),
                "lines": printable(self.sources[name].removesuffix("\n")).split("\n"),
            }
            for name in self._numbers
        ]
