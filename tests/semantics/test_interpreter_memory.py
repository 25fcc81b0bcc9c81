"""The interpreter: effects on registers and memory, and every fault."""

from __future__ import annotations

import pytest

from abpress.ir.program import GuardKind
from abpress.symbolic.system import SymbolicSystem
from tests.semantics.machine import Machine, straight

OUT = "object out {4: 0 i32} = 0\nobject x {4: 0 i32} = 5"


# -- effects on registers and memory --------------------------------------------------------------


def test_assign_load_store() -> None:
    m = Machine(straight("a := *&x", "a := a + 1", "*&out := a", declare=OUT, registers="a: i32"))
    assert m.finish().memory["out"] == 6
    assert m.interpreter.views.ended(m.state) == "done"
    assert m.soundness.complete


def test_structs_and_arrays_through_pointers() -> None:
    m = Machine(
        straight(
            "p := &s+4",
            "*p := 7",
            "p := &a",
            "i := 2",
            "*(p + (i * 4)) := 9",
            "v := *(&a+8)",
            "*&out := v",
            declare='object s {8: 0 i32 ".f", 4 i32 ".g"} = 1, 2\n'
            "object a {3 * {4: 0 i32}} = 3 * 0\n" + OUT,
            registers="p: ptr, i: i32, v: i32",
        )
    )
    m.finish()
    assert (m.memory["s.f"], m.memory["s.g"]) == (1, 7)
    assert [m.memory[f"a[{k}]"] for k in range(3)] == [0, 0, 9]
    assert m.memory["out"] == 9


def test_signedness_follows_the_cell_and_the_register() -> None:
    m = Machine(
        straight(
            "*&u := -1i8",
            "v := *&u",
            "w := *&u",
            "p := &u",
            "y := *p",
            "*p := -2i8",
            "*&out := i32(v)",
            "*&x := i32(w)",
            "*&z := i32(y)",
            declare="object u {1: 0 u8} = 0\nobject z {4: 0 i32} = 0\n" + OUT,
            registers="v: u8, w: i8, y: i8, p: ptr",
        )
    )
    memory = m.finish().memory
    assert (memory["out"], memory["x"], memory["z"], memory["u"]) == (255, -1, -1, 254)


def test_accesses_of_other_sizes_are_little_endian() -> None:
    m = Machine(
        straight(
            "*&w := 305419896u32",
            "b := *&w",
            "*&out := i32(b)",
            "h := *(&w+2)",
            "*&x := i32(h)",
            "*(&w+1) := 255u8",
            declare="object w {4: 0 u32} = 0\n" + OUT,
            registers="b: u8, h: u16",
        )
    )
    memory = m.finish().memory
    assert (memory["out"], memory["x"], memory["w"]) == (0x78, 0x1234, 0x1234FF78)


def test_bytes_make_a_word() -> None:
    m = Machine(
        straight(
            "v := *&b",
            "*&out := i32(v)",
            declare="object b {4 * {1: 0 u8}} = 1, 2, 0, 255\n" + OUT,
            registers="v: u32",
        )
    )
    assert m.finish().memory["out"] == 0xFF000201 - (1 << 32)


def test_copy_keeps_pointers_and_undefined_cells() -> None:
    declare = (
        'object s {12: 0 i32 ".a", 4 ptr ".p", 8 i32 ".u"} = 3, &x, ?\n'
        'object d {12: 0 i32 ".a", 4 ptr ".p", 8 i32 ".u"} = 0, 0ptr, 0\n' + OUT
    )
    m = Machine(straight("copy *&d := *&s, 12", declare=declare))
    memory = m.finish().memory
    assert (memory["d.a"], memory["d.p"], memory["d.u"]) == (3, "&x", None)
    assert m.soundness.complete


def test_copy_of_a_part_leaves_the_rest() -> None:
    declare = "object s {4 * {1: 0 u8}} = 1, 2, 3, 4\nobject d {4: 0 u32} = 0\n" + OUT
    m = Machine(straight("copy *(&d+1) := *(&s+1), 2", declare=declare))
    assert m.finish().memory["d"] == 0x00030200


def test_copy_within_one_object_may_overlap() -> None:
    declare = "object a {4 * {4: 0 i32}} = 1, 2, 3, 4\n" + OUT
    m = Machine(straight("copy *(&a+4) := *&a, 12", declare=declare))
    assert [m.finish().memory[f"a[{k}]"] for k in range(4)] == [1, 1, 2, 3]


