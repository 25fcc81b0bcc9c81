"""The template of an `asm` statement as instructions."""

from __future__ import annotations

import re

_SECTION = re.compile(r"\.(?:push)?section\b.*?\.(?:popsection|previous)\b", re.DOTALL)
_SECTIONS = re.compile(r"\.(?:push)?section\s+([\w.]+)")
_TABLES = frozenset(
    {".smp_locks", "__bug_table", ".altinstructions", ".altinstr_replacement", ".parainstructions"}
)
"""Sections whose contents tell about the code, or stand for it on some processors."""
_REPLACEMENT = re.compile(r"\.altinstr_replacement\b[^;\n]*[;\n](.*)", re.DOTALL)
_DIALECTS = re.compile(r"\{([^|{}]*)\|[^{}]*\}")
_COMMENT = re.compile(r"/\*.*?\*/|#[^\n]*", re.DOTALL)
_LABEL = re.compile(r"\s*[\w.]+:")
_DIRECTIVE = re.compile(r"\.(balign|p2align|align|skip)\b[^;\n]*")
_STACK = re.compile(r"lock add[lq]? \$0x?0*, ?(-?\d*)\(%%[er]?sp\)")
_NO_EFFECT = frozenset(
    {
        *("nop", "pause", "mfence", "lfence", "sfence", "rep nop", "clac", "stac", "hlt", "cld"),
        *("prefetcht0", "prefetcht1", "prefetcht2", "prefetchnta", "prefetchw", "prefetch"),
    }
)


class NotKnown(Exception):
    """The statement has no translation."""


def instructions(template: str) -> list[str]:
    """The instructions, without labels, comments and tables.

    Instructions that replace others on some processors have to be without effect, as those are.
    Raises NotKnown where they are not, and for code in other sections.
    """
    text = _DIALECTS.sub(r"\1", _COMMENT.sub(" ", template))
    others = [match[0] for match in _SECTION.finditer(text)]
    text = _SECTION.sub(";", text)
    found = _parts(text)
    for section in others:
        if not _TABLES.issuperset(_SECTIONS.findall(section)):
            raise NotKnown
        if code := _REPLACEMENT.search(section):
            inner = code[1].replace(".popsection", "").replace(".previous", "")
            if any(has_effect(part) for part in (*found, *_parts(inner))):
                raise NotKnown
    return found


def _parts(text: str) -> list[str]:
    parts = []
    for part in re.split(r"[;\n]", text):
        while match := _LABEL.match(part):
            part = part[match.end() :]
        words = " ".join(part.split())
        if words and not _DIRECTIVE.fullmatch(words):
            parts.append(words)
    return _joined(parts)


def _joined(parts: list[str]) -> list[str]:
    """Prefixes and what they stand before, in one text; `pushf` and `pop` are one."""
    joined: list[str] = []
    for part in parts:
        if joined and (joined[-1] in ("lock", "rep") or _goes_on(joined[-1], part)):
            joined[-1] += f" {part}"
        else:
            joined.append(part)
    return joined


def _goes_on(first: str, second: str) -> bool:
    return (first in ("pushf", "pushfl", "pushfq") and second.startswith("pop")) or (
        first.startswith("push") and second in ("popf", "popfl", "popfq")
    )


def has_effect(instruction: str) -> bool:
    """Whether an instruction does more than to order or to delay."""
    word = instruction.split()[0]
    return (
        not _STACK.fullmatch(instruction)
        and instruction not in _NO_EFFECT
        and word not in _NO_EFFECT
    )
