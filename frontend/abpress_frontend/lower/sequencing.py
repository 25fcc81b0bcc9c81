"""What C says of the order in which the parts of an expression are evaluated (C11 6.5p2 and p3).

While an expression is lowered from left to right, this notes its *parts*: each action, call or
conditional, with the parts that are sequenced before it. `abpress_frontend.lower.orders` makes
from that the other orders that C allows.

- The operands of an operator, the arguments of a call and its designator are unsequenced.
- A call follows all of its arguments. While it runs, nothing beside it is evaluated (6.5.2.2p10).
- The write of an assignment follows the values of both sides, and that of `++` the value read; what
  uses the result need not wait for the write, but the next sequence point does. No call beside `++`
  or a compound assignment comes between its read and its write (6.5.2.4p2, 6.5.16.2p3).
- What stands in braces is evaluated in any order, one after another (6.7.9p23).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum

from abpress.errors import NOWHERE, Position
from abpress.ir.expr import Reg
from abpress_frontend.lower.ctypes import Bits
from abpress_frontend.lower.graph import GraphBuilder


class Kind(Enum):
    """What a part is."""

    ACTION = "action"  # one edge
    BLOCK = "block"  # several that nothing comes between
    CALL = "call"  # the same, and sequenced with everything else, in one order or the other
    BRANCHING = "branching"  # a control-flow graph that others may come between
    READ = "read"  # no edge: a register is read, by whatever uses the value


@dataclass(eq=False, slots=True)
class Part:
    """From location `start` to `end`, which is None where nothing follows. `before` are the numbers
    of parts that are sequenced before it, `needed` those whose result it reads all the same, since
    the value of an assignment to a register is that register. Its locations are numbered from
    `first` up to `last`, without those `outside`. `inner` are the evaluations in a conditional."""

    kind: Kind
    start: int
    end: int | None
    before: frozenset[int]
    needed: frozenset[int] = frozenset()
    first: int = 0
    last: int = 0
    outside: frozenset[int] = frozenset()
    inner: list[Evaluation] = field(default_factory=list)
    register: Reg | None = None
    bits: Bits | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """The parts that read and write in one `++` or compound assignment, and those of its right
    side."""

    read: int
    write: int
    right: frozenset[int]


@dataclass(eq=False, slots=True)
class Evaluation:
    """The parts of what is evaluated between two sequence points of a thread; filled while it is
    lowered. `calls` and `blocks` are those of its start, see `GraphBuilder`."""

    start: int
    calls: int
    blocks: int
    position: Position = NOWHERE
    end: int | None = None
    parts: list[Part] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)

    def sequenced(self) -> list[int]:
        """For each part, as bits, all parts that are sequenced before it."""
        return _closed([part.before for part in self.parts])

    def before(self) -> list[int]:
        """For each part, as bits, all parts that have to come before it."""
        return _closed([part.before | part.needed for part in self.parts])


def _closed(direct: list[frozenset[int]]) -> list[int]:
    found: list[int] = []
    for before in direct:
        mask = 0
        for i in before:
            mask |= 1 << i | found[i]
        found.append(mask)
    return found


@dataclass(frozen=True, slots=True)
class After:
    """What the next part comes after: see `Part.before` and `Part.needed`."""

    before: frozenset[int] = frozenset()
    needed: frozenset[int] = frozenset()

    def __or__(self, other: After) -> After:
        return After(self.before | other.before, self.needed | other.needed)


@dataclass(eq=False, slots=True)
class Level:
    """What is being evaluated, or None between evaluations; `after` is what the next part comes
    after; `finished` collects the evaluations inside."""

    evaluation: Evaluation | None
    after: After = After()
    finished: list[Evaluation] = field(default_factory=list)


class Sequencing:
    """Mutable: notes the evaluations of one template, inner ones first, while it is lowered."""

    def __init__(self, graph: GraphBuilder) -> None:
        self._graph = graph
        self._levels = [Level(None)]
        self.evaluations: list[Evaluation] = []
        graph.watch = self._connected

    @property
    def level(self) -> Level:
        return self._levels[-1]

    @property
    def active(self) -> bool:
        """Whether parts are being noted."""
        return self.level.evaluation is not None

    def _connected(self, source: int, target: int | None) -> None:
        if self.level.evaluation is not None:
            assert len(self._graph.out[source]) == 1, "a branch is no action"
            self._part(Kind.ACTION, source, target)

    def _part(self, kind: Kind, start: int, end: int | None) -> Part:
        evaluation, after = self.level.evaluation, self.level.after
        assert evaluation is not None
        part = Part(kind, start, end, after.before, after.needed)
        evaluation.parts.append(part)
        self.level.after = After(frozenset({len(evaluation.parts) - 1}))
        return part

    # -- evaluations --------------------------------------------------------------------------

    @contextmanager
    def evaluation(self) -> Iterator[None]:
        """All between two sequence points; part of the one that it stands in, if there is one."""
        here = self._graph.here
        if self.active or here is None:
            yield
            return
        calls, blocks = self._graph.open_calls, self._graph.open_blocks
        evaluation = Evaluation(here, calls, blocks, self._graph.position)
        self._levels.append(Level(evaluation))
        try:
            yield
        finally:
            self._levels.pop()
        evaluation.end = self._graph.here
        if len(evaluation.parts) > 1:
            self.evaluations.append(evaluation)
        if evaluation.parts:
            self.level.finished.append(evaluation)

    @property
    def mark(self) -> int:
        """The number of the next part."""
        evaluation = self.level.evaluation
        return 0 if evaluation is None else len(evaluation.parts)

    def point(self, mark: int) -> None:
        """A sequence point: what follows here comes after all parts from number `mark` on."""
        self.level.after |= After(frozenset(range(mark, self.mark)))

    def read(self, register: Reg) -> None:
        """The value of a variable that is a register is used."""
        here = self._graph.here
        if self.active and here is not None:
            self._part(Kind.READ, here, here).register = register

    @contextmanager
    def bit_field(self, bits: Bits | None) -> Iterator[None]:
        """An access of a bit-field, if `bits` is given."""
        level, mark = self.level, self.mark
        yield
        if level.evaluation is not None:
            for part in level.evaluation.parts[mark:]:
                part.bits = bits

    @contextmanager
    def effect(self, bits: Bits | None = None, register: bool = False) -> Iterator[None]:
        """A write that need not come before what uses the result; of a bit-field: with `bits`."""
        level, mark = self.level, self.mark
        after = level.after
        with self.bit_field(bits):
            yield
        needed = frozenset(range(mark, self.mark)) if register else frozenset()
        level.after = after | After(needed=needed)

    def update(self, read: int, right: range) -> None:
        """The part that comes next is the write of a `++` or compound assignment, and `read` is the
        part that read; `right` are the parts of the right side. Where nothing comes here there is
        no write."""
        evaluation = self.level.evaluation
        if evaluation is not None and self._graph.here is not None:
            evaluation.updates.append(Update(read, self.mark, frozenset(right)))

    # -- what is unsequenced ------------------------------------------------------------------

    @contextmanager
    def operands(self) -> Iterator[Operands]:
        """Evaluations that have no order among them; what follows comes after their values."""
        operands = Operands(self, self._graph)
        yield operands
        operands.end()

    # -- what nothing, or not everything, comes between ---------------------------------------

    @contextmanager
    def whole(
        self, kind: Kind, outside: Callable[[], frozenset[int]] | None = None
    ) -> Iterator[None]:
        """A part of several actions; `outside` tells, in the end, which locations that were made
        meanwhile are not in it."""
        opened = self.open(kind)
        try:
            yield
        finally:
            self.close(opened)
        if outside is not None and opened.part is not None:
            opened.part.outside = outside()

    def open(self, kind: Kind) -> Opened:
        """Begins a part of several actions."""
        graph = self._graph
        graph.open_calls += kind is Kind.CALL
        graph.open_blocks += kind is not Kind.BRANCHING
        self._levels.append(Level(None))
        return Opened(kind, graph.here, len(graph.out))

    def close(self, opened: Opened) -> None:
        """Ends it."""
        graph, kind, here = self._graph, opened.kind, self._graph.here
        graph.open_calls -= kind is Kind.CALL
        graph.open_blocks -= kind is not Kind.BRANCHING
        inside = self._levels.pop()
        if opened.start is None or opened.start == here or not self.active:
            self.level.finished += inside.finished if kind is not Kind.CALL else []
            return
        if here is not None:
            graph.calls[here], graph.blocks[here] = graph.open_calls, graph.open_blocks
        part = opened.part = self._part(kind, opened.start, here)
        part.first, part.last = opened.first, len(graph.out)
        part.inner = inside.finished if kind is not Kind.CALL else []


@dataclass(eq=False, slots=True)
class Opened:
    """A part that begins at `start`, and in the end what it is; its locations are numbered from
    `first` on."""

    kind: Kind
    start: int | None
    first: int
    part: Part | None = None


class Operands:
    """The operands of one operator."""

    def __init__(self, order: Sequencing, graph: GraphBuilder) -> None:
        self._order = order
        self._graph = graph
        self._level = order.level
        self._before = self._level.after
        self._ends = After()
        self._any = False
        self._alive = graph.here is not None
        self._dead = False

    @contextmanager
    def one(self) -> Iterator[None]:
        """One operand. It may be evaluated although one that stands before it does not end."""
        if self._dead and self._order.active:
            self._graph.at(self._graph.location())
        self._level.after = self._before
        yield
        self._ends |= self._level.after
        self._any = True
        self._dead |= self._alive and self._graph.here is None

    def end(self) -> None:
        if self._any:
            self._level.after = self._ends
        if self._dead:
            self._graph.at(None)


class LibraryCall:
    """A call of a library function: its arguments, evaluated when they are asked for, and what the
    function does, which is all that is lowered outside of `argument`."""

    def __init__(self, order: Sequencing, graph: GraphBuilder) -> None:
        self._order = order
        self._graph = graph
        self._level = order.level
        self._before = self._level.after
        self._mark = order.mark
        self._dead = False
        self._opened = order.open(Kind.CALL)

    @contextmanager
    def argument(self) -> Iterator[None]:
        """One argument."""
        alive = self._graph.here is not None
        self.end()
        if self._dead and self._order.active:
            self._graph.at(self._graph.location())
        self._level.after = self._before
        yield
        self._dead |= alive and self._graph.here is None
        if self._dead:
            self._graph.at(None)
        self._level.after = self._before
        self._order.point(self._mark)
        self._opened = self._order.open(Kind.CALL)

    def end(self) -> None:
        """What the function does is done."""
        self._order.close(self._opened)
        self._level.after = self._before
        self._order.point(self._mark)
