"""Formulas over bit-vectors: everything that expressions can say about integers."""

from __future__ import annotations

from collections.abc import Iterable

from abpress.errors import UnsupportedError
from abpress.ir.expr import (
    Addr,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Float,
    FuncAddr,
    PtrAdd,
    Reg,
    Select,
    Unary,
)
from abpress.ir.types import INDEX, IntType, PtrType, Scalar
from abpress.smt.floats import FloatTerms
from abpress.smt.terms import Term
from abpress.smt.translation import Translation

POINTER_BITS = 64

PLAIN = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "&": "bvand", "|": "bvor", "^": "bvxor"}
SIGNED = {"<": "bvslt", "<=": "bvsle", ">": "bvsgt", ">=": "bvsge"}
UNSIGNED = {"<": "bvult", "<=": "bvule", ">": "bvugt", ">=": "bvuge"}
OVERFLOWS = {"+": "bvadd", "-": "bvsub", "*": "bvmul"}


class VectorEncoding(Translation):
    """Bit-vectors of the types' widths; pointers have 64 bits."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[tuple[int, int], Term] = {}
        self._sorts: dict[int, object] = {}
        self._floats = FloatTerms(self.terms, self.value, self.number)

    def ranges(self, names: Iterable[str]) -> list[Term]:
        return []

    def compare(self, e: Compare) -> Term:
        type = e.left.type
        a, b = self.value(e.left), self.value(e.right)
        if e.op in ("==", "!="):
            equal = self.terms.apply("eq", a, b)
            return equal if e.op == "==" else self.terms.apply("not", equal)
        if isinstance(type, PtrType):
            raise UnsupportedError("order of pointers in a formula")
        return self.terms.apply((SIGNED if type.signed else UNSIGNED)[e.op], a, b)

    def _declare(self, name: str, type: Scalar) -> Term:
        return self.terms.constant(name, self._sort(_bits(type)))

    def _fits(self, e: Binary) -> Term:
        a, b = self.value(e.left), self.value(e.right)
        if e.op == "/":
            return self.terms.apply("bvsdiv_no_overflow", a, b)
        make = OVERFLOWS[e.op]
        over, under = f"{make}_no_overflow", f"{make}_no_underflow"
        if e.op == "-":  # of a difference, only the lower bound depends on the sign
            parts = (self.terms.apply(over, a, b), self.terms.apply(under, a, b, True))
        else:
            parts = (self.terms.apply(over, a, b, True), self.terms.apply(under, a, b))
        return self.terms.all(parts)

    # -- arrays ---------------------------------------------------------------------------------

    @property
    def index_sort(self) -> object:
        return self._sort(INDEX.bits)

    def element_sort(self, type: IntType) -> object:
        return self._sort(type.bits)

    def index(self, n: int) -> Term:
        return self.number(n, INDEX.bits)

    def element(self, n: int, type: IntType) -> Term:
        return self.number(n, type.bits)

    def read(self, e: Select) -> list[Term]:
        return []

    # -- values ---------------------------------------------------------------------------------

    def _value(self, e: Expr) -> Term:
        match e:
            case Const(n, type):
                plain = isinstance(type, IntType)
                return self.number(n if plain else n % (1 << 8 * type.size), _bits(type))
            case Reg(name, type):
                return self.variable(name, type)
            case Addr() | FuncAddr():
                return self.number(self._address(e), POINTER_BITS)
            case Compare():
                bits = _bits(e.type)
                truth = self.compare(e)
                return self.terms.apply("ite", truth, self.number(1, bits), self.number(0, bits))
            case Unary(op, a):
                return self.terms.apply("bvneg" if op == "-" else "bvnot", self.value(a))
            case Binary():
                return self._binary(e)
            case Convert(a, type):
                return self._convert(a, type)
            case PtrAdd(pointer, _):
                by = self._displacement(e)
                distance = self._resized(self.value(by), _bits(by.type), POINTER_BITS, signed=True)
                return self.terms.apply("bvadd", self.value(pointer), distance)
            case Select():
                return self.select(e)
            case Float():
                return self._floats.bits(e)
            case _:
                raise UnsupportedError("difference of pointers in a formula")

    def _binary(self, e: Binary) -> Term:
        assert isinstance(e.type, IntType)
        a, b = self.value(e.left), self.value(e.right)
        signed, bits = e.type.signed, e.type.bits
        match e.op:
            case "/":
                quotient = self.terms.apply("bvsdiv" if signed else "bvudiv", a, b)
                return self._unless_zero(e.right, b, quotient)
            case "%":
                return self.terms.apply("bvsrem" if signed else "bvurem", a, b)
            case "<<":
                return self._shift("bvshl", e, a, b, bits)
            case ">>":
                return self._shift("bvashr" if signed else "bvlshr", e, a, b, bits)
            case op:
                return self.terms.apply(PLAIN[op], a, b)

    def _unless_zero(self, divisor: Expr, b: Term, quotient: Term) -> Term:
        if isinstance(divisor, Const) and divisor.value != 0:
            return quotient
        zero = self.number(0, _bits(divisor.type))
        return self.terms.apply("ite", self.terms.apply("eq", b, zero), zero, quotient)

    def _shift(self, make: str, e: Binary, a: Term, b: Term, bits: int) -> Term:
        of = e.right.type
        assert isinstance(of, IntType)
        amount = self._resized(b, of.bits, bits, signed=False)
        shifted = self.terms.apply(make, a, amount)
        if isinstance(e.right, Const) and 0 <= e.right.value < bits:
            return shifted
        zero = self.number(0, bits)
        if not of.contains(bits):  # every amount is less than the width, or negative
            if not of.signed:
                return shifted
            good = self.terms.apply("bvsge", b, self.number(0, of.bits))
        else:  # a negative amount is a large one
            good = self.terms.apply("bvult", b, self.number(bits, of.bits))
        return self.terms.apply("ite", good, shifted, zero)

    def _convert(self, a: Expr, to: Scalar) -> Term:
        of, value = a.type, self.value(a)
        if isinstance(of, PtrType):
            if isinstance(to, IntType):
                raise UnsupportedError("conversion of a pointer in a formula")
            return value
        if isinstance(to, IntType):
            return self._resized(value, of.bits, to.bits, of.signed)
        plain = self._resized(value, of.bits, 8 * to.size, of.signed)
        return self._resized(plain, 8 * to.size, POINTER_BITS, signed=False)

    # -- terms ----------------------------------------------------------------------------------

    def number(self, n: int, bits: int) -> Term:
        """A numeral."""
        found = self._numbers.get((n, bits))
        if found is None:
            found = self._numbers[n, bits] = self.terms.number(n % (1 << bits), self._sort(bits))
        return found

    def _sort(self, bits: int) -> object:
        found = self._sorts.get(bits)
        if found is None:
            found = self._sorts[bits] = self.terms.vector(bits)
        return found

    def _resized(self, a: Term, of: int, to: int, signed: bool) -> Term:
        if to == of:
            return a
        if to < of:
            return self.terms.apply("extract", to - 1, 0, a)
        make = "sign_ext" if signed else "zero_ext"
        return self.terms.apply(make, to - of, a)


def _bits(type: Scalar) -> int:
    return type.bits if isinstance(type, IntType) else POINTER_BITS
