"""The heads of structs, unions and enumerations."""

from __future__ import annotations

from abpress_frontend.clean import attributes
from abpress_frontend.clean.cleaner import Cleaner, Inside, OpenBracket, made
from abpress_frontend.gnu import PACKING
from abpress_frontend.tokens import IDENT, NUMBER, PUNCTUATOR, Token


def aggregate(cleaner: Cleaner, i: int) -> int:
    """Rewrites `struct`, `union` or `enum` up to its tag or brace, with the attributes between.

    The attributes of a definition that are kept follow its body; those of another use of the tag
    follow the tag, as attributes of what is declared.
    """
    keyword = cleaner.tokens[i]
    i = attributes.read_c23(cleaner, cleaner.copy(i))
    i, before_tag = attributes.read(cleaner, i)
    i = attributes.read_c23(cleaner, i)
    if i < len(cleaner.tokens) and cleaner.tokens[i].kind == IDENT:
        i = cleaner.copy(i)
    after_tag = i
    i, after = attributes.read(cleaner, after_tag)
    base = i
    if keyword.text == "enum":
        i = _after_underlying_type(cleaner, base)
    if cleaner.text(i) != "{":
        if before_tag:
            cleaner.refuse(before_tag[0], "attribute of the layout without a definition")
        cleaner.out += after
        return base
    cleaner.out += cleaner.cleaned(cleaner.tokens[base:i])
    opening = cleaner.tokens[i]
    i = cleaner.copy(i)
    cleaner.push(opening, Inside.OTHER)
    bracket = cleaner.stack[-1]
    bracket.aggregate = keyword.text
    bracket.layout = before_tag + after
    bracket.packing = cleaner.packing
    return i


def end_of_body(cleaner: Cleaner, i: int, closed: OpenBracket) -> int:
    """Writes the attributes of the definition whose body ended before `i`; returns what follows."""
    i, after = attributes.read(cleaner, i)
    if closed.aggregate != "enum":
        if closed.packing != cleaner.packing:
            cleaner.refuse(closed.token, "#pragma pack that changes inside of a definition")
        if closed.packing:
            cleaner.out += _packed(closed.token, closed.packing)
    cleaner.out += closed.layout + after
    return i


def _after_underlying_type(cleaner: Cleaner, i: int) -> int:
    """Returns the index of the brace if `: unsigned {` (C23) begins at `i`; otherwise `i`."""
    if cleaner.text(i) != ":":
        return i
    j = i
    while cleaner.text(j) not in ("{", ";", ",", ")", ""):
        j += 1
    return j if cleaner.text(j) == "{" else i


def _packed(at: Token, packing: int) -> list[Token]:
    """The tokens that say the packing of a definition."""
    return [
        made(at, IDENT, PACKING),
        made(at, PUNCTUATOR, "("),
        made(at, NUMBER, str(packing)),
        made(at, PUNCTUATOR, ")"),
    ]