def test_sets_of_threads_are_256_bits_wide() -> None:
    m = Machine(
        straight(
            "s := 1u256",
            "s := s << 255",
            "s := s | 1u256",
            "*&set := s",
            "t := ~(s)",
            "s := t + 2u256",
            "*&sum := s",
            declare="object set {32: 0 u256} = 0u256\nobject sum {32: 0 u256} = 0u256\n" + OUT,
            registers="s: u256, t: u256",
        )
    )
    memory = m.finish().memory
    assert memory["set"] == (1 << 255) + 1
    assert memory["sum"] == ((1 << 256) - 1 - memory["set"] + 2) % (1 << 256)


def test_pointers_carry_integers() -> None:
    m = Machine(
        straight(
            "p := ptr(-1)",
            "*&q := p",
            "r := *&q",
            "v := i32(r)",
            "*&out := v",
            declare="object q {4: 0 ptr} = 0ptr\n" + OUT,
            registers="p: ptr, r: ptr, v: i32",
        )
    )
    assert m.finish().memory["out"] == -1
    assert m.soundness.complete


def test_locals_begin_anew_each_time() -> None:
    m = Machine(
        straight(
            "enter l",
            "*&l := 4",
            "leave l",
            "enter l",
            "v := *&l",
            "*&out := v",
            declare="local l {4: 0 i32} = 1\n" + OUT,
            registers="v: i32",
        )
    )
    assert m.finish().memory["out"] == 1


def test_heap_objects() -> None:
    m = Machine(
        straight(
            'p := alloc 2 {4: 0 i32} zeroed "calloc"',
            "*(p + 4) := 8",
            "v := *(p + 4)",
            "w := *p",
            "*&out := v + w",
            "*&q := p",
            declare="object q {4: 0 ptr} = 0ptr\n" + OUT,
            registers="p: ptr, v: i32, w: i32",
        )
    )
    memory = m.finish().memory
    assert memory["out"] == 8
    assert memory["q"] == "&heap main#1[0]"
    assert memory["heap main#1[1]"] == 8


def test_freed_objects_are_gone() -> None:
    m = Machine(
        straight(
            'p := alloc 1 {4: 0 i32} "malloc"',
            "free p",
            "free 0ptr",
            registers="p: ptr",
            declare=OUT,
        )
    )
    assert not [name for name in m.finish().memory if name.startswith("heap")]
    assert m.soundness.complete


# -- faults ---------------------------------------------------------------------------------------

FAULTS = {
    "division by zero": (["a := 0", "b := 1 / a"], "a: i32, b: i32"),
    "bad shift": (["a := 32", "b := 1 << a"], "a: i32, b: i32"),
    "NULL dereferenced": (["p := 0ptr", "*p := 1"], "p: ptr"),
    "NULL dereferenced, 12 bytes further": (
        ["p := ptr(12)", "b := *p", "*&out := b"],
        "p: ptr, b: i32",
    ),
    "integer dereferenced": (["p := ptr(12000)", "b := *p", "*&out := b"], "p: ptr, b: i32"),
    "function accessed as data": (["p := &f()", "b := *p", "*&out := b"], "p: ptr, b: i32"),
    "access out of the bounds of x": (["p := &x+4", "*p := 1"], "p: ptr"),
    "write to the read-only text": (["p := &text", "*p := 1u8"], "p: ptr"),
    "main:l accessed outside its lifetime": (
        ["enter l", "p := &l", "leave l", "*&q := p", "p := *&q", "b := *p", "*&out := b"],
        "p: ptr, b: i32",
    ),
    "main:l accessed outside its lifetime (in part)": (
        [
            "enter l",
            "p := &l",
            "leave l",
            "*&q := p",
            "p := *&q",
            "b := *(p + 1)",
            "*&out := i32(b)",
        ],
        "p: ptr, b: i8",
    ),
    "heap main#1 accessed outside its lifetime": (
        ['p := alloc 1 {4: 0 i32} "malloc"', "free p", "*p := 1"],
        "p: ptr",
    ),
    "double free of heap main#1": (['p := alloc 1 {4: 0 i32} "m"', "free p", "free p"], "p: ptr"),
    "free of what is no heap object": (["p := &x", "free p"], "p: ptr"),
    "difference of pointers to different objects": (
        ["p := &x", "b := p -i32 &out", "*&out := b"],
        "p: ptr, b: i32",
    ),
    "address-inspected": (["p := &x", "b := i32(p)", "*&out := b"], "p: ptr, b: i32"),
    "pointer arithmetic out of bounds": (
        ["a := 2147483647", "p := &x+4", "p := p + a", "*&q := p"],
        "p: ptr, a: i32",
    ),
    "pointer accessed in parts": (
        ["*&q := &x", "b := *(&q+1)", "*&out := i32(b)"],
        "b: u8",
    ),
    "partly undefined value read": (
        ["*(&bytes+1) := 3u8", "b := *&bytes", "*&out := b"],
        "b: i32",
    ),
    "join of no thread": (["p := join 77u32"], "p: ptr"),
    "made up": (['fault "made up"'], ""),
}

