"""Cleaning: GNU C and C23 tokens become tokens that pycparser parses, in one pass from the left.

A stack of open brackets says what each brace is. Attributes are kept if the layout depends on them,
dropped if they are harmless, or recorded as `Attribute`; what changes the meaning and is not
supported is recorded as a refusal (`Cleaned.refusals`), which counts only if the declaration that
it stands in survives pruning. `HANDLERS` is the table of what is rewritten, and by which function;
every other token is copied.
"""

from __future__ import annotations

from collections.abc import Mapping

from abpress_frontend.clean import (
    aggregates,
    assembler,
    attributes,
    brackets,
    expressions,
    pragmas,
    statements,
    variadic,
    words,
)
from abpress_frontend.clean.cleaner import MAX_NESTING, Cleaner, Handler
from abpress_frontend.gnu import (
    ATTRIBUTE_WORDS,
    DROPPED,
    REFUSED,
    RENAMED,
    Cleaned,
)
from abpress_frontend.tokens import ACSL_ASSERT, Token

__all__ = ["HANDLERS", "MAX_NESTING", "clean"]

HANDLERS: Mapping[str, Handler] = {
    "(": brackets.opening,
    "{": brackets.opening,
    "[": brackets.subscript,
    ")": brackets.closing,
    "}": brackets.closing,
    "]": brackets.closing,
    "struct": aggregates.aggregate,
    "union": aggregates.aggregate,
    "enum": aggregates.aggregate,
    "_Noreturn": attributes.noreturn,
    "_Pragma": pragmas.pragma_operator,
    **dict.fromkeys(ATTRIBUTE_WORDS, attributes.of_declaration),
    ";": statements.semicolon,
    "=": statements.equals,
    "case": statements.case,
    ":": statements.colon,
    "...": statements.ellipsis,
    "goto": statements.goto,
    ACSL_ASSERT: statements.acsl_assertion,
    "?": expressions.question,
    "&&": expressions.double_ampersand,
    "asm": assembler.asm,
    "__asm": assembler.asm,
    "__asm__": assembler.asm,
    "__builtin_va_start": variadic.start,
    "__builtin_va_arg": variadic.argument,
    "__builtin_va_copy": variadic.copy,
    "__builtin_va_end": variadic.end,
    **dict.fromkeys(RENAMED, words.rename),
    **dict.fromkeys(DROPPED, words.drop),
    **dict.fromkeys(REFUSED, words.refuse),
}
"""Text of a token -> what rewrites the code that begins with it."""


def clean(tokens: list[Token]) -> Cleaned:
    """Rewrites a preprocessed translation unit.

    Raises InputError for brackets that do not match or nest deeper than MAX_NESTING.
    """
    cleaner = Cleaner(tokens, HANDLERS, pragmas.pragma)
    cleaner.rewrite()
    return cleaner.finish()
