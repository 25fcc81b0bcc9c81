"""Programs from the text of main's code, and back."""

from __future__ import annotations

from collections.abc import Callable

from abpress.ir.check import check
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.ir.text import format_program

DECLARATIONS = """
  register a: i32
  register b: i32
  register %1: i32
  register c: u8
  register p: ptr
  register u: u32
"""


def program_of(body: str, declarations: str = DECLARATIONS, overflow: str = "end") -> Program:
    program = parse_program(
        f'program pointer 4 overflow {overflow}\nfile "a.c"\nfunction f\nfunction g\n'
        "object x {4: 0 i32} = 0\nobject s {8: 0 i32, 4 i32} = 0, 0\n"
        f"template main entry L0\n{declarations}{body}"
    )
    check(program)
    return program


def body_of(program: Program) -> str:
    """The locations of main."""
    check(program)
    text = format_program(program)
    return text[text.index("  L0") :].strip()


def after(
    run: Callable[[Program], Program], body: str, declarations: str = DECLARATIONS
) -> list[str]:
    """The lines of main's code after a pass."""
    return [line.strip() for line in body_of(run(program_of(body, declarations))).split("\n")]
