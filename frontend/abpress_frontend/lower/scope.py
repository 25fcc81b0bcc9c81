"""Symbols, which are the meanings of names, and the chain of scopes where they are looked up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abpress.errors import Position
from abpress.ir.expr import Expr, Reg
from abpress.ir.program import Initial
from abpress_frontend.lower.ctypes import CRecord, CType


@dataclass(frozen=True, slots=True)
class TypedefSymbol:
    type: CType


@dataclass(frozen=True, slots=True)
class ConstantSymbol:
    """An enumerator."""

    value: int
    type: CType


@dataclass(frozen=True, slots=True)
class ObjectSymbol:
    """A variable that lives in memory at `address`."""

    address: Expr
    type: CType


@dataclass(frozen=True, slots=True)
class RegisterSymbol:
    """A scalar local variable whose address is never taken."""

    register: Reg
    type: CType


@dataclass(frozen=True, slots=True)
class BoundSymbol:
    """A parameter that is never assigned, bound to a constant argument."""

    value: Expr
    type: CType


@dataclass(frozen=True, slots=True)
class FunctionSymbol:
    name: str
    type: CType


@dataclass(eq=False, slots=True)
class ThreadLocal:
    """A thread-local variable: every template has an object of its own for it."""

    name: str
    type: CType
    initial: tuple[Initial, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class ThreadLocalSymbol:
    variable: ThreadLocal

    @property
    def type(self) -> CType:
        return self.variable.type


Symbol = (
    TypedefSymbol
    | ConstantSymbol
    | ObjectSymbol
    | RegisterSymbol
    | BoundSymbol
    | FunctionSymbol
    | ThreadLocalSymbol
)


class Scope:
    """Names and tags of one block; mutable while its declarations are read.

    `objects` are the local objects whose lifetimes end with the block, `early` those of them that
    exist from its beginning on, `arrays` the addresses of its variable-length arrays, `depth` the
    number of scopes around it.
    """

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.names: dict[str, Symbol] = {}
        self.tags: dict[str, CRecord | CType] = {}
        self.alignments: dict[str, int] = {}  # of variables that are declared with one
        self.objects: list[str] = []
        self.early: list[str] = []
        self.arrays: list[Reg] = []
        self.depth: int = 0 if parent is None else parent.depth + 1
        self._arrays_around: tuple[Reg, ...] = () if parent is None else parent.visible_arrays()

    def alignment(self, name: str) -> int | None:
        """The alignment that the variable that the name means is declared with."""
        scope = next((s for s in self.chain() if name in s.names), None)
        return None if scope is None else scope.alignments.get(name)

    def visible_arrays(self) -> tuple[Reg, ...]:
        """Its variable-length arrays so far, and those around it, which get no more of them until
        this block is left."""
        return (*self.arrays, *self._arrays_around) if self.arrays else self._arrays_around

    def chain(self) -> Iterator[Scope]:
        """This scope and those around it, from the inside."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def lookup(self, name: str) -> Symbol | None:
        return next((s.names[name] for s in self.chain() if name in s.names), None)

    def lookup_tag(self, tag: str) -> CRecord | CType | None:
        return next((s.tags[tag] for s in self.chain() if tag in s.tags), None)
