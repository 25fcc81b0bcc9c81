"""The state of the cleaning pass, its loop, and what all handlers need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from abpress.errors import InputError, UnsupportedError
from abpress_frontend.gnu import Attribute, Cleaned
from abpress_frontend.tokens import PRAGMA, Token

MAX_NESTING = 256
"""Deepest nesting of brackets; pycparser recurses, and so does everything that reads its tree."""

Handler = Callable[["Cleaner", int], int]
"""Rewrites what begins at an index of the tokens; returns the next index to look at."""

CLOSING = {"(": ")", "[": "]", "{": "}"}


class Inside(Enum):
    """What stands inside a bracket."""

    STATEMENTS = auto()
    INITIALISER = auto()
    OTHER = auto()  # members, enumerators, or an expression


@dataclass(slots=True)
class OpenBracket:
    """A bracket that is not closed yet (mutable).

    `start` is the index in the output of what follows it; `aggregate` is the keyword of the
    struct, union or enum whose body it opens, `layout` the attributes before the body, `packing`
    that of `#pragma pack` where it begins. `case_start` is the index in the output of what
    follows the last `case`, until its colon; -1 without one. `in_range` is set from the `...` of
    a range to the end of the range.
    """

    token: Token
    inside: Inside
    start: int
    is_function: bool = False
    aggregate: str = ""
    layout: list[Token] = field(default_factory=list)
    packing: int = 0
    case_start: int = -1
    in_range: bool = False


@dataclass(frozen=True, slots=True)
class Packing:
    """A `#pragma pack(push)`: its name, and the packing before it."""

    name: str | None
    before: int


@dataclass(slots=True)
class Cleaner:
    """The pass over `tokens` (mutable): the cleaned tokens in `out` and what is recorded of them.

    `ends`, `attributes` and `refusals` are those of `Cleaned`. `pragma` handles pragmas. `depth`
    counts the brackets around the tokens. `initialised` says that an `=` of the current external
    declaration has been seen; `packing` is the number of `#pragma pack`, 0 for none, `packings`
    the pushes that are not popped.
    """

    tokens: list[Token]
    handlers: Mapping[str, Handler]
    pragma: Handler
    depth: int = 0
    out: list[Token] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    attributes: list[tuple[int, Attribute]] = field(default_factory=list)
    refusals: list[tuple[int, UnsupportedError]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    stack: list[OpenBracket] = field(default_factory=list)
    has_elvis: bool = False
    initialised: bool = False
    packing: int = 0
    packings: list[Packing] = field(default_factory=list)

    def rewrite(self) -> None:
        """Rewrites all tokens."""
        tokens, append, pragma = self.tokens, self.out.append, self.pragma
        handlers = self.handlers
        i, end = 0, len(tokens)
        while i < end:
            token = tokens[i]
            handler = handlers.get(token.text)
            if handler is not None:
                i = handler(self, i)
            elif token.kind == PRAGMA:
                i = pragma(self, i)
            else:
                append(token)
                i += 1

    def finish(self) -> Cleaned:
        """Returns the result of the pass; raises InputError if a bracket is still open."""
        if self.stack:
            raise _never_closed(self.stack[-1].token)
        self.end_declaration()
        return Cleaned(
            self.out, self.ends, self.attributes, self.refusals, self.warnings, self.has_elvis
        )

    def cleaned(self, tokens: list[Token]) -> list[Token]:
        """Returns an expression cleaned on its own; keeps what is recorded about it."""
        if not tokens:
            return []
        depth = self.depth + len(self.stack)
        inner = Cleaner(tokens, self.handlers, self.pragma, depth)
        inner.packing, inner.packings = self.packing, self.packings
        inner.push(tokens[0], Inside.OTHER)
        inner.rewrite()
        self.packing = inner.packing
        base = len(self.out)
        self.attributes += [(base, a) for _, a in inner.attributes]
        self.refusals += [(base, r) for _, r in inner.refusals]
        self.has_elvis = self.has_elvis or inner.has_elvis
        return inner.out

    # What has been read and written

    def text(self, i: int) -> str:
        """The text of the token at `i`; empty beyond the last one."""
        return self.tokens[i].text if i < len(self.tokens) else ""

    def previous(self) -> str:
        """The text of the last token of the output; empty without one."""
        return self.out[-1].text if self.out else ""

    def is_in_block(self) -> bool:
        """Whether the innermost open bracket is a brace around statements."""
        return bool(self.stack) and self.stack[-1].inside is Inside.STATEMENTS

    def copy(self, i: int) -> int:
        """Writes the token at `i` as it is; returns the index after it."""
        self.out.append(self.tokens[i])
        return i + 1

    def put(self, at: Token, kind: str, text: str) -> None:
        """Writes a new token with the position of `at`."""
        self.out.append(made(at, kind, text))

    def refuse(self, at: Token, what: str) -> None:
        """Records that `what` is not supported, for the declaration that it stands in."""
        self.refusals.append((len(self.out), UnsupportedError(what, at.position)))

    def end_declaration(self) -> None:
        """Records the end of an external declaration, if anything was written of it."""
        if len(self.out) > (self.ends[-1] if self.ends else 0):
            self.ends.append(len(self.out))
        self.initialised = False

    # Brackets

    def push(
        self,
        token: Token,
        inside: Inside,
        is_function: bool = False,
    ) -> None:
        """Puts an open bracket on the stack; raises InputError if it is nested too deeply."""
        if self.depth + len(self.stack) >= MAX_NESTING:
            raise _too_deep(token)
        self.stack.append(OpenBracket(token, inside, len(self.out), is_function))

    def match(self, i: int) -> int:
        """The index of the bracket that closes the one at `i`.

        Raises InputError if there is none, or if brackets between them do not match.
        """
        closers: list[str] = []
        for j in range(i, len(self.tokens)):
            text = self.tokens[j].text
            if text in CLOSING:
                closers.append(CLOSING[text])
                if len(closers) > MAX_NESTING:
                    raise _too_deep(self.tokens[j])
            elif text in (")", "]", "}"):
                if text != closers.pop():
                    raise InputError(f"unexpected '{text}'", self.tokens[j].position)
                if not closers:
                    return j
        raise _never_closed(self.tokens[i])

    def argument_end(self, i: int) -> int:
        """The index of the closing bracket of the parenthesis after the word at `i`.

        Raises InputError if no parenthesis follows, or if it is not closed.
        """
        if self.text(i + 1) != "(":
            token = self.tokens[min(i + 1, len(self.tokens) - 1)]
            raise InputError(f"expected '(' after {self.text(i)}", token.position)
        return self.match(i + 1)


def made(at: Token, kind: str, text: str) -> Token:
    """A new token with the position of `at`."""
    return Token(kind, text, at.line, at.column, at.file, True)


def _too_deep(token: Token) -> InputError:
    return InputError(f"nested too deeply (limit {MAX_NESTING})", token.position)


def _never_closed(opening: Token) -> InputError:
    return InputError(f"'{opening.text}' is never closed", opening.position)
