"""What is looked at to find the cause of a violation: an execution, access by access."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath

from abpress.errors import Position
from abpress.properties.finding import Finding
from abpress.search.ledger import Schedule
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.witness.library import is_kept
from abpress.witness.trace import Trace, TraceStep


@dataclass(frozen=True, slots=True)
class SceneAccess:
    """A step reads or writes a cell, or both: `value` is what it finds there, `written` what it
    leaves. `step` is the index in the schedule, `locks` are what its thread holds, also as a reader
    or a writer."""

    step: int
    thread: str
    cell: str
    position: Position
    locks: tuple[str, ...]
    value: str | None = None
    written: str | None = None

    @property
    def writes(self) -> bool:
        """Whether it changes the cell."""
        return self.written is not None

    @property
    def reads(self) -> bool:
        """Whether it looks at the cell."""
        return self.value is not None


@dataclass(frozen=True)
class Scene:
    """An execution that violates a property: it was replayed, and `last` is its last state.

    `trace` is in the names of the execution, with the history of all objects; `actions` are how
    many of its steps belong to each step of the schedule.
    """

    system: Interpreter
    schedule: Schedule
    finding: Finding
    trace: Trace
    actions: Sequence[int]
    last: State

    @cached_property
    def threads(self) -> list[int]:
        """The thread of each step of the schedule."""
        return [thread for thread, _ in self.schedule]

    @cached_property
    def moves(self) -> list[tuple[TraceStep, ...]]:
        """The actions of each step of the schedule."""
        moves, at = [], 0
        for count in self.actions:
            moves.append(self.trace.steps[at : at + count])
            at += count
        return moves

    @cached_property
    def accesses(self) -> list[SceneAccess]:
        """What the user's program reads and writes, in order; nothing of what models keep."""
        moves = zip(self.moves, self.locks, strict=True)
        return [a for i, (move, locks) in enumerate(moves) for a in _of(i, move, locks)]

    @cached_property
    def locks(self) -> list[list[tuple[str, ...]]]:
        """For each action of each step of the schedule the mutexes, and the locks of readers and
        writers, that its thread holds behind it."""
        held: dict[str, dict[str, None]] = {}
        found: list[list[tuple[str, ...]]] = []
        for move in self.moves:
            found.append([])
            for action in move:
                mine = held.setdefault(action.thread, {})
                for its in filter(None, map(_SHARED.fullmatch, action.said)):
                    if its["taken"]:
                        mine[its["taken"]] = None
                    else:
                        mine.pop(its["left"], None)
                found[-1].append((*action.locks, *mine))
        return found

    def entry(self, step: int) -> int:
        """The step by which the thread of this one has come to hold a lock, if it holds one there
        and all the way from then on; else this one."""
        entry = step
        for i in range(step, -1, -1):
            if self.threads[i] == self.threads[step]:
                if not self.locks[i] or not self.locks[i][-1]:
                    break
                entry = i
                if not all(self.locks[i]):
                    break
        return entry

    @cached_property
    def by_cell(self) -> dict[str, list[SceneAccess]]:
        """The accesses of each cell, in order."""
        found: dict[str, list[SceneAccess]] = {}
        for access in self.accesses:
            found.setdefault(access.cell, []).append(access)
        return found

    @cached_property
    def _home(self) -> str:
        """The file that most of the execution is in: lines of others are told with their file."""
        files = Counter(step.position.origin.file for step in self.trace.steps)
        return files.most_common(1)[0][0] if files else ""

    def place(self, position: Position) -> str:
        """The line of the user's text, in words: `line 12`, or `queue.c:12`."""
        origin = position.origin
        if origin.file == self._home:
            return f"line {origin.line}"
        return f"{PurePath(origin.file).name}:{origin.line}"


_SHARED = re.compile(
    r"locks (?P<taken>\S+) for (?:reading|writing)(?:, beside .*)?"
    r"|unlocks (?P<left>[^\s,]+)(?:, which .*)?"
)
"""What the model says of locks of readers and writers."""


def _of(
    index: int, move: Sequence[TraceStep], locks: Sequence[tuple[str, ...]]
) -> Iterable[SceneAccess]:
    """What a step accesses, each cell once."""
    found: dict[str, SceneAccess] = {}
    for action, held in zip(move, locks, strict=True):
        read, written = dict(action.reads), dict(action.writes)
        for cell in dict.fromkeys((*read, *written)):
            if is_kept(action.position, cell):
                continue
            its = found.setdefault(
                cell,
                SceneAccess(index, action.thread, cell, action.position, held, read.get(cell)),
            )
            if cell in written:
                found[cell] = replace(its, written=written[cell])
    return found.values()
