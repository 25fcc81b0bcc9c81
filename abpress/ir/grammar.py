"""The tree of a textual program or expression, by `grammar.lark`, and what its tokens spell."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from abpress.errors import InputError, Position

Node = Any
"""A lark tree or token; the grammar guarantees the shapes that are taken apart here."""


@cache
def _parser() -> Lark:
    grammar = files("abpress.ir").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=True, start=["start", "expr"])


def parse_tree(text: str, start: str, name: str) -> Node:
    """Returns the tree of `text`, for the rule `start` ("start" for a program, or "expr").

    Raises InputError with the line and column in `name` where the text is not of the form.
    """
    try:
        return _parser().parse(text, start=start)
    except UnexpectedInput as error:
        raise _syntax_error(error, text, name) from error


def _syntax_error(error: UnexpectedInput, text: str, name: str) -> InputError:
    if isinstance(error, UnexpectedEOF) or (
        isinstance(error, UnexpectedToken) and error.token.type == "$END"
    ):
        lines = text.split("\n")
        position = Position(name, len(lines), len(lines[-1]) + 1)
        return InputError("unexpected end of the program text", position)
    position = Position(name, error.line, error.column)
    if isinstance(error, UnexpectedCharacters):
        return InputError(f"unexpected character {error.char!r}", position)
    assert isinstance(error, UnexpectedToken)
    return InputError(f"unexpected {str(error.token)!r}", position)


def misplaced(file: str, node: Node, message: str) -> InputError:
    """Returns the error for a node that is of the form but cannot be; it has its position."""
    token = node if isinstance(node, Token) else next(node.scan_values(lambda _: True), None)
    line, column = (token.line, token.column) if token is not None else (0, 0)
    return InputError(message, Position(file, line or 0, column or 0))


def name_of(tree: Node) -> str:
    """Returns the name that a node is, as `unquoted`."""
    return unquoted(str(tree.children[0]))


def unquoted(name: str) -> str:
    """Returns a name without its backquotes and escapes."""
    if not name.startswith("`"):
        return name
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], name[1:-1])


def string_of(token: Token) -> str:
    """Returns the characters of a string token."""
    value = json.loads(token, strict=False)
    assert isinstance(value, str)
    return value
