"""Libraries: C files whose functions are annotated as the operations of an abstract type.

    //@ operation key: 1..3; value: 10, 20
    int map_put(int key, int value) { ... }

    //@ operation
    int map_size(void) { ... }

    //@ init
    void map_init(void) { ... }

An operation has a domain, the values to call it with, for each parameter; parameters and results
are integers (or there is no result). A function marked `init`, if there is one, is called once
before everything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from abpress.errors import InputError, Position, UnsupportedError
from abpress_frontend.annotations import Annotation, Head, read_annotations

WORDS = ("operation", "init")

LARGEST_DOMAIN = 1000
"""Values of a parameter; a domain is written out, and clients use few of its values."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A function, the values that each of its parameters takes, and whether it has a result."""

    name: str
    domains: tuple[tuple[int, ...], ...]
    has_result: bool
    position: Position


@dataclass(frozen=True, slots=True)
class Library:
    """A C file, its operations in the order of the file, and the function that makes it ready."""

    file: Path
    operations: tuple[Operation, ...]
    init: str | None

    @property
    def include(self) -> str:
        """The line of C that includes the file. Raises InputError if no such line can name it."""
        path = str(self.file.resolve())
        if any(character in path for character in '"\\\n'):
            raise InputError(f"{path}: #include cannot name this path")
        return f'#include "{path}"'


def read_library(file: Path, with_domains: bool = True) -> Library:
    """The library that the annotations of a C file describe.

    Without `with_domains` a domain may be missing, and is then empty.
    Raises InputError and UnsupportedError with the position of what is wrong.
    """
    operations: dict[str, Operation] = {}
    init: Head | None = None
    for annotation in read_annotations(file, WORDS):
        head = annotation.head
        if annotation.word == "init":
            init = _init(annotation, init)
        elif head.name in operations:
            raise InputError(f"'{head.name}' is an operation already", head.position)
        else:
            operations[head.name] = _operation(annotation, with_domains)
    if not operations:
        raise InputError(
            "no function is annotated as an operation (//@ operation …)", Position(str(file), 1, 1)
        )
    return Library(file, tuple(operations.values()), init.name if init else None)


def reference(library: Library, file: Path | None) -> Library:
    """The library whose sequential behaviour is the measure: that of `file`, or `library` itself.

    It has the operations of `library`, perhaps others, and no need for domains.
    Raises InputError for an operation that is missing, or has other parameters or no result.
    """
    if file is None:
        return library
    found = read_library(file, with_domains=False)
    known = {operation.name: operation for operation in found.operations}
    for operation in library.operations:
        other = known.get(operation.name)
        if other is None:
            raise InputError(f"{file} has no operation '{operation.name}'", operation.position)
        if _shape(other) != _shape(operation):
            raise InputError(
                f"'{operation.name}' has other parameters or another result than in"
                f" {library.file.name}",
                other.position,
            )
    return found


def narrowed(operation: Operation, values: int) -> Operation:
    """The operation with the first so many values of each domain."""
    return replace(operation, domains=tuple(domain[:values] for domain in operation.domains))


def _shape(operation: Operation) -> tuple[int, bool]:
    return len(operation.domains), operation.has_result


def _init(annotation: Annotation, before: Head | None) -> Head:
    head = annotation.head
    if before is not None:
        raise InputError(f"'{before.name}' is marked init already", head.position)
    if head.parameters or annotation.text:
        raise InputError("an init function has no parameters", head.position)
    return head


def _operation(annotation: Annotation, with_domains: bool) -> Operation:
    head = annotation.head
    _check_integer(head.result, "result", head.position)
    names = []
    for parameter in head.parameters:
        _check_integer(parameter, "parameter", head.position)
        names.append(parameter[-1])
    domains = dict(_domains(annotation))
    for name in domains:
        if name not in names:
            raise InputError(f"'{head.name}' has no parameter '{name}'", annotation.text_position)
    for name in names:
        if with_domains and name not in domains:
            raise InputError(
                f"no values for the parameter '{name}' (//@ operation {name}: 1..3)",
                annotation.position,
            )
    return Operation(
        head.name,
        tuple(domains.get(name, ()) for name in names),
        set(head.result) - _STORAGE != {"void"},
        head.position,
    )


_STORAGE = frozenset({"static", "inline", "extern"})
_NO_INTEGERS = frozenset({"*", "[", "(", "...", "struct", "union", "float", "double"})


def _check_integer(tokens: tuple[str, ...], what: str, position: Position) -> None:
    if not tokens or _NO_INTEGERS & set(tokens):
        raise UnsupportedError(f"{what} of an operation that is no integer", position)


_DOMAIN = re.compile(r"\s*(?P<name>\w+)\s*:(?P<values>.*)", re.DOTALL)
_VALUES = re.compile(r"\s*(-?\d+)\s*(?:\.\.\s*(-?\d+)\s*)?")


def _domains(annotation: Annotation) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The domains of an annotation `a: 1..3, 7; b: 0, 1`, by the parameters' names."""
    if not annotation.text:
        return
    for part in annotation.text.split(";"):
        match = _DOMAIN.fullmatch(part)
        if match is None:
            raise InputError(
                f"'{part.strip()}' is not NAME: VALUES, such as key: 1..3", annotation.text_position
            )
        values: dict[int, None] = {}
        for item in match["values"].split(","):
            bounds = _VALUES.fullmatch(item)
            if bounds is None:
                raise InputError(
                    f"'{item.strip()}' is not a number or a range such as 1..3",
                    annotation.text_position,
                )
            low = int(bounds[1])
            high = low if bounds[2] is None else int(bounds[2])
            if not low <= high < low + LARGEST_DOMAIN:
                raise InputError(
                    f"the range '{item.strip()}' is empty or too large", annotation.text_position
                )
            values.update(dict.fromkeys(range(low, high + 1)))
        yield match["name"], tuple(values)
