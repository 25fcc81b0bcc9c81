"""The three voices of failure: the user's input, an unsupported construct, our own bug.

Limits (time, memory, bounds) are not errors: they are part of a result, see `abpress.result`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the source: the first character of a construct, one-based line and column.

    `stack` holds the call sites through which the code was inlined, outermost first.
    """

    file: str = "<unknown>"
    line: int = 0
    column: int = 0
    function: str = ""
    stack: tuple[Position, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @property
    def in_model(self) -> bool:
        """Whether it is in the model of a library function (`<file>`), not in the user's text."""
        return self.file.startswith("<")

    @property
    def origin(self) -> Position:
        """The place in the user's text: for code of a library model, its call."""
        for place in (self, *reversed(self.stack)):
            if not place.in_model:
                return place
        return self

    @property
    def described(self) -> str:
        """For messages: the place in the user's text, and the library function called there."""
        origin = self.origin
        if origin is self:
            return str(self)
        places = (*self.stack, self)
        called = max(i for i, place in enumerate(places) if place is origin) + 1
        return f"{origin} (in {places[called].function})"


NOWHERE = Position()

_PICTURES = {
    **{c: 0x2400 + c for c in range(32) if chr(c) not in "\n\t"},
    0x7F: 0x2421,
    **dict.fromkeys((*range(0x80, 0xA0), *range(0xD800, 0xE000)), 0xFFFD),
    **dict.fromkeys((0x061C, *range(0x200E, 0x2010), *range(0x202A, 0x202F)), 0xFFFD),
    **dict.fromkeys(range(0x2066, 0x206A), 0xFFFD),
}
"""What would steer a terminal or cannot be encoded -> a sign for it."""

_LONGEST_MESSAGE = 2_000


def printable(text: str) -> str:
    """The text of a source for people, character by character: nothing in it is an instruction to
    a terminal."""
    return text.translate(_PICTURES)


class AbPressError(Exception):
    """A failure that has a message for the user; `position` is where the input causes it."""

    def __init__(self, message: str, position: Position | None = None) -> None:
        message = printable(message)
        if len(message) > _LONGEST_MESSAGE:
            message = f"{message[:_LONGEST_MESSAGE]}…"
        super().__init__(message)
        self.message = message
        self.position = position

    def __str__(self) -> str:
        return f"{self.position.origin}: {self.message}" if self.position else self.message


class InputError(AbPressError):
    """The input cannot be read, is not C, or contradicts itself (exit status 3)."""


class UnsupportedError(AbPressError):
    """The input is (probably) valid but uses a construct that is not supported (exit status 3).

    The message starts with the construct's name.
    """


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?`, if one of the known words is like the word; else nothing."""
    from difflib import get_close_matches  # which takes time to load

    alike = get_close_matches(word, list(known), 1)
    return f"; did you mean {alike[0]}?" if alike else ""
