"""`#line` and its short form `# 1 "file.c"` in text that is preprocessed here (C11 6.10.4)."""

from __future__ import annotations

from dataclasses import dataclass

from abpress.errors import InputError, printable
from abpress_frontend.tokens import LINE_DIGITS, NUMBER, STRING, Token


@dataclass(frozen=True, slots=True)
class Lines:
    """Where the tokens of a file are said to stand: that many lines further, in another file."""

    shift: int = 0
    file: str | None = None

    def of(self, token: Token) -> Token:
        """The token at the place where it is said to stand."""
        if not self.shift and self.file is None:
            return token
        line, file = token.line + self.shift, self.file or token.file
        return Token(
            token.kind, token.text, line, token.column, file, token.space, token.first, token.hidden
        )

    def after(self, directive: Token, arguments: list[Token]) -> Lines:
        """What holds after `#line` with these arguments; `directive` stands where it is written."""
        if not arguments or arguments[0].kind != NUMBER or not arguments[0].text.isdecimal():
            raise InputError("#line needs a line number", directive.position)
        if len(arguments[0].text) > LINE_DIGITS:
            raise InputError("line number too large", directive.position)
        file = self.file
        if len(arguments) > 1 and arguments[1].kind == STRING:
            file = printable(arguments[1].text[1:-1].replace("\\\\", "\\"))
        return Lines(int(arguments[0].text) - directive.line - 1, file)
