"""The functions of <math.h> that are one operator of IEEE 754, and GNU C's builtins for them.

Those that are not exact (`sin`, `exp`, `pow`, …) are refused: libraries differ in the last digits.
"""

from __future__ import annotations

from collections.abc import Callable

from abpress.errors import InputError
from abpress.ir.expr import Binary, Const, Expr, Float
from abpress.ir.floats import FORMATS, infinity, quiet
from abpress.ir.program import Fault
from abpress.ir.types import IntType
from abpress_frontend.lower import floating
from abpress_frontend.lower.call import Call
from abpress_frontend.lower.ctypes import CFloat
from abpress_frontend.lower.entries import Entry, Lowered, NotModelled, Refused
from abpress_frontend.lower.sequencing import Kind
from abpress_frontend.lower.values import Value, comparison, converted, fold, real_comparison

_TYPES = {"": "double", "f": "float", "l": "long_double"}
"""What ends the name of a function of <math.h> -> its type."""


def _unary(name: str, make: Callable[[Expr], Expr]) -> Lowered:
    """A function from a number of a type to one of the same type."""

    def handler(call: Call) -> Value:
        type: CFloat = getattr(call.model, name)
        return Value(fold(make(call.value(0, type).expr)), type)

    return Lowered(handler, name)


def _operator(op: str) -> Callable[[Expr], Expr]:
    return lambda e: Float(op, (e,), floating.of(e))


def _copysign(name: str) -> Lowered:
    def handler(call: Call) -> Value:
        type: CFloat = getattr(call.model, name)
        size = fold(floating.absolute(call.value(0, type).expr))
        other = _with_known_sign(call, call.value(1, type))
        return Value(fold(Binary("|", size, fold(floating.sign(other)))), type)

    return Lowered(handler, name)


def _with_known_sign(call: Call, value: Value) -> Expr:
    """The number, where it is no NaN: the sign of those is open (NOTE(one-nan))."""
    e = call.pinned(value)
    known = real_comparison("==", e, e)
    if not isinstance(known, Const) or not known.value:
        with call.body.order.whole(Kind.BLOCK):
            good, bad = call.graph.location(), call.graph.location()
            call.graph.branch(known, good, bad)
            call.graph.at(bad)
            call.graph.emit(Fault("the sign of a NaN is looked at"))
            call.graph.at(good)
    return e


def _real(call: Call, index: int) -> Value:
    """An argument of a macro that takes every floating-point type."""
    value = call.value(index)
    if not isinstance(value.type, CFloat):
        raise InputError(f"{call.name} of {value.type}")
    return Value(call.pinned(value), value.type)


def _told(make: Callable[[Call, Expr, IntType], Expr]) -> Lowered:
    """What a macro tells of a number."""

    def handler(call: Call) -> Value:
        e = _real(call, 0).expr
        return Value(make(call, e, floating.of(e)), call.model.int)

    return Lowered(handler, "int")


def _is_nan(call: Call, e: Expr, type: IntType) -> Expr:
    return real_comparison("!=", e, e)


def _is_finite(call: Call, e: Expr, type: IntType) -> Expr:
    size = fold(floating.absolute(e))
    return real_comparison("<", size, Const(infinity(type.bits), type))


def _is_infinite(call: Call, e: Expr, type: IntType) -> Expr:
    return real_comparison("==", fold(floating.absolute(e)), Const(infinity(type.bits), type))


def _sign_of_infinite(call: Call, e: Expr, type: IntType) -> Expr:
    """1 or -1, or 0."""
    infinite = Const(infinity(type.bits), type)
    above = real_comparison("==", e, infinite)
    below = real_comparison("==", fold(floating.negated(e)), infinite)
    return fold(Binary("-", above, below))


def _is_normal(call: Call, e: Expr, type: IntType) -> Expr:
    size = fold(floating.absolute(e))
    least = Const(1 << FORMATS[type.bits][0] - 1, type)
    large = real_comparison(">=", size, least)
    return fold(Binary("&", large, _is_finite(call, e, type)))


