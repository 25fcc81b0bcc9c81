"""Builds the control-flow graph of one template.

Atomic blocks are begun and ended by markers while the code is lowered, since C allows the two to
stand in different blocks; `finish` multiplies the graph by the nesting depth, so that every
location of the result is statically atomic or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from abpress.errors import NOWHERE, Position
from abpress.ir.expr import TRUE, Expr, Reg, negate
from abpress.ir.program import (
    AccessKind,
    Edge,
    Effect,
    Fault,
    GuardKind,
    Location,
    MemoryObject,
    Template,
    ends,
)
from abpress.ir.types import Scalar

MAX_EDGES = 50_000
"""A template with more edges is refused, but that of a large program, which may have more."""

_EDGES_OF_NODE = 2
"""For each node of a program's syntax tree, where that is more: so many are not what inlining the
same again and again has made."""


def most_edges(nodes: int) -> int:
    """Of a template of a program with so many nodes."""
    return max(MAX_EDGES, _EDGES_OF_NODE * nodes)


@dataclass(frozen=True, slots=True)
class Facts:
    """What an edge reads and writes: numbers of objects; and whether other threads may influence
    what is read, or notice what is written."""

    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()
    influenced: bool = False
    noticed: bool = False


@dataclass(slots=True)
class Draft:
    """An edge under construction; `depth` is what it adds to the atomic nesting, and `own` to the
    levels of it that models of the library have begun."""

    target: int
    guard: Expr
    kind: GuardKind
    effects: tuple[Effect, ...]
    position: Position
    access: AccessKind
    depth: int
    own: int = 0
    facts: Facts | None = None

    @property
    def ends(self) -> bool:
        """Whether nothing follows."""
        return ends(self.effects)


class TooLarge(Exception):
    """The template exceeds `most_edges`."""


class GraphBuilder:
    """Mutable: `here` is the location where the next action is put, None where code is dead."""

    def __init__(self, most_edges: int = MAX_EDGES) -> None:
        self.most_edges = most_edges
        self.out: list[list[Draft]] = [[]]
        """The edges from each location."""
        self.calls: list[int] = [0]
        """For each location, how many calls it lies in that began while an expression was read."""
        self.blocks: list[int] = [0]
        """As `calls`, for all that must not be interrupted by what stands beside it."""
        self.open_calls = self.open_blocks = 0
        self.locks: dict[int, list[tuple[Expr, int | None]]] = {}
        """Where the thread has just taken a mutex: (address, None), or has it again if it had it
        at another location: (address, location)."""
        self.watch: Callable[[int, int | None], None] | None = None
        """Is told the source and target of every new edge; the target is None where it ends."""
        self._edges = 0
        self.here: int | None = 0
        self.position = NOWHERE
        self.registers: dict[str, Scalar] = {}
        self.locals: dict[str, MemoryObject] = {}
        self._names: dict[str, int] = {}
        self._temporaries = 0

    # -- names --------------------------------------------------------------------------------

    def temporary(self, type: Scalar) -> Reg:
        """A fresh register for an intermediate value."""
        self._temporaries += 1
        return self._register(f"%{self._temporaries}", type)

    def variable(self, name: str, type: Scalar) -> Reg:
        """A fresh register for the C variable `name`."""
        return self._register(self.unique(name), type)

    def unique(self, name: str) -> str:
        """`name`, or `name#k` where it is taken."""
        k = self._names.get(name, 0) + 1
        self._names[name] = k
        return name if k == 1 else f"{name}#{k}"

    def ambient(self, name: str, type: Scalar) -> Reg:
        """`$tid` or `$arg`."""
        return self._register(name, type)

    def _register(self, name: str, type: Scalar) -> Reg:
        self.registers[name] = type
        return Reg(name, type)

    # -- actions ------------------------------------------------------------------------------

    def location(self) -> int:
        """A fresh location, to be a target."""
        self.out.append([])
        self.calls.append(self.open_calls)
        self.blocks.append(self.open_blocks)
        return len(self.out) - 1

    def at(self, location: int | None) -> None:
        self.here = location

    def emit(self, *effects: Effect, access: AccessKind = AccessKind.PLAIN) -> None:
        """One action without guard; nothing where code is dead."""
        self._connect(None, TRUE, GuardKind.BRANCH, effects, access, 0)

    def require(self, guard: Expr, kind: GuardKind) -> None:
        """Go on only where `guard` holds."""
        self._connect(None, guard, kind, (), AccessKind.PLAIN, 0)

    def goto(self, location: int) -> None:
        """An unconditional jump; the code after it is dead."""
        self._connect(location, TRUE, GuardKind.BRANCH, (), AccessKind.PLAIN, 0)
        self.here = None

    def branch(self, condition: Expr, then: int, otherwise: int) -> None:
        """A two-way branch; the code after it is dead."""
        source = self.here
        self._connect(then, condition, GuardKind.BRANCH, (), AccessKind.PLAIN, 0)
        self.here = source
        self._connect(otherwise, negate(condition), GuardKind.BRANCH, (), AccessKind.PLAIN, 0)
        self.here = None

    def choice(self, targets: list[tuple[Expr, int]]) -> None:
        """A branch with several guarded targets; the code after it is dead."""
        source = self.here
        for guard, target in targets:
            self.here = source
            self._connect(target, guard, GuardKind.BRANCH, (), AccessKind.PLAIN, 0)
        self.here = None

    def atomic(self, depth: int, own: bool = False) -> None:
        """Begins (+1) or ends (-1) an atomic block, of a model of the library if it is its own."""
        levels = depth if own else 0
        self._connect(None, TRUE, GuardKind.BRANCH, (), AccessKind.PLAIN, depth, levels)

    def _connect(
        self,
        target: int | None,
        guard: Expr,
        kind: GuardKind,
        effects: tuple[Effect, ...],
        access: AccessKind,
        depth: int,
        own: int = 0,
    ) -> None:
        if self.here is None:
            return
        self._edges += 1
        if self._edges > self.most_edges:
            raise TooLarge
        if target is None:
            target = self.location()
        draft = Draft(target, guard, kind, effects, self.position, access, depth, own)
        source = self.here
        self.out[source].append(draft)
        self.here = None if ends(effects) else target
        if self.watch is not None:
            self.watch(source, self.here)

    def more(self, calls: int, blocks: int) -> int:
        """A location that is added to the finished graph, inside of so many calls and blocks."""
        self.out.append([])
        self.calls.append(calls)
        self.blocks.append(blocks)
        return len(self.out) - 1

    def effects(self) -> Iterator[Effect]:
        """All effects so far."""
        return (effect for edges in self.out for edge in edges for effect in edge.effects)

    # -- the result ---------------------------------------------------------------------------

    def finish(self, name: str, position: Position) -> Template:
        """The template, with atomic nesting resolved and unreachable locations left out."""
        numbers: dict[tuple[int, int, int], int] = {(0, 0, 0): 0}
        todo = [(0, 0, 0)]
        locations: list[Location] = []
        for node, depth, own in todo:  # grows while it is walked: breadth first
            edges = []
            for d in self.out[node]:
                effects, after = d.effects, depth + d.depth
                if after < 0:
                    effects, after = (Fault("end of an atomic block that was not begun"),), 0
                elif after > 64:
                    effects, after = (Fault("atomic blocks nested without end"),), 0
                key = (node, depth, own) if ends(effects) else (d.target, after, own + d.own)
                if key not in numbers:
                    numbers[key] = len(todo)
                    todo.append(key)
                edges.append(
                    Edge(numbers[key], d.guard, d.kind, effects, d.position, _access(d, depth, own))
                )
            locations.append(Location(tuple(edges), depth > 0))
        return Template(name, 0, tuple(locations), self.registers, self.locals, position)


def _access(draft: Draft, depth: int, own: int) -> AccessKind:
    """The kind of the edge's access at a nesting depth: what a model accesses for its caller is
    exposed where only the model excludes other threads."""
    if draft.access is AccessKind.EXPOSED and not 0 < depth <= own:
        return AccessKind.PLAIN
    return draft.access
