"""Names and places of a program model in the words of its source."""

from __future__ import annotations

import re
from dataclasses import dataclass

from abpress.ir.program import Program
from abpress.verify.page.sources import ShownFiles

_CELL = re.compile(r"`([^`@]*)@(\d+)`(?::[\w*]+)?|`([^`]*)`(?::[\w*]+)?")
"""A cell, or a variable, in the text of a formula, with its type."""


_WIDER = re.compile(r"\bi64\(([^()]*)\)")
"""A number as one with more bits, which holds the same."""


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line (`file` and `line`, for JSON), and the locations at which a thread stands in it."""

    place: dict[str, int]
    locations: tuple[int, ...]


class ModelNames:
    """Tells of one program model."""

    def __init__(self, program: Program, files: ShownFiles) -> None:
        self.program = program
        self._files = files
        words = (re.findall(r"[A-Za-z_]\w*", text) for text in files.sources.values())
        self._words = frozenset(word for its in words for word in its)
        self._lines: dict[str, list[CodeLine]] = {}

    def lines(self, template: str) -> list[CodeLine]:
        """The lines of the user's text of which code is in a template, but for that of its head,
        which is where its end is. A thread that is before an action of a line stands there."""
        if template not in self._lines:
            found: dict[tuple[str, int], list[int]] = {}
            code = self.program.templates[template]
            for number, location in enumerate(code.locations):
                at = location.edges[0].position if location.edges else code.position
                if (at.file, at.line) != (code.position.file, code.position.line):
                    found.setdefault((at.file, at.line), []).append(number)
            places = ((self._files.line(*line), numbers) for line, numbers in found.items())
            self._lines[template] = [CodeLine(at, tuple(its)) for at, its in places if at]
        return self._lines[template]

    def register(self, name: str) -> str:
        """The variable of the user that a register holds; empty if there is none."""
        variable = name.partition("#")[0]
        return variable if variable in self._words else ""

    def kept(self, name: str, offset: int) -> bool:
        """Whether a cell is a part of a lock or the like, of which a model keeps its state."""
        object = self.program.objects.get(name)
        return object is not None and offset in object.layout.locks

    def cell(self, name: str, offset: int, template: str = "") -> str:
        """The cell of an object; its offset where the object has none there."""
        where = self.program.templates.get(template)
        object = self.program.objects.get(name) or (where and where.locals.get(name))
        if not object:
            return f"{name}+{offset}" if offset else name
        index = object.layout.index.get(offset)
        return name + (f"+{offset}" if index is None else object.layout.cells[index].path)

    def formula(self, text: str) -> str:
        """The text of a formula with these names, and without types."""

        def name(match: re.Match[str]) -> str:
            if match[3] is None:
                return self.cell(match[1], int(match[2]))
            object, _, offset = match[3].rpartition("+")
            return self.cell(object, int(offset)) if offset.isdecimal() else match[3]

        return _WIDER.sub(r"\1", _CELL.sub(name, text))
