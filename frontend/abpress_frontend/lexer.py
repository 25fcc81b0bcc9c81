"""Cleaned tokens as the lexer of pycparser: no text is built and scanned again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pycparser.c_lexer import CLexer
from pycparser.c_lexer import Token as ParserToken

from abpress.errors import InputError, UnsupportedError
from abpress_frontend.gnu import LAYOUT_WORDS
from abpress_frontend.tokens import IDENT, NUMBER, PUNCTUATOR, STRING, Token

# The parser runs in its C23 mode, which knows `typeof` and inferred types, but with this table,
# in which no name of older programs (`bool`, `true`, `nullptr`) is a keyword.
_WORDS = """
auto break case char const continue default do double else enum extern float for goto if inline
int long register restrict return short signed sizeof static struct switch typedef union unsigned
void volatile while typeof typeof_unqual __int128 __builtin_va_arg
_Bool _Complex _Noreturn _Thread_local _Static_assert _Atomic _Alignof _Alignas _Generic
_BitInt _Decimal32 _Decimal64 _Decimal128
"""
KEYWORDS: dict[str, str] = {
    **dict.fromkeys(sorted(LAYOUT_WORDS), "_ALIGNAS"),
    **dict.fromkeys(("__alignof__", "__alignof"), "_ALIGNOF"),
    **{word: word.upper() for word in _WORDS.split()},
    "__builtin_offsetof": "OFFSETOF",
}

_PUNCTUATORS = {
    "...": "ELLIPSIS",
    "<<=": "LSHIFTEQUAL",
    ">>=": "RSHIFTEQUAL",
    "++": "PLUSPLUS",
    "--": "MINUSMINUS",
    "->": "ARROW",
    "&&": "LAND",
    "||": "LOR",
    "<<": "LSHIFT",
    ">>": "RSHIFT",
    "<=": "LE",
    ">=": "GE",
    "==": "EQ",
    "!=": "NE",
    "*=": "TIMESEQUAL",
    "/=": "DIVEQUAL",
    "%=": "MODEQUAL",
    "+=": "PLUSEQUAL",
    "-=": "MINUSEQUAL",
    "&=": "ANDEQUAL",
    "|=": "OREQUAL",
    "^=": "XOREQUAL",
    "=": "EQUALS",
    "+": "PLUS",
    "-": "MINUS",
    "*": "TIMES",
    "/": "DIVIDE",
    "%": "MOD",
    "|": "OR",
    "&": "AND",
    "~": "NOT",
    "^": "XOR",
    "!": "LNOT",
    "<": "LT",
    ">": "GT",
    "?": "CONDOP",
    "(": "LPAREN",
    ")": "RPAREN",
    "[": "LBRACKET",
    "]": "RBRACKET",
    "{": "LBRACE",
    "}": "RBRACE",
    ",": "COMMA",
    ".": "PERIOD",
    ";": "SEMI",
    ":": "COLON",
}
SPELLINGS = {kind: text for text, kind in _PUNCTUATORS.items()} | {
    kind: text for text, kind in KEYWORDS.items()
}

_SUFFIX = r"(?:[uU](?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU]?)?"
_NUMBER = re.compile(
    rf"""(?:
    (?P<INT_CONST_HEX>0[xX][0-9a-fA-F]+{_SUFFIX})
  | (?P<INT_CONST_BIN>0[bB][01]+{_SUFFIX})
  | (?P<INT_CONST_OCT>0[0-7]*{_SUFFIX})
  | (?P<INT_CONST_DEC>[1-9][0-9]*{_SUFFIX})
  | (?P<FLOAT_CONST>(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?[fFlL]?
      |[0-9]+[eE][-+]?[0-9]+[fFlL]?)
  | (?P<HEX_FLOAT_CONST>0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][-+]?[0-9]+[fFlL]?)
    )$""",
    re.VERBOSE,
)
_OTHER_FLOAT = re.compile(
    r"(?:[0-9.]+(?:[eE][-+]?[0-9]+)?)(?:[ijIJ]|[fFdD][0-9x]+|[qQwW]|[dD][dflDFL])+$"
)
_PREFIXES = {"": "", "L": "W", "u8": "U8", "u": "U16", "U": "U32"}
_ESCAPE = re.compile(r"\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)")


def classify(token: Token) -> ParserToken:
    """The token as pycparser wants it. Raises for a malformed or unsupported literal."""
    text = token.text
    kind: str | None
    if token.kind == IDENT:
        kind = KEYWORDS.get(text, "ID")
    elif token.kind == PUNCTUATOR:
        kind = _PUNCTUATORS.get(text)
        if kind is None:
            raise InputError(f"syntax error: unexpected '{text}'", token.position)
    elif token.kind == NUMBER:
        text = text.replace("'", "")
        match = _NUMBER.match(text)
        kind = match.lastgroup if match else None
        if kind is None:
            if _OTHER_FLOAT.match(text):
                raise UnsupportedError(f"constant {text[:40]}", token.position)
            octal = text[0] == "0" and text[:-1].isdigit()
            raise InputError(
                f"invalid {'octal ' if octal else ''}constant {text[:40]}", token.position
            )
    elif token.kind == STRING:
        kind = _PREFIXES[text[: text.index('"')]] + "STRING_LITERAL"
    else:
        quote = text.index("'")
        kind = _PREFIXES[text[:quote]] + "CHAR_CONST"
        length = len(_ESCAPE.sub("x", text[quote + 1 : -1]))
        if length == 0:
            raise InputError("empty character constant", token.position)
        if length > 1:
            raise UnsupportedError(f"multi-character constant {text[:40]}", token.position)
    return ParserToken(kind, text, token.line, token.column, token.file)


class TokenLexer(CLexer):  # type: ignore[misc]
    """Hands tokens to the parser; `feed` gives them, `last` is the last one handed over."""

    def __init__(self, error_func: Callable[[str, int, int], None], **options: Any) -> None:
        super().__init__(error_func, **options)
        self._tokens: list[ParserToken] = []
        self._next = 0

    def feed(self, tokens: list[ParserToken]) -> None:
        """Set what the parser is to read."""
        self._tokens = tokens
        self._next = 0

    @property
    def last(self) -> ParserToken | None:
        """The last token that was handed over; None before the first."""
        return self._tokens[self._next - 1] if self._next else None

    def token(self) -> ParserToken | None:
        """The next token, None at the end (called by the parser)."""
        if self._next >= len(self._tokens):
            return None
        self._next += 1
        return self._tokens[self._next - 1]
