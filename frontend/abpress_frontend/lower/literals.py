"""Values and types of constants and string literals (C11 6.4.4, 6.4.5)."""

from __future__ import annotations

import re

from abpress.errors import InputError, Position, UnsupportedError
from abpress_frontend.escapes import characters
from abpress_frontend.lower.ctypes import CInt, DataModel

_STRING = re.compile(r'(\w*)"((?:[^"\\]|\\.)*)"', re.DOTALL)
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)([uUlL]*)$")

_MOST_DIGITS = 200
"""Of a constant; none of more fits into a type, and Python reads no more than some thousands."""


def integer(text: str, model: DataModel, at: Position) -> tuple[int, CInt]:
    """Value and type of an integer constant."""
    match = _INTEGER.match(text)
    if match is None:
        raise InputError(f"malformed integer constant {text[:20]}", at)
    digits, suffix = match.group(1).lower(), match.group(2).lower()
    if len(digits) > _MOST_DIGITS:
        raise InputError(f"integer constant {text[:20]}… is too large for its type", at)
    if digits.startswith("0x"):
        value = int(digits, 16)
    elif digits.startswith("0b"):
        value = int(digits[2:], 2)
    elif digits.startswith("0"):
        value = int(digits, 8)
    else:
        value = int(digits)
    decimal = not digits.startswith("0")
    ranks = (model.int, model.long, model.llong)[suffix.count("l") :]
    for t in ranks:
        u = model.unsigned(t)
        if "u" not in suffix and t.ir.contains(value):
            return value, t
        if ("u" in suffix or not decimal) and u.ir.contains(value):
            return value, u
    if model.ullong.ir.contains(value):
        return value, model.ullong
    raise InputError(f"integer constant {text[:20]} is too large for its type", at)


def character(text: str, model: DataModel, at: Position) -> tuple[int, CInt]:
    """Value and type of a character constant, quotes included."""
    if not text.startswith("'"):
        raise UnsupportedError(f"wide character constant {text}", at)
    value = 0
    codes = characters(text[1:-1], at)
    for code in codes:
        value = value << 8 | code
    return (model.char.ir.wrap(value) if len(codes) == 1 else model.int.ir.wrap(value)), model.int


def string(text: str, at: Position) -> list[int]:
    """The bytes of adjacent string literals, terminating zero included."""
    codes: list[int] = []
    for prefix, inside in _STRING.findall(text):
        if prefix not in ("", "u8"):
            raise UnsupportedError(f"wide string literal {text[:20]}", at)
        codes += characters(inside, at)
    return [*codes, 0]
