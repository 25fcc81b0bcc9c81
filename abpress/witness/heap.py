"""Names of objects on the heap for people: by what they are, and where they were allocated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from abpress.errors import Position
from abpress.ir.program import Alloc, Effect

_HEAP = "heap "
"""How names of objects on the heap begin in an execution."""

_NAME = re.compile(rf"({_HEAP}[\w.]+#\d+)((?:\.\w+|\[\d+\])*)")
"""The name of an object in an execution, by its thread, and which of its allocations it is; and
which part of it is spoken of."""

_TAGS = ("struct ", "union ", "enum ")


@dataclass
class HeapNames:
    """The objects that were allocated in an execution. Mutable: it is told of allocations.

    An object is named by its type, or by the name of the variable that it is, and the line of its
    allocation, `pool@46`; of several with the same name each later one has a number, `pool@46#2`.
    """

    _names: dict[str, str] = field(default_factory=dict)
    _described: dict[str, str] = field(default_factory=dict)
    _count: dict[str, int] = field(default_factory=dict)

    @property
    def any(self) -> bool:
        """Whether there is a name."""
        return bool(self._names)

    def allocated(self, object: str, position: Position, effects: Sequence[Effect]) -> None:
        """An object was allocated by one of these effects."""
        alloc = next((e for e in effects if isinstance(e, Alloc)), None)
        if alloc is None or object in self._names:
            return
        line = position.origin.line
        what = "memory" if "<" in alloc.label or not alloc.label else alloc.label
        name = what if alloc.automatic else f"{_without_tag(what)}@{line}"
        number = self._count[name] = self._count.get(name, 0) + 1
        self._names[object] = name if number == 1 else f"{name}#{number}"
        where = "declared" if alloc.automatic else "allocated"
        self._described[self._names[object]] = f"{what} {where} at line {line}"

    def in_text(self, text: str) -> str:
        """The text with these names for those of the execution."""
        if _HEAP not in text:
            return text
        return _NAME.sub(lambda match: self._names.get(match[1], match[1]) + match[2], text)

    def in_message(self, text: str) -> str:
        """The same; each object is described where it is named first."""
        told: set[str] = set()

        def name(match: re.Match[str]) -> str:
            its = self._names.get(match[1], match[1])
            if its in told or its not in self._described:
                return its + match[2]
            told.add(its)
            return f"{its}{match[2]} ({self._described[its]})"

        return _NAME.sub(name, text)


def _without_tag(type: str) -> str:
    for tag in _TAGS:
        type = type.removeprefix(tag)
    return "_".join(type.split())
