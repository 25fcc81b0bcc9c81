"""Choice points: inputs, undefined values, one of several edges, one bit of a set."""

from __future__ import annotations

import itertools

from abpress.ir.program import GuardKind
from tests.semantics.machine import Machine, straight

OUT = "object out {4: 0 i32} = 0\nobject x {4: 0 i32} = ?\nobject y {4: 0 i32} = 0"


def program(*effects: str, registers: str = "a: i32, b: i32", declare: str = OUT) -> str:
    return straight(*effects, declare=declare, registers=registers)


def values(m: Machine, cell: str = "out") -> list[int]:
    return sorted(value for (value,) in m.outcomes(cell))


def test_small_inputs_are_enumerated() -> None:
    m = Machine(program('a := any "input" [-2, 3]', "*&out := a"))
    assert values(m) == [-2, -1, 0, 1, 2, 3]
    assert m.soundness.complete


def test_a_type_that_is_small_enough_is_enumerated() -> None:
    m = Machine(program('c := any "nondet_char"', "*&out := i32(c)", registers="c: i8"))
    assert values(m) == list(range(-128, 128))
    assert m.soundness.complete


def test_wide_inputs_are_sampled_and_withhold_a_proof() -> None:
    effects = ('a := any "nondet_int"', "b := a == 77", "*&y := b", "b := a & -3", "*&out := a")
    m = Machine(program(*effects), input_domain=16)
    found = m.outcomes("out", "y")
    assert {(77, 1), (0, 0), (-(1 << 31), 0), ((1 << 31) - 1, 0)} <= found
    assert list(m.soundness.reasons) == ["symbolic input: nondet_int at t.c:1:1"]


def test_an_empty_range_has_no_step() -> None:
    m = Machine(program('a := any "input" [3, 2]', "*&out := a"))
    assert m.steps() == ()
    assert m.soundness.complete


def test_dead_inputs_cost_nothing() -> None:
    m = Machine(program('a := any "nondet_int"', "*&out := 1"))
    assert values(m) == [1]
    assert m.soundness.complete


def test_steps_are_replayed_by_their_choices() -> None:
    m = Machine(program('a := any "u" [0, 2]', 'b := any "v" [0, 1]', "*&out := a + b"))
    steps = m.steps()
    assert [step.choices for step in steps] == [(0, 0), (0, 1), (1, 1), (2, 1)]
    for step in steps:
        events = m.interpreter.views.trace(m.state, 1, step.choices)
        chosen = [c for event in events for c in event.choices]
        assert chosen == [("u", step.choices[0]), ("v", step.choices[1])]
        assert step in m.steps()


def test_an_undefined_register_has_one_value() -> None:
    m = Machine(program("b := u8(c == c)", "*&out := i32(b)", registers="c: u8, b: u8"))
    assert values(m) == [1]
    m = Machine(program("*&out := i32(c)", registers="c: u8"))
    assert values(m) == list(range(256))
    assert m.soundness.complete


def test_an_undefined_cell_keeps_the_value_that_was_chosen() -> None:
    declare = "object x {1: 0 u8} = ?\nobject out {4: 0 i32} = 0"
    m = Machine(
        program(
            "a := *&x",
            "b := *&x",
            "*&out := i32(a) - i32(b)",
            registers="a: u8, b: u8",
            declare=declare,
        ),
        visible=True,
    )
    assert values(m) == [0]
    assert len(m.outcomes("x")) == 256


def test_the_same_through_a_pointer() -> None:
    """What was read has a value: its copies are the same."""
    declare = "object x {1: 0 u8} = ?\nobject out {4: 0 i32} = 0"
    cases = itertools.product(("p := &x", 'p := alloc 1 {1: 0 u8} "malloc"'), ("*p", "a"))
    for target, again in cases:
        m = Machine(
            program(
                target,
                "a := *p",
                f"b := {again}",
                "*&out := i32(a) - i32(b)",
                registers="p: ptr, a: u8, b: u8",
                declare=declare,
            )
        )
        assert values(m) == [0]
        assert m.soundness.complete


def test_undefined_values_are_copied_undefined() -> None:
    m = Machine(program("*&y := a", "copy *&out := *&x, 4"), input_domain=4)
    m.finish()
    assert (m.memory["y"], m.memory["out"]) == (None, None)
    assert m.soundness.complete


def test_a_copy_and_its_source_agree() -> None:
    m = Machine(
        program("d := c", "*&out := i32(d) - i32(c)", registers="c: u8, d: u8"), visible=True
    )
    assert values(m) == [0]


