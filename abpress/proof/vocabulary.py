"""What formulas of a certificate may say: names and types are not taken on trust."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from abpress.errors import AbPressError
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, Unary, children, walk
from abpress.ir.formula import Formula, parse_formula
from abpress.ir.program import Program
from abpress.ir.types import IntType, PtrType
from abpress.proof.certificate import Rejected
from abpress.semantics.discrete import Discrete, variable_type
from abpress.semantics.symbolic import SymbolicSystem

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


def registers(f: Formula) -> frozenset[Reg]:
    """The variables of a formula with their types."""
    return frozenset(e for e in _parts(f) if isinstance(e, Reg))


class Vocabulary:
    """The variables that a certificate mentions. Mutable: remembers where they exist.

    A formula may mention a variable that the states of a node do not have: it stands for an
    arbitrary value that nobody changes. Raises Rejected for a name that has not one type.
    """

    def __init__(self, system: SymbolicSystem, formulas: Iterable[Formula]) -> None:
        self._system = system
        self._types: dict[str, IntType] = {}
        for formula in formulas:
            for variable in registers(formula):
                assert isinstance(variable.type, IntType)
                if FRESH in variable.name:
                    raise Rejected(f"no variable is called {variable.name}")
                self._types.setdefault(variable.name, variable.type)
                self._require(variable.name, variable.type)
        self._always: set[str] = set()
        for name, o in system.program.objects.items():
            for cell in o.layout.cells:
                self._add(self._always, f"{name}@{cell.offset}", variable_type(cell.type))
        self._sometimes: dict[Discrete, frozenset[str]] = {}

    @property
    def names(self) -> Collection[str]:
        """What is mentioned."""
        return self._types.keys()

    def exists(self, name: str, d: Discrete) -> bool:
        """Whether the states with the discrete part `d` have the variable."""
        found = self._sometimes.get(d)
        if found is None:
            names: set[str] = set()
            for other, type in self._system.temporary(d).items():
                self._add(names, other, type)
            found = self._sometimes[d] = frozenset(names)
        return name in self._always or name in found

    def _add(self, names: set[str], name: str, type: IntType) -> None:
        if name in self._types:
            self._require(name, type)
            names.add(name)

    def _require(self, name: str, type: IntType) -> None:
        if self._types[name] != type:
            raise Rejected(f"the variable {name} is no {self._types[name]}")


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
        case _:
            return False
