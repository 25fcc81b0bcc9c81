"""Which values are tried for an arbitrary one."""

from __future__ import annotations

from functools import partial

from abpress.ir.types import IntType, Scalar
from abpress.semantics.choices import Domain, integer_domain, pointer_domain
from abpress.semantics.context import Code, Context


def is_tried(context: Context, type: Scalar, from_memory: bool) -> bool:
    """Whether there are values to try: for an integer, and for a pointer in memory that cannot but
    be one that the program has not written, NOTE(never-written)."""
    return isinstance(type, IntType) or (from_memory and not context.facts.foreign_pointers)


def input_domain(
    context: Context,
    code: Code,
    type: Scalar,
    what: str,
    where: str,
    between: tuple[int | None, int | None] = (None, None),
    whole: str | None = None,
) -> Domain:
    """The values that are tried for an arbitrary one of a type, in the code of a template; `whole`
    is the register that gets it, if nothing else holds it."""
    if not isinstance(type, IntType):
        return pointer_domain(what, where)
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
