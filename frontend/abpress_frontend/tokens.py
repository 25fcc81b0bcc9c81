"""Tokens of C text, with exact positions: translation phases 1 to 3 of C11 5.1.1.2.

The tokens are preprocessing tokens. Comments vanish, except that an ACSL assertion
(`//@ assert e;`) becomes the tokens `__abp_acsl_assert ((e) != 0);`. A character that starts no
token is a token of kind `BAD`: it is an error only if it survives preprocessing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from abpress.errors import InputError, Position, UnsupportedError, printable

IDENT = "identifier"
NUMBER = "number"
STRING = "string"
CHARACTER = "character"
PUNCTUATOR = "punctuator"
PRAGMA = "pragma"
BAD = "bad"

OWN_PREFIX = "__abp_"
"""How names begin that only the headers, the models and the frontend itself may use."""
ACSL_ASSERT = "__abp_acsl_assert"


@dataclass(slots=True)
class Token:
    """One preprocessing token. Never changed once made; not frozen because making it is hot.

    `space` says that white space precedes it, `first` that it is the first of its logical line;
    `hidden` are the macros that it may no longer be expanded as (its hide set).
    """

    kind: str
    text: str
    line: int
    column: int
    file: str
    space: bool = False
    first: bool = False
    hidden: frozenset[str] | None = None

    @property
    def position(self) -> Position:
        return Position(self.file, self.line, self.column)


# The quantifiers are possessive, so that a missing closing quote costs one scan, not a power.
_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\f\v\r]+)
  | (?P<newline>\n)
  | (?P<string>(?:u8|[LuU])?"(?:[^"\\\n]++|\\[^\n])*+")
  | (?P<character>(?:u8|[LuU])?'(?:[^'\\\n]++|\\[^\n])*+')
  | (?P<identifier>(?:[^\W\d]|\$)(?:\w|\$)*+)
  | (?P<comment>//[^\n]*+|/\*(?s:.*?)\*/)
  | (?P<unterminated>/\*)
  | (?P<number>\.?[0-9](?:[eEpP][-+]|[0-9A-Za-z_.]|'(?=\w))*+)
  | (?P<marker>\#[ \t]*+(?:line[ \t]++)?[0-9][^\n]*+)
  | (?P<punctuator>\.\.\.|<:|:>|<%|%>|%:%:|%:|<<=|>>=|->|\+\+|--|<<|>>|&&|\|\||\#\#|::
       |[-+*/%&|^=!<>]=|[-+*/%&|^=!<>~?:;,.(){}\[\]\#])
  | (?P<bad>.)
    """,
    re.VERBOSE,
)
_DIRECTIVES = {"%:": "#", "%:%:": "##"}
_BRACKETS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}"}
"""Digraphs (C11 6.4.6p3): those of directives lose their spelling at once, the others after
preprocessing, in which the operator `#` shows it."""

_SPLICE = re.compile(r"\\[ \t]*\n")
_MARKER = re.compile(r'#[ \t]*(?:line[ \t]+)?([0-9]+)(?:[ \t]+"((?:[^"\\]|\\.)*)"(.*))?')
LINE_DIGITS = 10
"""Of the number of a line, at most."""
_ACSL = re.compile(r"(?://|/\*)@\s*(assert|check)\b(.*)", re.DOTALL)
_ACSL_TRUTH = re.compile(r"\\(true|false)\b")


def _splice(text: str) -> tuple[str, list[int]]:
    """Join continued lines; also the offsets of the new text at which an old line began."""
    pieces: list[str] = []
    breaks: list[int] = []
    length = start = 0
    for match in _SPLICE.finditer(text):
        piece = text[start : match.start()]
        pieces.append(piece)
        length += len(piece)
        breaks.append(length)
        start = match.end()
    pieces.append(text[start:])
    return "".join(pieces), breaks


