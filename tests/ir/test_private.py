"""Static objects that one thread alone uses become registers of it; what others may see stays."""

from __future__ import annotations

import re

import pytest

from abpress.ir.check import check
from abpress.ir.passes.pipeline import without_memory
from abpress.ir.passes.private import with_private_objects
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.ir.text import format_program

HEADER = """program pointer 4 overflow end
file "a.c"
object x {4: 0 i32} = 7
object y {4: 0 i32} = 0
"""

REGISTERS = "  register a: i32\n  register b: u8\n  register q: ptr\n  register t: u32\n"


def template(name: str, *lines: str) -> str:
    """A template with these edges, of which the k-th begins at location k."""
    code = [f"  L{k}:\n    {text}" for k, text in enumerate(lines)]
    end = f"  L{len(lines)}:\n    finish 0ptr -> L{len(lines)}"
    placed = re.sub(r"-> L\d+", r"\g<0> @ 3:1 f", "\n".join((*code, end)))  # not in a model
    return f"template {name} entry L0\n{REGISTERS}{placed}\n"


def program(*templates: str) -> Program:
    parsed = parse_program(HEADER + "".join(templates))
    check(parsed)
    return parsed


SPAWN = "t := spawn worker 0ptr -> L1"
WORKER = template("worker", "a := *&x -> L1", "*&x := 3 -> L2", "*&y := a -> L3")
READER = template("main", SPAWN, "a := *&y -> L2")


def moved(of: Program) -> set[str]:
    after = with_private_objects(of)
    check(after)
    return set(of.objects) - set(after.objects)


def test_the_only_thread_of_a_template_may_have_it() -> None:
    its = program(READER, WORKER)
    assert moved(its) == {"x"}
    assert {*with_private_objects(its).templates["worker"].locals} == {"x"}
    assert "x" not in without_memory(its).objects


def test_it_has_its_initial_value() -> None:
    """What is read of it first is known, and goes to where others see it."""
    test = 'when a == 3 do fail "unreach-call" "" -> L3\n    when a != 3 -> L3'
    main = template("main", SPAWN, "a := *&y -> L2", test)
    after = without_memory(program(main, WORKER))
    assert not after.templates["worker"].locals
    assert "*&y := 7" in format_program(after)


@pytest.mark.parametrize(
    "main",
    [
        template("main", SPAWN, "*&x := 1 -> L2", "a := *&y -> L3"),  # main writes it
        template("main", SPAWN, "a := *&x -> L2", "a := *&y -> L3"),  # main reads it
        template("main", SPAWN, "q := &x -> L2", "a := *&y -> L3"),  # it has an address
        template("main", SPAWN, "t := spawn worker 0ptr -> L2", "a := *&y -> L3"),  # two of them
        template("main", SPAWN, "when a == 0 -> L0\n    when a != 0 -> L2", "a := *&y -> L3"),
    ],
)
def test_others_may_see_it(main: str) -> None:
    assert moved(program(main, WORKER)) == set()


def test_a_thread_of_a_thread_may_be_one_of_many() -> None:
    between = template("between", "t := spawn worker 0ptr -> L1")
    main = template("main", "t := spawn between 0ptr -> L1", "a := *&y -> L2")
    assert moved(program(main, between, WORKER)) == set()


def test_what_main_alone_uses_stays() -> None:
    mine = template("main", SPAWN, "*&x := 1 -> L2", "a := *&x -> L3", "a := *&y -> L4")
    other = template("worker", "*&y := 2 -> L1")
    assert moved(program(mine, other)) == set()


def test_nothing_is_private_where_threads_run_main() -> None:
    again = WORKER.replace("*&y := a", "t := spawn main 0ptr")
    assert moved(program(READER, again)) == set()


@pytest.mark.parametrize(
    "access", ["b := *&x", "*&x := 1u8", "copy *&y := *&x, 4", "q := &x", "when &x != 0ptr"]
)
def test_only_whole_cells_are_private(access: str) -> None:
    worker = template("worker", f"{access} -> L1", "*&x := 1 -> L2", "*&y := 1 -> L3")
    assert "x" not in moved(program(READER, worker))


def test_names_of_registers_stay_theirs() -> None:
    worker = WORKER.replace("register b: u8", "register x#2: i32")
    assert moved(program(READER, worker)) == set()
