"""Line markers of preprocessed text, which tell the files that it was made from."""

from __future__ import annotations

import re

from abpress.errors import printable

_MARKER = re.compile(
    r'#[ \t]*(?:line[ \t]+)?([0-9]{1,10})(?![0-9])(?:[ \t]+"((?:[^"\\]|\\.)*)"(.*))?'
)
_SYSTEM_FLAG = "3"
_MAX_LINE = 1_000_000


_ANY = re.compile(r"^[ \t]*#[ \t]*(line\b|[0-9])", re.MULTILINE)


def has_markers(text: str) -> bool:
    """Whether there are lines in the text that look like line markers or `#line`."""
    return _ANY.search(text) is not None


def shown_files(text: str, name: str) -> dict[str, str]:
    """The lines of the files named by line markers, system headers left out, gaps empty.

    `name` is the file that holds the text; a file of that name is not reconstructed.
    """
    files: dict[str, dict[int, str]] = {}
    current: dict[int, str] | None = None
    line = 0
    for content in text.split("\n"):
        stripped = content.lstrip(" \t")
        match = _MARKER.match(stripped) if stripped.startswith("#") else None
        if match is None:
            if current is not None and line < _MAX_LINE:
                current[line] = content
            line += 1
            continue
        line = int(match[1])
        if match[2] is not None:
            is_system = _SYSTEM_FLAG in (match[3] or "").split()
            known = is_system or match[2] == name or match[2].startswith("<")
            current = None if known else files.setdefault(printable(match[2]), {})
    return {
        file: "\n".join(lines.get(i, "") for i in range(1, max(lines) + 1))
        for file, lines in files.items()
        if lines
    }
