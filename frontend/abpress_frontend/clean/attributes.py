"""Attributes of GNU C and C23: kept for the layout, recorded, dropped or refused."""

from __future__ import annotations

from abpress.errors import InputError, UnsupportedError
from abpress_frontend.attribute_words import PROMISES, harmless
from abpress_frontend.clean.cleaner import Cleaner, made
from abpress_frontend.gnu import (
    ALIGNED,
    ATTRIBUTE_WORDS,
    GNU_INLINE,
    NORETURN,
    PACKED,
    RUN_BY_THEMSELVES,
    WEAK,
    Attribute,
)
from abpress_frontend.tokens import IDENT, PUNCTUATOR, Token

_CONSTRUCTING_SECTIONS = ("init", "fini", "preinit", "ctors", "dtors")


def of_declaration(cleaner: Cleaner, i: int) -> int:
    """Rewrites `__attribute__((...))` that belongs to no aggregate."""
    i, kept = read(cleaner, i)
    cleaner.out += kept
    return i


def read(cleaner: Cleaner, i: int) -> tuple[int, list[Token]]:
    """Reads all `__attribute__((...))` that begin at `i`.

    Returns the index after them, and the tokens that are kept of them.
    """
    kept: list[Token] = []
    while cleaner.text(i) in ATTRIBUTE_WORDS:
        end = cleaner.argument_end(i)
        if cleaner.text(i + 2) != "(":
            raise InputError("expected '((' after __attribute__", cleaner.tokens[i].position)
        kept += _listed(cleaner, i + 3, end - 1)
        i = end + 1
    return i, kept


def read_c23(cleaner: Cleaner, i: int) -> int:
    """Reads the attributes `[[name(...), prefix::name, ...]]` that begin at `i`, if any do.

    Returns the index after them. What is kept of attributes of GNU C is refused: their places are
    others than here.
    """
    while cleaner.text(i) == "[" == cleaner.text(i + 1) and i + 2 < len(cleaner.tokens):
        end = cleaner.match(i + 1)
        is_list = cleaner.tokens[i + 2].kind == IDENT or end == i + 2
        if not is_list or cleaner.text(end + 1) != "]":
            break
        for token in _listed(cleaner, i + 2, end):
            if token.kind == IDENT and token.text in (ALIGNED, PACKED):
                cleaner.refuse(token, "attribute in [[ ]] that changes the layout")
        i = end + 2
    return i


def _listed(cleaner: Cleaner, i: int, end: int) -> list[Token]:
    """Reads the attributes `name(...), prefix::name, ...` of a list; returns what is kept."""
    kept: list[Token] = []
    while i < end:
        token = cleaner.tokens[i]
        if token.text == ",":
            i += 1
            continue
        if token.kind != IDENT:
            raise InputError(f"unexpected {token.text} in attributes", token.position)
        if cleaner.text(i + 1) == "::":
            if token.text not in ("gnu", "clang", "__gnu__", "_Clang"):
                cleaner.refuse(token, f"attribute {token.text}::{cleaner.text(i + 2)}")
            i += 2
            continue
        stop = cleaner.match(i + 1) if cleaner.text(i + 1) == "(" else i
        kept += _attribute(cleaner, token, cleaner.tokens[i + 2 : stop])
        i = stop + 1
    return kept


def noreturn(cleaner: Cleaner, i: int) -> int:
    """Records `_Noreturn` as an attribute, and keeps it."""
    _attribute(cleaner, cleaner.tokens[i], [])
    return cleaner.copy(i)


def _attribute(cleaner: Cleaner, token: Token, arguments: list[Token]) -> list[Token]:
    """Decides about one attribute; returns the tokens that are kept of it."""
    name = token.text.strip("_") or token.text
    text = " ".join(t.text for t in arguments)
    if name == "section" and _runs_by_itself(text):
        raise UnsupportedError(f"attribute {name}", token.position)
    if name == "packed":
        return [made(token, IDENT, PACKED)]
    if name == "aligned":
        word = made(token, IDENT, ALIGNED)
        if not arguments:
            return [word]
        opening, closing = made(token, PUNCTUATOR, "("), made(token, PUNCTUATOR, ")")
        return [word, *cleaner.cleaned([opening, *arguments, closing])]
    if name in (NORETURN, "Noreturn"):
        # Inside of a body it is said of another function than that of the body.
        if not any(bracket.token.text == "{" for bracket in cleaner.stack):
            _record(cleaner, token, NORETURN, text)
    elif name in (WEAK, GNU_INLINE) or name in PROMISES or name in RUN_BY_THEMSELVES:
        _record(cleaner, token, name, text)
    elif not harmless(name, text):
        cleaner.refuse(token, f"attribute {name}{f'({text})' if text else ''}")
    return []


def _record(cleaner: Cleaner, token: Token, name: str, arguments: str) -> None:
    cleaner.attributes.append((len(cleaner.out), Attribute(name, arguments, token.position)))


def _runs_by_itself(section: str) -> bool:
    """Whether what is in a section is called at the start or at the end of the program."""
    return section.strip('"').lstrip(".").startswith(_CONSTRUCTING_SECTIONS)
