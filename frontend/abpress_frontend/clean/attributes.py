"""Attributes of GNU C and C23, and pragmas: recorded or refused, and dropped."""

from __future__ import annotations

import re

from abpress.errors import InputError, Position, UnsupportedError
from abpress_frontend.clean.cleaner import Cleaner
from abpress_frontend.gnu import (
    ATTRIBUTE_WORDS,
    REFUSED_ATTRIBUTES,
    RUN_BY_THEMSELVES,
    Attribute,
)
from abpress_frontend.tokens import IDENT, Token

_PACKING = re.compile("[0-9]{1,9}")


def of_declaration(cleaner: Cleaner, i: int) -> int:
    """Records `__attribute__((...))` that belongs to no aggregate."""
    return read(cleaner, i, None)


def skip(cleaner: Cleaner, i: int) -> int:
    """Returns the index after all `__attribute__((...))` that begin at `i`; records none."""
    while cleaner.text(i) in ATTRIBUTE_WORDS:
        i = cleaner.argument_end(i) + 1
    return i


def read(cleaner: Cleaner, i: int, aggregate: Position | None) -> int:
    """Records all `__attribute__((...))` that begin at `i`; returns the index after them."""
    while cleaner.text(i) in ATTRIBUTE_WORDS:
        end = cleaner.argument_end(i)
        if cleaner.text(i + 2) != "(":
            raise InputError("expected '((' after __attribute__", cleaner.tokens[i].position)
        j = i + 3
        while j < end - 1:
            token = cleaner.tokens[j]
            stop = cleaner.match(j + 1) if cleaner.text(j + 1) == "(" else j
            if token.kind == IDENT:
                _record(cleaner, token, cleaner.tokens[j + 2 : stop], aggregate)
            j = stop + 1
        i = end + 1
    return i


def read_c23(cleaner: Cleaner, start: int, end: int) -> None:
    """Records the attributes of a list `name(...), prefix::name, ...` without its brackets."""
    i = start
    while i < end:
        token = cleaner.tokens[i]
        stop = cleaner.match(i + 1) if cleaner.text(i + 1) == "(" else i
        if token.kind == IDENT and cleaner.text(i + 1) != "::":
            _record(cleaner, token, cleaner.tokens[i + 2 : stop], None)
        i = stop + 1


def noreturn(cleaner: Cleaner, i: int) -> int:
    """Records `_Noreturn` as an attribute, and keeps it."""
    _record(cleaner, cleaner.tokens[i], [], None)
    return cleaner.copy(i)


def _record(
    cleaner: Cleaner, token: Token, arguments: list[Token], aggregate: Position | None
) -> None:
    name = token.text.strip("_") or token.text
    if name in RUN_BY_THEMSELVES:
        raise UnsupportedError(f"attribute {name}", token.position)
    if name in REFUSED_ATTRIBUTES:
        cleaner.refuse(token, f"attribute {name}")
    elif name == "packed" and aggregate is None:
        cleaner.refuse(token, "attribute packed on something other than a struct definition")
    text = " ".join(t.text for t in arguments)
    entry = Attribute(name, text, token.position, aggregate)
    cleaner.attributes.append((len(cleaner.out), entry))


def pragma(cleaner: Cleaner, i: int) -> int:
    """Follows `#pragma pack`: push, pop, a number of bytes, or nothing to end it."""
    packing = cleaner.packing
    text = cleaner.tokens[i].text
    words = text.replace("(", " ").replace(")", " ").replace(",", " ").split()[1:]
    if "pop" in words:
        if len(packing) > 1:
            packing.pop()
        return i + 1
    if "push" in words:
        packing.append(packing[-1])
    if any(w[0].isdigit() and not _PACKING.fullmatch(w) for w in words):
        cleaner.refuse(cleaner.tokens[i], "this form of #pragma pack")
        return i + 1
    numbers = [int(w) for w in words if _PACKING.fullmatch(w)]
    if numbers or "push" not in words:
        packing[-1] = numbers[0] if numbers else 0
    return i + 1


def pragma_operator(cleaner: Cleaner, i: int) -> int:
    """Drops `_Pragma("...")`; refuses it if it packs."""
    end = cleaner.argument_end(i)
    if "pack" in cleaner.text(i + 2):
        cleaner.refuse(cleaner.tokens[i], "_Pragma pack")
    return end + 1
