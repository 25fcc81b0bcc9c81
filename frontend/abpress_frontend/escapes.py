"""Escape sequences of character constants and string literals (C11 6.4.4.4)."""

from __future__ import annotations

import re

from abpress.errors import InputError, Position

_SIMPLE = {
    "n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39,
    '"': 34, "?": 63, "e": 27,
}  # fmt: skip
_CHARACTER = re.compile(
    r"\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|(.)", re.DOTALL
)
_BASIC = 0xA0
_NAMED = (0x24, 0x40, 0x60)  # of the characters below, those that may be named: $ @ `


def characters(text: str, at: Position) -> list[int]:
    """The bytes of the inside of a character constant or narrow string literal, as UTF-8.

    Raises InputError for an escape sequence that C does not have.
    """
    result: list[int] = []
    for hexadecimal, octal, short, long, escape, plain in _CHARACTER.findall(text):
        if hexadecimal or octal:
            code = int(hexadecimal[-8:], 16) if hexadecimal else int(octal, 8)
            if code > 255 or hexadecimal[:-8].strip("0"):
                raise InputError(f"escape sequence \\{'x' * bool(hexadecimal)}… out of range", at)
            result.append(code)
        elif short or long:
            result.extend(_universal(int(short or long, 16), at).encode())
        elif escape:
            if escape not in _SIMPLE:
                raise InputError(f"unknown escape sequence \\{escape}", at)
            result.append(_SIMPLE[escape])
        else:
            result.extend(plain.encode("utf-8", "surrogateescape"))
    return result


def _universal(code: int, at: Position) -> str:
    """The character of a universal character name (C11 6.4.3)."""
    if code > 0x10FFFF or 0xD800 <= code < 0xE000 or (code < _BASIC and code not in _NAMED):
        raise InputError(f"{code:04X} is no universal character name", at)
    return chr(code)
