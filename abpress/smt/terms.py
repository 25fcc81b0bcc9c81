"""Terms of z3 through its C interface, which costs a fifth of the object interface.

Every term made here lives as long as its context.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import z3
from z3 import z3core

Term = Any
"""A term of z3 (a raw reference)."""


class Terms:
    """Makes terms in a context of its own, which begins with the first one."""

    @cached_property
    def context(self) -> Any:
        """The context, as the object interface has it."""
        return z3.Context()

    @cached_property
    def c(self) -> Any:
        """The context."""
        return self.context.ref()

    @cached_property
    def true(self) -> Term:
        """What always holds."""
        return self.keep(z3core.Z3_mk_true(self.c))

    @cached_property
    def false(self) -> Term:
        """What never holds."""
        return self.keep(z3core.Z3_mk_false(self.c))

    @cached_property
    def integer(self) -> Any:
        """The sort of integers."""
        return self._kept_sort(z3core.Z3_mk_int_sort(self.c))

    @cached_property
    def _boolean(self) -> Any:
        return self._kept_sort(z3core.Z3_mk_bool_sort(self.c))

    def _kept_sort(self, sort: Any) -> Any:
        z3core.Z3_inc_ref(self.c, z3core.Z3_sort_to_ast(self.c, sort))
        return sort

    def keep(self, term: Term) -> Term:
        """The term itself, which is not collected from now on."""
        z3core.Z3_inc_ref(self.c, term)
        return term

    def vector(self, bits: int) -> Any:
        """The sort of bit-vectors of a width."""
        return self._kept_sort(z3core.Z3_mk_bv_sort(self.c, bits))

    def real(self, exponent: int, precision: int) -> Any:
        """The sort of floating-point numbers with so many bits of exponent and precision."""
        return self._kept_sort(z3core.Z3_mk_fpa_sort(self.c, exponent, precision))

    def array(self, index: Any, element: Any) -> Any:
        """The sort of arrays."""
        return self._kept_sort(z3core.Z3_mk_array_sort(self.c, index, element))

    def constant(self, name: str, sort: Any) -> Term:
        """The constant of that name."""
        symbol = z3core.Z3_mk_string_symbol(self.c, name)
        return self.keep(z3core.Z3_mk_const(self.c, symbol, sort))

    def proposition(self, name: str) -> Term:
        """The Boolean constant of that name."""
        return self.constant(name, self._boolean)

    def number(self, value: int, sort: Any) -> Term:
        """A numeral; of a bit-vector modulo its width."""
        return self.keep(z3core.Z3_mk_numeral(self.c, str(value), sort))

    def apply(self, make: str, *arguments: Any) -> Term:
        """The term that `Z3_mk_<make>` makes of the arguments."""
        return self.keep(getattr(z3core, f"Z3_mk_{make}")(self.c, *arguments))

    def combine(self, make: str, parts: Sequence[Term]) -> Term:
        """As `apply`, for a constructor of any number of arguments."""
        array = (z3.Ast * len(parts))(*parts)
        return self.apply(make, len(parts), array)

    def all(self, parts: Sequence[Term]) -> Term:
        """The conjunction."""
        if not parts:
            return self.true
        return parts[0] if len(parts) == 1 else self.combine("and", parts)

    def any(self, parts: Sequence[Term]) -> Term:
        """The disjunction."""
        if not parts:
            return self.false
        return parts[0] if len(parts) == 1 else self.combine("or", parts)
