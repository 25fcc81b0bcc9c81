"""Formulas over registers: what labels, guards and interpolants are made of.

Operators in formulas are total: signed overflow wraps, `a / 0` is 0, `a % 0` is `a`, a bad shift
yields 0. So negation and substitution are exact. That an expression is evaluated without signed
overflow and without fault is a formula of its own: `no_overflow(e)`, `no_fault(e)`.

Formulas are interned: equal ones are one object. They are in negation normal form; a condition has
one form where that is cheap (`x < 5` is `x <= 4`, `a > b` is `b < a`, `e != 0` of a comparison
is the comparison). Registers are typed by `Reg`; a name has one type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from abpress.errors import InputError, UnsupportedError
from abpress.ir.bounds import exact_bounds
from abpress.ir.expr import (
    Addr,
    Array,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    Filled,
    Float,
    PtrAdd,
    PtrDiff,
    SameArray,
    Term,
    Unary,
    children,
)
from abpress.ir.floats import limits
from abpress.ir.passes.fold import Folder
from abpress.ir.program import Overflow
from abpress.ir.sums import rewrite_sums
from abpress.ir.types import INT, IntType, PtrType
from abpress.logic.connectives import (
    FALSE,
    TRUE,
    Formula,
    Kind,
    atoms,
    between,
    compare,
    compare_number,
    conj,
    conjuncts,
    disj,
    format_formula,
    make,
    neg,
    size,
    variables,
)
from abpress.logic.replace import replace

__all__ = [
    "FALSE",
    "TRUE",
    "Formula",
    "Kind",
    "atoms",
    "conj",
    "conjuncts",
    "disj",
    "displacement",
    "fits",
    "format_formula",
    "holds",
    "neg",
    "no_fault",
    "no_overflow",
    "parse_formula",
    "same_array",
    "size",
    "substitute",
    "substitution",
    "variables",
]

_FOLDER = Folder(Overflow.WRAP, {})

# -- conditions -----------------------------------------------------------------------------------


def holds(e: Expr) -> Formula:
    """The formula that the value of `e` is not 0."""
    e = _folded(e)
    if isinstance(e, SameArray):
        return _same(e)
    return compare(e if isinstance(e, Compare) else Compare("!=", e, Const(0, e.type)))


def same_array(left: Array, right: Array) -> Formula:
    """The formula that two arrays have the same numbers."""
    return holds(SameArray(left, right))


def _same(e: SameArray) -> Formula:
    if e.left == e.right:
        return TRUE
    if isinstance(e.left, Filled) and isinstance(e.right, Filled):
        return FALSE
    return make(Kind.SAME, e, ())


# -- definedness ----------------------------------------------------------------------------------


def no_overflow(e: Expr, overflow: Overflow = Overflow.END) -> Formula:
    """The formula that no signed operator in `e` overflows, by a rule. (Not asked where overflow
    wraps.)"""
    fine = map(fits, _subexpressions(e))
    if overflow is Overflow.ERROR:
        return conj((*fine, *map(_keeps_bits, _subexpressions(e))))
    return conj(fine)


def _keeps_bits(e: Expr) -> Formula:
    """The formula that the operator of `e`, if it is a signed `<<`, loses no bits that are set, or
    its left operand is negative."""
    match e:
        case Binary("<<", a, b) if isinstance(a.type, IntType) and a.type.signed:
            low, high = exact_bounds(e)
            if a.type.minimum <= low and high <= a.type.maximum:
                return TRUE
            return holds(Compare("<=", a, Binary(">>", Const(a.type.maximum, a.type), b)))
        case _:
            return TRUE


def no_fault(e: Expr) -> Formula:
    """The formula that `e` divides by zero nowhere, and shifts, moves pointers and converts
    floating-point numbers only in range.

    Raises UnsupportedError where that depends on the value of a pointer.
    """
    return conj(map(_defined, _subexpressions(e)))


def _subexpressions(e: Expr) -> Iterator[Expr]:
    for child in children(e):
        yield from _subexpressions(child)
    yield e


def fits(e: Expr) -> Formula:
    """The formula that the operator of `e`, if it is a signed one, does not overflow."""
    t = e.type
    if not (isinstance(e, Unary | Binary) and isinstance(t, IntType) and t.signed):
        return TRUE
    if e.op not in ("+", "-", "*", "/", "%"):
        return TRUE
    of = Binary("/", e.left, e.right) if isinstance(e, Binary) and e.op == "%" else e
    low, high = exact_bounds(of)
    if t.minimum <= low and high <= t.maximum:
        return TRUE
    match e:
        case Unary(_, a):
            return compare_number("!=", _folded(a), t.minimum)
        case Binary("/" | "%", a, b):
            extreme = compare_number("!=", _folded(a), t.minimum)
            return disj((extreme, compare_number("!=", _folded(b), -1)))
        case _:
            assert isinstance(e, Binary)
            return _fits_binary(e.op, _folded(e.left), _folded(e.right), t)


def _fits_binary(op: str, a: Expr, b: Expr, t: IntType) -> Formula:
    low, high = t.minimum, t.maximum
    match op, a, b:
        case "+", _, Const(c, _):
            return between(a, low - c, high - c)
        case "+", Const(c, _), _:
            return between(b, low - c, high - c)
        case "-", _, Const(c, _):
            return between(a, low + c, high + c)
        case "-", Const(c, _), _:
            return between(b, c - high, c - low)
        case ("*", x, Const(c, _)) | ("*", Const(c, _), x):
            if c == 0:
                return TRUE
            if c < 0:
                return between(x, -(high // -c), low // c)
            return between(x, -(-low // c), high // c)
        case _:
            return make(Kind.FITS, Binary(op, a, b), ())


def _defined(e: Expr) -> Formula:
    """The formula that the operator of `e` does not fault."""
    match e:
        case Binary("/" | "%", _, b):
            return compare_number("!=", _folded(b), 0)
        case Binary("<<" | ">>", _, b):
            return between(_folded(b), 0, e.type.bits - 1)
        case Float("to", (x,), t) if isinstance(x.type, IntType):
            return _held(x, x.type, t)
        case PtrAdd(Addr(_, offset, _)):
            return _moved(offset, e)
        case PtrAdd(_, Const(0, _)):
            return TRUE
        case PtrAdd() | PtrDiff():
            raise UnsupportedError("arithmetic on an unknown pointer")
        case Compare("<" | "<=" | ">" | ">=", a, _) if isinstance(a.type, PtrType):
            raise UnsupportedError("order of unknown pointers")
        case Convert(a, t) if isinstance(a.type, PtrType) != isinstance(t, PtrType):
            if not isinstance(a, Const) and max(a.type.bits, t.bits) >= 64:
                raise UnsupportedError("conversion between an integer and an unknown pointer")
            return _defined_conversion(a)
        case _:
            return TRUE


def _defined_conversion(a: Expr) -> Formula:
    if isinstance(a.type, PtrType) and not isinstance(a, Const):
        raise UnsupportedError("conversion of an unknown pointer to an integer")
    return TRUE


def _held(x: Expr, of: IntType, t: IntType) -> Formula:
    """The formula that a floating-point number is one that the integer type can hold."""
    least, included, behind = limits(of, t)
    above = Float("le" if included else "lt", (Const(least, of), x), INT)
    below = Float("lt", (x, Const(behind, of)), INT)
    return conj((holds(above), holds(below)))


HALF = 1 << 31
"""Offsets into an object are less than this from its begin."""


def displacement(e: PtrAdd) -> Expr:
    """The bytes by which the address of an object is moved: a distance counts as signed."""
    return _folded(Convert(e.bytes, IntType(8 * e.type.size, True)))


def _moved(offset: int, e: PtrAdd) -> Formula:
    """The formula that the address of an object, moved, stays near the object."""
    return between(displacement(e), -HALF - offset, HALF - 1 - offset)


def _folded(e: Expr) -> Expr:
    """An expression with the value of `e`; numbers added one after the other are added up."""
    while True:
        folded = _FOLDER.fold(e)
        e = rewrite_sums(folded)
        if e == folded:
            return e


# -- substitution ---------------------------------------------------------------------------------


def substitute(f: Formula, values: Mapping[str, Term]) -> Formula:
    """`f` with registers replaced, all at once. A value has its register's type."""
    return _Substitution(values)(f)


