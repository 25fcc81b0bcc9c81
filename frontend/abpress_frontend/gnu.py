"""GNU C for the cleaning pass: its words, its attributes, and the record that the pass leaves."""

from __future__ import annotations

from dataclasses import dataclass

from abpress.errors import Position, UnsupportedError
from abpress_frontend.tokens import Token

RANGE = "__abp_range"
ASM = "__abp_asm"
LABEL_ADDRESS = "__abp_label_address"
COMPUTED_GOTO = "__abp_computed_goto"
ELVIS_MARK = "__abp_elvis_value"
TYPES_COMPATIBLE = "__builtin_types_compatible_p"
ALIGNED = "__abp_aligned"
PACKED = "__abp_packed"
PACKING = "__abp_packing"
LAYOUT_WORDS = frozenset({ALIGNED, PACKED, PACKING})
"""What the layout of types depends on, as the cleaning pass leaves it in the tokens: the attributes
`aligned(n)` and `packed`, and `#pragma pack` of a definition."""


VARIABLE_ARGUMENTS = "__abp_variable_arguments"
SLOT = 8
"""The bytes of a variable argument, or a multiple of it."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A GNU or C23 attribute: its name without underscores, the text of its arguments."""

    name: str
    arguments: str
    position: Position


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
# These run without being called, so that even an unreachable function has an effect.
RUN_BY_THEMSELVES = frozenset({"constructor", "destructor"})

NORETURN = "noreturn"
WEAK = "weak"
GNU_INLINE = "gnu_inline"
ASM_LABEL = "asm"

ATTRIBUTE_WORDS = frozenset({"__attribute__", "__attribute"})
