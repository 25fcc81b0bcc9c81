"""Library functions of whose result ISO C fixes only the sign, or whether it is zero.

The models return -1, 0 or 1. Where more than that can be told apart, the result is any value that
is allowed; a result that is only tested stays as it is.
"""

from __future__ import annotations

from abpress.ir.expr import Const, Convert, Expr
from abpress.ir.program import Assign, Havoc
from abpress.ir.types import INT, IntType
from abpress_frontend.lower.body import Body
from abpress_frontend.lower.values import Value, comparison, fold

CLASSES = frozenset(
    {
        *("isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isdigit", "isgraph", "islower"),
        *("isprint", "ispunct", "isspace", "isupper", "isxdigit", "pthread_equal", "thrd_equal"),
    }
)
"""Functions that return zero or not (ISO C 7.4, 7.26.5.4; POSIX pthread_equal)."""
ORDERS = frozenset({"memcmp", "strcasecmp", "strcmp", "strncasecmp", "strncmp"})
"""Functions that return something less than, equal to or greater than zero (ISO C 7.24.4)."""

_UNSIGNED = IntType(INT.bits, False)


def freed(body: Body, name: str, value: Value) -> Value:
    """The result of the function, given what its model returns."""
    graph = body.graph
    if value.expr == Const(0, INT):
        return value
    result = graph.temporary(INT)
    end = graph.location()
    what = f"result of {name}"
    for relation, low, high in (("<", INT.minimum, -1), (">", 1, INT.maximum)):
        holds, following = graph.location(), graph.location()
        graph.branch(comparison(relation, value.expr, Const(0, INT)), holds, following)
        graph.at(holds)
        if name in CLASSES:
            bits = graph.temporary(_UNSIGNED)
            graph.emit(Havoc(bits, what, 1, _UNSIGNED.maximum))
            converted: Expr = fold(Convert(bits, INT))
            graph.emit(Assign(result, converted))
        else:
            graph.emit(Havoc(result, what, low, high))
        graph.goto(end)
        graph.at(following)
    graph.emit(Assign(result, Const(0, INT)))
    graph.goto(end)
    graph.at(end)
    return Value(result, value.type)
