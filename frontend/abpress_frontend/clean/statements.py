"""Ends of declarations, labels, ranges, jumps and ACSL assertions."""

from __future__ import annotations

from abpress.errors import UnsupportedError
from abpress_frontend.clean.cleaner import Cleaner
from abpress_frontend.gnu import COMPUTED_GOTO, RANGE
from abpress_frontend.tokens import IDENT, PUNCTUATOR, Token


def semicolon(cleaner: Cleaner, i: int) -> int:
    """Ends a declaration, outside brackets."""
    i = cleaner.copy(i)
    if not cleaner.stack:
        cleaner.end_declaration()
    return i


def equals(cleaner: Cleaner, i: int) -> int:
    """Notes, outside brackets, that the next brace is an initialiser, not a function's body."""
    if not cleaner.stack:
        cleaner.initialised = True
    return cleaner.copy(i)


def case(cleaner: Cleaner, i: int) -> int:
    """Notes where the value of a case begins: it may turn out to be a range."""
    i = cleaner.copy(i)
    if cleaner.stack:
        cleaner.stack[-1].case_start = len(cleaner.out)
    return i


def colon(cleaner: Cleaner, i: int) -> int:
    """Ends the value of a case, if it is one's colon."""
    top = cleaner.stack[-1] if cleaner.stack else None
    if top is not None and top.case_start >= 0:
        if top.in_range:
            cleaner.put(cleaner.tokens[i], PUNCTUATOR, ")")
        top.in_range = False
        top.case_start = -1
    return cleaner.copy(i)


def ellipsis(cleaner: Cleaner, i: int) -> int:
    """Makes a range of `a ... b` in a case or a designator; copies that of variable arguments."""
    token = cleaner.tokens[i]
    top = cleaner.stack[-1] if cleaner.stack else None
    start = -1
    if top is not None and not top.in_range:
        start = top.start if top.token.text == "[" else top.case_start
    if start < 0 or top is None:
        return cleaner.copy(i)
    top.in_range = True
    at = cleaner.out[start] if start < len(cleaner.out) else token
    cleaner.out[start:start] = [
        Token(IDENT, RANGE, at.line, at.column, at.file, True),
        Token(PUNCTUATOR, "(", at.line, at.column, at.file),
    ]
    cleaner.put(token, PUNCTUATOR, ",")
    return i + 1


def goto(cleaner: Cleaner, i: int) -> int:
    """Copies `goto`; one whose target is computed becomes a call of COMPUTED_GOTO."""
    if cleaner.text(i + 1) == "*":
        end = next(k for k in range(i, len(cleaner.tokens)) if cleaner.text(k) == ";")
        cleaner.put(cleaner.tokens[i], IDENT, COMPUTED_GOTO)
        cleaner.put(cleaner.tokens[i], PUNCTUATOR, "(")
        cleaner.out += cleaner.cleaned(cleaner.tokens[i + 2 : end])
        cleaner.put(cleaner.tokens[i], PUNCTUATOR, ")")
        return end
    return cleaner.copy(i)


def acsl_assertion(cleaner: Cleaner, i: int) -> int:
    """Keeps an ACSL assertion where a statement can stand alone.

    Outside functions it is dropped with a warning. Raises UnsupportedError elsewhere.
    """
    token = cleaner.tokens[i]
    end = cleaner.match(i + 1) + 1  # the semicolon
    if not cleaner.stack:
        cleaner.warnings.append(f"{token.position}: ACSL assertion outside functions is ignored")
        return end + 1
    if not cleaner.is_in_block() or cleaner.previous() not in (";", "{", "}", ":"):
        raise UnsupportedError("ACSL assertion inside a statement", token.position)
    cleaner.copy(i)
    cleaner.out += cleaner.cleaned(cleaner.tokens[i + 1 : end])
    return cleaner.copy(end)
