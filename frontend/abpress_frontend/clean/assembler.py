"""Inline assembler: an `asm` statement becomes a call that the C parser understands."""

from __future__ import annotations

import itertools
import re

from abpress.errors import InputError, UnsupportedError
from abpress_frontend.clean.cleaner import Cleaner, made
from abpress_frontend.clean.x86.operands import Operand
from abpress_frontend.clean.x86.translate import translated
from abpress_frontend.gnu import ASM, ASM_LABEL, Attribute
from abpress_frontend.tokens import IDENT, PUNCTUATOR, STRING, Token, tokenise

_STATEMENT_AFTER = frozenset({";", "{", "}", ":", ")", "else", "do"})
_QUALIFIERS = frozenset({"volatile", "__volatile__", "__volatile", "inline", "__inline__"})
_OPERANDS = (1, 2)  # outputs and inputs, counted by colons
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
        cleaner.out += _statement(cleaner, token, j, end)
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


def _statement(cleaner: Cleaner, keyword: Token, opening: int, end: int) -> list[Token]:
    """The statement as C, or, if it is not known what it does, a call that is refused."""
    literals, operands, expressions = _parts(cleaner, opening, end)
    names = {name: number for number, (name, _) in enumerate(expressions) if name}
    literal = "".join(token.text[token.text.index('"') + 1 : -1] for token in literals)
    template = _ESCAPE.sub(lambda e: {"n": "\n", "t": " "}.get(e[1], e[1]), literal)
    template = _NAMED.sub(lambda o: f"%{o[1]}{names.get(o[2], len(names))}", template)
    text = translated(template, operands)
    places = zip(operands, expressions, strict=True)
    if text is None or any(o.is_output and _has_effect(e) for o, (_, e) in places):
        return _refused(keyword, literals)  # the place of an output would be found twice
    out: list[Token] = []
    for piece in re.split(r"(@\d+@)", text):
        if piece.startswith("@"):
            out += expressions[int(piece.strip("@"))][1]
        else:
            made_of = tokenise(piece, keyword.file, markers=False, own=True)
            out += [made(keyword, token.kind, token.text) for token in made_of]
    return cleaner.cleaned(out)


def _has_effect(expression: list[Token]) -> bool:
    """Whether there may be a call or an assignment in it."""
    texts = [token.text for token in expression]
    calls = any(
        word.kind == IDENT and word.text not in _NO_CALLS and after.text == "("
        for word, after in itertools.pairwise(expression)
    )
    return calls or any(
        t in ("++", "--") or (t.endswith("=") and t not in _COMPARED) for t in texts
    )


_NO_CALLS = frozenset({"sizeof", "typeof", "__typeof__", "__typeof"})
_COMPARED = frozenset({"==", "!=", "<=", ">="})
_ESCAPE = re.compile(r"\\([nt\"\\])")
_NAMED = re.compile(r"%([a-zA-Z]?)\[(\w+)\]")


def _parts(
    cleaner: Cleaner, opening: int, end: int
) -> tuple[list[Token], list[Operand], list[tuple[str, list[Token]]]]:
    """The literals of the template, and the operands with their names and expressions.

    The parentheses of the statement stand at `opening` and `end`. Raises InputError.
    """
    tokens = cleaner.tokens
    template: list[Token] = []
    operands: list[Operand] = []
    expressions: list[tuple[str, list[Token]]] = []
    section, constraint, name = 0, "", ""
    i = opening + 1
    while i < end:
        part = tokens[i]
        if part.text in (":", "::"):
            section += len(part.text)
        elif part.kind == STRING and section == 0:
            template.append(part)
        elif part.kind == STRING:
            constraint += part.text[part.text.index('"') + 1 : -1]
        elif section in _OPERANDS and part.text == "[":
            name = tokens[i + 1].text
            i = cleaner.match(i)
        elif section in _OPERANDS and part.text == "(":
            close = cleaner.match(i)
            operands.append(Operand(constraint, section == 1))
            expressions.append((name, tokens[i + 1 : close]))
            constraint, name, i = "", "", close
        elif part.text != ",":
            raise InputError(f"unexpected {part.text} in asm", part.position)
        i += 1
    return template, operands, expressions


def _refused(keyword: Token, literals: list[Token]) -> list[Token]:
    """Returns `__abp_asm("template")`, which is refused where it is lowered."""
    out = [made(keyword, IDENT, ASM), made(keyword, PUNCTUATOR, "("), *literals]
    return [*out, made(keyword, PUNCTUATOR, ")")]
