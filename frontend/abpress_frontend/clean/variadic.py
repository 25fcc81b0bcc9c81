"""Variable arguments: the words of <stdarg.h>, in C that assigns to the list.

A list points to the next argument. An argument has a slot of SLOT bytes, or more.
"""

from __future__ import annotations

from abpress_frontend.clean.cleaner import Cleaner, made
from abpress_frontend.gnu import SLOT, VARIABLE_ARGUMENTS
from abpress_frontend.tokens import IDENT, NUMBER, PUNCTUATOR, Token

_PLACE = frozenset({".", "->", "*", "&", "(", ")", "[", "]"})
"""What a list may be written with, as it is written more than once."""


def start(cleaner: Cleaner, i: int) -> int:
    """`va_start(list, last)`: the list points to the first argument behind those with names."""
    return _rewritten(cleaner, i, f"((@0) = {VARIABLE_ARGUMENTS}())", 1)


def argument(cleaner: Cleaner, i: int) -> int:
    """`va_arg(list, type)`: the argument that the list points to; then it points to the next."""
    size = f"((sizeof(@1) + {SLOT - 1}) / {SLOT} * {SLOT})"
    next_one = f"(void *)((char *)(@0) + {size})"
    text = f"(*(@1 *)((@0) = {next_one}, (void *)((char *)(@0) - {size})))"
    return _rewritten(cleaner, i, text, 2)


def copy(cleaner: Cleaner, i: int) -> int:
    """`va_copy(target, source)`: an assignment."""
    return _rewritten(cleaner, i, "((@0) = (@1))", 2)


def end(cleaner: Cleaner, i: int) -> int:
    """`va_end(list)`: nothing."""
    return _rewritten(cleaner, i, "((void)0)", 0)


def _rewritten(cleaner: Cleaner, i: int, text: str, used: int) -> int:
    """Writes a text in the place of a call, with the arguments for @0 and @1."""
    word = cleaner.tokens[i]
    close = cleaner.argument_end(i)
    parts = _parts(cleaner.tokens[i + 2 : close])
    if len(parts) < used:
        cleaner.refuse(word, f"{word.text} with fewer arguments")
        return cleaner.copy(i)
    if used and not all(_may_be_repeated(token) for token in parts[0]):
        cleaner.refuse(word, f"{word.text} of a list that is no simple variable")
    written = [cleaner.cleaned(part) for part in parts[:used]]
    for piece in text.replace("(", " ( ").replace(")", " ) ").replace(" *)", " * )").split():
        if piece.startswith("@"):
            cleaner.out += written[int(piece[1])]
        else:
            kind = NUMBER if piece.isdigit() else IDENT if piece[0].isalpha() else PUNCTUATOR
            cleaner.out.append(made(word, IDENT if piece[0] == "_" else kind, piece))
    return close + 1


def _parts(tokens: list[Token]) -> list[list[Token]]:
    """The arguments of a call."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _may_be_repeated(token: Token) -> bool:
    return token.kind in (IDENT, NUMBER) or token.text in _PLACE
