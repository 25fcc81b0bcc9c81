"""Which values an arbitrary integer is tried with."""

from __future__ import annotations

from functools import partial

from abpress.ir.types import IntType
from abpress.semantics.choices import Domain, integer_domain
from abpress.semantics.context import Code, Context


def input_domain(
    context: Context,
    code: Code,
    type: IntType,
    what: str,
    where: str,
    between: tuple[int | None, int | None] = (None, None),
    whole: str | None = None,
) -> Domain:
    """The values of an arbitrary integer of a type, in the code of a template; `whole` is the
    register that gets it, if nothing else holds it."""
    low, high = between
    return integer_domain(
        (
            type.minimum if low is None else max(low, type.minimum),
            type.maximum if high is None else min(high, type.maximum),
        ),
        context.options.input_domain,
        None if whole is None else partial(context.classes, code, whole),
        code.samples,
        what,
        where,
    )
