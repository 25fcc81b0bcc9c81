"""Floating-point operators in z3's theory of floating-point numbers, beside bit-vectors.

What an operator takes from another one stays a number of that theory: patterns are made where
somebody else looks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from abpress.ir.expr import RELATIONS, Const, Expr, Float
from abpress.ir.floats import ARITHMETIC, CONVERSIONS, FORMATS, WHOLE, limits, quiet
from abpress.ir.types import EXTENDED, IntType
from abpress.smt.terms import Term, Terms

_COMPARED = {"eq": "fpa_eq", "lt": "fpa_lt", "le": "fpa_leq"}
_ROUNDED = {
    "floor": "fpa_rtn",
    "ceil": "fpa_rtp",
    "trunc": "fpa_rtz",
    "rint": "fpa_rne",
    "round": "fpa_rna",
}
assert _COMPARED.keys() == RELATIONS and _ROUNDED.keys() == WHOLE.keys()


class FloatTerms:
    """Translates operators. `value` translates what they are applied to, `numeral` makes numbers of
    so many bits. Remembers what it has translated (mutable)."""

    def __init__(
        self, terms: Terms, value: Callable[[Expr], Term], numeral: Callable[[int, int], Term]
    ) -> None:
        self._terms = terms
        self._value = value
        self._numeral = numeral
        self._sorts: dict[int, Any] = {}
        self._modes: dict[str, Term] = {}
        self._reals: dict[Expr, Term] = {}

    def bits(self, e: Float) -> Term:
        """What the operator yields, as a bit-vector."""
        make, bits = self._terms.apply, e.type.bits
        if e.op in RELATIONS:
            left, right = map(self._real, e.args)
            truth = make(_COMPARED[e.op], left, right)
            return make("ite", truth, self._numeral(1, bits), self._numeral(0, bits))
        if e.op == "to":
            return self._integer(e)
        x = self._real(e)
        pattern = make("fpa_to_ieee_bv", x)
        if bits == EXTENDED.bits:
            pattern = self._with_written_bit(pattern)
        return make("ite", make("fpa_is_nan", x), self._numeral(quiet(bits), bits), pattern)

    def _integer(self, e: Float) -> Term:
        make, of = self._terms.apply, _integer_type(e.args[0])
        x = self._real(e.args[0])
        least, included, behind = limits(of, e.type)
        above = make("fpa_leq" if included else "fpa_lt", self._real(Const(least, of)), x)
        below = make("fpa_lt", x, self._real(Const(behind, of)))
        kind = "fpa_to_sbv" if e.type.signed else "fpa_to_ubv"
        whole = make(kind, self._mode("fpa_rtz"), x, e.type.bits)
        held = self._terms.all((above, below))
        return make("ite", held, whole, self._numeral(0, e.type.bits))

    def _real(self, e: Expr) -> Term:
        """An expression as a number of the theory."""
        found = self._reals.get(e)
        if found is None:
            found = self._reals[e] = self._translated(e)
        return found

    def _translated(self, e: Expr) -> Term:
        make, sort = self._terms.apply, self._sort(_integer_type(e).bits)
        if not isinstance(e, Float) or e.op == "to" or e.op in RELATIONS:
            pattern = self._value(e)
            if _integer_type(e).bits == EXTENDED.bits:
                pattern = self._without_written_bit(pattern)
            return make("fpa_to_fp_bv", pattern, sort)
        nearest = self._mode("fpa_rne")
        if e.op == "of":
            kind = "signed" if _integer_type(e.args[0]).signed else "unsigned"
            return make(f"fpa_to_fp_{kind}", nearest, self._value(e.args[0]), sort)
        operands = map(self._real, e.args)
        if e.op in WHOLE:
            return make("fpa_round_to_integral", self._mode(_ROUNDED[e.op]), *operands)
        if e.op in CONVERSIONS:
            return make("fpa_to_fp_float", nearest, *operands, sort)
        assert e.op in ARITHMETIC or e.op == "sqrt"
        return make(f"fpa_{e.op}", nearest, *operands)

    def _without_written_bit(self, pattern: Term) -> Term:
        """A pattern of the extended format as IEEE 754 has it (NOTE(written-bit))."""
        make = self._terms.apply
        head, bit, rest = (
            make("extract", *ends, pattern) for ends in ((79, 64), (63, 63), (62, 0))
        )
        written = make("eq", bit, self._numeral(1, 1))
        bare = make("eq", make("extract", 78, 64, pattern), self._numeral(0, 15))
        known = make("concat", head, rest)
        least = make("concat", make("bvor", head, self._numeral(1, 16)), rest)
        refused = self._numeral(((1 << 15) - 1 << 63) | 1 << 62, 79)
        with_exponent = make("ite", written, known, refused)
        return make("ite", bare, make("ite", written, least, known), with_exponent)

    def _with_written_bit(self, pattern: Term) -> Term:
        make = self._terms.apply
        bare = make("eq", make("extract", 77, 63, pattern), self._numeral(0, 15))
        bit = make("ite", bare, self._numeral(0, 1), self._numeral(1, 1))
        head = make("concat", make("extract", 78, 63, pattern), bit)
        return make("concat", head, make("extract", 62, 0, pattern))

    def _mode(self, name: str) -> Term:
        """A rounding mode."""
        found = self._modes.get(name)
        if found is None:
            found = self._modes[name] = self._terms.apply(name)
        return found

    def _sort(self, bits: int) -> Any:
        found = self._sorts.get(bits)
        if found is None:
            precision = FORMATS[bits][0]
            written = bits == EXTENDED.bits
            found = self._sorts[bits] = self._terms.real(bits - precision - written, precision)
        return found


def _integer_type(e: Expr) -> IntType:
    assert isinstance(e.type, IntType)
    return e.type