FAULT_OBJECTS = (
    "function f\nobject q {4: 0 ptr} = 0ptr\nobject text {2 * {1: 0 u8}} readonly = 65, 0\n"
    "object bytes {4 * {1: 0 u8}} = 4 * ?\nlocal l {4: 0 i32} = 1\n" + OUT
)


@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_faults_end_the_execution_without_a_proof(kind: str) -> None:
    effects, registers = FAULTS[kind]
    m = Machine(straight(*effects, declare=FAULT_OBJECTS, registers=registers), visible=True)
    line = len(effects) - (effects[-1] in ("*&out := b", "*&out := i32(b)", "*&q := p"))
    message = kind.removesuffix(" (in part)")
    assert m.stops() == f"undefined behaviour: {message} at t.c:{line}:1"
    assert m.interpreter.waits(m.state, 1) is GuardKind.ASSUME
    assert not m.soundness.complete


def test_a_cut_ends_the_execution_without_a_proof() -> None:
    m = Machine(straight('cut "recursion bound"'))
    assert m.stops() == "recursion bound at t.c:1:1"
    assert not m.soundness.complete


def test_wide_integers_may_hold_addresses() -> None:
    m = Machine(
        straight(
            "i := u64(&x)",
            "p := ptr(i)",
            "*p := 3",
            declare=OUT,
            registers="i: u64, p: ptr",
        )
    )
    assert m.finish().memory["x"] == 3
    assert "address of an object inspected at t.c:1:1" in m.soundness.reasons


@pytest.mark.parametrize("rule", ["end", "wrap", "error"])
def test_signed_overflow(rule: str) -> None:
    program = straight(
        "a := 2147483647", "a := a + 1", "*&out := a", declare=OUT, registers="a: i32"
    )
    m = Machine(f"program pointer 4 overflow {rule}\n" + program, visible=True)
    m.run("main")
    if rule == "end":
        assert m.stops() == "no signed overflow (possible at t.c:2:1)"
        assert m.soundness.complete
        assert m.interpreter.waits(m.state, 1) is GuardKind.ASSUME
    elif rule == "wrap":
        assert m.finish().memory["out"] == -(1 << 31)
        assert not m.soundness.assumptions
    else:
        attempts = []
        m.interpreter.on_fault = lambda _, attempt: attempts.append(attempt)
        assert m.stops() == "undefined behaviour: signed overflow at t.c:2:1"
        (violation,) = {attempt.violation for attempt in attempts}
        assert (violation.property, violation.position.line) == ("no-overflow", 2)
        assert m.interpreter.take(m.state, 1, ()) == attempts[0]


@pytest.mark.parametrize("cells", [2, 40])
def test_what_a_read_only_object_holds_is_chosen_where_it_is_read(cells: int) -> None:
    text = straight(
        'i := any "input" [0, 1]',
        "p := &c",
        "p := p + (i * 4)",
        "v := *p",
        "w := *p",
        "*&out := i32(v != w)",
        declare=f"object c {{{cells} * {{4: 0 i32}}}} readonly = {cells} * ?\n" + OUT,
        registers="i: i32, p: ptr, v: i32, w: i32",
    )
    m = Machine(text)
    for step in m.steps():
        assert step.violation is None
        m.state = step.successor
        assert m.finish().memory["out"] == 0
    system = SymbolicSystem(m.program)
    discrete, _ = system.initial()
    assert any(step.violation is None for step in system.steps(discrete, 1))
