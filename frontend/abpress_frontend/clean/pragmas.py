"""Pragmas: `pack` is followed; others are dropped if they are harmless, and refused if not."""

from __future__ import annotations

import re

from abpress.errors import InputError, UnsupportedError
from abpress_frontend.attribute_words import harmless_pragma
from abpress_frontend.clean.cleaner import Cleaner, Packing
from abpress_frontend.tokens import IDENT, NUMBER, STRING, Token, spelling, tokenise

_PACKINGS = (1, 2, 4, 8, 16)
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU])")
_MOST_DIGITS = 20
_EXECUTED_BEFORE = frozenset({"push_macro", "pop_macro", "once", "GCC poison"})


def pragma(cleaner: Cleaner, i: int) -> int:
    """Obeys the pragma of the token at `i`."""
    _obey(cleaner, cleaner.tokens[i], cleaner.tokens[i].text)
    return i + 1


def pragma_operator(cleaner: Cleaner, i: int) -> int:
    """Obeys `_Pragma("...")` (C11 6.10.9)."""
    end = cleaner.argument_end(i)
    literal = cleaner.tokens[i + 2]
    if end != i + 3 or literal.kind != STRING:
        raise InputError("_Pragma takes a string literal", literal.position)
    text = literal.text[literal.text.index('"') + 1 : -1]
    text = re.sub(r'\\([\\"])', r"\1", text)
    text = spelling(tokenise(text, literal.file, markers=False))
    word = text.split("(")[0].strip()
    if word in _EXECUTED_BEFORE:
        _refuse(cleaner, literal, f"_Pragma({literal.text})")
    else:
        _obey(cleaner, literal, text)
    return end + 1


def _obey(cleaner: Cleaner, at: Token, text: str) -> None:
    tokens = tokenise(text, at.file, markers=False)
    if tokens and tokens[0].text == "pack":
        _pack(cleaner, at, tokens[1:])
    elif not harmless_pragma(text):
        _refuse(cleaner, at, f"#pragma {text}")


def _refuse(cleaner: Cleaner, at: Token, what: str) -> None:
    """Refuses a pragma: in a declaration if that is needed, between declarations at once."""
    if cleaner.stack or cleaner.depth:
        cleaner.refuse(at, what)
    else:
        raise UnsupportedError(what, at.position)


def _pack(cleaner: Cleaner, at: Token, tokens: list[Token]) -> None:
    """Follows `pack(n)`, `pack()`, `pack(push, name, n)` and `pack(pop, name)`.

    Compilers ignore, with a warning, what is malformed; here it is refused.
    """
    malformed = f"this form of #pragma pack: {spelling(tokens)}"
    texts = [t.text for t in tokens]
    if len(texts) < 2 or texts[0] != "(" or texts[-1] != ")":
        _refuse(cleaner, at, malformed)
        return
    parts = [t for t in tokens[1:-1] if t.text != ","]
    if texts[1:-1].count(",") != max(0, len(parts) - 1):
        _refuse(cleaner, at, malformed)
        return
    action = parts.pop(0).text if parts and parts[0].text in ("push", "pop") else ""
    name = parts.pop(0).text if action and parts and parts[0].kind == IDENT else None
    size = _size(parts.pop(0)) if parts and parts[0].kind == NUMBER else None
    bad_size = size is not None and size not in _PACKINGS and not (size == 0 and not action)
    if parts or bad_size or (action == "pop" and size is not None):
        _refuse(cleaner, at, malformed)
        return
    if action == "push":
        cleaner.packings.append(Packing(name, cleaner.packing))
    if action == "pop" and not _popped(cleaner, name):
        _refuse(cleaner, at, "#pragma pack(pop) without a push")
    elif action != "pop" and (size is not None or not action):
        cleaner.packing = size or 0


def _size(token: Token) -> int:
    """The value of an integer constant; -1 for what is none."""
    match = _INTEGER.fullmatch(token.text)
    if match is None or len(match[1]) > _MOST_DIGITS:
        return -1
    digits = match[1]
    is_octal = digits.isdigit() and digits[0] == "0"
    if is_octal and set(digits) & set("89"):
        return -1
    return int(digits, 8 if is_octal else 0)


def _popped(cleaner: Cleaner, name: str | None) -> bool:
    """Goes back to the packing before the last push, of that name if one is given."""
    for k in range(len(cleaner.packings) - 1, -1, -1):
        if name is None or cleaner.packings[k].name == name:
            cleaner.packing = cleaner.packings[k].before
            del cleaner.packings[k:]
            return True
    return False
