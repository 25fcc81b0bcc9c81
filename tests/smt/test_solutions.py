"""What Spacer says, read as formulas: the same for all values that are tried."""

from __future__ import annotations

from itertools import product

import pytest
import z3

from abpress.ir.expr import Const, Reg
from abpress.ir.types import IntType
from abpress.logic.formula import FALSE, TRUE, substitute
from abpress.smt.solutions import Reading, Unreadable

I32, U8 = IntType(32, True), IntType(8, False)
VARIABLES = {"x": Reg("x", I32), "y": Reg("y", I32), "u": Reg("u", U8)}
X, Y, U = z3.Ints("x y u")
NUMBERS = (-(1 << 31), -7, -1, 0, 1, 2, 9, (1 << 31) - 1)
SMALL = (0, 1, 3, 255)


@pytest.mark.parametrize(
    "term",
    [
        X == Y,
        z3.Not(X + -1 * Y >= 1),
        X <= 4,
        X >= -(1 << 40),
        2 * X - 3 * Y + U < 5,
        X + Y > (1 << 31),
        z3.And(X >= 0, z3.Or(Y == 2 * X, z3.Not(U == 3))),
        z3.Implies(X > Y, U > 1),
        z3.If(X > 0, X, Y) == U,
        z3.If(X > 0, Y > 0, U > 0),
        (X > 0) == (Y > 0),
        X % 3 == 1,
        (X + 5 * Y) % 4 <= U,
        X / 3 == Y,
        -X <= Y,
        z3.BoolVal(True),
    ],
    ids=str,
)
def test_terms(term: z3.BoolRef) -> None:
    formula = Reading(VARIABLES).formula(term)
    for x, y, u in product(NUMBERS, NUMBERS, SMALL):
        values = {"x": Const(x, I32), "y": Const(y, I32), "u": Const(u, U8)}
        numbers = [(X, z3.IntVal(x)), (Y, z3.IntVal(y)), (U, z3.IntVal(u))]
        right = z3.is_true(z3.simplify(z3.substitute(term, *numbers)))
        assert substitute(formula, values) is (TRUE if right else FALSE), (x, y, u)


@pytest.mark.parametrize(
    "term", [z3.Exists([Y], X == 2 * Y), X * Y == 3, z3.Int("other") == 1, X % Y == 0], ids=str
)
def test_what_is_not_read(term: z3.BoolRef) -> None:
    with pytest.raises(Unreadable):
        Reading(VARIABLES).formula(term)
