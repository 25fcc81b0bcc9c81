"""The value of an `#if` condition (C11 6.10.1): 64-bit arithmetic on macro-free tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from abpress.errors import InputError, UnsupportedError
from abpress_frontend.escapes import characters
from abpress_frontend.tokens import CHARACTER, IDENT, NUMBER, Token

_MASK = (1 << 64) - 1
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uU]?[lL]{0,2}|[lL]{1,2}[uU])$")
_PRECEDENCE = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    ">": 7,
    "<=": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
}
MAX_DEPTH = 200
_MOST_DIGITS = 200


def evaluate(tokens: list[Token], directive: Token) -> bool:
    """Whether the condition holds. Raises InputError if it is not an integer constant."""
    if not tokens:
        raise InputError("a condition is missing", directive.position)
    reader = _Reader(tokens, directive)
    value = reader.comma()
    if reader.i != len(tokens):
        raise reader.error(f"unexpected {tokens[reader.i].text} in a condition")
    return value.number != 0


class _Value:
    """An integer of 64 bits; `number` is in the range of its signedness."""

    __slots__ = ("number", "unsigned")

    def __init__(self, number: int, unsigned: bool = False) -> None:
        number &= _MASK
        self.unsigned = unsigned
        self.number = number if unsigned or number >> 63 == 0 else number - (1 << 64)


class _Reader:
    """Recursive descent over the tokens; mutable cursor `i`. `live` is off in what is skipped."""

    def __init__(self, tokens: list[Token], directive: Token) -> None:
        self.tokens = tokens
        self.directive = directive
        self.i = 0
        self.depth = 0
        self.live = True

    def error(self, message: str) -> InputError:
        at = self.tokens[self.i] if self.i < len(self.tokens) else self.directive
        return InputError(message, at.position)

    def _peek(self) -> str:
        return self.tokens[self.i].text if self.i < len(self.tokens) else ""

    def _take(self, text: str) -> None:
        if self._peek() != text:
            raise self.error(f"expected {text} in a condition")
        self.i += 1

    def comma(self) -> _Value:
        value = self.ternary()
        while self._peek() == ",":
            self.i += 1
            value = self.ternary()
        return value

    def ternary(self) -> _Value:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"condition nested too deeply (limit {MAX_DEPTH})")
        value = self._binary(1)
        if self._peek() == "?":
            self.i += 1
            yes = self._guarded(value.number != 0, self.comma)
            self._take(":")
            no = self._guarded(value.number == 0, self.ternary)
            chosen = yes if value.number else no
            value = _Value(chosen.number, yes.unsigned or no.unsigned)
        self.depth -= 1
        return value

    def _guarded(self, live: bool, parse: Callable[[], _Value]) -> _Value:
        before, self.live = self.live, self.live and live
        value = parse()
        self.live = before
        return value

    def _binary(self, least: int) -> _Value:
        left = self._unary()
        while (level := _PRECEDENCE.get(self._peek(), 0)) >= least:
            at = self.tokens[self.i]
            operator = at.text
            self.i += 1
            if operator in ("&&", "||"):
                decided = (left.number == 0) == (operator == "&&")
                right = self._guarded(not decided, partial(self._binary, level + 1))
                both, either = left.number and right.number, left.number or right.number
                left = _Value(int(bool(both if operator == "&&" else either)))
            else:
                left = self._apply(at, left, self._binary(level + 1))
        return left

    def _apply(self, at: Token, left: _Value, right: _Value) -> _Value:
        operator = at.text
        unsigned = left.unsigned or right.unsigned
        if operator in ("<<", ">>"):
            count = right.number
            if not 0 <= count < 64:
                if self.live:
                    raise UnsupportedError("shift by this number in a condition", at.position)
                return _Value(0, left.unsigned)
            shifted = left.number << count if operator == "<<" else left.number >> count
            return _Value(shifted, left.unsigned)
        a, b = _Value(left.number, unsigned).number, _Value(right.number, unsigned).number
        if operator in ("/", "%"):
            if b == 0:
                if self.live:
                    raise InputError("division by zero in a condition", at.position)
                return _Value(0, unsigned)
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return _Value(quotient if operator == "/" else a - b * quotient, unsigned)
        match operator:
            case "+":
                return _Value(a + b, unsigned)
            case "-":
                return _Value(a - b, unsigned)
            case "*":
                return _Value(a * b, unsigned)
            case "|":
                return _Value(a | b, unsigned)
            case "^":
                return _Value(a ^ b, unsigned)
            case "&":
                return _Value(a & b, unsigned)
        holds = {"==": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}
        return _Value(int(holds[operator]))

    def _unary(self) -> _Value:
        signs: list[str] = []
        while self._peek() in ("-", "+", "!", "~"):
            signs.append(self._peek())
            self.i += 1
        value = self._primary()
        for sign in reversed(signs):
            if sign == "-":
                value = _Value(-value.number, value.unsigned)
            elif sign == "~":
                value = _Value(~value.number, value.unsigned)
            elif sign == "!":
                value = _Value(int(value.number == 0))
        return value

    def _primary(self) -> _Value:
        if self.i >= len(self.tokens):
            raise self.error("the condition ends too early")
        token = self.tokens[self.i]
        if token.text == "(":
            self.i += 1
            value = self.comma()
            self._take(")")
            return value
        if token.kind == NUMBER:
            match = _INTEGER.match(token.text.replace("'", ""))
            if match is None or len(token.text) > _MOST_DIGITS:
                raise self.error(f"{token.text[:20]} is not an integer constant")
            digits = match[1]
            octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
            try:
                number = int(digits, 8 if octal else 0)
            except ValueError:
                raise self.error(f"{token.text[:20]} is not an integer constant") from None
            if number >> 64:
                raise self.error(f"{token.text[:20]} is too large for its type")
            self.i += 1
            return _Value(number, "u" in match[2].lower() or number >> 63 != 0)
        if token.kind == CHARACTER:
            self.i += 1
            return _Value(_character(token))
        if token.kind == IDENT:
            self.i += 1
            return _Value(0)
        raise self.error(f"unexpected {token.text} in a condition")


def _character(token: Token) -> int:
    """The value of a character constant: of several, as GCC and Clang have it (an int)."""
    quote = token.text.index("'")
    inside = token.text[quote + 1 : -1]
    is_wide = token.text[:quote] == "L"
    if quote and not is_wide:
        raise UnsupportedError("wide character constant in a condition", token.position)
    codes = characters(inside, token.position)
    if not codes:
        raise InputError("empty character constant", token.position)
    if len(codes) > (1 if is_wide else 4) or not inside.isascii():
        raise UnsupportedError(f"character constant {token.text[:20]}", token.position)
    bits = 8 if len(codes) == 1 and not is_wide else 32
    value = int.from_bytes(codes, "big")
    return value - (1 << bits) if value >> (bits - 1) else value
