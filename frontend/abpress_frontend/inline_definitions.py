"""Definitions of functions of the library for inlining alone (GNU C `extern inline`, `gnu_inline`).

Headers of glibc have them where a program is compiled with optimisation: they look at sizes, and
call what has the name of the library's function in assembler. Such a definition is never compiled
by itself (GCC manual, "Common Function Attributes"): the name is that of the function there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from abpress_frontend.gnu import GNU_INLINE, Cleaned
from abpress_frontend.prune import Declaration


def without_inline_definitions(
    cleaned: Cleaned, declarations: list[Declaration], library: Set[str]
) -> tuple[list[Declaration], frozenset[str]]:
    """The declarations without definitions for inlining of functions that the library has and that
    are declared elsewhere, too; and the names of these."""
    marked = [index for index, attribute in cleaned.attributes if attribute.name == GNU_INLINE]
    declared = {name for d in declarations if not d.is_function for name in d.names}

    def is_inline(d: Declaration) -> bool:
        words = [token.text for token in cleaned.tokens[d.start : d.end]]
        head = words[: words.index("{")] if d.is_function else []
        return "extern" in head and any(d.start <= index < d.start + len(head) for index in marked)

    possible = {name for d in declarations if d.is_function for name in d.names[:1]}
    possible &= library & declared
    left_out = [d for d in declarations if possible.intersection(d.names[:1]) and is_inline(d)]
    names = frozenset(name for d in left_out for name in d.names[:1])
    return [d for d in declarations if d not in left_out], names


def promises(names: Set[str], kept: Sequence[list[Declaration]]) -> Iterator[str]:
    """An assumption for each function that lost a definition, and that what is kept declares."""
    needed = {name for its in kept for d in its for name in d.names}
    for name in sorted(names & needed):
        yield f"{name} is as the library has it, also where it is inlined (gnu_inline)"
