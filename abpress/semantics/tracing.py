"""Records of single steps: actions for people, and keys for the conflict relation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from abpress.errors import Position
from abpress.ir.program import Alloc, Edge, Enter, Free, Leave
from abpress.ir.types import OFFSET_BITS
from abpress.semantics.context import RUNNING, Context
from abpress.semantics.naming import OFFSET_MASK, ObjectInfo, ScalarKind
from abpress.semantics.outcome import State
from abpress.semantics.recording import KeyRecorder

PROGRAM = 0
"""The key of the program's being alive: all steps read it, its end writes it."""

Named = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AccessedKeys:
    """Keys that a step reads and writes; a key that is both is in both.

    A key is the address of a cell; `ObjectInfo.life` of an object (written where its lifetime
    begins or ends, read where its address is told from another's); `-t` for the life of thread t
    (its creation and its end write it, its steps and joins read it); or `PROGRAM`. Reading an
    undefined cell writes it, too: the value that is chosen.
    """

    reads: frozenset[int]
    writes: frozenset[int]


@dataclass(frozen=True, slots=True)
class TracedAction:
    """One action of a step, with names and values as text.

    `registers` are the local variables that it assigns, `choices` the arbitrary values that were
    chosen and what for. `note` says what happens to threads or to the program, `lives` to objects:
    each is allocated or freed, or its lifetime begins or ends.
    """

    position: Position
    template: str
    location: int
    edge: int
    reads: Named = ()
    writes: Named = ()
    registers: Named = ()
    choices: tuple[tuple[str, int], ...] = ()
    note: str = ""
    lives: Named = ()


class StepKeyRecorder(KeyRecorder):
    """Collects the keys of one step."""

    def __init__(self, context: Context, thread: int) -> None:
        super().__init__(context.objects, thread)

    def accessed(self) -> AccessedKeys:
        written = {PROGRAM, *self._written} if self.ends else self._written
        return AccessedKeys(frozenset((PROGRAM, -self._thread, *self._read)), frozenset(written))


class ActionRecorder:
    """Collects the actions of one step."""

    def __init__(self, context: Context, thread: int) -> None:
        self._context = context
        self._thread = thread
        self._events: list[TracedAction] = []
        self._place = (0, 0)
        self._open = False
        self._clear()

    def events(self) -> tuple[TracedAction, ...]:
        self._close()
        return tuple(self._events)

    def edge(self, pc: int, edge: int) -> None:
        self._close()
        self._place = pc, edge
        self._open = True

    def assigned(self, register: str, kind: ScalarKind, value: int | None) -> None:
        types = self._context.locate(self._place[0])[0].template.registers
        text = self._context.objects.text(value, types.get(register, kind.type))
        self._registers.append((register, text))

    def chosen(self, what: str, value: int) -> None:
        self._choices.append((what, value))

    def read(self, address: int, kind: ScalarKind, value: int | None) -> None:
        self._reads.append((self._name(address), self._text(address, value, kind)))

    def write(self, address: int, kind: ScalarKind, value: int | None) -> None:
        self._writes.append((self._name(address), self._text(address, value, kind)))

    def settled(self, address: int, kind: ScalarKind) -> None:
        """Does nothing: the value that an undefined cell has got is shown as read."""

    def copy(self, s: MutableSequence[Any], target: int, source: int, size: int) -> None:
        for address, names in ((source, self._reads), (target, self._writes)):
            info = self._context.objects.find(address)
            if size == 0 or info is None:
                continue
            cells = self._context.memory.alive(s, info) or ()
            for j, cell in info.covering(address & OFFSET_MASK, size):
                text = self._context.objects.text(cells[j], cell.type)
                names.append((info.name + cell.path, text))

    def lifetime(self, info: ObjectInfo) -> None:
        self._lives.append(info)

    def freed(self, info: ObjectInfo) -> None:
        self.lifetime(info)

    def observed(self, info: ObjectInfo) -> None:
        """Does nothing: lifetimes are not shown."""

    def failed(self, address: int, size: int) -> None:
        """Does nothing: why an execution ends is not shown."""

    def spawn(self, child: int) -> None:
        self._note = f"creates {self._context.threads.name(child)}"

    def join(self, thread: int) -> None:
        self._note = f"joins {self._context.threads.name(thread)}"

    def finish(self) -> None:
        self._note = "ends"

    def end(self, status: str) -> None:
        self._note = status

    def _clear(self) -> None:
        self._reads: list[tuple[str, str]] = []
        self._writes: list[tuple[str, str]] = []
        self._registers: list[tuple[str, str]] = []
        self._choices: list[tuple[str, int]] = []
        self._lives: list[ObjectInfo] = []
        self._note = ""

    def _close(self) -> None:
        """Ends the current event. What a guard chooses belongs to the event before it, if any."""
        if not self._open:
            return
        self._open = False
        pc, k = self._place
        code, location = self._context.locate(pc)
        edge = code.template.locations[location].edges[k]
        self._events.append(
            TracedAction(
                edge.position,
                code.template.name,
                location,
                k,
                tuple(self._reads),
                tuple(self._writes),
                tuple(self._registers),
                tuple(self._choices),
                self._note,
                tuple(_named_lives(self._lives, edge)),
            )
        )
        self._clear()

    def _name(self, address: int) -> str:
        info = self._context.objects.find(address)
        return info.describe(address & OFFSET_MASK) if info is not None else hex(address)

    def _text(self, address: int, value: int | None, kind: ScalarKind) -> str:
        """A value at an address, as one of the cell there: kinds do not tell numbers apart."""
        info = self._context.objects.find(address)
        index = None if info is None else info.layout.index.get(address & OFFSET_MASK)
        type = kind.type
        if info is not None and index is not None and info.layout.cells[index].type == type:
            type = info.layout.cells[index].type
        return self._context.objects.text(value, type)


