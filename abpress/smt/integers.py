"""Formulas over mathematical integers, linear; a result that can leave its type is wrapped."""

from __future__ import annotations

from collections.abc import Iterable

from abpress.errors import UnsupportedError
from abpress.ir.bounds import bounds, exact_bounds, scalar_bounds, type_bounds
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
from abpress.ir.intervals import Interval, combined
from abpress.ir.types import IntType, PtrType, Scalar
from abpress.smt.answer import Floating, NotExact
from abpress.smt.terms import Term, Terms
from abpress.smt.translation import Translation

RELATIONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class IntegerEncoding(Translation):
    """Linear integer arithmetic with division and remainder by numbers."""

    def __init__(self, terms: Terms | None = None) -> None:
        super().__init__(terms)
        self._numbers: dict[int, Term] = {}
        self._ranges: dict[str, Term] = {}
        self._sums: dict[Expr, tuple[Term, Interval]] = {}

    def ranges(self, names: Iterable[str]) -> list[Term]:
        return [self._ranges[name] for name in names]

    def compare(self, e: Compare) -> Term:
        if isinstance(e.left.type, PtrType) and e.op not in ("==", "!="):
            raise UnsupportedError("order of pointers in a formula")
        return self._relation(e.op, self.value(e.left), self.value(e.right))

    def _declare(self, name: str, type: Scalar) -> Term:
        term = self.terms.constant(name, self.terms.integer)
        self._ranges[name] = self._between(term, *scalar_bounds(type))
        return term

    def _fits(self, e: Binary) -> Term:
        assert isinstance(e.type, IntType)
        a, b = self.value(e.left), self.value(e.right)
        match e.op:
            case "+" | "-":
                exact = self._sum(e.op, a, b)
            case "*":
                exact = self._product(e, a, b)
            case _:
                exact = self._truncated(e, a)[0]
        return self._between(exact, e.type.minimum, e.type.maximum)

    # -- arrays ---------------------------------------------------------------------------------

    @property
    def index_sort(self) -> object:
        return self.terms.integer

    def element_sort(self, type: IntType) -> object:
        return self.terms.integer

    def index(self, n: int) -> Term:
        return self.number(n)

    def element(self, n: int, type: IntType) -> Term:
        return self.number(n)

    def read(self, e: Select) -> list[Term]:
        return [self._between(self.value(e), e.type.minimum, e.type.maximum)]

    # -- values ---------------------------------------------------------------------------------

    def _value(self, e: Expr) -> Term:
        match e:
            case Const(n, type):
                return self.number(n if isinstance(type, IntType) else n % (1 << 8 * type.size))
            case Reg(name, type):
                return self.variable(name, type)
            case Addr() | FuncAddr():
                return self.number(self._address(e))
            case Compare():
                return self._if(self.compare(e), self.number(1), self.number(0))
            case Unary("-", a):
                return self._wrapped(self._minus(self.value(a)), exact_bounds(e), e.type)
            case Unary(_, a):
                low, high = type_bounds(e)
                return self._sum("-", self.number(low + high), self.value(a))
            case Binary():
                return self._binary(e)
            case Convert(a, type):
                return self._convert(a, type)
            case PtrAdd(pointer, _):
                by = self.value(self._displacement(e))
                return self._sum("+", self.value(pointer), by)
            case Select():
                return self.select(e)
            case Float():
                raise Floating("floating-point arithmetic")
            case _:
                raise UnsupportedError("difference of pointers in a formula")

    def _binary(self, e: Binary) -> Term:
        if e.op in ("+", "-"):
            return self._wrapped(*self._exact_sum(e), e.type)
        a, b = self.value(e.left), self.value(e.right)
        match e.op:
            case "*":
                return self._wrapped(self._product(e, a, b), exact_bounds(e), e.type)
            case "/":
                quotient = self._truncated(e, a)[0]
                return self._wrapped(quotient, exact_bounds(e), e.type)
            case "%":
                return self._truncated(e, a)[1]
            case "<<" | ">>":
                return self._shift(e, a)
            case _:
                return self._bits(e, a, b)

    def _exact_sum(self, e: Binary) -> tuple[Term, Interval]:
        """A sum or difference before it is brought into its type, and its bounds.

        An unsigned operand that is one itself is not brought into it first: the result is the same
        modulo the type, and has fewer cases.
        """
        found = self._sums.get(e)
        if found is None:
            (a, its), (b, other) = (self._summand(x, e.type) for x in (e.left, e.right))
            found = self._sums[e] = self._sum(e.op, a, b), combined(e.op, its, other)
        return found

    def _summand(self, e: Expr, type: Scalar) -> tuple[Term, Interval]:
        wraps = isinstance(type, IntType) and not type.signed
        if wraps and isinstance(e, Binary) and e.op in ("+", "-") and e.type == type:
            return self._exact_sum(e)
        return self.value(e), bounds(e)

    def _product(self, e: Binary, a: Term, b: Term) -> Term:
        if not isinstance(e.left, Const) and not isinstance(e.right, Const):
            raise NotExact("product of variables")
        return self.terms.combine("mul", (a, b))

    def _truncated(self, e: Binary, a: Term) -> tuple[Term, Term]:
        """Quotient and rest, truncated toward zero."""
        if not isinstance(e.right, Const):
            raise NotExact("division by a variable")
        if e.right.value == 0:
            return self.number(0), a
        divisor = self.number(abs(e.right.value))
        quotient, rest = self.terms.apply("div", a, divisor), self.terms.apply("mod", a, divisor)
        if bounds(e.left)[0] < 0:
            positive = self._relation(">=", a, self.number(0))
            opposite = self._minus(a)
            quotient = self._if(
                positive, quotient, self._minus(self.terms.apply("div", opposite, divisor))
            )
            rest = self._if(positive, rest, self._minus(self.terms.apply("mod", opposite, divisor)))
        return (quotient if e.right.value > 0 else self._minus(quotient)), rest

    def _shift(self, e: Binary, a: Term) -> Term:
        assert isinstance(e.type, IntType)
        if not isinstance(e.right, Const):
            raise NotExact("shift by a variable")
        by = e.right.value
        if not 0 <= by < e.type.bits:
            return self.number(0)
        power = self.number(1 << by)
        if e.op == ">>":
            return self.terms.apply("div", a, power)
        low, high = bounds(e.left)
        return self._wrapped(self.terms.combine("mul", (a, power)), (low << by, high << by), e.type)

    def _bits(self, e: Binary, a: Term, b: Term) -> Term:
        x, y = e.left, e.right
        if isinstance(x, Const) and not isinstance(y, Const):
            x, y, a, b = y, x, b, a
        if isinstance(y, Const):
            both = self._masked(x, a, y.value)
            if both is not None:
                return both if e.op == "&" else self._without(e.op, a, b, both)
        if all(low >= 0 and high <= 1 for low, high in (bounds(x), bounds(y))):
            return self._connective(e.op, a, b)
        raise NotExact(f"operator {e.op} on variables")

    def _masked(self, x: Expr, a: Term, mask: int) -> Term | None:
        """`x & mask`, for a mask of adjacent ones (of infinitely many, if it is negative)."""
        if mask == 0:
            return self.number(0)
        first = (mask & -mask).bit_length() - 1
        end = (mask >> first) + 1
        if end & (end - 1):
            return None
        low, high = bounds(x)
        top = a
        if mask > 0 and not (low >= 0 and high <= mask | (1 << first) - 1):
            top = self.terms.apply("mod", a, self.number(mask + (1 << first)))
        if first == 0:
            return top
        return self._sum("-", top, self.terms.apply("mod", a, self.number(1 << first)))

    def _without(self, op: str, a: Term, b: Term, both: Term) -> Term:
        """`|` or `^` from the bits that are in both operands."""
        common = both if op == "|" else self._sum("+", both, both)
        return self._sum("-", self._sum("+", a, b), common)

    def _connective(self, op: str, a: Term, b: Term) -> Term:
        """`&`, `|` or `^` of two bits."""
        one = self.number(1)
        p, q = self._relation("==", a, one), self._relation("==", b, one)
        match op:
            case "&":
                truth = self.terms.all((p, q))
            case "|":
                truth = self.terms.any((p, q))
            case _:
                truth = self.terms.apply("xor", p, q)
        return self._if(truth, one, self.number(0))

    def _convert(self, a: Expr, to: Scalar) -> Term:
        of, value = a.type, self.value(a)
        if isinstance(to, IntType):
            if isinstance(of, PtrType):
                raise UnsupportedError("conversion of a pointer in a formula")
            return self._wrapped(value, bounds(a), to)
        if isinstance(of, PtrType):
            return value
        return self._wrapped(value, bounds(a), IntType(8 * to.size, False))

    # -- terms ----------------------------------------------------------------------------------

    def number(self, n: int) -> Term:
        """A numeral."""
        found = self._numbers.get(n)
        if found is None:
            found = self._numbers[n] = self.terms.number(n, self.terms.integer)
        return found

    def _relation(self, op: str, a: Term, b: Term) -> Term:
        if op == "==":
            return self.terms.apply("eq", a, b)
        if op == "!=":
            return self.terms.apply("not", self.terms.apply("eq", a, b))
        return self.terms.apply(RELATIONS[op], a, b)

    def _between(self, a: Term, low: int, high: int) -> Term:
        return self.terms.all(
            (self._relation("<=", self.number(low), a), self._relation("<=", a, self.number(high)))
        )

    def _sum(self, op: str, a: Term, b: Term) -> Term:
        return self.terms.combine("add" if op == "+" else "sub", (a, b))

    def _minus(self, a: Term) -> Term:
        return self.terms.apply("unary_minus", a)

    def _if(self, condition: Term, then: Term, otherwise: Term) -> Term:
        return self.terms.apply("ite", condition, then, otherwise)

    def _wrapped(self, a: Term, interval: Interval, type: Scalar) -> Term:
        """A value within the interval, modulo the type: by cases if few, else by a remainder."""
        assert isinstance(type, IntType)
        modulus = 1 << type.bits
        first = (interval[0] - type.minimum) // modulus
        last = (interval[1] - type.minimum) // modulus
        if last - first > 2:
            shifted = self._sum("-", a, self.number(type.minimum))
            rest = self.terms.apply("mod", shifted, self.number(modulus))
            return self._sum("+", rest, self.number(type.minimum))
        result = self._less(a, last * modulus)
        for k in range(last - 1, first - 1, -1):
            below = self._relation("<=", a, self.number(type.maximum + k * modulus))
            result = self._if(below, self._less(a, k * modulus), result)
        return result

    def _less(self, a: Term, n: int) -> Term:
        return a if n == 0 else self._sum("-", a, self.number(n))
