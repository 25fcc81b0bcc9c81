"""Array objects, and the elements that addresses mean."""

from __future__ import annotations

import pytest

from abpress.ir.expr import Binary, Const, Convert, Expr, Reg
from abpress.ir.passes.fold import Folder
from abpress.ir.program import Overflow
from abpress.ir.types import INDEX, INT, IntType
from abpress.logic.formula import FALSE, TRUE, substitute
from abpress.logic.replace import replace
from abpress.semantics.interpreter import Interpreter
from abpress.symbolic.elements import element
from abpress.symbolic.objects import SymbolicObjects
from tests.semantics.machine import Machine

I = Reg("i", INT)
U = Reg("u", IntType(32, False))
_FOLDER = Folder(Overflow.WRAP, {})


def times(e: Expr, n: int) -> Binary:
    t = e.type
    assert isinstance(t, IntType)
    return Binary("*", e, Const(n, t))


DISTANCES = [
    times(I, 4),
    Convert(times(Convert(I, INDEX), 4), INT),
    Convert(times(Convert(U, INDEX), 4), INT),
    times(Convert(Binary("+", I, Const(3, INT)), INDEX), 4),
    Binary("+", times(I, 8), Const(4, INT)),
    Convert(times(U, 4), INT),
    times(Convert(Binary("-", U, Const(1, U.type)), INDEX), 4),
    I,
    times(I, -4),
    times(I, 6),
]


@pytest.mark.parametrize("distance", DISTANCES, ids=str)
@pytest.mark.parametrize("offset", [0, 8, 2])
def test_the_element_at_a_distance(distance: Expr, offset: int) -> None:
    """Where the condition holds, it is that element; elsewhere there is none, or it has wrapped."""
    count, size = 40, 4
    index, condition = element(distance, offset, size, count)
    small = range(-60, 61)
    large = [INT.minimum, INT.maximum, 1 << 30, (1 << 30) + 5, (1 << 31) - 5]
    for n in (*small, *large):
        values = {r.name: Const(r.type.wrap(n), r.type) for r in (I, U)}  # type: ignore[union-attr]
        there = substitute(condition, values)
        assert there in (TRUE, FALSE)
        moved = _FOLDER.fold(replace(distance, values))
        assert isinstance(moved, Const)
        place, rest = divmod(offset + moved.value, size)
        inside = rest == 0 and 0 <= place < count
        if there is TRUE:
            assert inside
            assert _FOLDER.fold(replace(index, values)) == Const(place, INDEX)
        elif n in small:
            assert not inside


ACCESSES = {
    "*(&a + (i * 4)) := 1": {"a"},
    "*&a+8 := 1": set(),
    "*(&small + (i * 4)) := 1": set(),
    "*(&a + (i * 4)) := 1u8": set(),  # as something else
    "*(&a + (i * 4)) := 0ptr": set(),
    "copy *&a := *(&b + (i * 4)), 8": set(),
    "k := *(&a + (i * 4)); k := *(&b + (k * 4))": {"a", "b"},
    "*(&ids + (i * 4)) := u32($tid)": set(),
    "*(&mixed + (i * 4)) := 1": set(),
}


@pytest.mark.parametrize("access", ACCESSES)
def test_which_objects_are_arrays(access: str) -> None:
    text = f"""
object a {{40 * {{4: 0 i32}}}} = 40 * 0
object b {{40 * {{4: 0 i32}}}} = 40 * 0
object small {{32 * {{4: 0 i32}}}} = 32 * 0
object ids {{40 * {{4: 0 u32}}}} = 40 * 0u32
object mixed {{20 * {{8: 0 i32, 4 ptr}}}} = 20 * 0, 20 * 0ptr
template main entry L0
  register i: i32
  register k: i32
  register $tid: u32
  L0: i := any "index" -> L1
  L1: {access.replace("; ", " -> L2" + chr(10) + "  L2: ")} -> L{2 + ("; " in access)}
  L2: exit "" -> L2
"""
    if "; " in access:
        text = text.replace('  L2: exit "" -> L2\n', '  L3: exit "" -> L3\n')
    machine = Machine(text, visible=True)
    objects = SymbolicObjects(machine.program, Interpreter(machine.program).context)
    found = {o for o, ref in objects._statics.items() if ref.array is not None}
    assert found == ACCESSES[access]
