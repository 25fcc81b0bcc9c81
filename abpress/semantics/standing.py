"""What threads stand before in a state: the accesses that they may make next, and which race."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any

from abpress.analysis.racing import Masks, Standing, counted
from abpress.analysis.visibility import Edges
from abpress.errors import Position
from abpress.ir.program import AccessKind, Edge, Free
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
            and self.kind.races(other.kind)
            and self.address < other.address + other.size
            and other.address < self.address + self.size
        )


Run = Callable[[State, int, Chooser, Any], object]
"""Executes the step of the thread at an index of a state, for a recorder."""


_Contents = tuple[tuple[int, Any], ...]
"""What cells at fixed places hold, by their index in the state."""

MOST_KEPT = 200_000
"""Threads, and pairs of threads, whose accesses are kept to be compared again."""

MOST_CONTENTS = 8
"""Contents of cells for which the accesses of one thread are kept."""


class StandingThreads:
    """Answers about the states of one interpreter. `run` finds the code of the step from a pc."""

    def __init__(self, context: Context, run: Callable[[State, int], Run]) -> None:
        self._context = context
        self._run = run
        self._at: list[Standing | None] = [None] * (context.pcs + 1)  # found by the pc DONE
        facts, racing = context.facts, context.options.racing
        self._racing = facts.racing if racing is None else facts.racing.among(racing)
        for (name, location), standing in self._racing.at.items():
            self._at[context.codes[name].first_pc + location] = standing
        self.masks: Sequence[Masks | None] = [at.masks if at else None for at in self._at]
        """By pc: what may race there; None where nothing does."""
        self._base = context.base
        # by the components of threads: what they access, also where some cells have these contents
        self._known: dict[tuple[Any, ...], tuple[Pending, ...]] = {}
        self._blocks: dict[tuple[Any, ...], list[tuple[_Contents, tuple[Pending, ...]]]] = {}
        self._compared: dict[tuple[tuple[Any, ...], tuple[Any, ...]], bool] = {}
        self._edges_at: dict[frozenset[Position], frozenset[tuple[int, int]]] = {}

    @property
    def places(self) -> frozenset[int]:
        """The pcs at which a thread may stand before an access that can race."""
        return frozenset(pc for pc, masks in enumerate(self.masks) if masks is not None)

    def suspicious(self, s: State) -> bool:
        """Whether `races` may find something: false only where it finds nothing."""
        masks = self.masks
        accessed = written = plain = plainly_written = 0
        for thread in s[self._base :] if s.__class__ is tuple else _unquiet(self._context, s):
            at = masks[thread[1]]
            if at is not None:
                a, b, c, d = at
                if d & accessed or c & written or b & plain or a & plainly_written:
                    return any(self.race(s, *pair) for pair in self._pairs(s))
                accessed |= a
                written |= b
                plain |= c
                plainly_written |= d
        return False

    def races(
        self, s: State, among: Collection[tuple[int, int]] | None = None
    ) -> Iterator[tuple[Pending, Pending]]:
        """The pairs of accesses that race, of two threads each, which both stand before them; with
        `among` only of threads that stand before one of these edges."""
        for one, other in self._pairs(s, among):
            mine, others = self.pending(s, one), self.pending(s, other)
            for a in mine:
                yield from ((a, b) for b in others if a.races(b) and self._is_there(s, a, b))

    def _is_there(self, s: State, *accesses: Pending) -> bool:
        """Whether what is accessed is alive."""
        context = self._context
        infos = [context.objects.find(access.address) for access in accesses]
        return all(i is not None and context.memory.alive(s, i) is not None for i in infos)

    def edges_at(self, origins: frozenset[Position]) -> frozenset[tuple[int, int]]:
        """The pcs and numbers of the edges whose positions have these origins."""
        found = self._edges_at.get(origins)
        if found is None:
            found = self._edges_at[origins] = frozenset(
                (code.first_pc + location, k)
                for code in self._context.codes.values()
                for location, its in enumerate(code.template.locations)
                for k, edge in enumerate(its.edges)
                if edge.position.origin in origins
            )
        return found

    def _pairs(
        self, s: State, among: Collection[tuple[int, int]] | None = None
    ) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
        """The components of the pairs of threads that may race by where they stand."""
        masks = self.masks
        threads = s[self._base :] if s.__class__ is tuple else _unquiet(self._context, s)
        found = [(thread, at) for thread in threads if (at := masks[thread[1]]) is not None]
        if among is not None:
            found = [
                (thread, at)
                for thread, at in found
                if any((access.pc, access.edge) in among for access in self.pending(s, thread))
            ]
        for k, (one, at) in enumerate(found):
            for other, beside in found[k + 1 :]:
                if at.races(beside):
                    yield one, other

    def known(self, one: tuple[Any, ...], other: tuple[Any, ...]) -> bool | None:
        """Whether two threads race, given by their components; None if that has to be looked up in
        the state that they stand in."""
        mine, others = self._known.get(one), self._known.get(other)
        return None if mine is None or others is None else _meet(mine, others)

    def kept(self, thread: tuple[Any, ...]) -> tuple[Pending, ...] | None:
        """The accesses that a thread, given by its component of a state, stands before; None if
        that has to be looked up in the state."""
        return self._known.get(thread)

    def race(self, s: State, one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
        """Whether two threads of a state race, given by their components."""
        known = self._compared.get((one, other))
        if known is None:
            known = _meet(self.pending(s, one), self.pending(s, other))
            if one in self._known and other in self._known:
                if len(self._compared) > MOST_KEPT:
                    self._compared.clear()
                self._compared[one, other] = known
        return known

    def name(self, access: Pending) -> str:
        """What is accessed, for people."""
        info = self._context.objects.find(access.address)
        if info is None:
            return hex(access.address)
        return info.name if self.frees(access) else info.describe(access.address & OFFSET_MASK)

    def frees(self, access: Pending) -> bool:
        """Whether an access is the end of a whole object."""
        return any(isinstance(effect, Free) for effect in self._edge(access).effects)

    def position(self, access: Pending) -> Position:
        """The place in the source of an access."""
        return self._edge(access).position

    def _edge(self, access: Pending) -> Edge:
        code, location = self._context.locate(access.pc)
        return code.template.locations[location].edges[access.edge]

    def pending(self, s: State, thread: tuple[Any, ...]) -> tuple[Pending, ...]:
        """The accesses that a thread, given by its component of the state, stands before."""
        at = self._at[thread[1]]
        if at is None:
            return ()
        if not at.block:
            known = self._known.get(thread)
            if known is not None:
                return known
        elif s.__class__ is tuple:
            for needed, found in self._blocks.get(thread, ()):
                if all(s[slot] is value or s[slot] == value for slot, value in needed):
                    return found
        return self._pending(s, thread, at.block)

    def _pending(self, s: State, thread: tuple[Any, ...], block: bool) -> tuple[Pending, ...]:
        context = self._context
        code, _ = context.locate(thread[1])
        run = self._run(s, thread[1])
        i = context.index(s, thread[0])
        found: dict[Pending, None] = {}
        needed: dict[int, Any] = {}
        again = s.__class__ is tuple
        prefix: list[int] | None = []
        for _ in range(MAX_ALTERNATIVES):
            chooser = Chooser(prefix or (), context.soundness)
            counting = self._racing.counting[code.template.name]
            recorder = _Recorder(context, thread[0], code, counting, chooser)
            try:
                run(s, i, chooser, recorder)
            except ExecutionEnds as end:
                note(end, context.soundness)
            found.update(recorder.found)
            needed.update((slot, s[slot]) for slot in recorder.slots)
            again = again and (recorder.local if block else not recorder.fails)
            prefix = recorder.next()
            if prefix is None:
                break
        else:
            context.soundness.lose(f"more than {MAX_ALTERNATIVES} alternatives of what is accessed")
        accesses = tuple(found)
        if again:
            self._keep(thread, accesses, tuple(needed.items()) if block else None)
        return accesses

    def _keep(
        self,
        thread: tuple[Any, ...],
        accesses: tuple[Pending, ...],
        needed: tuple[tuple[int, Any], ...] | None,
    ) -> None:
        """Keeps what a thread accesses: always, or where some cells have these contents."""
        if len(self._known) + len(self._blocks) > MOST_KEPT:
            self._known.clear()
            self._blocks.clear()
        if needed is None:
            self._known[thread] = accesses
        else:
            kept = self._blocks.setdefault(thread, [])
            kept.insert(0, (needed, accesses))
            del kept[MOST_CONTENTS:]


def _meet(mine: tuple[Pending, ...], others: tuple[Pending, ...]) -> bool:
    """Whether some of the accesses race."""
    return any(a.races(b) for a in mine for b in others)


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
        "_counting",
        "_counts",
        "_kind",
        "_matter",
        "_place",
        "_settled",
        "fails",
        "found",
        "local",
        "slots",
    )

    def __init__(
        self, context: Context, thread: int, code: Code, counting: Edges, chooser: Chooser
    ) -> None:
        super().__init__(context.objects, thread)
        self._code = code
        self._counting = counting
        self._chooser = chooser
        self._before: Edge | None = None
        self._place = 0, 0
        self._kind = AccessKind.LIBRARY
        self._counts = False
        self._matter: int | None = None  # so many choices decide what is accessed; None is all
        self._settled = 0
        self.found: dict[Pending, None] = {}
        self.slots: dict[int, None] = {}
        """The places of cells that were read."""
        self.local = True
        """Whether what is accessed depends on the thread and these cells alone."""
        self.fails = False
        """Whether an access has failed."""

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
        counting = (location, edge) in self._counting
        self._counts = counting and self._kind is not AccessKind.LIBRARY

    def read(self, address: int, kind: ScalarKind, value: int | None) -> None:
        self._depends(address, kind.size)
        self._add_access(address, kind.size, False)
        self._settled = 0

    def write(self, address: int, kind: ScalarKind, value: int | None) -> None:
        info = self._objects.find(address)
        if info is None or info.slot is None or info.mortal:
            self.local = False
        self._add_access(address, kind.size, True)

    def settled(self, address: int, kind: ScalarKind) -> None:
        """Takes note that an undefined cell has got a value: that is no write of the program's, and
        the address does not depend on it."""
        self._settled = 1

    def copy(self, s: MutableSequence[Any], target: int, source: int, size: int) -> None:
        self.local = False
        if size:
            self._add_access(source, size, False)
            self._add_access(target, size, True)

    def _depends(self, address: int, size: int) -> None:
        """Takes note that what follows depends on these bytes."""
        info = self._objects.find(address)
        if info is None or info.slot is None:
            self.local = False
            return
        for j, _ in info.covering(address & OFFSET_MASK, size):
            self.slots[info.slot + j] = None

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
        """Does nothing: only where an object is `freed` its end is an access."""

    def freed(self, info: ObjectInfo) -> None:
        self.local = False
        self._add_access(info.base, info.layout.size, True)

    def observed(self, info: ObjectInfo) -> None:
        """Takes note that lifetimes matter: telling addresses apart is no access."""
        self.local = False

    def join(self, thread: int) -> None:
        self.local = False

    def failed(self, address: int, size: int) -> None:
        """Takes note that what is not there is not accessed."""
        self.local = False
        self.fails = True
