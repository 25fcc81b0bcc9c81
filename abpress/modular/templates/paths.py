"""Paths of one thread of a template, and the steps that they become."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from abpress.config import Place
from abpress.ir.expr import Expr, Reg
from abpress.ir.passes.fold import Folder
from abpress.ir.program import Overflow
from abpress.ir.types import IntType
from abpress.logic.formula import TRUE, Formula

fold = Folder(Overflow.WRAP, {}).fold
"""Folds expressions, where overflow wraps around."""

ARBITRARY = "?"
"""How the names of arbitrary values begin, and of nothing else."""


class NotFollowed(Exception):
    """Why the steps of a template cannot be told."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A thread that begins, the values of its registers that are known then, and its id, if that is
    followed."""

    template: str
    given: Mapping[str, Expr]
    id: Reg | None = None

    @property
    def values(self) -> Mapping[str, Expr]:
        """The values of its variables, by name."""
        return {private_name(self.template, name): e for name, e in self.given.items()}


@dataclass(frozen=True, slots=True)
class ThreadStep:
    """A step: where the `guard` holds the `values` of variables change, and threads `spawned`
    begin. It ends at the cut `target`, or is the end of the thread (None) or of
    the execution: `error` is the edge there that is an error, a fault or a bound of the tool. (Of
    steps that end the program otherwise nothing has to be shown: they are left out.) Where a
    formula of `joined` holds the chosen thread of this array has ended before."""

    template: str
    source: int
    target: int | None
    guard: tuple[Formula, ...]
    values: Mapping[str, Expr]
    spawned: tuple[Begun, ...] = ()
    error: Place | None = None
    joined: tuple[tuple[str, Formula], ...] = ()


At = tuple[str, int]
"""Template and cut."""

Key = tuple[At, ...]
"""What an invariant is about: one thread that stands there, or two."""

AccessAt = tuple[str, int, int, int]
"""An access: template, location, edge, and effect."""


@dataclass(frozen=True, slots=True)
class StandsBefore:
    """Where the `guard` holds, a thread that stands at a cut may come to before an access, or to
    before the atomic block with it, and nobody notices. What may be an access of several elements
    is one of the chosen element there."""

    at: At
    access: AccessAt
    guard: tuple[Formula, ...]


@dataclass(slots=True)
class ThreadPath:
    """What has happened on a path (mutable). A register that is None has no value yet.

    `chosen`: whether the access that comes next is one of the element that is chosen of its array;
    `of_node`: whether it is one of the chosen node.
    """

    location: int
    registers: dict[str, Expr | None] = field(default_factory=dict)
    cells: dict[str, Expr] = field(default_factory=dict)
    guard: list[Formula] = field(default_factory=list)
    spawned: tuple[Begun, ...] = ()
    joined: tuple[tuple[str, Formula], ...] = ()
    noticed: bool = False
    seen: frozenset[int] = frozenset()
    fresh: int = 0
    chosen: bool = False
    of_node: bool = False

    def copy(self) -> ThreadPath:
        """A path that goes on on its own."""
        return replace(
            self,
            registers=dict(self.registers),
            cells=dict(self.cells),
            guard=list(self.guard),
        )

    def arbitrary(self, type: IntType) -> Reg:
        """An arbitrary value."""
        self.fresh += 1
        return Reg(f"{ARBITRARY}{self.fresh} {type}", type)

    def assume(self, f: Formula) -> None:
        """The path goes on where the formula holds only."""
        if f is not TRUE and f not in self.guard:
            self.guard.append(f)


def private_name(template: str, register: str) -> str:
    """The name of the variable for a register of a thread."""
    return f"{template}:{register}"