def substitution(values: Mapping[str, Term]) -> Callable[[Formula], Formula]:
    """`substitute` for many formulas: of what they share it is done once."""
    return _Substitution(values)


class _Substitution:
    """One replacement of registers, applied to formulas (with a memory of what was done)."""

    def __init__(self, values: Mapping[str, Term]) -> None:
        self._values = values
        self._done: dict[Formula, Formula] = {}

    def __call__(self, f: Formula) -> Formula:
        if variables(f).isdisjoint(self._values):
            return f
        found = self._done.get(f)
        if found is None:
            found = self._done[f] = self._apply(f)
        return found

    def _apply(self, f: Formula) -> Formula:
        match f.kind:
            case Kind.HOLDS | Kind.SAME:
                assert f.expr is not None
                return holds(replace(f.expr, self._values))
            case Kind.FITS:
                assert f.expr is not None
                return fits(replace(f.expr, self._values))
            case Kind.NOT:
                return neg(self(f.parts[0]))
            case Kind.ALL:
                return conj(map(self, f.parts))
            case _:
                return disj(map(self, f.parts))


# -- text -----------------------------------------------------------------------------------------


_WORD = re.compile(r"\s*(all|any|not|fits)\(")
_END = re.compile(r"\s*([,)])\s*")
_CHARACTERS = re.compile(r"`(?:[^`\\\n]|\\.)*`|[^`(),]+")


