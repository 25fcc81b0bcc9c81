"""GNU C for the cleaning pass: its words, its attributes, and the record that the pass leaves."""

from __future__ import annotations

from dataclasses import dataclass

from abpress.errors import Position, UnsupportedError
from abpress_frontend.tokens import Token

RANGE = "__abp_range"
ASM = "__abp_asm"
ELVIS_MARK = "__abp_elvis_value"
TYPES_COMPATIBLE = "__builtin_types_compatible_p"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A GNU or C23 attribute: its name without underscores, the text of its arguments.

    `aggregate` is the position of the tag (or of the brace, if there is none) of the struct or
    union that it is an attribute of; None for an attribute of a declaration.
    """

    name: str
    arguments: str
    position: Position
    aggregate: Position | None = None


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The cleaned tokens; `ends` are the indices after each external declaration.

    `attributes` and `refusals` come with the index of the token they stand before.
    """

    tokens: list[Token]
    ends: list[int]
    attributes: list[tuple[int, Attribute]]
    refusals: list[tuple[int, UnsupportedError]]
    warnings: list[str]
    has_elvis: bool


RENAMED = {
    "__inline": "inline",
    "__inline__": "inline",
    "__const": "const",
    "__const__": "const",
    "__volatile": "volatile",
    "__volatile__": "volatile",
    "__signed": "signed",
    "__signed__": "signed",
    "__restrict": "restrict",
    "__restrict__": "restrict",
    "__thread": "_Thread_local",
    "__typeof": "typeof",
    "__typeof__": "typeof",
    "__typeof_unqual__": "typeof_unqual",
    "__complex__": "_Complex",
    "__auto_type": "auto",
    "__FUNCTION__": "__func__",
    "__PRETTY_FUNCTION__": "__func__",
}
DROPPED = frozenset(
    {"__extension__", "_Nonnull", "_Nullable", "_Null_unspecified", "__nonnull", "__nullable"}
)
REFUSED = {
    "__label__": "local label declaration",
    "__real__": "complex numbers",
    "__real": "complex numbers",
    "__imag__": "complex numbers",
    "__imag": "complex numbers",
}
# Attributes that change what the program does, and so cannot be dropped.
REFUSED_ATTRIBUTES = frozenset(
    {
        "vector_size",
        "ext_vector_type",
        "mode",
        "cleanup",
        "address_space",
        "overloadable",
        "alias",
        "ifunc",
        "scalar_storage_order",
        "ms_struct",
        "gcc_struct",
    }
)
# These run without being called, so that even an unreachable function has an effect.
RUN_BY_THEMSELVES = frozenset({"constructor", "destructor"})

ATTRIBUTE_WORDS = frozenset({"__attribute__", "__attribute"})
