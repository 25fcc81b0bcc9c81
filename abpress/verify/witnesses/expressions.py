"""Expressions of witnesses, before they are put into a program: they only read.

A witness is the text of somebody else. What stands in it for an expression must be one, and change
nothing, or an execution of the program with the observing code would be none of the program.

NOTE(observing-code)
"""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import Path

from abpress.errors import InputError, Position, UnsupportedError
from abpress.witness.standard.model import GhostVariable
from abpress_frontend.tokens import CHARACTER, IDENT, NUMBER, OWN_PREFIX, PUNCTUATOR, tokenise

_OPERATOR = re.compile(r"[()\[\]<>!+\-*/%&|^~.?:,]|->|[<>=!]=|<<|>>|&&|\|\|")
_TYPE = re.compile(r"[A-Za-z_]\w*( [A-Za-z_]\w*)*")
_SIZES = frozenset({"sizeof", "_Alignof"})
_OURS = (OWN_PREFIX, "__VERIFIER", "__builtin")
_TYPE_WORDS = frozenset(
    {"char", "short", "int", "long", "unsigned", "signed", "_Bool", "bool", "const", "void", "*"}
)


def reading(text: str, place: Position, own: str = "") -> str:
    """The text, which is an expression of C that calls and writes nothing; of the names that only
    the tool may use it may have `own`. Raises InputError with the place in the witness."""
    words: list[str] = []
    for token in tokenise(text, "the witness", own=True):
        known = token.kind in (IDENT, NUMBER, CHARACTER)
        if not known and not (token.kind == PUNCTUATOR and _OPERATOR.fullmatch(token.text)):
            raise InputError(f"{token.text!r} in the expression {text}", place)
        if token.kind == IDENT and token.text.startswith(_OURS) and token.text != own:
            raise InputError(f"{token.text} in the expression {text}", place)
        if token.text == "(":
            _require_no_call(words, text, place)
        words.append(token.text)
    depths = [0]
    for word in words:
        depths.append(depths[-1] + {"(": 1, "[": 1, ")": -1, "]": -1}.get(word, 0))
    if not words or min(depths) < 0 or depths[-1] != 0:
        raise InputError(f"{text!r} is not an expression of C", place)
    return text


def _require_no_call(before: list[str], text: str, place: Position) -> None:
    """Raises InputError where a parenthesis behind these words begins the arguments of a call, and
    UnsupportedError where it does unless a name is that of a type."""
    last = before[-1] if before else ""
    if last == "]" or (re.fullmatch(r"[A-Za-z_$][\w$]*", last) and last not in _SIZES):
        raise InputError(f"a call in the expression {text}", place)
    if last == ")":
        opening = len(before) - 1 - before[::-1].index("(")
        inside = before[opening + 1 : -1]
        if not inside or not _TYPE_WORDS.issuperset(inside):
            raise UnsupportedError(f"a cast or a call in the expression {text}", place)


def require_ghost(ghost: GhostVariable, names: Container[str], file: Path, place: Position) -> None:
    """Raises InputError unless the variable is one of a simple type that the program does not name,
    so that its updates change nothing of the program: neither its text nor what macros and headers
    make of it, `names`."""
    if not _TYPE.fullmatch(ghost.type):
        raise InputError(f"the type {ghost.type!r} of {ghost.name}", place)
    if ghost.name.startswith(OWN_PREFIX):
        raise InputError(f"the name {ghost.name} is not for witnesses", place)
    text = file.read_text(encoding="utf-8", errors="replace")
    if ghost.name in names or re.search(rf"\b{re.escape(ghost.name)}\b", text):
        raise InputError(f"the program has a name {ghost.name} of its own", place)
    reading(ghost.initial, place)
