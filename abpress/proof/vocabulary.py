"""What formulas of a certificate may say: names and types are not taken on trust."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abpress.errors import AbPressError
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, Unary, children, walk
from abpress.ir.formula import Formula, parse_formula
from abpress.ir.program import Program
from abpress.ir.types import IntType, PtrType
from abpress.proof.certificate import Rejected
from abpress.semantics.context import DONE
from abpress.semantics.discrete import RESULT, Discrete, variable_type
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


def vocabulary(system: SymbolicSystem, d: Discrete) -> Mapping[str, IntType]:
    """Name and type of all that may be a variable in a state with this discrete part."""
    program = system.program
    found: dict[str, IntType] = {}
    for name, o in program.objects.items():
        for cell in o.layout.cells:
            found[f"{name}@{cell.offset}"] = variable_type(cell.type)
    for ref in d.objects:
        for place in ref.cells.values():
            found[place.name] = variable_type(place.type)
    for part in d.threads:
        if part.location == DONE:
            found[f"{system.name(part.id)}:{RESULT}"] = variable_type(program.pointer)
        else:
            for register, type in program.templates[part.template].registers.items():
                found[f"{system.name(part.id)}:{register}"] = variable_type(type)
    return {name: type for name, type in found.items() if FRESH not in name}


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
