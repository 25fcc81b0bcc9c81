"""What main writes before there are threads goes where all overwrite it before they read it."""

from __future__ import annotations

import pytest

from abpress.ir.check import check
from abpress.ir.passes.overwritten import drop_overwritten
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.ir.text import format_program

HEADER = """program pointer 4 overflow end
file "a.c"
object x {4: 0 i32} = 0
object s {8: 0 i32, 4 i32} = 0, 0
"""

REGISTERS = """  register a: i32
  register b: u8
  register q: ptr
  register t: u32
  register r: ptr
"""


def template(name: str, *effects: str) -> str:
    """A template that performs the effects one after the other."""
    lines = [f"  L{k}:\n    {text} -> L{k + 1}" for k, text in enumerate(effects)]
    end = f"  L{len(effects)}:\n    finish 0ptr -> L{len(effects)}"
    return f"template {name} entry L0\n{REGISTERS}" + "\n".join((*lines, end)) + "\n"


def program(main: tuple[str, ...], first: tuple[str, ...], second: tuple[str, ...] = ()) -> Program:
    text = HEADER + template("main", *main) + template("first", *first)
    parsed = parse_program(text + template("second", *second))
    check(parsed)
    return parsed


def writes(of: Program) -> int:
    """How often main writes to `x` or `s`."""
    text = format_program(of).partition("template first")[0]
    return text.count("*&x :=") + text.count("*&s :=") + text.count("*&s+4 :=")


SPAWN = "t := spawn first 0ptr"
JOIN = "r := join t"


@pytest.mark.parametrize(
    ("main", "first", "second"),
    [
        (("*&x := 1", SPAWN), ("*&x := 2", "a := *&x"), ()),
        (("*&x := 1", "*&x := 2", SPAWN), ("*&x := 2", "a := *&x"), ()),
        (("*&s+4 := 1", SPAWN), ("*&s+4 := 2", "a := *&s+4", "a := *&s"), ()),
        (("*&x := 1", SPAWN), ("*&x := 2", "t := spawn second 0ptr"), ("a := *&x",)),
        (("*&x := 1", "t := spawn second 0ptr", SPAWN), ("*&x := 2", "a := *&x"), ("*&x := 3",)),
    ],
)
def test_dropped(main: tuple[str, ...], first: tuple[str, ...], second: tuple[str, ...]) -> None:
    dropped = drop_overwritten(program(main, first, second))
    check(dropped)
    assert writes(dropped) == 0


@pytest.mark.parametrize(
    ("main", "first", "second"),
    [
        (("*&x := 1", SPAWN), ("a := *&x", "*&x := 2"), ()),  # read first
        (("*&x := 1", SPAWN, JOIN, "a := *&x"), ("*&x := 2",), ()),  # main reads, maybe too early
        (("*&x := 1", SPAWN), ("t := spawn second 0ptr", "*&x := 2"), ("a := *&x",)),
        (("*&x := 1", "t := spawn second 0ptr", SPAWN), ("*&x := 2",), ("a := *&x",)),
        ((SPAWN, "*&x := 1"), ("*&x := 2", "a := *&x"), ()),  # after the thread was created
        (("*&x := 1", SPAWN), ("*&x := 2", "q := &x", "a := *q"), ()),  # named
        (("*&x := 1", SPAWN), ("*&x := 2u8", "a := *&x"), ()),  # a part is left
        (("*&x := 1", SPAWN), ("*&x := 2", "b := *&x"), ()),  # not the whole cell
        (("*&s := 1", SPAWN), ("*&s+4 := 2", "a := *&s"), ()),  # another cell
        (("*&x := (a + 1)", SPAWN), ("*&x := 2", "a := *&x"), ()),  # may overflow
        (("*&x := 1", SPAWN), ("when a == 0", "a := *&x"), ()),
        (("*&x := 1", "copy *&s := *&x, 4", SPAWN), ("*&x := 2",), ()),
    ],
)
def test_kept(main: tuple[str, ...], first: tuple[str, ...], second: tuple[str, ...]) -> None:
    before = program(main, first, second)
    assert drop_overwritten(before) == before


def test_a_write_on_one_of_two_ways_is_not_enough() -> None:
    text = HEADER + template("main", "*&x := 1", SPAWN)
    text += f"template first entry L0\n{REGISTERS}" + (
        "  L0:\n    when a == 0 -> L1\n    when a != 0 -> L2\n"
        "  L1:\n    *&x := 2 -> L2\n  L2:\n    a := *&x -> L3\n  L3:\n    finish 0ptr -> L3\n"
    )
    before = parse_program(text)
    assert drop_overwritten(before) == before


def test_what_a_loop_of_main_reads_again_stays() -> None:
    text = (
        HEADER
        + f"template main entry L0\n{REGISTERS}"
        + (
            "  L0:\n    a := *&x -> L1\n  L1:\n    *&x := a -> L2\n"
            "  L2:\n    when a == 0 -> L0\n    when a != 0 -> L3\n  L3:\n    finish 0ptr -> L3\n"
        )
    )
    before = parse_program(text)
    assert drop_overwritten(before) == before


def test_nothing_goes_where_threads_run_main() -> None:
    main = ("*&x := 1", "t := spawn main 0ptr")
    before = program(main, ())
    assert drop_overwritten(before) == before
