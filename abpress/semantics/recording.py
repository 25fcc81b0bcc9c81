"""The steps of a thread together with what they access: what searches without states ask for."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from typing import Any, NamedTuple

from abpress.semantics.naming import OFFSET_MASK, ObjectInfo, Objects, ScalarKind
from abpress.semantics.outcome import ConcreteStep


class Recorded(NamedTuple):
    """The steps of a thread in a state, and the keys that they access, in order of first access.

    `certain`: there is no choice, neither among steps nor between a step and none. `reads` and
    `writes` are those of all choices together, with the keys of `tracing.AccessedKeys`; that its
    own steps read the life of a thread is left out. `ends`: a step ends the program. A key that is
    read and written stands in both; so does one whose cell is written in part, and those of an
    object whose lifetime begins or ends: what comes of the step, or of others' writes, depends on
    what was there before.
    """

    steps: tuple[ConcreteStep, ...]
    certain: bool
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    ends: bool


class KeyRecorder:
    """Collects the keys that steps of one thread read and write."""

    __slots__ = ("_objects", "_read", "_thread", "_written", "ends")

    def __init__(self, objects: Objects, thread: int) -> None:
        self._objects = objects
        self._thread = thread
        self._read: dict[int, None] = {}
        self._written: dict[int, None] = {}
        self.ends = False

    def edge(self, pc: int, edge: int) -> None:
        """Does nothing: where an action begins is no key."""

    def assigned(self, register: str, kind: ScalarKind, value: int | None) -> None:
        """Does nothing: registers are no keys."""

    def chosen(self, what: str, value: int) -> None:
        """Does nothing: choices are no keys."""

    def read(self, address: int, kind: ScalarKind, value: int | None) -> None:
        self._add(self._read, address, kind.size)

    def write(self, address: int, kind: ScalarKind, value: int | None) -> None:
        self._write(address, kind.size)

    def settled(self, address: int, kind: ScalarKind) -> None:
        self._write(address, kind.size)

    def copy(self, s: MutableSequence[Any], target: int, source: int, size: int) -> None:
        if size:
            self._add(self._read, source, size)
            self._write(target, size)

    def lifetime(self, info: ObjectInfo) -> None:
        for key in (*(info.base + cell.offset for cell in info.layout.cells), info.life):
            self._written[key] = None

    def freed(self, info: ObjectInfo) -> None:
        """The program ends the lifetime of a heap object."""
        self.lifetime(info)

    def observed(self, info: ObjectInfo) -> None:
        self._read[info.life] = None

    def failed(self, address: int, size: int) -> None:
        """An access of these bytes ends the execution: it depends on them, and on the life of
        their object."""
        self._add(self._read, address, size)
        info = self._objects.find(address)
        if info is not None:
            self._read[info.life] = None

    def spawn(self, child: int) -> None:
        self._written[-child] = None

    def join(self, thread: int) -> None:
        self._read[-thread] = None

    def finish(self) -> None:
        self._written[-self._thread] = None

    def end(self, status: str) -> None:
        self.ends = True

    def _write(self, address: int, size: int) -> Iterable[int]:
        """Adds the keys of the bytes; returns those of cells that are written in part."""
        return self._add(self._written, address, size)

    def _add(self, keys: dict[int, None], address: int, size: int) -> Iterable[int]:
        """Adds the keys of the bytes; returns those of cells of which there are other bytes."""
        info = self._objects.find(address)
        if info is None:
            return ()
        offset = address & OFFSET_MASK
        j = info.index.get(offset)
        if j is not None and info.kinds[j].size == size:
            keys[address] = None
            return ()
        partly = []
        for k, cell in info.covering(offset, size):
            keys[info.base + cell.offset] = None
            if cell.offset < offset or cell.offset + info.kinds[k].size > offset + size:
                partly.append(info.base + cell.offset)
        return partly


class AccessRecorder(KeyRecorder):
    """Collects what `Recorded` has, in any number of runs."""

    __slots__ = ()

    def recorded(self, steps: tuple[ConcreteStep, ...], certain: bool) -> Recorded:
        return Recorded(steps, certain, tuple(self._read), tuple(self._written), self.ends)

    def lifetime(self, info: ObjectInfo) -> None:
        super().lifetime(info)
        self._read.update(dict.fromkeys(info.base + cell.offset for cell in info.layout.cells))
        self._read[info.life] = None

    def _write(self, address: int, size: int) -> Iterable[int]:
        partly = super()._write(address, size)
        self._read.update(dict.fromkeys(partly))
        return partly
