"""The heads of structs, unions and enumerations."""

from __future__ import annotations

from abpress.errors import Position
from abpress_frontend.clean import attributes
from abpress_frontend.clean.cleaner import Cleaner, Inside
from abpress_frontend.gnu import Attribute
from abpress_frontend.tokens import IDENT, Token

_NATURAL_PACKING = (0, 1, 8, 16)  # none, or handled as an attribute, or no restriction


def aggregate(cleaner: Cleaner, i: int) -> int:
    """Rewrites `struct`, `union` or `enum` up to its tag or brace, with the attributes between."""
    is_enum = cleaner.text(i) == "enum"
    before_tag = cleaner.copy(i)
    i = attributes.skip(cleaner, before_tag)
    tag: Token | None = None
    if i < len(cleaner.tokens) and cleaner.tokens[i].kind == IDENT:
        tag = cleaner.tokens[i]
        i += 1
    after_tag = i
    base = attributes.skip(cleaner, after_tag)
    i = _after_underlying_type(cleaner, base) if is_enum else base
    opening = cleaner.tokens[i] if cleaner.text(i) == "{" else None
    at = tag or opening
    where = at.position if at is not None else None
    attributes.read(cleaner, before_tag, where)
    if tag is not None:
        cleaner.out.append(tag)
    attributes.read(cleaner, after_tag, where)
    cleaner.out += cleaner.tokens[base:i]
    if opening is None:
        return i
    _pack(cleaner, opening, is_enum, where)
    i = cleaner.copy(i)
    cleaner.push(opening, Inside.OTHER, where)
    return i


def _after_underlying_type(cleaner: Cleaner, i: int) -> int:
    """Returns the index of the brace if `: unsigned {` (C23) begins at `i`; otherwise `i`."""
    if cleaner.text(i) != ":":
        return i
    j = i
    while cleaner.text(j) not in ("{", ";", ",", ")", ""):
        j += 1
    return j if cleaner.text(j) == "{" else i


def _pack(cleaner: Cleaner, opening: Token, is_enum: bool, where: Position | None) -> None:
    """Applies `#pragma pack` to the aggregate whose body begins with `opening`."""
    packing = cleaner.packing[-1]
    if packing == 1 and not is_enum:
        attribute = Attribute("packed", "", opening.position, where)
        cleaner.attributes.append((len(cleaner.out), attribute))
    elif packing not in _NATURAL_PACKING:
        cleaner.refuse(opening, f"#pragma pack({packing})")
