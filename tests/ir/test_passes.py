"""Each pass on small programs, before and after in text form."""

from __future__ import annotations

import pytest

from abpress.ir.passes.coalesce import coalesce
from abpress.ir.passes.compact import compact
from abpress.ir.passes.fold import fold
from abpress.ir.passes.liveness import remove_dead
from abpress.ir.passes.pipeline import simplify
from abpress.ir.passes.promote import promote
from abpress.ir.passes.propagate import propagate
from abpress.ir.passes.prune import prune
from abpress.ir.passes.sink import drop_first_choices, sink
from abpress.ir.reader import parse_program
from tests.ir.bodies import DECLARATIONS, after, body_of, program_of

# -- pruning and compaction -----------------------------------------------------------------------


def test_prune_renumbers_and_drops_what_is_unused() -> None:
    program = prune(
        program_of(
            "  L0:\n    a := *&x -> L2\n  L1:\n    b := 1 -> L2\n  L2:\n    finish 0ptr -> L1"
        )
    )
    assert list(program.objects) == ["x"]
    assert list(program.templates["main"].registers) == ["a"]
    assert body_of(program) == "L0:\n    a := *&x -> L1\n  L1:\n    finish 0ptr -> L1"


def test_prune_keeps_objects_that_are_pointed_to() -> None:
    program = parse_program(
        "program pointer 4 overflow end\nobject a {4: 0 ptr} = &b\nobject b {4: 0 ptr} = &c\n"
        "object c {4: 0 ptr} = 0ptr\nobject d {4: 0 ptr} = &a\n"
        "template main entry L0\nregister p: ptr\nL0: p := *&a -> L0\n"
        "template unused entry L0\nL0: finish 0ptr -> L0"
    )
    assert list(prune(program).objects) == ["a", "b", "c"]
    assert list(prune(program).templates) == ["main"]


def test_compact_skips_empty_edges() -> None:
    body = """
  L0:
    -> L1
  L1:
    when a < 1 -> L2
    when a >= 1 -> L3
  L2:
    -> L4
  L3:
    -> L4
  L4:
    a := *&x -> L0
"""
    assert after(compact, body) == [
        "L0:", "when a < 1 -> L1", "when a >= 1 -> L1", "L1:", "a := *&x -> L0",
    ]  # fmt: skip


def test_compact_keeps_loops_and_the_borders_of_atomic_blocks() -> None:
    body = """
  L0:
    -> L1
  L1 atomic:
    a := *&x -> L2
  L2 atomic:
    *&x := b -> L3
  L3:
    -> L4
  L4 atomic:
    a := *&x -> L5
  L5 atomic:
    await a == 0 -> L6
  L6:
    -> L7
  L7:
    -> L8
  L8:
    -> L7
"""
    assert after(compact, body) == [
        "L0:", "-> L1", "L1 atomic:", "a := *&x -> L2", "L2 atomic:", "*&x := b -> L3",
        "L3:", "-> L4", "L4 atomic:", "a := *&x -> L5", "L5 atomic:", "await a == 0 -> L6",
        "L6:", "-> L6",
    ]  # fmt: skip


def test_compact_unwraps_atomic_blocks_of_one_action() -> None:
    body = """
  L0:
    when b == 0 do b := 1 -> L1
    when b != 0 -> L4
  L1 atomic:
    a := *&x -> L2 atomic_access
  L2 atomic:
    a := a + 1 -> L3
  L3 atomic:
    -> L4
  L4:
    -> L5
  L5 atomic:
    *&x := a -> L0
"""
    assert after(compact, body) == [
        "L0:", "when b == 0 do b := 1; a := *&x; a := a + 1 -> L1 atomic_access",
        "when b != 0 -> L1", "L1:", "*&x := a -> L0 section_access",
    ]  # fmt: skip


def test_compact_merges_register_only_edges_of_one_statement() -> None:
    body = """
  L0:
    a := *&x -> L1 @ 1:1
  L1:
    b := a + 1 -> L2 @ 1:1
  L2:
    a := b -> L3 @ 2:1
  L3:
    *&x := a -> L0 @ 2:1
"""
    assert [line.split("  @")[0] for line in after(compact, body)] == [
        "L0:", "a := *&x; b := a + 1 -> L1", "L1:", "a := b -> L2", "L2:", "*&x := a -> L0",
    ]  # fmt: skip


