"""The interpreter: threads, atomic blocks, the extent of a step."""

from __future__ import annotations

from abpress.ir.program import GuardKind
from tests.semantics.machine import Machine, straight

OUT = "object out {4: 0 i32} = 0\nobject x {4: 0 i32} = 5"


# -- threads --------------------------------------------------------------------------------------

TWO = """
object x {4: 0 i32} = 0
object seen {4: 0 ptr} = 0ptr
template main entry L0
  register a: u32
  register r: ptr
  L0: a := spawn w &x -> L1
  L1: r := join a -> L2
  L2: *&seen := r -> L3
  L3: exit "return from main" -> L3
template w entry L0
  register $arg: ptr
  L0: *$arg := 1 -> L1
  L1: finish $arg -> L1
"""


def test_spawn_passes_an_argument_and_join_a_result() -> None:
    m = Machine(TWO).run("main")
    assert m.steps("main") == ()
    assert m.interpreter.waits(m.state, m.thread()) is GuardKind.AWAIT
    m.finish("main.1").finish()
    assert m.memory == {"x": 1, "seen": "&x"}


def test_a_finished_thread_stays_with_its_result() -> None:
    m = Machine(TWO).run("main").finish("main.1")
    assert m.interpreter.views.describe(m.state)["threads"]["main.1"] == {"finished": "&x"}
    assert m.interpreter.threads(m.state) == (1,)


def test_return_from_main_stops_the_others() -> None:
    text = TWO.replace("L0: a := spawn w &x -> L1", "L0: a := spawn w &x -> L3")
    m = Machine(text).run("main")
    assert len(m.interpreter.threads(m.state)) == 2
    m.run("main")
    assert m.interpreter.threads(m.state) == ()
    assert m.interpreter.views.ended(m.state) == "return from main"
    assert m.memory["x"] == 0
    # it is a step of its own: the other thread may move before
    assert Machine(text).outcomes("x") == {(0,), (1,)}


def test_main_may_finish_before_the_others() -> None:
    m = Machine(TWO.replace("L1: r := join a -> L2", "L1: finish 0ptr -> L1")).run("main", "main")
    assert m.interpreter.threads(m.state) == (2,)
    m.finish("main.1")
    assert m.interpreter.threads(m.state) == ()
    assert m.interpreter.views.ended(m.state) is None


def test_failure_is_a_violation_with_position_and_thread() -> None:
    text = TWO.replace("L1: finish $arg -> L1", 'L1: fail "unreach-call" "boo" -> L1 @ 9:2 w')
    m = Machine('file "t.c"' + text).run("main", "main.1")
    violation = m.step("main.1").violation
    assert violation is not None
    assert (violation.property, violation.message, violation.thread) == ("unreach-call", "boo", 2)
    assert str(violation.position) == "t.c:9:2"
    assert m.interpreter.threads(m.state) == ()
    assert m.memory["x"] == 1


def test_too_many_threads_withhold_a_proof() -> None:
    m = Machine(TWO, max_threads=1)
    assert m.steps("main") == ()
    assert list(m.soundness.reasons) == ["more than 1 threads"]


def test_an_undefined_result_is_no_fault_until_it_is_used() -> None:
    text = TWO.replace("L1: finish $arg", "L1: finish n").replace(
        "  register $arg: ptr\n", "  register $arg: ptr\n  register n: ptr\n"
    )
    m = Machine(text).run("main").finish("main.1").finish()
    assert m.memory["seen"] is None
    assert m.soundness.complete


NAMES = """
object p {4: 0 ptr} = 0ptr
object q {4: 0 ptr} = 0ptr
template main entry L0
  register t: u32
  L0: t := spawn a 0ptr -> L1
  L1: t := spawn b 0ptr -> L2
  L2: finish 0ptr -> L2
template a entry L0
  register t: u32
  register v: ptr
  L0: t := spawn c 0ptr -> L1
  L1: v := alloc 1 {4: 0 i32} zeroed "malloc" -> L2
  L2: *&p := v -> L3
  L3: finish 0ptr -> L3
template b entry L0
  register t: u32
  register v: ptr
  L0: t := spawn c 0ptr -> L1
  L1: v := alloc 1 {4: 0 i32} zeroed "malloc" -> L2
  L2: *&q := v -> L3
  L3: finish 0ptr -> L3
template c entry L0
  local l {4: 0 i32} = 0
  L0: enter l -> L1
  L1: *&l := 3 -> L2
  L2: finish 0ptr -> L2
"""


def test_names_do_not_depend_on_the_interleaving() -> None:
    m = Machine(NAMES, visible=True)
    finals = [s for s in m.reachable() if not m.interpreter.threads(s)]
    assert len(finals) == 1
    m.state = finals[0]
    assert m.memory["p"] == "&heap main.1#1"
    assert m.memory["q"] == "&heap main.2#1"
    assert set(m.interpreter.views.describe(m.state)["threads"]) == {
        "main",
        "main.1",
        "main.2",
        "main.1.1",
        "main.2.1",
    }


def test_many_states_but_one_order_of_threads() -> None:
    m = Machine(NAMES, visible=True)
    for s in m.reachable():
        threads = m.interpreter.threads(s)
        assert threads == tuple(sorted(threads))


def test_locals_end_with_their_thread() -> None:
    m = Machine(NAMES, visible=True).run("main", "main.1", "main.1.1", "main.1.1")
    assert m.memory["main.1.1:l"] == 3
    assert "main.1.1:l" not in m.finish("main.1.1").memory