def _named_lives(infos: Sequence[ObjectInfo], edge: Edge) -> Iterator[tuple[str, str]]:
    """The objects of which an edge has begun or ended the lifetime, and which of it."""
    kinds = [_LIVES[type(effect)] for effect in edge.effects if type(effect) in _LIVES]
    for info, kind in zip_longest(infos, kinds[: len(infos)], fillvalue="ended"):
        if isinstance(info, ObjectInfo):
            yield info.name, kind


_LIVES = {Alloc: "allocated", Free: "freed", Enter: "begun", Leave: "ended"}
"""What an effect does to the lifetime of an object; Finish ends those of all that are left."""


def describe(context: Context, s: State) -> dict[str, Any]:
    """The whole state in values that `json` writes: numbers, and text for addresses."""
    memory: dict[str, Any] = {}
    for info in context.objects.placed():
        cells = context.memory.alive(s, info)
        if cells is not None:
            _describe_cells(context, info, cells, memory)
    for number, cells in s[context.dynamic]:
        dynamic = context.objects.find(number << OFFSET_BITS)
        assert dynamic is not None
        _describe_cells(context, dynamic, cells, memory)
    threads: dict[str, Any] = {}
    for thread in s[context.base :]:
        threads[context.threads.name(thread[0])] = _describe_thread(context, thread)
    status = s[context.status]
    return {
        "status": "running" if status == RUNNING else status,
        "memory": memory,
        "threads": threads,
    }


def _describe_cells(
    context: Context, info: ObjectInfo, cells: Iterable[Any], memory: dict[str, Any]
) -> None:
    for cell, value in zip(info.layout.cells, cells, strict=True):
        memory[info.name + cell.path] = _plain(context, value, cell.type)


def _describe_thread(context: Context, thread: tuple[Any, ...]) -> dict[str, Any]:
    _, pc, *values = thread
    if pc < 0:
        return {"finished": _plain(context, values[0], context.program.pointer)}
    code, location = context.locate(pc)
    types = code.template.registers
    registers = {
        name: _plain(context, value, types[name]) if name in types else value
        for name, value in zip(code.frames[location], values, strict=True)
    }
    return {
        "template": code.template.name,
        "location": location,
        "position": str(context.position(pc)),
        "registers": registers,
    }


def _plain(context: Context, value: int | None, type: Any) -> int | str | None:
    text = context.objects.text(value, type)
    return value if value is None or text == str(value) or value == 0 else text
