"""What a command writes: plain text on its streams, rows of numbers, and JSON.

This is all that the overseer of a command needs to speak for it, and imports little.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO, cast

from abpress.bench.files import write_whole
from abpress.verify.measure import Cost

VERSION = 1
"""Of what `--json` writes, which docs/result.schema.json describes: changes where members go or
change their meaning, and not where there are more of them."""


def plain(text: str) -> str:
    """The text without characters that act on a terminal instead of being shown there.

    Control characters, marks of direction and lone bytes of the source become escapes, as in JSON.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else json.dumps(c)[1:-1] for c in text)


class PlainStream(io.TextIOWrapper):
    """A stream that writes plain text, whatever it is given."""

    def write(self, text: str, /) -> int:
        super().write(plain(text))
        return len(text)

    def write_styled(self, text: str) -> int:
        """Writes text with its escapes, for a terminal."""
        return super().write(text)


class _Styled:
    """A stream whose escapes of colour and position are meant."""

    def __init__(self, stream: PlainStream) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write_styled(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def styled(stream: TextIO) -> TextIO:
    """The stream for a library that makes escapes by itself, of text that is plain already."""
    return cast(TextIO, _Styled(stream)) if isinstance(stream, PlainStream) else stream


def open_streams() -> None:
    """Makes the standard streams plain; those that are closed swallow what is written."""
    # No file that is opened later is taken for a standard stream.
    while (null := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(null)
    sys.stdout = _plain_stream(sys.stdout)
    sys.stderr = _plain_stream(sys.stderr)


def _plain_stream(stream: TextIO | None) -> TextIO:
    if stream is None:
        return open(os.devnull, "w")
    if not isinstance(stream, io.TextIOWrapper) or isinstance(stream, PlainStream):
        return stream
    stream.flush()
    encoding = stream.encoding
    interactive = stream is sys.stderr or stream.isatty()
    # Terminals without our box characters get others.
    return PlainStream(stream.detach(), encoding, "replace", line_buffering=interactive)


def say(message: str) -> None:
    """Prints on standard error; what it cannot take is lost, and nothing else."""
    with contextlib.suppress(OSError, ValueError):
        print(message, file=sys.stderr, flush=True)


def number_lines(numbers: Mapping[str, str] | str, cost: Cost) -> list[str]:
    """All numbers of a run by their names, and what it has cost; of what the run comes to in words,
    that and the cost, in two lines."""
    if isinstance(numbers, str):
        spent = f"{cost.cpu_s:.2f} s CPU, {cost.wall_s:.2f} s, {cost.peak_memory_mb:.0f} MB"
        return [f"  {numbers}", f"  {spent} (--stats: all numbers)"]
    rows = {
        **numbers,
        "cpu time": f"{cost.cpu_s:.2f} s",
        "wall time": f"{cost.wall_s:.2f} s",
        "peak memory": f"{cost.peak_memory_mb:.0f} MB",
    }
    width = max(map(len, rows))
    return [f"  {name:<{width}}  {text}" for name, text in rows.items()]


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Writes data as JSON. Raises as `write_text`."""
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Writes a file, or standard output where the path is `-`. Raises InputError."""
    if str(path) == "-":
        print(text, end="")
    else:
        write_whole(path, text)
