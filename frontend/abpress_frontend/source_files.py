"""Files of source text: read, decoded and tokenised."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from abpress.config import STANDARD_INPUT
from abpress.errors import InputError, Position
from abpress_frontend.tokens import Token, tokenise

OWN_HEADERS = Path(__file__).parent / "include"
_MAX_BYTES = 256_000_000


def decode(data: bytes, name: str) -> str:
    """C source text with line ends `\\n`; bytes that are not UTF-8 become surrogates.

    Raises InputError for binary data.
    """
    nul = data.find(b"\0")
    if nul >= 0:
        line = data.count(b"\n", 0, nul) + 1
        column = nul - data.rfind(b"\n", 0, nul)
        raise InputError("binary file: it contains a NUL byte", Position(name, line, column))
    text = data.decode("utf-8", errors="surrogateescape").removeprefix("\ufeff")
    return text.replace("\r\n", "\n") if "\r" in text else text


def shown_name(path: Path) -> str:
    """The name of a file in positions."""
    return "stdin" if path == STANDARD_INPUT else str(path)


@cache
def _standard_input() -> bytes:
    """What standard input had, which can be read once."""
    return sys.stdin.buffer.read(_MAX_BYTES + 1)


def read_bytes(path: Path) -> bytes:
    """The content of a source file, or of standard input. Raises InputError that says why it cannot
    be read."""
    if path == STANDARD_INPUT:
        return _standard_input()
    where = Position(str(path), 0, 0)
    try:
        if path.is_dir():
            raise InputError(f"{path} is a directory, not a C file")
        if not path.exists():
            raise InputError(f"{path}: no such file")
        if not path.is_file():
            raise InputError(f"{path} is not a regular file")
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"file too large (limit {_MAX_BYTES} bytes)", where)
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise InputError(f"{path}: cannot read: {reason or error}") from None


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A tokenised file; `guard` is the macro of an include guard around all of it."""

    text: str
    tokens: list[Token]
    guard: str | None


def is_file(path: Path) -> bool:
    """Whether there is such a file; there is none of a name that no file can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _guard(tokens: list[Token]) -> str | None:
    """The include guard: `#ifndef X`, `#define X`, ..., `#endif` and nothing outside."""
    texts = [t.text for t in tokens[:6]]
    if len(texts) < 6 or texts[:2] != ["#", "ifndef"] or texts[3:5] != ["#", "define"]:
        return None
    if texts[2] != texts[5] or [t.text for t in tokens[-2:]] != ["#", "endif"]:
        return None
    depth = 0
    for i, token in enumerate(tokens):
        if token.first and token.text == "#" and i + 1 < len(tokens):
            word = tokens[i + 1].text
            depth += 1 if word in ("if", "ifdef", "ifndef") else -1 if word == "endif" else 0
            ends_early = depth == 0 and i != len(tokens) - 2
            if ends_early or (depth == 1 and word.startswith("el")):
                return None
    return texts[2]


@lru_cache(maxsize=256)
def own_header(name: str) -> SourceFile | None:
    """A header of ours, which is read once; None if there is none of the name."""
    path = OWN_HEADERS / name
    if not is_file(path):
        return None
    text = decode(path.read_bytes(), f"<{name}>")
    tokens = tokenise(text, f"<{name}>", own=True)
    return SourceFile(text, tokens, _guard(tokens))


def read_file(path: Path) -> SourceFile:
    """The tokens of a file that is included. Raises InputError."""
    shown = str(path)
    text = decode(read_bytes(path), shown)
    tokens = tokenise(text, shown, directives=True)
    return SourceFile(text, tokens, _guard(tokens))


@contextmanager
def naming_headers(left_out: Sequence[str]) -> Iterator[None]:
    """Says of what is no C inside that headers were left out (when it ends): what they declare is
    missing, and this is where one notices."""
    try:
        yield
    except InputError as error:
        if not left_out:
            raise
        names = ", ".join(dict.fromkeys(left_out))
        note = f"{error.message} (left out: {names}, as nothing of the name was found; try -I)"
        raise InputError(note, error.position) from None
