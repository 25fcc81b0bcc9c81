"""Numbers of elements, and places in arrays of a length that is not known."""

from __future__ import annotations

import pytest

from abpress.ir.expr import Binary, Const, Convert, Expr, Reg
from abpress.ir.passes.fold import Folder
from abpress.ir.program import Overflow
from abpress.ir.types import INDEX, INT, IntType, PtrType
from abpress.logic.formula import FALSE, TRUE, Formula, substitute
from abpress.logic.replace import replace
from abpress.symbolic.elements import as_linear, element_of_many

UINT = IntType(32, False)
I, U = Reg("i", INT), Reg("u", UINT)
COUNT = Reg("count", INDEX)
_FOLDER = Folder(Overflow.WRAP, {})
NUMBERS = [*range(-9, 10), INT.minimum, INT.maximum, UINT.maximum, *(1 << k for k in range(28, 32))]


def times(e: Expr, n: int) -> Expr:
    t = e.type
    assert isinstance(t, IntType)
    return Binary("*", e, Const(n, t))


def over(e: Expr, n: int) -> Expr:
    return Binary("/", Convert(e, INDEX), Const(n, INDEX))


def settled(f: Formula, values: dict[str, Const]) -> bool:
    found = substitute(f, values)  # type: ignore[arg-type]
    assert found in (TRUE, FALSE)
    return found is TRUE


def number(e: Expr, values: dict[str, Const]) -> int:
    found = _FOLDER.fold(replace(e, values))
    assert isinstance(found, Const)
    return found.value


def given(n: int) -> dict[str, Const]:
    return {"i": Const(INT.wrap(n), INT), "u": Const(UINT.wrap(n), UINT)}


SIZES = [
    over(times(Convert(I, UINT), 4), 4),
    over(Binary("*", Const(4, UINT), U), 4),
    over(Binary("+", times(U, 8), Const(8, UINT)), 4),
    over(times(Binary("-", U, Const(1, UINT)), 12), 4),
    Convert(U, INDEX),
    Convert(I, INDEX),
    over(times(Convert(I, INDEX), 4), 1),
]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_linear_number_is_the_value_where_it_says_so(size: Expr) -> None:
    found = as_linear(size)
    assert found is not None
    linear, exact = found
    held = 0
    for n in NUMBERS:
        if settled(exact, given(n)):
            held += 1
            assert number(linear, given(n)) == number(size, given(n))
    assert held >= 5


def test_no_linear_number_divides() -> None:
    assert as_linear(over(U, 4)) is None
    assert as_linear(over(times(U, 6), 4)) is None


DISTANCES = [
    times(Convert(I, INDEX), 4),
    times(Convert(U, INDEX), 4),
    Binary("*", Const(4, INDEX), Convert(Binary("+", I, Const(3, INT)), INDEX)),
    Binary("+", times(Convert(I, INDEX), 8), Const(4, INDEX)),
    Convert(I, INDEX),
    times(Convert(I, INDEX), -4),
    times(Convert(I, INDEX), 6),
]


@pytest.mark.parametrize("distance", DISTANCES, ids=str)
@pytest.mark.parametrize("offset", [0, 8, 2])
@pytest.mark.parametrize("width", [1, 4, 8])
def test_the_place_in_an_array(distance: Expr, offset: int, width: int) -> None:
    size = 4
    place = element_of_many(distance, offset, width, size, COUNT, PtrType(4))
    for n in NUMBERS:
        far = number(distance, given(n))
        for count in (0, 1, 3, 1 << 29, (1 << 30) - 1):
            values = {**given(n), "count": Const(count, INDEX)}
            inside = offset + far >= 0 and offset + far + width <= size * count
            assert settled(place.inside, values) == inside, (n, count)
            assert settled(place.near, values) == (-(1 << 31) <= far < 1 << 31)
            if inside:
                aligned = (offset + far) % size == 0
                assert settled(place.aligned, values) == aligned
                if aligned:
                    assert number(place.number, values) == (offset + far) // size