def test_an_undefined_pointer_has_no_value() -> None:
    m = Machine(program("*p := 1", registers="p: ptr"))
    assert m.stops() == "arbitrary pointer: uninitialised p at t.c:1:1"
    assert m.interpreter.waits(m.state, 1) is GuardKind.ASSUME


def test_an_undefined_pointer_may_be_copied() -> None:
    declare = "object p {4: 0 ptr} = ?\nobject q {4: 0 ptr} = 0ptr"
    m = Machine(program("r := *&p", "*&q := r", registers="r: ptr", declare=declare))
    assert m.finish().memory["q"] is None
    assert m.soundness.complete


NONDETERMINISM = """
object out {4: 0 i32} = 0
template main entry L0
  register a: i32
  L0: a := 1 -> L1
  L1: *&out := 1 -> L2
      when a == 1 do *&out := 2 -> L2
      when a == 2 do *&out := 3 -> L2
      await a == 1 do *&out := 4 -> L3
  L2: exit "done" -> L2
  L3: await a == 2 -> L2
"""


def test_edges_whose_guards_hold_are_alternatives() -> None:
    m = Machine(NONDETERMINISM, visible=True).run("main")
    assert [m.interpreter.views.describe(s.successor)["memory"]["out"] for s in m.steps()] == [
        1,
        2,
        4,
    ]


def test_one_open_edge_is_no_choice() -> None:
    text = NONDETERMINISM.replace("L1: *&out := 1 -> L2\n", "L1: when a == 5 -> L2\n").replace(
        "      await a == 1 do *&out := 4 -> L3\n", ""
    )
    m = Machine(text, visible=True).run("main")
    (step,) = m.steps()
    assert step.choices == ()
    assert m.interpreter.views.describe(step.successor)["memory"]["out"] == 2


SWITCH = """
object out {4: 0 i32} = 0
template main entry L0
  register a: i32
  L0: a := any "input" [0, 3] -> L1
  L1: when a == 0 do *&out := 10 -> L2
      when a == 1 do *&out := 11 -> L2
      await a == 2 do *&out := 12 -> L2
  L2: exit "done" -> L2
"""


def test_exclusive_guards() -> None:
    m = Machine(SWITCH)
    assert values(m) == [10, 11, 12]
    m = Machine(SWITCH, visible=True)
    running = [s for s in m.reachable() if m.interpreter.threads(s)]
    waits = [m.interpreter.waits(s, 1) for s in running]
    assert waits.count(GuardKind.AWAIT) == 1
    assert GuardKind.ASSUME not in waits


def test_waiting_needs_an_alternative_that_waits() -> None:
    """What an assumption excludes does not rescue the others from a deadlock."""
    text = """
object x {4: 0 i32} = 0
template main entry L0
  register c: i32
  register v: i32
  L0: -> L1
  L1 atomic: c := any "input" [0, 1] -> L2
  L2 atomic: v := *&x -> L3
  L3 atomic: when c == 0 -> L4
             when c == 1 -> L5
  L4 atomic: assume v == 1 -> L6
  L5 atomic: KIND v == 1 -> L6
  L6: exit "done" -> L6
"""
    for kind in GuardKind.AWAIT, GuardKind.ASSUME:
        m = Machine(text.replace("KIND", kind.value))
        assert m.interpreter.waits(m.state, 1) is kind


def test_one_set_bit_is_chosen() -> None:
    big = (1 << 200) + 5
    m = Machine(
        program(
            "s := *&set",
            "t := bit s",
            "*&out2 := t",
            registers="s: u256, t: u256",
            declare=f"object set {{32: 0 u256}} = {big}u256\nobject out2 {{32: 0 u256}} = 0u256",
        )
    )
    assert values(m, "out2") == [1, 4, 1 << 200]
    assert m.soundness.complete


def test_no_bit_and_one_bit_are_no_choice() -> None:
    for mask in (0, 64):
        m = Machine(
            program("a := 0", f"a := {mask}", "b := bit a", "*&out := b"), visible=True
        ).finish()
        assert m.memory["out"] == mask


def test_endless_choosing_is_cut() -> None:
    text = """
template main entry L0
  register a: i32
  L0: -> L1
  L1 atomic: a := any "input" [0, 1] -> L2
  L2 atomic: when a == 0 -> L1
             when a == 1 -> L3
  L3: exit "done" -> L3
"""
    m = Machine(text)
    (step,) = m.steps()
    assert m.interpreter.location(step.successor, 1) == ("main", 3)
    assert list(m.soundness.reasons) == ["more than 200 choices in one step"]
