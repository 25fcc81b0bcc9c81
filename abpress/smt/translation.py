"""Formulas as terms of z3. What a formula means is said in `abpress.logic.formula`.

Every translation is exact: the terms have the formulas' models, no more and no less. The one to
integers refuses what it cannot say exactly.

A pointer is a number: NULL and plain integers are themselves, the address of an object is a
multiple of 2 ** 40 (another for every object), plus the offset. So pointers can be compared for
equality, and addresses of known objects can be moved.

An array is one of z3. Where its elements are integers without bounds, that they are of their type
is said of those that a formula reads: the others may as well be so. (Where arrays are said to
differ, this is not exact: they may differ in such another one. Then "satisfiable" may be wrong.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from abpress.errors import UnsupportedError
from abpress.ir.expr import (
    Addr,
    Array,
    ArrayReg,
    Binary,
    Compare,
    Expr,
    Filled,
    FuncAddr,
    PtrAdd,
    SameArray,
    Select,
    Update,
    walk,
)
from abpress.ir.types import IntType, Scalar
from abpress.logic.formula import Formula, Kind, displacement, variables
from abpress.smt.terms import Term, Terms

OBJECT_BITS = 40
"""Addresses of different objects differ above so many bits."""


class Translation(ABC):
    """Translates formulas; remembers what it has translated (mutable)."""

    def __init__(self, terms: Terms | None = None) -> None:
        self.terms = terms or Terms()
        self.variables: dict[str, tuple[Term, Scalar]] = {}
        self._formulas: dict[Formula, Term] = {}
        self._values: dict[Expr, Term] = {}
        self._arrays: dict[str, tuple[Term, IntType]] = {}
        self._array_sorts: dict[IntType, object] = {}
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
            integers = [name for name in sorted(variables(f)) if name in self.variables]
            ranges = [*self.ranges(integers), *self._read(f)]
            found = self.terms.all((*ranges, term)) if ranges else term
            self._asserted[f] = found
        return found

    def value(self, e: Expr) -> Term:
        """The value of an expression."""
        found = self._values.get(e)
        if found is None:
            found = self._values[e] = self._value(e)
        return found

    def variable(self, name: str, type: Scalar) -> Term:
        """The constant for a register."""
        found = self.variables.get(name)
        if found is None:
            found = self.variables[name] = (self._declare(name, type), type)
        if found[1] != type or name in self._arrays:
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
            case Kind.SAME:
                assert isinstance(f.expr, SameArray)
                return self.terms.apply("eq", self.array(f.expr.left), self.array(f.expr.right))
            case _:
                assert isinstance(f.expr, Compare)
                return self.compare(f.expr)

    # -- arrays ---------------------------------------------------------------------------------

    def array(self, array: Array) -> Term:
        """An array."""
        later: list[Update] = []
        while isinstance(array, Update):
            later.append(array)
            array = array.array
        match array:
            case ArrayReg(name, element):
                found = self._array_variable(name, element)
            case Filled(default, others, element):
                found = self.terms.apply(
                    "const_array", self.index_sort, self.element(default, element)
                )
                for index, number in others:
                    found = self.terms.apply(
                        "store", found, self.index(index), self.element(number, element)
                    )
        for update in reversed(later):
            index, value = self.value(update.index), self.value(update.value)
            found = self.terms.apply("store", found, index, value)
        return found

    def select(self, e: Select) -> Term:
        """What is read from an array."""
        return self.terms.apply("select", self.array(e.array), self.value(e.index))

    def _array_variable(self, name: str, element: IntType) -> Term:
        found = self._arrays.get(name)
        if found is None:
            sort = self._array_sorts.get(element)
            if sort is None:
                sort = self.terms.array(self.index_sort, self.element_sort(element))
                self._array_sorts[element] = sort
            found = self._arrays[name] = (self.terms.constant(name, sort), element)
        if found[1] != element or name in self.variables:
            raise ValueError(f"{name} has the types {found[1]}[] and {element}[]")
        return found[0]

    def _read(self, f: Formula) -> list[Term]:
        """Terms that what is read from arrays is of its type, as far as the sorts do not say it."""
        return [term for e in dict.fromkeys(_reads(f)) for term in self.read(e)]

    @abstractmethod
    def read(self, e: Select) -> list[Term]:
        """Terms that the number that is read from an array is of its type."""

    @property
    @abstractmethod
    def index_sort(self) -> object:
        """The sort of indices."""

    @abstractmethod
    def element_sort(self, type: IntType) -> object:
        """The sort of elements."""

    @abstractmethod
    def index(self, n: int) -> Term:
        """A number as an index."""

    @abstractmethod
    def element(self, n: int, type: IntType) -> Term:
        """A number as an element."""

    # -- addresses ------------------------------------------------------------------------------

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
        """Terms that variables have values of their types, as far as sorts do not say it."""

    @abstractmethod
    def compare(self, e: Compare) -> Term:
        """A comparison as a Boolean term."""

    @abstractmethod
    def _value(self, e: Expr) -> Term:
        """The value of an expression that was not met yet."""

    @abstractmethod
    def _fits(self, e: Binary) -> Term:
        """The term that the exact result of a signed operator is of its type."""

    @abstractmethod
    def _declare(self, name: str, type: Scalar) -> Term:
        """A new constant for a register."""


def _reads(f: Formula) -> Iterator[Select]:
    """What the formula reads from arrays."""
    if f.expr is not None:
        yield from (e for e in walk(f.expr) if isinstance(e, Select))
    for part in f.parts:
        yield from _reads(part)