# -- atomic blocks --------------------------------------------------------------------------------

BLOCKS = """
object x {{4: 0 i32}} = 0
object y {{4: 0 i32}} = 0
object z {{4: 0 i32}} = 0
template main entry L0
  register t: u32
  register v: i32
  L0: t := spawn w 0ptr -> L1
  L1: -> L2
  L2 atomic: *&x := 1 -> L3
  L3 atomic: v := *&y -> L4
  L4 atomic: {guard} -> L5
  L5 atomic: *&x := v + 2 -> L6
  L6: -> {next}
  L7 atomic: *&x := 9 -> L8
  L8: finish 0ptr -> L8
template w entry L0
  register v: i32
  L0: *&y := 1 -> L1
  L1: v := *&x -> L2
  L2: *&z := v -> L3
  L3: finish 0ptr -> L3
"""


def test_a_block_excludes_all_threads() -> None:
    m = Machine(BLOCKS.format(guard="", next="L8"))
    # z is x as the other thread saw it: never 1, which only stands inside the block
    assert m.outcomes("x", "z") == {(2, 2), (3, 0), (3, 3)}


def test_a_block_that_cannot_be_finished_cannot_be_begun() -> None:
    m = Machine(BLOCKS.format(guard="await v == 1", next="L8")).run("main")
    before = m.memory["x"]
    assert m.steps("main") == ()
    assert m.interpreter.waits(m.state, m.thread()) is GuardKind.AWAIT
    assert before == 0
    m.run("main.1").run("main")
    assert m.memory["x"] == 3
    assert m.outcomes("x") == {(3,)}


def test_an_assumption_that_fails_is_no_deadlock() -> None:
    m = Machine(BLOCKS.format(guard="assume v == 1", next="L8")).run("main")
    assert m.interpreter.waits(m.state, m.thread()) is GuardKind.ASSUME


def test_threads_switch_between_adjacent_blocks() -> None:
    m = Machine(BLOCKS.format(guard="", next="L7"))
    assert {z for _, z in m.outcomes("x", "z")} == {0, 2, 3, 9}


def test_loops_inside_blocks() -> None:
    text = """
object x {4: 0 i32} = 0
template main entry L0
  register i: i32
  register t: u32
  L0: t := spawn w 0ptr -> L1
  L1: i := 0 -> L2
  L2 atomic: when i < 10 -> L3
             when i >= 10 -> L5
  L3 atomic: *&x := i -> L4
  L4 atomic: i := i + 1 -> L2
  L5: finish 0ptr -> L5
template w entry L0
  register v: i32
  L0: v := *&x -> L1
  L1: when v == 0 -> L2
      when v != 0 -> L3
  L2: finish 0ptr -> L2
  L3: when v == 9 -> L2
      when v != 9 -> L4
  L4: fail "unreach-call" "inside" -> L4
"""
    m = Machine(text)
    assert m.outcomes("x") == {(9,)}
    assert m.soundness.complete


def test_endless_blocks_are_cut() -> None:
    m = Machine("template main entry L0\n  L0: -> L1\n  L1 atomic: -> L1\n")
    assert m.steps("main") == ()
    assert next(iter(m.soundness.reasons)).startswith("atomic block does not end within")


# -- steps ----------------------------------------------------------------------------------------


def test_a_step_is_a_visible_edge_and_the_invisible_ones_after_it() -> None:
    m = Machine(TWO)
    assert m.interpreter.location(m.state, 1) == ("main", 0)
    m.run("main")
    assert m.interpreter.location(m.state, 1) == ("main", 1)
    m.run("main.1", "main.1", "main")
    assert m.interpreter.location(m.state, 1) == ("main", 3)


def test_endless_invisible_loops_are_not_collapsed() -> None:
    text = """
template main entry L0
  register i: u8
  L0: i := 0u8 -> L1
  L1: i := i + 1u8 -> L1
"""
    m = Machine(text)
    assert len(m.reachable()) == 257
    m.run("main")
    assert m.interpreter.invisible(m.state, 1)


def test_dead_registers_are_not_part_of_a_state() -> None:
    effects = ["a := *&x", "*&out := a", "b := *&x", "*&out := b"]
    m = Machine(straight(*effects, declare=OUT, registers="a: i32, b: i32"), visible=True)
    m.run("main", "main")
    assert m.interpreter.views.describe(m.state)["threads"]["main"]["registers"] == {}


def test_long_straight_code_compiles() -> None:
    effects = ["a := 0"] + ["a := a + 1"] * 2000 + ["*&out := a"]
    m = Machine(straight(*effects, declare=OUT, registers="a: i32"))
    assert m.finish().memory["out"] == 2000


def test_deep_branches_compile() -> None:
    lines = []
    for k in range(120):
        lines.append(f"  L{k}: when a == {k} -> L200\n      when a != {k} -> L{k + 1}")
    lines += [f"  L{k}: -> L{k + 1}" for k in range(120, 200)]
    text = (
        OUT
        + "\ntemplate main entry L300\n  register a: i32\n"
        + "\n".join(lines)
        + '\n  L200: *&out := a -> L201\n  L201: exit "done" -> L201\n'
        + "\n".join(f"  L{k}: -> L{k + 1}" for k in range(202, 300))
        + "\n  L300: a := *&x -> L0\n"
    )
    assert Machine(text).finish().memory["out"] == 5