def _has_sign(call: Call, e: Expr, type: IntType) -> Expr:
    value = _with_known_sign(call, Value(e, _real_type(call, type)))
    return comparison("!=", fold(floating.sign(value)), Const(0, type))


def _real_type(call: Call, type: IntType) -> CFloat:
    model = call.model
    return next(t for t in (model.float, model.double, model.long_double) if t.ir == type)


def _compared(*ops: str) -> Lowered:
    """A comparison that raises no exception: whether one of them holds."""

    def handler(call: Call) -> Value:
        left, right = _real(call, 0), _real(call, 1)
        common = call.model.usual_real(left.type, right.type)
        x, y = converted(left, common).expr, converted(right, common).expr
        found: Expr = real_comparison(ops[0], x, y)
        for op in ops[1:]:
            found = fold(Binary("|", found, real_comparison(op, x, y)))
        return Value(found, call.model.int)

    return Lowered(handler, "int")


def _unordered(call: Call) -> Value:
    x, y = _real(call, 0).expr, _real(call, 1).expr
    either = fold(Binary("|", real_comparison("!=", x, x), real_comparison("!=", y, y)))
    return Value(either, call.model.int)


def _constant(name: str, bits: Callable[[int], int]) -> Lowered:
    def handler(call: Call) -> Value:
        type: CFloat = getattr(call.model, name)
        return Value(Const(bits(type.ir.bits), type.ir), type)

    return Lowered(handler, name)


_ROUNDING = {
    "floor": "floor", "ceil": "ceil", "trunc": "trunc", "round": "round", "rint": "rint",
    "nearbyint": "rint", "sqrt": "sqrt",
}  # fmt: skip

_INEXACT = """
acos acosh asin asinh atan atanh atan2 cbrt cos cosh erf erfc exp exp2 expm1 hypot lgamma log log10
log1p log2 pow sin sinh tan tanh tgamma
"""

_OTHERS = "fma fmod frexp ilogb ldexp logb nextafter remainder scalbn"

_ROUNDING_MODES = """
fesetround feholdexcept fesetenv feupdateenv feenableexcept feraiseexcept fesetexceptflag
fetestexcept
"""

_BOTH = {
    f"{name}{suffix}": entry
    for suffix, type in _TYPES.items()
    for name, entry in {
        **{name: _unary(type, _operator(op)) for name, op in _ROUNDING.items()},
        "fabs": _unary(type, floating.absolute),
        "copysign": _copysign(type),
    }.items()
}

MATHEMATICS: dict[str, Entry] = {
    **_BOTH,
    **{f"__builtin_{name}": entry for name, entry in _BOTH.items()},
    "__builtin_isnan": _told(_is_nan),
    "__builtin_isfinite": _told(_is_finite),
    "__builtin_isinf": _told(_is_infinite),
    "__builtin_isinf_sign": _told(_sign_of_infinite),
    "__builtin_isnormal": _told(_is_normal),
    "__builtin_signbit": _told(_has_sign),
    "__builtin_isgreater": _compared(">"),
    "__builtin_isgreaterequal": _compared(">="),
    "__builtin_isless": _compared("<"),
    "__builtin_islessequal": _compared("<="),
    "__builtin_islessgreater": _compared("<", ">"),
    "__builtin_isunordered": Lowered(_unordered, "int"),
    **{
        f"__builtin_{name}{suffix}": _constant(type, bits)
        for suffix, type in _TYPES.items()
        for name, bits in (("inf", infinity), ("huge_val", infinity), ("nan", quiet))
    },
    **{
        f"{prefix}{name}{suffix}": NotModelled(why)
        for names, why in (
            (_INEXACT, "libraries differ in the last digits of its results"),
            (_OTHERS, "it is not modelled"),
        )
        for name in names.split()
        for suffix in ("", "f", "l")
        for prefix in ("", "__builtin_")
    },
    **{name: Refused("rounding is to nearest") for name in _ROUNDING_MODES.split()},
}