def test_compact_merges_no_overflow_behind_a_write_or_into_an_atomic_block() -> None:
    body = """
  L0:
    *&x := a -> L1 @ 1:1
  L1:
    b := a + 1 -> L2 @ 1:1
  L2:
    -> L3
  L3 atomic:
    *&x := a -> L4
  L4 atomic:
    *&s := a -> L5
  L5 atomic:
    a := b -> L6 @ 2:1
  L6:
    b := b + 1 -> L7 @ 2:1
  L7:
    a := b -> L8 @ 2:1
  L8:
    *&x := a -> L0
"""
    assert [line.split("  @")[0] for line in after(compact, body)] == [
        "L0:", "*&x := a -> L1", "L1:", "b := a + 1 -> L2",
        "L2:", "-> L3", "L3 atomic:", "*&x := a -> L4", "L4 atomic:", "*&s := a -> L5",
        "L5 atomic:", "a := b -> L6", "L6:", "b := b + 1; a := b -> L7", "L7:", "*&x := a -> L0",
    ]  # fmt: skip


# -- liveness, propagation, coalescing ------------------------------------------------------------


def test_dead_definitions_go_unless_they_may_fault() -> None:
    body = """
  L0:
    a := b; a := 1; %1 := b + 1; u := u + 1u32; c := any "input"; p := &x; b := a / b -> L1
  L1:
    b := *&x; a := a -> L2
  L2:
    *&x := a -> L2
"""
    assert after(remove_dead, body) == [
        "L0:", "a := 1; %1 := b + 1; b := a / b -> L1", "L1:", "b := *&x -> L2",
        "L2:", "*&x := a -> L2",
    ]  # fmt: skip


def test_propagate_follows_constants_addresses_and_copies() -> None:
    body = """
  L0:
    p := &s; a := 1; b := a -> L1
  L1:
    %1 := *p; u := u32(b) -> L2
  L2:
    when a < b do a := %1 -> L2
    when a >= b do *(p + 4) := a + b -> L1
"""
    assert after(lambda p: fold(propagate(p)), body) == [
        "L0:", "p := &s; a := 1; b := 1 -> L1",
        "L1:", "%1 := *&s; u := 1u32 -> L2",
        "L2:", "when a < 1 do a := %1 -> L2", "when a >= 1 do *&s+4 := a + 1 -> L1",
    ]  # fmt: skip


def test_propagate_stops_at_redefinitions_and_joins() -> None:
    body = """
  L0:
    a := 1; b := u8(a) == 1u8; %1 := b -> L1
    %1 := 2 -> L1
  L1:
    b := %1 -> L2
  L2:
    %1 := %1 + 1; *&x := b -> L1
"""
    assert after(propagate, body)[3:] == [
        "L1:", "b := %1 -> L2", "L2:", "%1 := %1 + 1; *&x := b -> L1",
    ]  # fmt: skip


def test_propagate_moves_conditions_to_guards_but_not_over_memory() -> None:
    body = """
  L0:
    %1 := a < b -> L1
  L1:
    when %1 != 0 -> L2
    when %1 == 0 do *&x := %1 -> L3
  L2:
    when %1 -> L3
  L3:
    *&x := %1 -> L3
"""
    assert after(lambda p: fold(propagate(p)), body)[2:] == [
        "L1:", "when a < b -> L2", "when a >= b do *&x := a < b -> L3",
        "L2:", "when a < b -> L3", "L3:", "*&x := %1 -> L3",
    ]  # fmt: skip


def test_propagate_does_not_move_what_may_fault() -> None:
    body = "  L0:\n    %1 := (a + 1) < b; a := %1 -> L1\n  L1:\n    b := %1 / a -> L1"
    assert after(propagate, body)[1] == "%1 := (a + 1) < b; a := %1 -> L1"


def test_coalesce_defines_the_variable_at_once() -> None:
    body = "  L0:\n    %1 := *&x -> L1\n  L1:\n    a := %1; b := 1 -> L0"
    assert after(coalesce, body) == ["L0:", "a := *&x -> L1", "L1:", "b := 1 -> L0"]
    used_twice = "  L0:\n    %1 := *&x -> L1\n  L1:\n    a := %1; b := %1 -> L0"
    assert after(coalesce, used_twice)[1] == "%1 := *&x -> L1"
    another_way = "  L0:\n    %1 := *&x -> L1\n  L1:\n    a := %1 -> L1"
    assert after(coalesce, another_way)[1] == "%1 := *&x -> L1"


# -- promotion ------------------------------------------------------------------------------------

LOCALS = DECLARATIONS + '  local v {4: 0 i32} = ?\n  local w {8: 0 i32 ".a", 4 ptr ".b"} = 1, ?\n'


def test_promote_turns_cells_into_registers() -> None:
    body = """
  L0:
    enter v; enter w -> L1
  L1:
    *&v := 1 -> L2
  L2:
    u := *&v -> L3
  L3:
    *&w := u -> L4
  L4:
    p := *&w+4 -> L5
  L5:
    leave v; leave w; finish p -> L5
"""
    assert after(promote, body, LOCALS) == [
        "L0:",
        'v := any "uninitialised variable v"; '
        'w.a := 1; w.b := any "uninitialised variable w.b" -> L1',
        "L1:", "v := 1 -> L2", "L2:", "u := u32(v) -> L3", "L3:", "w.a := i32(u) -> L4",
        "L4:", "p := w.b -> L5", "L5:", "finish p -> L5",
    ]  # fmt: skip


