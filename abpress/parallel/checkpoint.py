"""Checkpoints: a search that rests, as a file, from which others go on: NOTE(resumed-search).

The file has a line with the format, a line with a hash of all that follows, and then compressed
JSON. A dataclass is an object with its name and its fields' values, a dict one with an empty name
and pairs, bytes are compressed text (base 64) in one with a name of its own. What
is read is data: no code, no pickles.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from abpress.errors import InputError, Position
from abpress.parallel.kept import (
    KeptDesk,
    KeptLeaves,
    KeptOpen,
    KeptParts,
    KeptPlace,
    KeptShare,
)
from abpress.parallel.messages import Address, Continuation, Lease, NamedBranch, NamedEstate
from abpress.parallel.parts import (
    Frontier,
    KeptBranch,
    KeptEstate,
    KeptFinding,
    KeptPart,
    KeptPath,
    NamedWay,
)
from abpress.search.handover import NamedNode, Prefix
from abpress.search.leaves import NamedAccess
from abpress.search.named import Met, NamedSequences, NamedSleeper, NamedStep
from abpress.search.part import PartTurn
from abpress.search.statistics import ExecutionStatistics
from abpress.version import __version__

_FORMAT = b"AbPress checkpoint 7"

_MOST = 1 << 32
"""Bytes that a checkpoint may have when it is not compressed."""

_BYTES = "bytes"

_KINDS = {
    kind.__name__: kind
    for kind in (
        Address,
        Continuation,
        ExecutionStatistics,
        Frontier,
        KeptBranch,
        KeptEstate,
        KeptFinding,
        KeptLeaves,
        KeptOpen,
        KeptParts,
        KeptPath,
        KeptPlace,
        KeptShare,
        Lease,
        Met,
        NamedAccess,
        NamedBranch,
        NamedEstate,
        NamedNode,
        NamedSequences,
        NamedSleeper,
        NamedStep,
        NamedWay,
        KeptPart,
        PartTurn,
        Position,
        Prefix,
    )
}


KeptSearch = Frontier | KeptDesk
"""A search that rests: of workers in Python, or of those of the native core."""


@dataclass(frozen=True, slots=True)
class Search:
    """Which search a checkpoint is of: a hash of the program, and options with their values."""

    program: str
    options: Mapping[str, str]


def encoded(frontier: KeptSearch, search: Search) -> bytes:
    """The content of a checkpoint."""
    content = {
        "version": __version__,
        "program": search.program,
        "options": dict(search.options),
        "frontier": _plain(frontier),
    }
    body = zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 1)
    return b"\n".join((_FORMAT, hashlib.sha256(body).hexdigest().encode(), body))


def decoded(data: bytes, search: Search) -> KeptSearch:
    """The search in a checkpoint. Raises InputError if it is another one, or damaged."""
    first, _, rest = data.partition(b"\n")
    if first != _FORMAT:
        kind = "written by another version" if first.startswith(_FORMAT[:18]) else "no checkpoint"
        raise InputError(f"it is {kind}")
    digest, _, body = rest.partition(b"\n")
    if digest != hashlib.sha256(body).hexdigest().encode():
        raise InputError("it is damaged: its checksum is wrong")
    try:
        unpacked = zlib.decompressobj().decompress(body, _MOST)
        content = json.loads(unpacked)
        version, program, options = content["version"], content["program"], content["options"]
        if version != __version__:
            raise InputError(f"it was written by AbPress {version}, this is {__version__}")
        if program != search.program:
            raise InputError("it is of another program, or of other options of the program")
        for name, value in search.options.items():
            if options[name] != value:
                raise InputError(f"it is of a search with {name} {options[name]}, not {value}")
        frontier = _rich(content["frontier"])
    except (ValueError, KeyError, TypeError, zlib.error, RecursionError) as error:
        raise InputError("it is damaged: it has not what a checkpoint has") from error
    if not isinstance(frontier, KeptSearch):
        raise InputError("it is damaged: it has no search")
    return frontier


def _plain(value: Any) -> Any:
    """A value as JSON."""
    if isinstance(value, bytes):
        return {_BYTES: base64.b64encode(zlib.compress(value, 1)).decode()}
    if isinstance(value, tuple | list | frozenset):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {"": [[_plain(k), _plain(v)] for k, v in value.items()]}
    if is_dataclass(value):
        its = [_plain(getattr(value, its.name)) for its in fields(value)]
        return {type(value).__name__: its}
    return value


def _rich(value: Any) -> Any:
    """The value of which `_plain` has made this."""
    if isinstance(value, list):
        return tuple([_rich(item) for item in value])
    if isinstance(value, dict):
        ((name, its),) = value.items()
        if name == _BYTES:
            return zlib.decompressobj().decompress(base64.b64decode(its), _MOST)
        if not name:
            return {_rich(k): _rich(v) for k, v in its}
        return _KINDS[name](*[_rich(item) for item in its])
    return value


def read(path: Path, search: Search) -> KeptSearch:
    """The search in a file. Raises InputError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    try:
        return decoded(data, search)
    except InputError as error:
        raise InputError(f"cannot resume {path}: {error.message}") from error


@dataclass(slots=True)
class CheckpointFile:
    """Writes checkpoints to a file, every so many seconds; an old one stays whole until there is a
    new one. Mutable."""

    path: Path
    every: float
    search: Search
    written: int = 0
    executions: int = 0  # of the last one that was written
    failed: str = ""  # why the last one could not be written
    _next: float = field(default_factory=monotonic)

    def __post_init__(self) -> None:
        self._next += self.every

    def check(self) -> None:
        """Raises InputError if no checkpoint can be written."""
        if self.path.exists() and not self.path.is_file():
            raise InputError(f"cannot write {self.path}: it is no file")
        try:
            handle, draft = self._draft()
            os.close(handle)
            os.unlink(draft)
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}") from error

    def due(self) -> bool:
        """Whether it is time for one."""
        return monotonic() >= self._next

    def write(self, frontier: KeptSearch) -> None:
        """Writes one; where that fails, `failed` says why, and the old one stays."""
        began = monotonic()
        try:
            self._write(encoded(frontier, self.search))
        except OSError as error:
            self.failed = error.strerror or str(error)
        else:
            self.failed = ""
            self.written += 1
            self.executions = frontier.executions
        self._next = monotonic() + max(self.every, 10 * (monotonic() - began))

    def _write(self, data: bytes) -> None:
        handle, draft = self._draft()
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            os.chmod(draft, 0o666 & ~_umask())
            os.replace(draft, self.path)
        except BaseException:
            with suppress(OSError):
                os.unlink(draft)
            raise
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # of the new name
        finally:
            os.close(folder)

    def _draft(self) -> tuple[int, str]:
        return tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
