"""The control-flow graph of a template, written statement by statement (for tests)."""

from __future__ import annotations

from dataclasses import dataclass, field

from abpress.errors import Position
from abpress.ir.expr import TRUE, Expr, Reg, negate
from abpress.ir.program import Edge, Effect, GuardKind, Location, MemoryObject, Template
from abpress.ir.types import INT, Scalar


@dataclass(slots=True)
class Body:
    """The control-flow graph of one template while it is written (mutable)."""

    name: str
    locations: list[list[Edge]] = field(default_factory=lambda: [[]])
    atomic: set[int] = field(default_factory=set)
    registers: dict[str, Scalar] = field(default_factory=dict)
    locals: dict[str, MemoryObject] = field(default_factory=dict)
    here: int = 0
    in_atomic: bool = False
    line: int = 1
    lines: bool = True  # every edge has a line of its own; else all are one statement

    def new(self) -> int:
        self.locations.append([])
        if self.in_atomic:
            self.atomic.add(len(self.locations) - 1)
        return len(self.locations) - 1

    def temporary(self) -> Reg:
        """A fresh register for an intermediate value."""
        register = Reg(f"%{len(self.registers)}", INT)
        self.registers[register.name] = INT
        return register

    def edge(
        self,
        source: int,
        target: int,
        *effects: Effect,
        guard: Expr = TRUE,
        kind: GuardKind = GuardKind.BRANCH,
    ) -> None:
        self.line += self.lines
        position = Position("random.c", self.line, 1, self.name)
        self.locations[source].append(Edge(target, guard, kind, effects, position))

    def then(
        self, *effects: Effect, guard: Expr = TRUE, kind: GuardKind = GuardKind.BRANCH
    ) -> None:
        """One edge to a new location, at which the code goes on."""
        target = self.new()
        self.edge(self.here, target, *effects, guard=guard, kind=kind)
        self.here = target

    def branch(self, condition: Expr, *effects: Effect) -> int:
        """Goes on where `condition` holds; returns the location where it does not."""
        other = self.new()
        self.edge(self.here, other, guard=negate(condition))
        self.then(*effects, guard=condition)
        return other

    def begin_atomic(self) -> None:
        self.in_atomic = True
        self.then()

    def end_atomic(self) -> None:
        self.in_atomic = False
        self.then()

    def template(self) -> Template:
        return Template(
            self.name,
            0,
            tuple(Location(tuple(e), i in self.atomic) for i, e in enumerate(self.locations)),
            self.registers,
            self.locals,
        )
