"""Data as YAML in block style, without the library that reads YAML, which takes long to load."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

YamlData = Mapping[str, "YamlData"] | Sequence["YamlData"] | str | int
"""What can be written."""

_PLAIN = re.compile(r"[A-Za-z_][\w./-]*( [\w./-]+)*")
_OTHER_MEANING = re.compile(r"(?i:true|false|yes|no|on|off|null|y|n)")


def yaml_text(data: YamlData) -> str:
    """The text of data in YAML, which is that of nothing else."""
    return "".join(f"{line}\n" for line in _lines(data))


def _lines(data: YamlData) -> Iterator[str]:
    if isinstance(data, str | int):
        yield _scalar(data)
    elif not data:
        yield "{}" if isinstance(data, Mapping) else "[]"
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield from _entry(f"{_scalar(key)}:", value)
    else:
        for item in data:
            first, *others = _lines(item)
            yield f"- {first}"
            yield from (f"  {line}" for line in others)


def _entry(key: str, value: YamlData) -> Iterator[str]:
    if isinstance(value, str | int) or not value:
        yield f"{key} {''.join(_lines(value))}"
        return
    yield key
    indent = "  " if isinstance(value, Mapping) else ""
    yield from (f"{indent}{line}" for line in _lines(value))


def _scalar(value: str | int) -> str:
    """A number, or a text, in quotes if it might be read as something else."""
    if not isinstance(value, str):
        return str(value)
    if _PLAIN.fullmatch(value) and value.isascii() and not _OTHER_MEANING.fullmatch(value):
        return value
    quoted = json.dumps(value, ensure_ascii=False)  # as in YAML, but for characters like U+2028
    return re.sub(r"[^ -~]", lambda found: f"\\U{ord(found[0]):08x}", quoted)
