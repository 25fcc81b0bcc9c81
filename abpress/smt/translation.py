"""Formulas as terms of z3. What a formula means is said in `abpress.ir.formula`.

Every translation is exact: the terms have the formulas' models, no more and no less. The one to
integers refuses what it cannot say exactly.

A pointer is a number: NULL and plain integers are themselves, the address of an object is a
multiple of 2 ** 40 (another for every object), plus the offset. So pointers can be compared for
equality, and addresses of known objects can be moved.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from abpress.errors import UnsupportedError
from abpress.ir.expr import Addr, Binary, Compare, Expr, FuncAddr, PtrAdd
from abpress.ir.formula import Formula, Kind, displacement, variables
from abpress.ir.types import Scalar
from abpress.smt.terms import Term, Terms

OBJECT_BITS = 40
"""Addresses of different objects differ above so many bits."""


class NotExact(Exception):
    """This encoding cannot say this exactly; bit-vectors can."""


class Translation(ABC):
    """Translates formulas; remembers what it has translated (mutable)."""

    def __init__(self) -> None:
        self.terms = Terms()
        self.variables: dict[str, tuple[Term, Scalar]] = {}
        self._formulas: dict[Formula, Term] = {}
        self._asserted: dict[Formula, Term] = {}
        self._objects: dict[Addr | FuncAddr, int] = {}

    def formula(self, f: Formula) -> Term:
        """The formula as a term. Raises NotExact and UnsupportedError."""
        found = self._formulas.get(f)
        if found is None:
            found = self._formulas[f] = self._translate(f)
        return found

    def asserted(self, f: Formula) -> Term:
        """The formula, and that its variables have values of their types."""
        found = self._asserted.get(f)
        if found is None:
            term = self.formula(f)
            ranges = self.ranges(sorted(variables(f)))
            found = self.terms.all((*ranges, term)) if ranges else term
            self._asserted[f] = found
        return found

    def variable(self, name: str, type: Scalar) -> Term:
        """The constant for a register."""
        found = self.variables.get(name)
        if found is None:
            found = self.variables[name] = (self._declare(name, type), type)
        if found[1] != type:
            raise ValueError(f"{name} has the types {found[1]} and {type}")
        return found[0]

    def _translate(self, f: Formula) -> Term:
        match f.kind:
            case Kind.TRUE:
                return self.terms.true
            case Kind.FALSE:
                return self.terms.false
            case Kind.ALL:
                return self.terms.all([self.formula(part) for part in f.parts])
            case Kind.ANY:
                return self.terms.any([self.formula(part) for part in f.parts])
            case Kind.NOT:
                return self.terms.apply("not", self.formula(f.parts[0]))
            case Kind.FITS:
                assert isinstance(f.expr, Binary)
                return self._fits(f.expr)
            case _:
                assert isinstance(f.expr, Compare)
                return self.compare(f.expr)

    def _address(self, e: Addr | FuncAddr) -> int:
        """The number of an address."""
        base, offset = (Addr(e.object, 0, e.type), e.offset) if isinstance(e, Addr) else (e, 0)
        found = self._objects.setdefault(base, len(self._objects) + 1)
        return (found << OBJECT_BITS) + offset

    def _displacement(self, e: PtrAdd) -> Expr:
        """By how much an address of an object is moved."""
        if not isinstance(e.pointer, Addr | PtrAdd):
            raise UnsupportedError("arithmetic on an unknown pointer in a formula")
        return displacement(e)

    @abstractmethod
    def ranges(self, names: Iterable[str]) -> list[Term]:
        """That the variables have values of their types, as far as their sorts do not say it."""

    @abstractmethod
    def compare(self, e: Compare) -> Term:
        """A comparison as a Boolean term."""

    @abstractmethod
    def _fits(self, e: Binary) -> Term:
        """That the exact result of a signed operator is of its type."""

    @abstractmethod
    def _declare(self, name: str, type: Scalar) -> Term:
        """A new constant for a register."""