def tokenise(
    text: str, file: str, *, markers: bool = True, directives: bool = False, own: bool = False
) -> list[Token]:
    """The tokens of `text`, whose lines end in `\\n`.

    With `markers`, the line markers of preprocessed text (`# 1 "file.c"`, `#line 1`) set line and
    file of what follows; without, positions are those in the text itself. With `directives` they
    are tokens like other directives, which the preprocessor obeys.
    Text that is not our `own` has none of the names that we keep for ourselves.
    Raises InputError for such a name, and for a comment that does not end.
    """
    breaks: list[int] = []
    if "\\" in text:
        text, breaks = _splice(text)
    end_of_text = len(text) + 1
    next_break = breaks[0] if breaks else end_of_text
    pending = 1
    line, line_start = 1, 0
    space, first = False, True
    tokens: list[Token] = []
    append = tokens.append
    reserved = not own and OWN_PREFIX in text
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        start = match.start()
        while start >= next_break:
            line += 1
            line_start = max(line_start, next_break)
            next_break = breaks[pending] if pending < len(breaks) else end_of_text
            pending += 1
        if kind == "space":
            space = True
            continue
        if kind == "newline":
            line += 1
            line_start = start + 1
            first = True
            continue
        value = match.group()
        if kind == "comment":
            if value[2:3] == "@":
                comment = Token(PUNCTUATOR, value, line, start - line_start + 1, file, True, first)
                tokens.extend(_acsl_assertion(comment))
            lines = value.count("\n")
            if lines:
                line += lines
                line_start = start + value.rfind("\n") + 1
            space = True
            continue
        if kind == "marker" and not first:
            kind, value = BAD, "#"
        if kind == "marker" and directives:
            column = start - line_start + 1
            append(Token(PUNCTUATOR, "#", line, column, file, space, True))
            rest = tokenise(value[1:], file, own=own)
            tokens += [Token(t.kind, t.text, line, column + t.column, file, True) for t in rest]
            space = first = False
            continue
        if kind == "marker":
            if markers and (parts := _MARKER.match(value)):
                if len(parts[1]) > LINE_DIGITS:
                    raise InputError("line number too large", Position(file, line, 1))
                line = int(parts[1]) - 1
                if parts[2] is not None:
                    file = printable(re.sub(r"\\(.)", r"\1", parts[2]))
            continue
        if kind == "unterminated":
            raise InputError("unterminated comment", Position(file, line, start - line_start + 1))
        if reserved and kind == "identifier" and value.startswith(OWN_PREFIX):
            at = Position(file, line, start - line_start + 1)
            raise InputError(f"{value[:40]}: names with {OWN_PREFIX} are AbPress's own", at)
        if value in _DIRECTIVES:
            value = _DIRECTIVES[value]
        append(Token(kind or BAD, value, line, start - line_start + 1, file, space, first))
        space = first = False
    return tokens


def _acsl_assertion(comment: Token) -> Iterator[Token]:
    """The tokens of an ACSL assertion; nothing for an annotation of another kind.

    Raises UnsupportedError for an assertion that is not a plain C expression.
    """
    match = _ACSL.match(comment.text)
    if match is None:
        return
    where = comment.position
    body = match[2].removesuffix("*/").rstrip().removesuffix("@").rstrip()
    body = _ACSL_TRUTH.sub(lambda word: "10"[word[1] == "false"], body)
    unsupported = UnsupportedError(f"ACSL assertion that is not a C expression: {body}", where)
    if not body.endswith(";") or ";" in body[:-1] or "\\" in body or "==>" in body:
        raise unsupported
    inner = [
        Token(t.kind, t.text, comment.line, comment.column, comment.file, t.space)
        for t in tokenise(body[:-1].replace("@", " "), comment.file, markers=False)
    ]
    texts = [t.text for t in inner]
    if not inner or ":" in texts or "::" in texts or _chained(texts):
        raise unsupported
    first = comment.first
    for text in (ACSL_ASSERT, "(", "("):
        kind = IDENT if text == ACSL_ASSERT else PUNCTUATOR
        yield Token(kind, text, comment.line, comment.column, comment.file, True, first)
        first = False
    yield from inner
    for text in (")", "!=", "0", ")", ";"):
        kind = NUMBER if text == "0" else PUNCTUATOR
        yield Token(kind, text, comment.line, comment.column, comment.file)


_RELATIONS = frozenset({"<", ">", "<=", ">=", "==", "!="})


def _chained(texts: list[str]) -> bool:
    """Whether relations are chained (`0 <= x < 5`), which ACSL and C read differently."""
    relations = [0]
    for text in texts:
        if text in "([":
            relations.append(0)
        elif text in ")]":
            if len(relations) > 1:
                relations.pop()
        elif text in ("&&", "||", "?", ","):
            relations[-1] = 0
        elif text in _RELATIONS:
            relations[-1] += 1
            if relations[-1] > 1:
                return True
    return False


def without_digraphs(tokens: list[Token]) -> list[Token]:
    """The tokens after preprocessing, with brackets and braces for the digraphs that mean them."""
    return [
        Token(t.kind, _BRACKETS[t.text], t.line, t.column, t.file, t.space, t.first, t.hidden)
        if t.text in _BRACKETS
        else t
        for t in tokens
    ]


def spelling(tokens: list[Token]) -> str:
    """The tokens as text, with a space where white space was between them."""
    parts: list[str] = []
    for i, token in enumerate(tokens):
        parts.append(f" {token.text}" if i and token.space else token.text)
    return "".join(parts)
