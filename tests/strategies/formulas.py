"""Random integer expressions and formulas with values of their registers, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from abpress.ir.expr import (
    ARITHMETIC,
    COMPARISON,
    Array,
    ArrayReg,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Filled,
    Reg,
    Select,
    Unary,
    Update,
)
from abpress.ir.program import Overflow
from abpress.ir.types import INDEX, INT, IntType, Scalar
from abpress.logic.formula import Formula, Kind, conj, disj, holds, neg, no_fault, no_overflow
from abpress.semantics.reference_expressions import (
    ReferenceEvaluator,
    SignedOverflow,
    UndefinedBehaviour,
)

WIDTHS = (8, 16, 32, 64, 256)
INTEGERS = tuple(IntType(bits, signed) for bits in WIDTHS for signed in (False, True))


class TotalEvaluator(ReferenceEvaluator):
    """The reference where operators are total: a division by zero, a bad shift have a value."""

    def binary(self, op: str, type: Scalar, a: int, b: int) -> int:
        try:
            return super().binary(op, type, a, b)
        except UndefinedBehaviour:
            return a if op == "%" else 0


Arrays = Mapping[str, Filled]
_NONE: Arrays = {}


def value_of(e: Expr, values: Mapping[str, int], arrays: Arrays = _NONE) -> int:
    """The value of an integer expression, overflow wrapping."""
    value = TotalEvaluator(values, Overflow.WRAP, arrays=arrays)(e)
    assert isinstance(value, int)
    return value


def truth(f: Formula, values: Mapping[str, int], arrays: Arrays = _NONE) -> bool:
    """Whether a formula holds."""
    match f.kind:
        case Kind.TRUE | Kind.FALSE:
            return f.kind is Kind.TRUE
        case Kind.HOLDS | Kind.SAME:
            assert f.expr is not None
            return value_of(f.expr, values, arrays) != 0
        case Kind.FITS:
            assert isinstance(f.expr, Binary)
            a, b = (value_of(side, values, arrays) for side in (f.expr.left, f.expr.right))
            t = f.expr.type
            operands = {"a": a, "b": b}
            e = Binary(f.expr.op, Reg("a", t), Reg("b", t))
            try:
                TotalEvaluator(operands, Overflow.END)(e)
            except SignedOverflow:
                return False
            return True
        case Kind.NOT:
            return not truth(f.parts[0], values, arrays)
        case Kind.ALL:
            return all(truth(part, values, arrays) for part in f.parts)
        case Kind.ANY:
            return any(truth(part, values, arrays) for part in f.parts)


def numbers(type: IntType) -> st.SearchStrategy[int]:
    """Values of the type, mostly near the places where something changes."""
    near = {0, type.minimum, type.maximum, 1 << (type.bits // 2), 8, 31, 32}
    edges = [v + d for v in sorted(near) for d in (-2, -1, 0, 1, 2) if type.contains(v + d)]
    return st.sampled_from(edges) | st.integers(type.minimum, type.maximum)


@dataclass
class Maker:
    """Draws expressions; registers get a value when they first occur.

    `linear`: only what integers can say. `reads`: of elements of arrays, too.
    """

    draw: Any
    types: Sequence[IntType] = INTEGERS
    linear: bool = False
    most: int = 8
    values: dict[str, int] = field(default_factory=dict)
    registers: dict[IntType, list[Reg]] = field(default_factory=dict)
    reads: bool = False
    arrays: dict[str, Filled] = field(default_factory=dict)

    def register(self, type: IntType) -> Expr:
        known = self.registers.setdefault(type, [])
        new = not known or self.draw(st.integers(0, 2)) == 0
        if new and len(self.values) < self.most:
            known.append(Reg(f"r{len(self.values)}@{type}", type))
            self.values[known[-1].name] = self.draw(numbers(type))
        return self.draw(st.sampled_from(known)) if known else self.constant(type)

    def constant(self, type: IntType) -> Const:
        return Const(self.draw(numbers(type)), type)

    def expression(self, type: IntType, depth: int) -> Expr:
        kinds = ["const", "reg", "reg"]
        if depth:
            kinds += ["unary", "binary", "binary", "binary", "convert", "convert"]
            kinds += ["compare"] * 3 * (type == INT)
            kinds += ["select"] * 4 * self.reads
        match self.draw(st.sampled_from(kinds)):
            case "const":
                return self.constant(type)
            case "reg":
                return self.register(type)
            case "unary":
                op = self.draw(st.sampled_from("-~"))
                return Unary(op, self.expression(type, depth - 1))
            case "binary":
                return self.binary(type, depth - 1)
            case "select":
                array = self.array(type, depth - 1)
                return Select(array, self.index(depth - 1))
            case "convert":
                of = self.draw(st.sampled_from(self.types))
                return Convert(self.expression(of, depth - 1), type)
            case _:
                return self.comparison(depth - 1)

    def index(self, depth: int) -> Expr:
        """Mostly one of few indices."""
        match self.draw(st.integers(0, 3)):
            case 0:
                return self.expression(INDEX, depth)
            case 1:
                return Const(self.draw(st.integers(-1, 3)), INDEX)
            case _:
                few = Binary("&", self.register(INDEX), Const(3, INDEX))
                return Binary("+", few, Const(self.draw(st.integers(0, 2)), INDEX))

    def array(self, type: IntType, depth: int) -> Array:
        kind = self.draw(st.integers(0, 4 if depth > 0 else 1))
        if kind == 0:
            return self.filled(type)
        if kind == 1:
            variable = ArrayReg(f"a{self.draw(st.integers(0, 1))}@{type}[]", type)
            if variable.name not in self.arrays:
                self.arrays[variable.name] = self.filled(type)
            return variable
        value = self.expression(type, depth - 1)
        return Update(self.array(type, depth - 1), self.index(depth - 1), value)

    def filled(self, type: IntType) -> Filled:
        default = self.draw(numbers(type))
        indices = st.integers(-2, 4) | numbers(INDEX)
        others = self.draw(st.dictionaries(indices, numbers(type), max_size=3))
        kept = tuple(sorted((k, n) for k, n in others.items() if n != default))
        return Filled(default, kept, type)

    def comparison(self, depth: int) -> Compare:
        of = self.draw(st.sampled_from(self.types))
        op = self.draw(st.sampled_from(sorted(COMPARISON)))
        return Compare(op, self.expression(of, depth), self.expression(of, depth))

    def binary(self, type: IntType, depth: int) -> Binary:
        op = self.draw(st.sampled_from(sorted(ARITHMETIC)))
        left = self.expression(type, depth)
        of = self.draw(st.sampled_from(self.types)) if op in ("<<", ">>") else type
        if not self.linear or op in ("+", "-"):
            return Binary(op, left, self.expression(of, depth))
        if op in ("&", "|", "^"):
            low, high = sorted(self.draw(st.integers(0, type.bits)) for _ in range(2))
            return Binary(op, left, Const(type.wrap((1 << high) - (1 << low)), type))
        return Binary(op, left, self.constant(of))

    def formula(self, depth: int) -> Formula:
        size = self.draw(st.integers(0, 2))
        match self.draw(
            st.sampled_from(["holds"] * 3 + ["fits", "fault"] + ["all", "any"] * depth)
        ):
            case "holds" if self.draw(st.booleans()):
                return holds(self.comparison(size))
            case "holds":
                return holds(self.expression(self.draw(st.sampled_from(self.types)), size))
            case "fits":
                return no_overflow(self.expression(self.draw(st.sampled_from(self.types)), size))
            case "fault":
                return no_fault(self.expression(self.draw(st.sampled_from(self.types)), size))
            case connective:
                count = self.draw(st.integers(0, 3))
                parts = [self.formula(depth - 1) for _ in range(count)]
                f = (conj if connective == "all" else disj)(parts)
                return neg(f) if self.draw(st.booleans()) else f
