"""Names in assembler: `extern int x __asm__("y")`."""

from __future__ import annotations

from collections.abc import Set

from abpress.errors import UnsupportedError
from abpress_frontend.gnu import ASM_LABEL, Attribute, Cleaned
from abpress_frontend.prune import Declaration


def check_labels(
    attributes: list[tuple[tuple[str, ...], Attribute]],
    cleaned: Cleaned,
    declarations: list[Declaration],
    alone: bool,
) -> None:
    """Raises UnsupportedError for a name in assembler that makes two names of the program one, or
    may do so with another file, unless this one is `alone`."""
    labels = [(names, a) for names, a in attributes if a.name == ASM_LABEL]
    if not labels:
        return
    meant = {
        name: name
        for d in declarations
        if d.is_function or _may_be_object({t.text for t in cleaned.tokens[d.start : d.end]})
        for name in d.names
    }
    for names, label in labels:
        strange = not alone and any(label.arguments != name for name in names)
        if strange or any(meant.setdefault(label.arguments, name) != name for name in names):
            raise UnsupportedError(f'asm("{label.arguments}") of another name', label.position)


def _may_be_object(words: Set[str]) -> bool:
    """Whether a declaration with these words may declare what is no function defined elsewhere."""
    return "=" in words or ("typedef" not in words and not {"extern", "("} <= words)
