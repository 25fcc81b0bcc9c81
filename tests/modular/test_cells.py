"""`Cells` says what a dictionary says, whatever is done to its copies."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from abpress.modular.numbers.cells import Cells

NAMES = st.sampled_from([f"cell_{k}+0" for k in range(40)])
CHANGES = st.lists(
    st.tuples(
        st.integers(0, 3), st.sampled_from(["set", "delete", "copy"]), NAMES, st.integers(0, 2)
    )
)


@given(CHANGES)
def test_copies_are_independent(changes: list[tuple[int, str, str, int]]) -> None:
    found, expected = [Cells()], [dict[str, tuple[int, int]]()]
    for which, what, name, value in changes:
        k = which % len(found)
        if what == "copy":
            found.append(found[k].copy())
            expected.append(dict(expected[k]))
        elif what == "set":
            found[k][name] = expected[k][name] = (value, value)
        elif name in expected[k]:
            del found[k][name], expected[k][name]
    for mine, its in zip(found, expected, strict=True):
        assert dict(mine) == its
        assert Cells(its) == mine
        for other, of_other in zip(found, expected, strict=True):
            differing = {(c, a, of_other.get(c)) for c, a in its.items() if of_other.get(c) != a}
            assert set(mine.differing(other)) == differing
            assert (mine == other) is (its == of_other)
