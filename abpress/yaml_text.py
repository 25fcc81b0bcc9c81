"""YAML with the lines on which things stand, for messages."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import yaml

from abpress.errors import InputError, Position


def fail(file: Path, line: int, what: str) -> NoReturn:
    """Raises InputError: `file:line: what`."""
    raise InputError(f"{file}:{line}: {what}")


def read_text(file: Path) -> str:
    """The content of a file. Raises InputError."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {file}: it is not text in UTF-8") from error


@dataclass(frozen=True, slots=True)
class Section:
    """A mapping of a YAML file; all that its methods raise is InputError, with the line."""

    file: Path
    line: int
    entries: dict[str, yaml.Node]

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def line_of(self, key: str) -> int:
        """Where the value of a key stands; without the key, where the mapping stands."""
        return _line(self.entries[key]) if key in self.entries else self.line

    def fail(self, key: str, what: str) -> NoReturn:
        """Raises InputError for a key."""
        fail(self.file, self.line_of(key), f"{key}: {what}")

    def position(self, key: str) -> Position:
        """Where the value of a key begins; without the key, where the mapping does."""
        mark = self.entries[key].start_mark if key in self.entries else None
        return Position(
            str(self.file), mark.line + 1 if mark else self.line, mark.column + 1 if mark else 1
        )

    def refuse(self, key: str, what: str) -> NoReturn:
        """Raises InputError for a key, with its position."""
        raise InputError(f"{key}: {what}", self.position(key))

    def word(self, key: str, known: Collection[str]) -> str:
        """A scalar that is one of these."""
        text = self.text(key)
        if text not in known:
            self.refuse(key, f"{text!r} is none of {', '.join(known)}")
        return text

    def number(self, key: str, default: int | None = None) -> int:
        """A natural number; the default, if there is one, where the key is missing."""
        if default is not None and key not in self.entries:
            return default
        text = self.text(key)
        if not re.fullmatch(r"\d{1,9}", text):
            self.refuse(key, "a natural number is expected")
        return int(text)

    def text(self, key: str) -> str:
        """A scalar, as it is written."""
        node = self._required(key)
        if not isinstance(node, yaml.ScalarNode) or node.tag == _NULL:
            self.fail(key, "a string is expected")
        return str(node.value)

    def texts(self, key: str) -> list[str]:
        """A scalar or a list of scalars."""
        node = self._required(key)
        if not isinstance(node, yaml.SequenceNode):
            return [self.text(key)]
        if not all(isinstance(item, yaml.ScalarNode) and item.tag != _NULL for item in node.value):
            self.fail(key, "a string or a list of strings is expected")
        return [str(item.value) for item in node.value]

    def truth(self, key: str) -> bool:
        """true or false."""
        node = self._required(key)
        if node.tag != _BOOL:
            self.fail(key, "true or false is expected")
        return bool(yaml.SafeLoader.bool_values[node.value.lower()])

    def section(self, key: str) -> Section:
        """A mapping; empty if the key is missing."""
        if key not in self.entries:
            return Section(self.file, self.line, {})
        return _section(self.file, self.entries[key], key)

    def sections(self, key: str) -> list[Section]:
        """A list of mappings; empty if the key is missing."""
        if key not in self.entries:
            return []
        node = self.entries[key]
        if not isinstance(node, yaml.SequenceNode):
            self.fail(key, "a list is expected")
        return [_section(self.file, item, key) for item in node.value]

    def _required(self, key: str) -> yaml.Node:
        if key not in self.entries:
            fail(self.file, self.line, f"{key} is missing")
        return self.entries[key]


_BOOL = "tag:yaml.org,2002:bool"
_NULL = "tag:yaml.org,2002:null"


def read_yaml(file: Path) -> Section:
    """The mapping that a file holds. Raises InputError."""
    return _section(file, _composed(file), "a task definition")


def read_yaml_list(file: Path, what: str) -> list[Section]:
    """The mappings of the list that a file holds. Raises InputError."""
    node = _composed(file)
    if not isinstance(node, yaml.SequenceNode) or not node.value:
        fail(file, _line(node), f"{what}: a list is expected")
    return [_section(file, item, what) for item in node.value]


def _composed(file: Path) -> yaml.Node:
    text = read_text(file)
    try:
        node = yaml.compose(text, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        fail(file, mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}")
    except (yaml.YAMLError, RecursionError) as error:
        fail(file, 1, f"not YAML: {' '.join(str(error).split())}")
    if node is None:
        fail(file, 1, "the file is empty")
    return node


def _section(file: Path, node: yaml.Node, what: str) -> Section:
    if not isinstance(node, yaml.MappingNode):
        fail(file, _line(node), f"{what}: a mapping is expected")
    entries: dict[str, yaml.Node] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            fail(file, _line(key), f"{what}: a key that is not a string")
        if key.value in entries:
            fail(file, _line(key), f"{key.value} is there twice")
        entries[key.value] = value
    return Section(file, _line(node), entries)


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
