"""Brackets: what the inside of each is, and whether they match."""

from __future__ import annotations

from abpress.errors import InputError
from abpress_frontend.clean import aggregates, attributes
from abpress_frontend.clean.cleaner import CLOSING, Cleaner, Inside
from abpress_frontend.tokens import PUNCTUATOR


def opening(cleaner: Cleaner, i: int) -> int:
    """Opens a bracket that is not the body of an aggregate; says what its inside is."""
    token = cleaner.tokens[i]
    inside, is_function = Inside.OTHER, False
    if token.text == "{":
        if not cleaner.stack:
            inside = Inside.INITIALISER if cleaner.initialised else Inside.STATEMENTS
            is_function = not cleaner.initialised
        elif cleaner.stack[-1].inside is Inside.INITIALISER or cleaner.previous() in ("=", ","):
            inside = Inside.INITIALISER
        else:
            inside = Inside.STATEMENTS
    i = cleaner.copy(i)
    cleaner.push(token, inside, is_function)
    return i


def subscript(cleaner: Cleaner, i: int) -> int:
    """Opens a subscript or an array declarator; reads C23 attributes `[[name(...), ...]]`."""
    after = attributes.read_c23(cleaner, i)
    if after != i:
        return after
    return opening(cleaner, i)


def closing(cleaner: Cleaner, i: int) -> int:
    """Closes a bracket; ends the body of an aggregate."""
    token = cleaner.tokens[i]
    if not cleaner.stack:
        raise InputError(f"unexpected '{token.text}'", token.position)
    opened = cleaner.stack.pop()
    if CLOSING[opened.token.text] != token.text:
        raise InputError(
            f"unexpected '{token.text}': '{opened.token.text}' of line "
            f"{opened.token.line} is still open",
            token.position,
        )
    if opened.in_range:
        cleaner.put(token, PUNCTUATOR, ")")
    i = cleaner.copy(i)
    if opened.aggregate:
        i = aggregates.end_of_body(cleaner, i, opened)
    if opened.is_function and not cleaner.stack:
        cleaner.end_declaration()
    return i
