"""The textual form reads back, and says where it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from abpress.errors import InputError, Position
from abpress.ir.check import check
from abpress.ir.dot import to_dot
from abpress.ir.program import Program, edges
from abpress.ir.reader import parse_program
from abpress.ir.text import format_program
from tests.sampling import examples
from tests.strategies.ir_programs import programs

EVERYTHING = (Path(__file__).parent / "everything.abp").read_text(encoding="utf-8")


def positions(program: Program) -> list[tuple[Position, tuple[Position, ...]]]:
    return [
        (edge.position, edge.position.stack)
        for template in program.templates.values()
        for _, edge in edges(template)
    ]


def test_every_construct_is_printed_as_it_was_read() -> None:
    program = parse_program(EVERYTHING, "everything.abp")
    check(program)
    assert format_program(program) == EVERYTHING


def test_positions_and_paths_are_read_back() -> None:
    program = parse_program(EVERYTHING)
    assert positions(parse_program(format_program(program))) == positions(program)
    main = program.templates["main"]
    assert main.position == Position("a.c", 3, 4, "g h")
    assert main.position.stack == (Position("a.c", 1, 2, "main"),)
    assert main.locations[0].edges[0].position == Position("b.h", 3, 4, "main")
    paths = [cell.path for cell in program.objects["array"].layout.cells]
    assert paths[:3] == ["[0].x", "[0].y", "[1].x"]


@settings(
    max_examples=examples(40, whole=100),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(programs())
def test_random_programs_read_back(program: Program) -> None:
    check(program)
    again = parse_program(format_program(program))
    assert again == program
    assert positions(again) == positions(program)


HEAD = "program pointer 4 overflow end\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "unexpected end"),
        ("program pointer 4 overflow never", 1, 28, "unknown overflow rule 'never'"),
        (HEAD + "object x {4: 0 i32} = #", 2, 23, "unexpected character '#'"),
        (HEAD + "object x {4: 0 i32} = y", 2, 23, "register 'y' is not declared"),
        (HEAD + "object x {4: 0 i32} = 1 + 2", 2, 25, "unexpected '+'"),
        (HEAD + "template main entry L0\n  L1:\n", 3, 3, "location L1 stands where L0"),
        (HEAD + "template main entry L0\n  L0:\n  a := 1 -> L0", 4, 3, "'a' is not declared"),
        (HEAD + "template main entry L0\n  register a: i32\n  register a: u8", 4, 12, "twice"),
        (HEAD + "template main entry L0\n  L0:\n  -> L0 @ 1:2:3", 4, 9, "not a position"),
        (HEAD + "template main entry L0\n  L0:\n  -> 0", 4, 6, "unexpected '0'"),
    ],
)
def test_errors_have_a_position(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_program(text, "input.abp")
    assert message in caught.value.message
    assert caught.value.position == Position("input.abp", line, column)


def test_dot_marks_atomic_locations_guards_and_ends() -> None:
    dot = to_dot(parse_program(EVERYTHING))
    assert dot.count("subgraph") == 2
    assert 't0_1 [label="L1", style=filled' in dot
    assert "[await (a + 1) == 0]" in dot
    assert "style=dashed" in dot
    assert "t0_2 -> t0_2_end1" in dot
    assert dot.count("{") == dot.count("}")