def parse_formula(text: str, pointer_size: int = 4) -> Formula:
    """The formula that `format_formula` writes as `text`.

    Raises InputError where the text is not of that form.
    """
    f, at = _parse(text, 0, pointer_size)
    if at != len(text):
        raise InputError(f"not a formula: {text}")
    return f


def _parse(text: str, at: int, pointer_size: int) -> tuple[Formula, int]:
    """The formula that begins at a place of the text, and where it ends."""
    word = _WORD.match(text, at)
    if word is None or word[1] == "fits":
        at = word.end() if word else at
        end = _expression_end(text, at)
        shown = text[at:end].strip()
        if word is None and shown in ("true", "false"):
            return (TRUE if shown == "true" else FALSE), end
        from abpress.ir.expr_reader import parse_expr  # with the parser generator: takes time

        e = parse_expr(shown, pointer_size)
        if word is None:
            return holds(e), end
        return fits(e), _closed(text, end)
    parts: list[Formula] = []
    at = word.end()
    while True:
        part, at = _parse(text, at, pointer_size)
        parts.append(part)
        end_of_part = _END.match(text, at)
        if end_of_part is None:
            raise InputError(f"not a formula: {text}")
        at = end_of_part.end()
        if end_of_part[1] == ")":
            break
    if word[1] == "not" and len(parts) == 1:
        return neg(parts[0]), at
    if word[1] == "not":
        raise InputError(f"not a formula: {text}")
    return (conj if word[1] == "all" else disj)(parts), at


def _expression_end(text: str, at: int) -> int:
    """Where the expression that begins at a place ends: at a comma or the end of the formula."""
    depth = 0
    while at < len(text):
        characters = _CHARACTERS.match(text, at)
        if characters is not None:
            at = characters.end()
            continue
        match text[at]:
            case "(":
                depth += 1
            case "," if depth:
                pass
            case ")" if depth:
                depth -= 1
            case "," | ")":
                return at
            case _:
                raise InputError(f"not a formula: {text}")
        at += 1
    return at


def _closed(text: str, at: int) -> int:
    if not text.startswith(")", at):
        raise InputError(f"not a formula: {text}")
    return at + 1
