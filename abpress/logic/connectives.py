"""Formulas, their connectives, and the one form of each comparison.

See `abpress.logic.formula`, which makes them from expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from hashlib import blake2b

from abpress.ir.bounds import bounds
from abpress.ir.expr import MIRRORED, Binary, Compare, Const, Convert, Expr, negate, registers
from abpress.ir.sums import add_number, number_apart
from abpress.ir.text import Writer
from abpress.ir.types import IntType, PtrType, Scalar


class Kind(Enum):
    """The kinds of formulas."""

    TRUE = "true"
    FALSE = "false"
    HOLDS = "holds"  # of a comparison
    FITS = "fits"  # the exact result of an operator is of its type
    SAME = "same"  # of two arrays
    NOT = "not"  # of FITS and SAME
    ALL = "all"
    ANY = "any"


class Formula:
    """A formula; made by the functions of this module only, compared and hashed by identity.

    `expr` of HOLDS, FITS and SAME; `parts` of NOT, ALL and ANY. `order` sorts formulas the same
    way in every run.
    """

    __slots__ = ("_names", "expr", "kind", "order", "parts")

    kind: Kind
    expr: Expr | None
    parts: tuple[Formula, ...]
    order: str
    _names: frozenset[str] | None

    def __init__(
        self, kind: Kind, expr: Expr | None, parts: tuple[Formula, ...], order: str
    ) -> None:
        self.kind, self.expr, self.parts, self.order = kind, expr, parts, order
        self._names = None

    def __repr__(self) -> str:
        return format_formula(self)

    def __reduce__(self) -> tuple[Callable[..., Formula], tuple[object, ...]]:
        return make, (self.kind, self.expr, self.parts)


class _Typed(Mapping[str, Scalar]):
    """Declares no register, so that the writer writes the type of each."""

    def __getitem__(self, name: str) -> Scalar:
        return _UNDECLARED

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


_UNDECLARED = PtrType(0)
_WRITERS = {size: Writer(size, _Typed()) for size in (4, 8)}
_interned: dict[tuple[Kind, Expr | None, tuple[Formula, ...]], Formula] = {}


def make(kind: Kind, expr: Expr | None, parts: tuple[Formula, ...]) -> Formula:
    """The one formula with these parts, which are in normal form already."""
    key = (kind, expr, parts)
    found = _interned.get(key)
    if found is None:
        if expr is not None:
            order = f"{kind.value} {_WRITERS[4].expr(expr)}"
        else:
            digest = blake2b("\n".join([p.order for p in parts]).encode(), digest_size=16)
            order = f"{kind.value} {digest.hexdigest()}"
        found = _interned[key] = Formula(kind, expr, parts, order)
    return found


TRUE = make(Kind.TRUE, None, ())
FALSE = make(Kind.FALSE, None, ())

# -- comparisons --------------------------------------------------------------------------------


def compare(e: Compare) -> Formula:
    """The one form of a comparison."""
    op, a, b = e.op, e.left, e.right
    if isinstance(a, Const) and not isinstance(b, Const):
        op, a, b = MIRRORED[op], b, a
    if a == b:
        return TRUE if op in ("==", "<=", ">=") else FALSE
    if isinstance(b, Const):
        if isinstance(b.type, IntType):
            return compare_number(op, a, b.value)
    elif op in ("==", "!="):
        return _equality(op, a, b)
    elif op in (">", ">="):
        op, a, b = MIRRORED[op], b, a
    return make(Kind.HOLDS, Compare(op, a, b), ())


def _equality(op: str, a: Expr, b: Expr) -> Formula:
    """The one form of an equality: what is first in the order of texts stands on the left, together
    with all numbers that are added on either side (modulo the type)."""
    if a.type == b.type and isinstance(a.type, IntType):
        (x, m), (y, n) = number_apart(a), number_apart(b)
        if x == y:
            return TRUE if ((m - n) % (1 << a.type.bits) == 0) == (op == "==") else FALSE
        if format_expr(y) < format_expr(x):
            (x, m), (y, n) = (y, n), (x, m)
        a, b = add_number(x, m - n), y
    elif format_expr(b) < format_expr(a):
        a, b = b, a
    return make(Kind.HOLDS, Compare(op, a, b), ())


def compare_number(op: str, a: Expr, n: int) -> Formula:
    """`a op n`, for an integer expression and a number that need not be of its type."""
    if op in ("<", ">"):
        op, n = op + "=", n - 1 if op == "<" else n + 1
    a, n = _inner(op, a, n)
    low, high = bounds(a)
    match op:
        case "<=" if not low <= n < high:
            return TRUE if n >= high else FALSE
        case ">=" if not low < n <= high:
            return TRUE if n <= low else FALSE
        case "==" | "!=" if low == high or not low <= n <= high:
            return TRUE if (n == low == high) == (op == "==") else FALSE
    match op:
        case "==" if n == high and (n != 1 or low == 0):
            op = ">="
        case "==" if n == low != 0:
            op = "<="
        case "!=" if n == high:
            op, n = "<=", n - 1
        case "!=" if n == low != 0:
            op, n = ">=", n + 1
    if low == 0 and (op, n) in (("<=", 0), (">=", 1)):
        op, n = "==" if n == 0 else "!=", 0
    if n == 0 and op in ("==", "!="):
        truth = _connective(a)
        if truth is not None:
            return truth if op == "!=" else neg(truth)
        solved, m = _inner(op, a, 0)
        if solved is not a:
            return compare_number(op, solved, m)
    return make(Kind.HOLDS, Compare(op, a, Const(n, a.type)), ())


def _inner(op: str, a: Expr, n: int) -> tuple[Expr, int]:
    """The comparison without conversions that keep the value, and for equality without
    numbers that are added."""
    while True:
        match a:
            case Convert(arg, t) if _keeps(arg, t):
                a = arg
            case Binary("+" | "-" as sign, arg, Const(c, IntType() as t)) if op in (
                "==",
                "!=",
            ) and t.contains(n):
                a, n = arg, t.wrap(n - c if sign == "+" else n + c)
            case _:
                return a, n


def _keeps(e: Expr, t: Scalar) -> bool:
    """Whether all values of the integer `e` are of the integer type `t`."""
    if not isinstance(t, IntType) or not isinstance(e.type, IntType):
        return False
    low, high = bounds(e)
    return t.contains(low) and t.contains(high)


def _connective(e: Expr) -> Formula | None:
    """`e != 0` for a condition or a connective of conditions; None where `e` is neither."""
    match e:
        case Compare():
            return compare(e)
        case Binary("|", a, b):
            return disj((compare_number("!=", a, 0), compare_number("!=", b, 0)))
        case Binary("&", a, b) if bounds(a) == bounds(b) == (0, 1):
            return conj((compare_number("!=", a, 0), compare_number("!=", b, 0)))
        case Binary("^", a, Const(1, _)) if bounds(a) == (0, 1):
            return compare_number("==", a, 0)
        case _:
            return None


def format_expr(e: Expr) -> str:
    """The expression, with the type of each register."""
    return _WRITERS[4].expr(e)


def between(e: Expr, low: int, high: int) -> Formula:
    """`low <= e <= high`, for numbers that need not be of the type of `e`."""
    return conj((compare_number(">=", e, low), compare_number("<=", e, high)))


# -- connectives ----------------------------------------------------------------------------------


def conj(formulas: Iterable[Formula]) -> Formula:
    """The formula that all of them hold."""
    return _connect(Kind.ALL, formulas, TRUE, FALSE)


def disj(formulas: Iterable[Formula]) -> Formula:
    """The formula that one of them holds."""
    return _connect(Kind.ANY, formulas, FALSE, TRUE)


def _connect(kind: Kind, formulas: Iterable[Formula], unit: Formula, zero: Formula) -> Formula:
    parts: dict[Formula, None] = {}
    given = tuple(formulas)
    if any(f.parts and neg(f) in given for f in given):
        return zero
    for f in given:
        for part in f.parts if f.kind is kind else (f,):
            if part is zero:
                return zero
            if part is not unit:
                parts[part] = None
    if len(parts) > 1:
        if any(neg(part) in parts for part in parts):
            return zero
        return make(kind, None, tuple(sorted(parts, key=lambda part: part.order)))
    return next(iter(parts), unit)


_negations: dict[Formula, Formula] = {TRUE: FALSE, FALSE: TRUE}


def neg(f: Formula) -> Formula:
    """The formula that `f` does not hold."""
    found = _negations.get(f)
    if found is None:
        match f.kind:
            case Kind.HOLDS:
                opposite = negate(f.expr) if f.expr is not None else None
                assert isinstance(opposite, Compare)
                found = compare(opposite)
            case Kind.FITS | Kind.SAME:
                found = make(Kind.NOT, None, (f,))
            case Kind.ALL:
                found = disj(map(neg, f.parts))
            case Kind.NOT:
                found = f.parts[0]
            case _:
                found = conj(map(neg, f.parts))
        _negations[f] = found
        _negations.setdefault(found, f)
    return found


def conjuncts(f: Formula) -> tuple[Formula, ...]:
    """Formulas whose conjunction is `f`: its parts if it is one."""
    return f.parts if f.kind is Kind.ALL else () if f is TRUE else (f,)


def atoms(f: Formula) -> frozenset[Formula]:
    """The formulas without connectives of which `f` consists."""
    if not f.parts:
        return frozenset() if f in (TRUE, FALSE) else frozenset((f,))
    return frozenset().union(*map(atoms, f.parts))


def variables(f: Formula) -> frozenset[str]:
    """The names of the registers in `f`."""
    names = f._names
    if names is None:
        if f.expr is not None:
            names = registers(f.expr)
        else:
            names = frozenset().union(*map(variables, f.parts))
        f._names = names
    return names


def size(f: Formula) -> int:
    """The number of atoms in `f`, repeated ones counted."""
    return sum(map(size, f.parts)) if f.parts else 1


# -- text -----------------------------------------------------------------------------------------


def format_formula(f: Formula, pointer_size: int = 4) -> str:
    """The formula as text: `all(F, …)`, `any(F, …)`, `not(F)`, `fits(e)`, or an expression."""
    match f.kind:
        case Kind.TRUE | Kind.FALSE:
            return str(f.kind.value)
        case Kind.HOLDS | Kind.SAME:
            assert f.expr is not None
            return _WRITERS[pointer_size].expr(f.expr)
        case Kind.FITS:
            assert f.expr is not None
            return f"fits({_WRITERS[pointer_size].expr(f.expr)})"
        case _:
            inner = ", ".join(format_formula(part, pointer_size) for part in f.parts)
            return f"{f.kind.value}({inner})"
