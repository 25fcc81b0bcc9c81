"""Annotations: comments `//@ word text` (or `/*@ word text */`) that stand before a function.

They are read from the text of one file as it is written: nothing is preprocessed, so that an
annotation can neither come from an included file nor vanish with a condition. What the C code
means is not looked at beyond the names and types in the function's head.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from abpress.errors import InputError, Position, UnsupportedError
from abpress_frontend.source_files import decode, read_bytes
from abpress_frontend.tokens import IDENT, Token, tokenise

_COMMENT = re.compile(
    r"""
    "(?:[^"\\\n]|\\.)*+" | '(?:[^'\\\n]|\\.)*+'
  | (?P<comment>//[^\n]*+|/\*(?s:.*?)\*/)
    """,
    re.VERBOSE,
)
_MARKED = re.compile(r"(?:/\*|//)@\s*(\w+)[ \t]*")


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a function: its name, the tokens of its result type, and its parameters.

    A parameter is its tokens; there is none for `(void)` and `()`.
    """

    name: str
    result: tuple[str, ...]
    parameters: tuple[tuple[str, ...], ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Annotation:
    """`word` and the `text` after it, where each begins, and the function that comes next."""

    word: str
    text: str
    position: Position
    text_position: Position
    head: Head


def read_annotations(file: Path, words: Sequence[str]) -> tuple[Annotation, ...]:
    """The annotations of a C file that begin with one of the `words`, in order.

    Raises InputError for a file that cannot be read, for an annotation with another word (except
    the assertions that the frontend understands), and for one that no function follows;
    UnsupportedError for a head that is not read here.
    """
    name = str(file)
    text = decode(read_bytes(file), name)
    tokens = tokenise(text, name, markers=False)
    found = []
    for match in _COMMENT.finditer(text):
        marked = _MARKED.match(match["comment"] or "")
        if marked is None or marked[1] in _ASSERTIONS:
            continue
        position = _position(name, text, match.start())
        if marked[1] not in words:
            known = ", ".join(words)
            raise InputError(f"unknown annotation '{marked[1]}' (known: {known})", position)
        body = match["comment"][marked.end() :].removesuffix("*/").rstrip()
        end = _position(name, text, match.end())
        after = [t for t in tokens if (t.line, t.column) >= (end.line, end.column)]
        begin = _position(name, text, match.start() + marked.end())
        found.append(Annotation(marked[1], body, position, begin, _head(after, position)))
    return tuple(found)


_ASSERTIONS = frozenset({"assert", "check"})
_NO_NAMES = frozenset({"__attribute__", "__declspec", "_Alignas", "_Atomic", "typeof"})


def _position(name: str, text: str, offset: int) -> Position:
    start = text.rfind("\n", 0, offset) + 1
    return Position(name, text.count("\n", 0, offset) + 1, offset - start + 1)


def _head(tokens: Sequence[Token], position: Position) -> Head:
    """The head of the function that the tokens begin with. Raises InputError if they do not."""
    nothing = InputError("no function follows the annotation", position)
    opening = next((i for i, t in enumerate(tokens) if t.text in ("(", ";", "{", "=", "#")), 0)
    if opening < 1 or tokens[opening].text != "(" or tokens[opening - 1].kind != IDENT:
        raise nothing
    name = tokens[opening - 1]
    if name.text in _NO_NAMES:
        raise UnsupportedError(f"{name.text} in the head of an annotated function", name.position)
    if opening == 1:
        raise nothing
    parameters: list[list[str]] = [[]]
    depth = 0
    for token in tokens[opening:]:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0:
            break
        if depth == 1 and token.text == ",":
            parameters.append([])
        elif (depth, token.text) != (1, "("):
            parameters[-1].append(token.text)
    else:
        raise nothing
    if parameters in ([[]], [["void"]]):
        parameters = []
    result = tuple(t.text for t in tokens[: opening - 1])
    return Head(name.text, result, tuple(map(tuple, parameters)), name.position)
