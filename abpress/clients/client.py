"""Clients: programs of a few threads that do nothing but call operations of a library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from abpress.clients.library import Library
from abpress.errors import InputError


@dataclass(frozen=True, slots=True, order=True)
class Call:
    """A call of an operation with values as arguments."""

    operation: str
    arguments: tuple[int, ...]
    has_result: bool

    def __str__(self) -> str:
        return f"{self.operation}({', '.join(map(str, self.arguments))})"


Calls = tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Client:
    """The calls of each thread, in order.

    `before` and `after` are calls of `main`, before the threads are created and after they have
    ended. A call's number is its index in `calls`.
    """

    threads: tuple[Calls, ...]
    before: Calls = ()
    after: Calls = ()

    def __str__(self) -> str:
        """The text that `parse_client` reads."""
        threads = " || ".join(map(_sequence, self.threads))
        if not self.before and not self.after:
            return threads
        return f"{_sequence(self.before)} / {threads} / {_sequence(self.after)}".strip()

    @property
    def calls(self) -> Calls:
        """All calls: before, by thread, after."""
        concurrent = (call for thread in self.threads for call in thread)
        return (*self.before, *concurrent, *self.after)

    @property
    def numbers(self) -> tuple[range, ...]:
        """The numbers of each thread's calls."""
        found, begin = [], len(self.before)
        for thread in self.threads:
            found.append(range(begin, begin + len(thread)))
            begin += len(thread)
        return tuple(found)

    @property
    def numbers_after(self) -> range:
        """The numbers of the calls after the threads."""
        return range(len(self.calls) - len(self.after), len(self.calls))


def _sequence(calls: Calls) -> str:
    return "; ".join(map(str, calls))


_CALL = re.compile(r"\s*(\w+)\s*\(([^()]*)\)\s*")
_NUMBER = re.compile(r"\s*-?\d+\s*")


def parse_client(text: str, library: Library) -> Client:
    """The client `add(1); remove(2) || add(2)`, or `BEFORE / THREADS / AFTER`.

    Raises InputError for text that is no client of the library.
    """
    parts = text.split("/")
    if len(parts) not in (1, 3):
        raise InputError(f"client '{text}': it is THREADS, or BEFORE / THREADS / AFTER")
    before, threads, after = parts if len(parts) == 3 else ("", text, "")
    found = tuple(tuple(_parse_calls(part, library)) for part in threads.split("||"))
    if not all(found):
        raise InputError(f"client '{text}': a thread without calls")
    return Client(found, tuple(_parse_calls(before, library)), tuple(_parse_calls(after, library)))


def _parse_calls(text: str, library: Library) -> Iterator[Call]:
    if not text.strip():
        return
    for part in text.split(";"):
        yield parse_call(part, library)


def parse_call(text: str, library: Library) -> Call:
    """The call `add(1)` of an operation of the library. Raises InputError."""
    match = _CALL.fullmatch(text)
    if match is None:
        raise InputError(f"'{text.strip()}' is not a call such as add(1)")
    operation = next((o for o in library.operations if o.name == match[1]), None)
    if operation is None:
        known = ", ".join(o.name for o in library.operations)
        raise InputError(f"{library.file} has no operation '{match[1]}' (it has {known})")
    arguments = match[2].split(",") if match[2].strip() else []
    if len(arguments) != len(operation.domains) or not all(map(_NUMBER.fullmatch, arguments)):
        raise InputError(f"'{text.strip()}': {len(operation.domains)} numbers are expected")
    return Call(operation.name, tuple(map(int, arguments)), operation.has_result)
