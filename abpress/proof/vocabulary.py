"""The vocabulary of a certificate's formulas: names and types are not taken on trust."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from abpress.errors import AbPressError
from abpress.ir.expr import (
    Array,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Filled,
    Float,
    Reg,
    SameArray,
    Select,
    Unary,
    Update,
    Variable,
    array_variables,
    children,
    walk,
)
from abpress.ir.floats import fits
from abpress.ir.program import Program
from abpress.ir.types import INDEX, IntType, PtrType
from abpress.logic.formula import Formula, parse_formula
from abpress.proof.certificate import Rejected
from abpress.symbolic.discrete import Discrete
from abpress.symbolic.system import SymbolicSystem

FRESH = "?"
"""No variable of a state has it in its name; names of inputs do."""


def read_formula(text: str, program: Program) -> Formula:
    """The formula. Raises Rejected if it is not one, or not one about integers."""
    try:
        formula = parse_formula(text, program.pointer_size)
        well_typed = all(map(_well_typed, _parts(formula)))
    except (AbPressError, AssertionError, RecursionError, ValueError, KeyError) as error:
        raise Rejected(f"a formula cannot be read: {text:.80}") from error
    if not well_typed:
        raise Rejected(f"a formula has no meaning: {text:.80}")
    return formula


def registers(f: Formula) -> frozenset[Variable]:
    """The variables of a formula with their types."""
    if f.expr is None:
        return frozenset().union(*map(registers, f.parts))
    integers = frozenset(e for e in walk(f.expr) if isinstance(e, Reg))
    return integers.union(array_variables(f.expr))


class Vocabulary:
    """The variables that a certificate mentions. Mutable: remembers where they exist.

    A formula may mention a variable that the states of a node do not have: it stands for an
    arbitrary value that nobody changes. Raises Rejected for a name that has not one type.
    """

    def __init__(self, system: SymbolicSystem, formulas: Iterable[Formula]) -> None:
        self._system = system
        self._variables: dict[str, Variable] = {}
        for formula in formulas:
            for variable in registers(formula):
                if FRESH in variable.name:
                    raise Rejected(f"no variable is called {variable.name}")
                self._variables.setdefault(variable.name, variable)
                self._require(variable)
        self._always = self._mentioned(system.permanent())
        self._sometimes: dict[Discrete, frozenset[str]] = {}

    @property
    def names(self) -> Collection[str]:
        """What is mentioned."""
        return self._variables.keys()

    def exists(self, name: str, d: Discrete) -> bool:
        """Whether the states with the discrete part `d` have the variable."""
        found = self._sometimes.get(d)
        if found is None:
            found = self._sometimes[d] = self._mentioned(self._system.temporary(d))
        return name in self._always or name in found

    def _mentioned(self, variables: Iterable[Variable]) -> frozenset[str]:
        """The names of those that are mentioned, which have to be of these types."""
        found = [variable for variable in variables if variable.name in self._variables]
        for variable in found:
            self._require(variable)
        return frozenset(variable.name for variable in found)

    def _require(self, variable: Variable) -> None:
        if self._variables[variable.name] != variable:
            raise Rejected(f"the variable {variable.name} is no {_type(variable)}")


def _type(variable: Variable) -> str:
    return str(variable.type) if isinstance(variable, Reg) else f"{variable.element}[]"


def _parts(f: Formula) -> Iterator[Expr]:
    """All expressions in a formula."""
    if f.expr is not None:
        yield from walk(f.expr)
    for part in f.parts:
        yield from _parts(part)


def _well_typed(e: Expr) -> bool:
    """Whether the operator of `e` fits its operands."""
    match e:
        case Const(value, IntType() as t):
            return t.contains(value)
        case Const(value, PtrType()):
            return value >= 0
        case Reg():
            return isinstance(e.type, IntType)
        case Binary(op, a, b):
            integers = isinstance(a.type, IntType) and isinstance(b.type, IntType)
            return integers and (a.type == b.type or op in ("<<", ">>"))
        case Compare(op, a, b):
            return a.type == b.type and (isinstance(a.type, IntType) or op in ("==", "!="))
        case Unary() | Convert():
            return all(isinstance(a.type, IntType) for a in children(e))
        case Float(op, args, t):
            return fits(op, [a.type for a in args], t)
        case Select(array, index):
            return index.type == INDEX and _well_typed_array(array)
        case SameArray(left, right):
            arrays = _well_typed_array(left) and _well_typed_array(right)
            return arrays and left.element == right.element
        case _:
            return False


def _well_typed_array(array: Array) -> bool:
    match array:
        case Update(of, index, value):
            typed = index.type == INDEX and value.type == of.element
            return typed and _well_typed_array(of)
        case Filled(default, others, element):
            indices = [index for index, _ in others]
            ascending = all(a < b for a, b in pairwise(indices)) and all(
                map(INDEX.contains, indices)
            )
            return ascending and all(map(element.contains, (default, *(n for _, n in others))))
        case _:
            return True
