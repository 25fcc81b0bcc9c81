"""Ranges of inputs, derived from what follows them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.ir.check import check
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, rewrite
from abpress.ir.passes.fold import Folder
from abpress.ir.passes.inputs import narrow_inputs
from abpress.ir.passes.interval import restrict
from abpress.ir.program import Havoc, Overflow, edges
from abpress.ir.reader import parse_program
from abpress.ir.types import INT, IntType
from tests.sampling import examples


def ranges(
    body: str, type: str = "i32", spawns: bool = False
) -> list[tuple[int | None, int | None]]:
    """The ranges of the inputs of main, in the order of the text."""
    start = "t := spawn other 0ptr -> L1" if spawns else "-> L1"
    program = parse_program(
        "program pointer 4 overflow end\nobject g {4: 0 i32} = 0\n"
        f"template main entry L0\nregister a: {type}\nregister b: i32\nregister t: u32\n"
        f"L0: {start}\n{body}\ntemplate other entry L0\nL0: finish 0ptr -> L0"
    )
    check(program)
    narrowed = narrow_inputs(program)
    check(narrowed)
    return [
        (effect.low, effect.high)
        for _, edge in edges(narrowed.templates["main"])
        for effect in edge.effects
        if isinstance(effect, Havoc)
    ]


INPUT = 'L1: a := any "input" -> L2\n'
END = 'L9: fail "unreach-call" "" -> L9'
FILL = "".join(f"L{i}: -> L9\n" for i in range(3, 9))


def at_l2(edges: str, type: str = "i32", rest: str = FILL) -> tuple[int | None, int | None]:
    [only] = ranges(f"{INPUT}L2: {edges}\n{rest}{END}", type)
    return only


@pytest.mark.parametrize(
    ("assumption", "expected"),
    [
        ("a > 0", (1, 2**31 - 1)),
        ("a == 7", (7, 7)),
        ("a != -2147483648", (-(2**31) + 1, 2**31 - 1)),
        ("a != 5", (None, None)),
        ("(a >= 0) & (a < 4)", (0, 3)),
        ("(a == 3) | (a == 9)", (3, 9)),
        ("((a >= 0) & (a < 4)) == 1", (0, 3)),
        ("u32(a) < 5u32", (0, 4)),
        ("(u32(a) + 1u32) < 5u32", (-1, 3)),
        ("u8(a) < 5u8", (None, None)),  # too many pieces
        ("(a + 1) < 5", (None, None)),  # may overflow
        ("a < b", (None, None)),
        ("(a < 4) & (a < b)", (None, None)),
    ],
)
def test_assumptions(assumption: str, expected: tuple[int | None, int | None]) -> None:
    assert at_l2(f"assume {assumption} -> L9") == expected


def test_small_types() -> None:
    assert at_l2("assume i32(a) < 3 -> L9", "u8") == (0, 2)
    assert at_l2("assume a -> L9", "u8") == (1, 255)


def test_branches_that_end_the_program_or_hang_are_dropped() -> None:
    abort = 'when a < 0 do exit "abort" -> L2 when a >= 0 -> L3'
    assert at_l2(abort) == (0, 2**31 - 1)
    hang = "when a < 0 -> L4 when a >= 0 -> L3"
    rest = FILL.replace("L4: -> L9", "L4: -> L4")
    assert at_l2(hang, rest=rest) == (0, 2**31 - 1)
    assert at_l2("when a < 0 -> L2 when a >= 0 -> L3") == (0, 2**31 - 1)


def test_conditions_in_temporaries_over_a_join() -> None:
    rest = "L3: b := a < 4 -> L5\nL4: b := 0 -> L5\nL5: assume b != 0 -> L6\n" + "".join(
        f"L{i}: -> L9\n" for i in range(6, 9)
    )
    assert at_l2("when a >= 0 -> L3 when a < 0 -> L4", rest=rest) == (0, 3)


@pytest.mark.parametrize(
    "stop",
    [
        "await a == 1 -> L3",  # waiting there may be a deadlock
        "when a == 1 -> L3 when a != 1 do finish 0ptr -> L3",
        'when a == 1 -> L3 when a != 1 do cut "bound" -> L3',
        'when a == 1 -> L3 when a != 1 do fault "bad" -> L3',
        "when a == 1 -> L3 when a != 1 do b := 1 / b -> L4",
        'a := any "again" [1, 2] -> L3',
    ],
)
def test_where_nothing_is_known(stop: str) -> None:
    rest = FILL.replace("L3: -> L9", "L3: assume a == 1 -> L9")
    result = ranges(f"{INPUT}L2: {stop}\n{rest.replace('L4: -> L9', 'L4: -> L4')}{END}")
    assert result[0] == (None, None)


def test_a_loop_back_to_the_input_says_nothing_wrong() -> None:
    assert at_l2("when a < 0 -> L1 when a >= 0 -> L3") == (None, None)


def test_globals_are_followed_until_the_first_thread_is_created() -> None:
    body = f"{INPUT}L2: *&g := a -> L3\nL3: b := *&g -> L4\nL4: assume b == 3 -> L9\n"
    rest = "".join(f"L{i}: -> L9\n" for i in range(5, 9)) + END
    assert ranges(body + rest) == [(3, 3)]
    assert ranges(body + rest, spawns=True) == [(None, None)]


def test_where_all_paths_end_the_program_the_assumptions_count() -> None:
    rest = FILL.replace("L3: -> L9", 'L3: exit "return from main" -> L3')
    assert at_l2("assume a == 4 -> L3", rest=rest) == (4, 4)


RELATED = """L1: a := any "first" -> L2
L2: b := any "second" -> L3
L3: when a == b -> L4 when a != b do exit "abort" -> L3
L4: when {known} == 3 -> L9 when {known} != 3 do exit "abort" -> L4
""" + "".join(f"L{i}: -> L9\n" for i in range(5, 9))


@pytest.mark.parametrize("known", ["a", "b"])
def test_an_input_of_one_value_tells_others(known: str) -> None:
    assert ranges(RELATED.format(known=known) + END) == [(3, 3), (3, 3)]


def test_inputs_that_only_may_be_known_tell_nothing() -> None:
    body = RELATED.format(known="a").replace("L3: when a == b", "L3: when a != b -> L5 when a == b")
    body = body.replace(' when a != b do exit "abort" -> L3', "")
    assert ranges(body + END) == [(None, None), (None, None)]


def test_constants_of_all_ways_are_known() -> None:
    def of(other: int) -> list[tuple[int | None, int | None]]:
        return ranges(
            "L1: when b == 0 -> L2 when b != 0 -> L3\nL2: *&g := 5 -> L4\n"
            f"L3: *&g := {other} -> L4\n"
            'L4: a := any "input" -> L5\nL5: b := *&g -> L6\nL6: assume a < b -> L9\n'
            "L7: -> L9\nL8: -> L9\n" + END
        )

    assert of(5) == [(-(2**31), 4)]
    assert of(6) == [(None, None)]


def test_what_other_threads_may_write_is_not_known() -> None:
    body = (
        'L1: *&g := 5 -> L2\nL2: a := any "input" -> L3\nL3: b := *&g -> L4\n'
        "L4: assume a < b -> L9\n" + "".join(f"L{i}: -> L9\n" for i in range(5, 9)) + END
    )
    assert ranges(body) == [(-(2**31), 4)]
    assert ranges(body, spawns=True) == [(None, None)]


# -- the interval arithmetic ----------------------------------------------------------------------

SMALL = IntType(8, True)
INPUT_REGISTER = Reg("$input", SMALL)
TYPES = st.sampled_from([SMALL, IntType(8, False), IntType(16, True), INT, IntType(16, False)])


@st.composite
def terms(draw: st.DrawFn) -> Expr:
    e: Expr = INPUT_REGISTER
    for _ in range(draw(st.integers(0, 3))):
        if draw(st.booleans()):
            e = Convert(e, draw(TYPES))
        else:
            assert isinstance(e.type, IntType)
            offset = draw(st.integers(e.type.minimum, e.type.maximum))
            e = Binary(draw(st.sampled_from("+-")), e, Const(offset, e.type))
    return e


@st.composite
def conditions(draw: st.DrawFn, depth: int = 2) -> Expr:
    if depth and draw(st.booleans()):
        op = draw(st.sampled_from("&|"))
        return Binary(op, draw(conditions(depth - 1)), draw(conditions(depth - 1)))
    e = draw(terms())
    assert isinstance(e.type, IntType)
    value = draw(st.integers(e.type.minimum, e.type.maximum))
    return Compare(
        draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="])), e, Const(value, e.type)
    )


@settings(max_examples=examples(120, whole=300), deadline=None)
@given(conditions(), st.integers(-128, 127), st.integers(-128, 127))
def test_restrict_loses_no_value(condition: Expr, low: int, high: int) -> None:
    low, high = min(low, high), max(low, high)
    result = restrict(condition, INPUT_REGISTER, (low, high))
    folder = Folder(Overflow.WRAP, {})
    for value in range(low, high + 1):
        holds = folder.fold(replaced(condition, Const(value, SMALL)))
        assert isinstance(holds, Const)
        if holds.value:
            assert result is not None
            assert result[0] <= value <= result[1]


def replaced(e: Expr, value: Const) -> Expr:
    return rewrite(e, lambda leaf: value if leaf == INPUT_REGISTER else leaf)
