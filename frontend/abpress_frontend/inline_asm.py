"""An `asm` statement of GNU C as a call that the C parser understands."""

from __future__ import annotations

from collections.abc import Callable

from abpress.errors import InputError
from abpress_frontend.gnu import ASM
from abpress_frontend.tokens import IDENT, PUNCTUATOR, STRING, Token

_OPERANDS = (1, 2)  # outputs and inputs, counted by colons
_CLOBBERS = 3


def asm_call(
    keyword: Token,
    tokens: list[Token],
    opening: int,
    end: int,
    match: Callable[[int], int],
    inner: Callable[[list[Token]], list[Token]],
) -> list[Token]:
    """`__abp_asm("template", "constraint", operand, ..., "~clobber", ...)`.

    The parentheses of the statement stand at `opening` and `end`; `match` finds the bracket that
    closes another, `inner` cleans an operand. Names of operands are left out.
    """
    out = [_made(keyword, IDENT, ASM), _made(keyword, PUNCTUATOR, "(")]
    section = 0
    i = opening + 1
    while i < end:
        part = tokens[i]
        if part.text in (":", "::", ","):
            section += 0 if part.text == "," else len(part.text)
            i += 1
        elif section in _OPERANDS and part.text == "[":
            i = match(i) + 1
        elif section in _OPERANDS and part.text == "(":
            close = match(i)
            out.append(_made(part, PUNCTUATOR, ","))
            out += inner(tokens[i : close + 1])
            i = close + 1
        elif part.kind == STRING:
            continued = section == 0 or tokens[i - 1].kind == STRING
            if not continued:
                out.append(_made(part, PUNCTUATOR, ","))
                if section == _CLOBBERS:
                    out.append(_made(part, STRING, '"~"'))
            out.append(part)
            i += 1
        else:
            raise InputError(f"unexpected {part.text} in asm", part.position)
    out.append(_made(tokens[end], PUNCTUATOR, ")"))
    return out


def _made(at: Token, kind: str, text: str) -> Token:
    return Token(kind, text, at.line, at.column, at.file, True)