def test_promote_splits_copies_of_structs() -> None:
    declarations = LOCALS + '  local z {12: 0 i32 ".x", 4 i32 ".a", 8 ptr ".b"} = 0, 0, 0ptr\n'
    body = """
  L0:
    enter w; enter z -> L1
  L1:
    copy *&z+4 := *&w, 8 -> L1
"""
    assert after(promote, body, declarations)[-1] == "z.a := w.a; z.b := w.b -> L1"


@pytest.mark.parametrize(
    "statement",
    [
        "p := &v",
        "*p := &v",
        "*&v := &v",
        "a := *(&v + a)",
        "c := *&v",  # half a cell
        "p := *&v",  # an integer as a pointer
        "a := i32(&v)",
        "copy *&v := *&x, 4",
        "copy *&v := *&v, 4",
        "when &v == p",
        "leave v; a := *&v",
        "a := *&v+4",
    ],
)
def test_promote_leaves_what_escapes_or_may_fault(statement: str) -> None:
    body = f"  L0:\n    enter v -> L1\n  L1:\n    {statement} -> L1"
    program = program_of(body, LOCALS)
    assert "v" in promote(program).templates["main"].locals


def test_promote_needs_the_object_to_be_alive_on_every_path() -> None:
    body = """
  L0:
    enter v -> L1
    -> L1
  L1:
    a := *&v -> L1
"""
    assert "v" in promote(program_of(body, LOCALS)).templates["main"].locals


def test_promote_leaves_what_another_object_points_to() -> None:
    declarations = LOCALS + "  local z {4: 0 ptr} = &v\n"
    body = "  L0:\n    enter v; enter z -> L1\n  L1:\n    p := *&z -> L1"
    assert list(promote(program_of(body, declarations)).templates["main"].locals) == ["v"]


# -- uninitialised variables ----------------------------------------------------------------------


def test_sink_moves_choices_to_their_first_use() -> None:
    body = """
  L0:
    a := any "uninitialised variable a"; *&x := b -> L1
  L1:
    when b == 0 do a := 1 -> L2
    when b != 0 do b := a -> L2
  L2:
    *&x := a -> L2
"""
    assert after(sink, body) == [
        "L0:", "*&x := b -> L1", "L1:", "when b == 0 do a := 1 -> L2",
        'when b != 0 do a := any "uninitialised variable a"; b := a -> L2',
        "L2:", "*&x := a -> L2",
    ]  # fmt: skip


def test_sink_stops_before_guards_that_read_the_value_and_before_loops() -> None:
    guard = """
  L0:
    a := any "uninitialised variable a" -> L1
  L1:
    when a == 0 -> L0
    when a != 0 -> L0
"""
    assert after(sink, guard)[1] == 'a := any "uninitialised variable a" -> L1'
    assert after(sink, guard.replace("L0\n  L1", "L1\n  L1"))[1].startswith("a := any")
    assert after(sink, '  L0:\n    a := any "input" -> L1\n  L1:\n    b := a -> L1')[1] == (
        'a := any "input" -> L1'
    )


def test_first_choices_are_the_semantics_own() -> None:
    straight = '  L0:\n    a := any "uninitialised variable a" -> L1\n  L1:\n    *&x := a -> L1'
    assert after(drop_first_choices, straight)[1] == "-> L1"
    loop = straight.replace("-> L1", "-> L0")
    assert after(drop_first_choices, loop)[1].startswith("a := any")
    written = straight.replace("a := any", "a := 1; a := any")
    assert after(drop_first_choices, written)[1].startswith("a := 1; a := any")


# -- all together ---------------------------------------------------------------------------------


def test_an_inlined_pointer_parameter_becomes_a_direct_access() -> None:
    declarations = DECLARATIONS + "  local v {4: 0 i32} = ?\n  local q {4: 0 ptr} = ?\n"
    body = """
  L0:
    enter v; enter q -> L1
  L1:
    *&q := &v -> L2
  L2:
    p := *&q -> L3
  L3:
    %1 := *&x -> L4
  L4:
    *p := %1 -> L5
  L5:
    leave q -> L6
  L6:
    %1 := *&v -> L7
  L7:
    a := %1 + 1 -> L8
  L8:
    *&x := a -> L9
  L9:
    leave v; exit "return from main" -> L9
"""
    program = simplify(program_of(body, declarations))
    assert [line.strip() for line in body_of(program).split("\n")] == [
        "L0:", "v := *&x; a := v + 1 -> L1", "L1:", "*&x := a -> L2",
        "L2:", 'exit "return from main" -> L2',
    ]  # fmt: skip
    assert list(program.templates["main"].registers) == ["a", "v"]
    assert simplify(program) == program
