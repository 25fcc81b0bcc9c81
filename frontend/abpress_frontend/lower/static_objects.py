"""The static objects of a program while it is lowered: variables, literals, arguments of `main`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pycparser import c_ast

from abpress.errors import Position, UnsupportedError, printable
from abpress.ir.expr import Addr, Const
from abpress.ir.program import Initial, MemoryObject
from abpress.ir.types import Layout
from abpress_frontend.lower.ctypes import CArray, CType, DataModel
from abpress_frontend.lower.layout import layout
from abpress_frontend.lower.static_data import StaticEntry, initial_values


class StaticObjects:
    """Mutable: grows. `entries` reads an initialiser: the constant for every scalar in it."""

    def __init__(
        self, model: DataModel, entries: Callable[[CType, c_ast.Node], list[StaticEntry]]
    ) -> None:
        self.model = model
        self.by_name: dict[str, MemoryObject] = {}
        self.local_names: set[str] = set()  # of objects of functions
        self._entries = entries
        self._strings: dict[bytes, str] = {}
        self._names: dict[str, int] = {}

    def fresh_name(self, name: str) -> str:
        """A name that no object has."""
        k = self._names.get(name, 0) + 1
        self._names[name] = k
        unique = name if k == 1 else f"{name}#{k}"
        return self.fresh_name(name) if unique in self.local_names else unique

    def add(
        self,
        name: str,
        space: Layout,
        values: Sequence[Initial],
        at: Position,
        readonly: bool = False,
    ) -> Addr:
        """The address of an object with these values, which has this name from now on."""
        self.by_name[name] = MemoryObject(name, space, tuple(values), readonly, at)
        return self.address(name)

    def address(self, name: str) -> Addr:
        """Where an object begins."""
        return Addr(name, 0, self.model.pointer)

    def add_variable(
        self,
        name: str,
        type: CType,
        init: c_ast.Node | None,
        at: Position,
        readonly: bool = False,
    ) -> None:
        """An object of a type, with the values that its initialiser says."""
        try:
            space = layout(type)
        except UnsupportedError as e:
            raise UnsupportedError(e.message, at) from None
        self.add(name, space, self.initial(type, init, space, at), at, readonly)

    def initial(
        self, type: CType, init: c_ast.Node | None, space: Layout, at: Position
    ) -> tuple[Initial, ...]:
        """The initial values of a static object: what the initialiser says, else zero."""
        entries = [] if init is None else self._entries(type, init)
        return initial_values(space, entries, at)

    def literal(self, type: CType, init: c_ast.Node, at: Position) -> Addr:
        """The address of a compound literal outside of functions."""
        name = self.fresh_name("(literal)")
        self.add_variable(name, type, init, at)
        return self.address(name)

    def string(self, codes: Sequence[int], at: Position) -> Addr:
        """The address of the string literal; equal literals are one object."""
        key = bytes(codes)
        if key not in self._strings:
            name = self.fresh_name(f'"{printable(key[:-1].decode("latin-1")[:12])}"')
            self._strings[key] = name
            self._add_text(name, codes, at, readonly=True)
        return self.address(self._strings[key])

    def argument(self, word: str, at: Position) -> Addr:
        """The address of a string that `main` is given, which can be written."""
        name = self.fresh_name(f'argument "{printable(word[:12])}"')
        return self._add_text(name, [*word.encode("utf-8", "surrogateescape"), 0], at)

    def arguments(self, strings: Sequence[Addr], at: Position) -> Addr:
        """The address of an array of strings, as `main` is given: a null pointer ends it, and all
        of it can be written."""
        space = layout(CArray(self.model.pointer_to(self.model.char), len(strings) + 1))
        null = Const(0, self.model.pointer)
        return self.add(self.fresh_name("arguments"), space, (*strings, null), at)

    def _add_text(
        self, name: str, codes: Sequence[int], at: Position, readonly: bool = False
    ) -> Addr:
        char = self.model.char
        values = [Const(char.ir.wrap(code), char.ir) for code in codes]
        return self.add(name, layout(CArray(char, len(codes))), values, at, readonly)
