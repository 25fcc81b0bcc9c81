"""What threads stand before in a state: the accesses that they may make next, and which race."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any

from abpress.analysis.racing import Masks, Standing, counted
from abpress.errors import Position
from abpress.ir.program import AccessKind, Edge
from abpress.semantics.choices import MAX_ALTERNATIVES, Chooser, next_prefix, note
from abpress.semantics.context import Code, Context
from abpress.semantics.naming import OFFSET_MASK, ObjectInfo, ScalarKind
from abpress.semantics.outcome import ExecutionEnds, State
from abpress.semantics.recording import KeyRecorder
from abpress.semantics.sharing import LargeState
from abpress.semantics.thread_sets import members


@dataclass(frozen=True, slots=True)
class Pending:
    """An access that a thread may make next, of `size` bytes from `address` on.

    `kind` is PLAIN, SECTION or ATOMIC; (`pc`, `edge`) is the edge that makes it.
    """

    thread: int
    address: int
    size: int
    writes: bool
    kind: AccessKind
    pc: int
    edge: int

    def races(self, other: Pending) -> bool:
        """Whether the two accesses, of different threads, race."""
        return (
            (self.writes or other.writes)
            and (self.kind is AccessKind.PLAIN or other.kind is AccessKind.PLAIN)
            and self.address < other.address + other.size
            and other.address < self.address + self.size
        )


Run = Callable[[State, int, Chooser, Any], object]
"""Executes the step of the thread at an index of a state, for a recorder."""


class StandingThreads:
    """Answers about the states of one interpreter. `run` finds the code of the step from a pc."""

    def __init__(self, context: Context, run: Callable[[State, int], Run]) -> None:
        self._context = context
        self._run = run
        self._at: list[Standing | None] = [None] * (context.pcs + 1)  # found by the pc DONE
        for (name, location), standing in context.facts.racing.at.items():
            self._at[context.codes[name].first_pc + location] = standing
        self.masks: Sequence[Masks | None] = [at.masks if at else None for at in self._at]
        """By pc: what may race there; None where nothing does."""
        self._base = context.base
        self._known: dict[tuple[Any, ...], tuple[Pending, ...]] = {}

    @property
    def places(self) -> frozenset[int]:
        """The pcs at which a thread may stand before an access that can race."""
        return frozenset(pc for pc, masks in enumerate(self.masks) if masks is not None)

    def races(self, s: State) -> Iterator[tuple[Pending, Pending]]:
        """The pairs of accesses that race, of two threads each, which both stand before them."""
        masks = self.masks
        threads = s[self._base :] if s.__class__ is tuple else _unquiet(self._context, s)
        found = [thread for thread in threads if masks[thread[1]] is not None]
        if len(found) > 1 and self._may_race(found):
            yield from self._races(s, found)

    def _may_race(self, threads: Sequence[tuple[Any, ...]]) -> bool:
        masks = self.masks
        accessed = written = plain = plainly_written = 0
        for thread in threads:
            at = masks[thread[1]]
            assert at is not None
            a, b, c, d = at
            if d & accessed or c & written or b & plain or a & plainly_written:
                return True
            accessed |= a
            written |= b
            plain |= c
            plainly_written |= d
        return False

    def _races(
        self, s: State, threads: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[Pending, Pending]]:
        for k, one in enumerate(threads):
            at = self.masks[one[1]]
            assert at is not None
            for other in threads[k + 1 :]:
                beside = self.masks[other[1]]
                if beside is not None and at.races(beside):
                    mine, others = self.pending(s, one), self.pending(s, other)
                    yield from ((a, b) for a in mine for b in others if a.races(b))

    def known(self, one: tuple[Any, ...], other: tuple[Any, ...]) -> bool | None:
        """Whether two threads race, given by their components; None if that has to be looked up in
        the state that they stand in."""
        mine, others = self._known.get(one), self._known.get(other)
        if mine is None or others is None:
            return None
        return any(a.races(b) for a in mine for b in others)

    def race(self, s: State, one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
        """Whether two threads of a state race, given by their components."""
        mine, others = self.pending(s, one), self.pending(s, other)
        return any(a.races(b) for a in mine for b in others)

    def name(self, access: Pending) -> str:
        """What is accessed, for people."""
        info = self._context.objects.find(access.address)
        return hex(access.address) if info is None else info.describe(access.address & OFFSET_MASK)

    def position(self, access: Pending) -> Position:
        """The place in the source of an access."""
        code, location = self._context.locate(access.pc)
        return code.template.locations[location].edges[access.edge].position

    def pending(self, s: State, thread: tuple[Any, ...]) -> tuple[Pending, ...]:
        """The accesses that a thread, given by its component of the state, stands before."""
        at = self._at[thread[1]]
        if at is None:
            return ()
        if at.block:
            return self._pending(s, thread)
        known = self._known.get(thread)
        if known is None:
            known = self._known[thread] = self._pending(s, thread)
        return known

    def _pending(self, s: State, thread: tuple[Any, ...]) -> tuple[Pending, ...]:
        context = self._context
        code, _ = context.locate(thread[1])
        run = self._run(s, thread[1])
        i = context.index(s, thread[0])
        found: dict[Pending, None] = {}
        prefix: list[int] | None = []
        for _ in range(MAX_ALTERNATIVES):
            chooser = Chooser(prefix or (), context.soundness)
            recorder = _Recorder(context, thread[0], code, chooser)
            try:
                run(s, i, chooser, recorder)
            except ExecutionEnds as end:
                note(end, context.soundness)
            found.update(recorder.found)
            prefix = recorder.next()
            if prefix is None:
                return tuple(found)
        context.soundness.lose(f"more than {MAX_ALTERNATIVES} alternatives of what is accessed")
        return tuple(found)


def _unquiet(context: Context, s: State) -> Iterator[tuple[Any, ...]]:
    """The threads of a large state that have a visible edge in their next step."""
    assert isinstance(s, LargeState)
    for thread in members(s.alive & ~s.quiet):
        yield s[context.index(s, thread)]


class _Recorder(KeyRecorder):
    """Collects the accesses of the first edge of a step, or of the atomic block that it begins."""

    __slots__ = (
        "_before",
        "_chooser",
        "_code",
        "_counts",
        "_kind",
        "_matter",
        "_place",
        "_settled",
        "found",
    )

    def __init__(self, context: Context, thread: int, code: Code, chooser: Chooser) -> None:
        super().__init__(context.objects, thread)
        self._code = code
        self._chooser = chooser
        self._before: Edge | None = None
        self._place = 0, 0
        self._kind = AccessKind.LIBRARY
        self._counts = False
        self._matter: int | None = None  # so many choices decide what is accessed; None is all
        self._settled = 0
        self.found: dict[Pending, None] = {}

    def next(self) -> list[int] | None:
        """The choices with which the next run begins; None after the last one."""
        taken, widths = self._chooser.taken, self._chooser.widths
        return next_prefix(taken[: self._matter], widths[: self._matter])

    def edge(self, pc: int, edge: int) -> None:
        template = self._code.template
        before = self._before
        if before is not None and not template.locations[before.target].atomic:
            if self._matter is None:
                self._matter = len(self._chooser.taken)
            self._counts = False
            return
        location = pc - self._code.first_pc
        self._before = template.locations[location].edges[edge]
        self._place = pc, edge
        self._kind = counted(template, location, self._before)
        visible = (location, edge) in self._code.visible
        self._counts = visible and self._kind is not AccessKind.LIBRARY

    def read(self, address: int, kind: ScalarKind, value: int | None) -> None:
        self._add_access(address, kind.size, False)
        self._settled = 0

    def write(self, address: int, kind: ScalarKind, value: int | None) -> None:
        self._add_access(address, kind.size, True)

    def settled(self, address: int, kind: ScalarKind) -> None:
        """Takes note that an undefined cell has got a value: that is no write of the program's, and
        the address does not depend on it."""
        self._settled = 1

    def copy(self, s: MutableSequence[Any], target: int, source: int, size: int) -> None:
        if size:
            self._add_access(source, size, False)
            self._add_access(target, size, True)

    def _add_access(self, address: int, size: int, writes: bool) -> None:
        if not self._counts:
            return
        self.found[Pending(self._thread, address, size, writes, self._kind, *self._place)] = None
        edge = self._before
        assert edge is not None
        if self._matter is None and not self._code.template.locations[edge.target].atomic:
            first = self._code.template.locations[self._place[0] - self._code.first_pc]
            if not first.atomic:
                self._matter = len(self._chooser.taken) - self._settled

    def lifetime(self, info: ObjectInfo) -> None:
        """Does nothing: the beginning and the end of a lifetime are no accesses."""

    def observed(self, info: ObjectInfo) -> None:
        """Does nothing: nor is telling addresses apart."""

    def failed(self, address: int, size: int) -> None:
        """Does nothing: what is not there is not accessed."""
