"""Inline assembler: an `asm` statement becomes a call that the C parser understands."""

from __future__ import annotations

import re

from abpress.errors import InputError, UnsupportedError
from abpress_frontend.clean.cleaner import Cleaner, made
from abpress_frontend.gnu import ASM, ASM_LABEL, Attribute
from abpress_frontend.tokens import IDENT, PUNCTUATOR, STRING, Token

_STATEMENT_AFTER = frozenset({";", "{", "}", ":", ")", "else", "do"})
_QUALIFIERS = frozenset({"volatile", "__volatile__", "__volatile", "inline", "__inline__"})
_OPERANDS = (1, 2)  # outputs and inputs, counted by colons
_CLOBBERS = 3
_HARMLESS = re.compile(r"(\\[nt]|\s|;|\.(globl|ident|symver|file)\b[^\n;\\]*)*")


def asm(cleaner: Cleaner, i: int) -> int:
    """Makes a call of an `asm` statement.

    Assembler outside functions that makes nothing is dropped with a warning; the name in assembler
    of a declaration is recorded, the register of a variable refused. Raises UnsupportedError for
    other assembler outside functions and for `asm goto`.
    """
    token = cleaner.tokens[i]
    j = i + 1
    while cleaner.text(j) in _QUALIFIERS:
        j += 1
    has_qualifier = j > i + 1
    if cleaner.text(j) == "goto":
        raise UnsupportedError("asm goto", token.position)
    end = cleaner.argument_end(j - 1)
    if cleaner.is_in_block() and (has_qualifier or cleaner.previous() in _STATEMENT_AFTER):
        cleaner.out += _call(cleaner, token, j, end)
    elif not cleaner.stack and cleaner.previous() in ("", ";", "}"):
        text = _text(cleaner, j, end)
        if not _HARMLESS.fullmatch(text):
            raise UnsupportedError("assembler outside functions", token.position)
        cleaner.warnings.append(f"{token.position}: assembler outside functions is ignored")
        return end + 1 + (cleaner.text(end + 1) == ";")
    elif _is_register(cleaner.out):
        cleaner.refuse(token, "register variable bound by asm")
    else:
        label = Attribute(ASM_LABEL, _text(cleaner, j, end), token.position)
        cleaner.attributes.append((len(cleaner.out), label))
    return end + 1


def _text(cleaner: Cleaner, opening: int, end: int) -> str:
    """The text of the string literals between the parentheses."""
    literals = cleaner.tokens[opening + 1 : end]
    return "".join(t.text[t.text.index('"') + 1 : -1] for t in literals if t.kind == STRING)


def _is_register(out: list[Token]) -> bool:
    """Whether the declaration that `out` ends in has the word `register`."""
    for token in reversed(out):
        if token.text in (";", "{", "}"):
            return False
        if token.text == "register":
            return True
    return False


def _call(cleaner: Cleaner, keyword: Token, opening: int, end: int) -> list[Token]:
    """Returns `__abp_asm("template", "constraint", operand, ..., "~clobber", ...)`.

    The parentheses of the statement stand at `opening` and `end`. Names of operands are left out.
    """
    tokens = cleaner.tokens
    out = [made(keyword, IDENT, ASM), made(keyword, PUNCTUATOR, "(")]
    section = 0
    i = opening + 1
    while i < end:
        part = tokens[i]
        if part.text in (":", "::", ","):
            section += 0 if part.text == "," else len(part.text)
            i += 1
        elif section in _OPERANDS and part.text == "[":
            i = cleaner.match(i) + 1
        elif section in _OPERANDS and part.text == "(":
            close = cleaner.match(i)
            out.append(made(part, PUNCTUATOR, ","))
            out += cleaner.cleaned(tokens[i : close + 1])
            i = close + 1
        elif part.kind == STRING:
            continued = section == 0 or tokens[i - 1].kind == STRING
            if not continued:
                out.append(made(part, PUNCTUATOR, ","))
                if section == _CLOBBERS:
                    out.append(made(part, STRING, '"~"'))
            out.append(part)
            i += 1
        else:
            raise InputError(f"unexpected {part.text} in asm", part.position)
    out.append(made(tokens[end], PUNCTUATOR, ")"))
    return out
