"""What rounds keep of the changes that threads make: those of states that are told apart no more
are left out where a wider one does what they do, and only there."""

from __future__ import annotations

import pytest

from abpress.modular.interference import Change, ChangeKey, Globals
from abpress.modular.spots import Spot
from abpress.modular.state import Known
from abpress.modular.valuation import Atoms, Valuation, Variable
from abpress.modular.values import Number, Origin

X, Y = (Spot(Origin("static", -1, name), 0) for name in "xy")


def change(spot: Spot, known: int | None, value: int, bit: bool = False) -> Change:
    """A write where the other cell is known to hold a number, or not known."""
    other = Y if spot == X else X
    values: dict[Variable, Atoms] = {}
    if known is not None:
        values[other] = frozenset({Number(known)})
    return Change(spot, 1, Known(Valuation.of(values)), frozenset({Number(value)}), bit)


def key(spot: Spot, part: str, effect: int = 0) -> ChangeKey:
    return (1, 0, 0, effect), spot, (part,)


OLD = change(X, 3, 1)


@pytest.mark.parametrize(
    ("at", "new", "kept"),
    [
        (key(X, "new"), change(X, None, 1), False),
        (key(X, "new"), change(X, 3, 1), False),
        (key(X, "new"), change(X, 4, 1), True),  # who has it knows something else
        (key(X, "new"), change(X, None, 2), True),  # it writes something else
        (key(X, "new"), change(X, None, 1, bit=True), True),
        (key(X, "new", effect=1), change(X, None, 1), True),  # another point
        (key(Y, "new"), change(Y, None, 1), True),
    ],
)
def test_an_old_change_is_left_out_where_a_new_one_does_the_same(
    at: ChangeKey, new: Change, kept: bool
) -> None:
    given, told = Globals(), Globals()
    assert given.change(key(X, "old"), OLD)
    told.change(at, new)
    assert given.include(1, told)
    assert (key(X, "old") in given.changes) is kept
    assert (OLD in given.by_spot().get(X, [])) is (kept or new == OLD)
    assert not given.include(1, told)
