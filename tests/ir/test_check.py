"""Every rule of the program model is checked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from abpress.ir.check import IllFormed, check
from abpress.ir.program import Program, Template
from abpress.ir.reader import parse_program

GOOD = """
program pointer 4 overflow end
function f
object x {4: 0 i32} = 0
object q {4: 0 ptr} = &x
template main entry L0
  register a: i32
  register b: u8
  register p: ptr
  register t: u32
  local l {4: 0 i32} = ?
  L0:
    a := *&x -> L1
  L1 atomic:
    *&x := a; a := *&x -> L2
  L2 atomic:
    finish 0ptr -> L0
"""


def test_a_good_program_passes() -> None:
    check(parse_program(GOOD))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("function f", "function f function f", "a function stands twice"),
        ("object x {4: 0 i32} = 0", "object x {4: 0 i32} = 0, 0", "2 initial values for 1 cells"),
        ("object x {4: 0 i32} = 0", "object x {4: 0 i32} = 0u8", "initialises the i32"),
        ("object x {4: 0 i32} = 0", "object x {4: 0 i32} = 4294967296", "is not of type i32"),
        ("object x {4: 0 i32} = 0", "object x {3: 0 i32} = 0", "ends behind the object"),
        ("object x {4: 0 i32} = 0", "object x {8: 0 i32, 2 i32} = 0, 0", "cells overlap at 2"),
        ("object x {4: 0 i32} = 0", "object x {4: 0 i31} = 0i31", "31 bits are not whole bytes"),
        ("object x {4: 0 i32} = 0", "object x {8: 0 ptr8} = 0ptr8", "pointer of 8 bytes"),
        ("= &x", "= &y", "there is no object 'y'"),
        ("= &x", "= &l", "there is no object 'l'"),
        ("= &x", "= &g()", "there is no function 'g'"),
        ("= &x", "= -1ptr", "-1 is not a plain pointer value"),
        ("template main entry L0", "template main entry L3", "no entry location"),
        ("  L0:", "  L0 atomic:", "the entry is atomic"),
        ("a := *&x -> L1", "await a -> L1\n assume b -> L1", "waits at an await and at an assume"),
        ("register t: u32", "register t: u32 register $tid: i32", "'$tid' has type i32"),
        ("local l {4: 0 i32} = ?", "local x {4: 0 i32} = ?", "a static object has this name"),
        ("a := *&x -> L1", "", "has no edge"),
        ("a := *&x -> L1", "a := *&x -> L3", "no location L3"),
        ("a := *&x -> L1", "a := *&x; *&x := a -> L1", "2 effects touch memory or threads"),
        ("finish 0ptr -> L0", "finish 0ptr; a := 1 -> L0", "is not the last effect"),
        ("a := *&x -> L1", "a := 1 -> L1 atomic_access", "an atomic_access without an access"),
        ("a := *&x -> L1", "a := b -> L1", "'a' of type i32 := value of type u8"),
        ("a := *&x -> L1", "a := 2147483648 -> L1", "2147483648 is not of type i32"),
        ("a := *&x -> L1", "a:u8 := 1u8 -> L1", "'a' is a i32, not a u8"),
        ("a := *&x -> L1", "c:u8 := 1u8 -> L1", "register 'c' is not declared"),
        ("a := *&x -> L1", "$arg:ptr := 0ptr -> L1", "register '$arg' is not declared"),
        ("a := *&x -> L1", "a := *a -> L1", "address of type i32"),
        ("a := *&x -> L1", "a := a + b -> L1", "i32 + u8"),
        ("a := *&x -> L1", "a := a < b -> L1", "i32 < u8"),
        ("a := *&x -> L1", "p := -(p) -> L1", "'-' of a pointer"),
        ("a := *&x -> L1", "p := p + p -> L1", "moves a ptr by a ptr"),
        ("a := *&x -> L1", "a := a -i32 p -> L1", "i32 - ptr as i32"),
        ("a := *&x -> L1", "when p -> L1", "the guard is not an integer"),
        ("a := *&x -> L1", "copy *p := *a, 4 -> L1", "copies between non-pointers"),
        ("a := *&x -> L1", "copy *p := *p, 0 -> L1", "copies 0 bytes"),
        ("a := *&x -> L1", 'b := any "" [0, 256] -> L1', "the bound 256 is not of type u8"),
        ("a := *&x -> L1", 'b := any "" [2, 1] -> L1', "nothing is between 2 and 1"),
        ("a := *&x -> L1", "a := bit b -> L1", "chooses a i32 from a u8"),
        ("a := *&x -> L1", "enter x -> L1", "'x' is no local object"),
        ("a := *&x -> L1", 'a := alloc 1 {4:} "" -> L1', "allocates into a i32"),
        ("a := *&x -> L1", 'p := alloc p {4:} "" -> L1', "count of type ptr"),
        ("a := *&x -> L1", "t := spawn f 0ptr -> L1", "no template 'f'"),
        ("a := *&x -> L1", "a := spawn main 0ptr -> L1", "thread id of type i32"),
        ("a := *&x -> L1", "t := spawn main 0 -> L1", "argument of type i32"),
        ("a := *&x -> L1", "p := join a -> L1", "joins a i32"),
        ("a := *&x -> L1", "t := join t -> L1", "joins into a u32"),
        ("finish 0ptr", "finish 0", "result of type i32"),
    ],
)
def test_each_breakage_is_found(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(IllFormed) as caught:
        check(parse_program(GOOD.replace(old, new)))
    assert message in str(caught.value)


def changed(**parts: object) -> Program:
    program = parse_program(GOOD)
    template: Template = replace(program.templates["main"], **parts)  # type: ignore[arg-type]
    return replace(program, templates={"main": template})


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (replace(parse_program(GOOD), main="other"), "no template 'other'"),
        (replace(parse_program(GOOD), pointer_size=0), "pointer size"),
        (changed(name="other"), "template 'main': is called 'other'"),
        (changed(registers={}), "register 'a' is not declared"),
    ],
)
def test_breakages_that_have_no_text(program: Program, message: str) -> None:
    with pytest.raises(IllFormed, match=message):
        check(program)


def test_a_message_names_the_place() -> None:
    text = GOOD.replace("a := *&x -> L1", "a := b -> L1")
    with pytest.raises(IllFormed, match=r"template 'main' L0 edge 0"):
        check(parse_program(text))
