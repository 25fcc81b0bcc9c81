"""NOTE(exits-as-assumptions): who would end the program goes no further."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.ir.check import check
from abpress.ir.passes.exits import without_exits
from abpress.ir.program import Exit, GuardKind, Program, edges
from abpress.ir.reader import parse_program
from abpress.verify.load import load

PROGRAM = """
program pointer 4 overflow end
template main entry L0
  register i: i32
  L0: when i == 0 do i := 1; exit "abort" -> L0 when i -> L1
  L1 atomic: exit "exit" -> L0
  L2: exit "return from main" -> L0
"""


def _exits(program: Program) -> list[str]:
    return [
        effect.how
        for template in program.templates.values()
        for _, edge in edges(template)
        for effect in edge.effects
        if isinstance(effect, Exit)
    ]


def test_ends_become_assumptions_and_a_return_from_main_stays() -> None:
    program = parse_program(PROGRAM)
    changed = without_exits(program)
    check(changed)
    assert _exits(program) == ["abort", "exit", "return from main"]
    assert _exits(changed) == ["return from main"]
    locations = changed.templates["main"].locations
    first, second = (locations[i].edges[0] for i in (0, 1))
    assert len(first.effects) == 1 and not second.effects
    for edge, atomic in ((first, False), (second, True)):
        (stop,) = locations[edge.target].edges
        assert stop.kind is GuardKind.ASSUME
        assert locations[edge.target].atomic is atomic


WRITES = """
program pointer 4 overflow end
object x {4: 0 i32} = 0
template main entry L0
  L0: *&x := 1i32; exit "abort" -> L0
  L1 atomic: *&x := 1i32; exit "abort" -> L0
"""


def test_nobody_sees_what_is_written_in_the_step_that_ends_the_program() -> None:
    locations = without_exits(parse_program(WRITES)).templates["main"].locations
    assert [isinstance(locations[i].edges[0].effects[-1], Exit) for i in (0, 1)] == [True, False]


@pytest.mark.parametrize(
    ("properties", "ends"),
    [(("unreach-call",), False), (("unreach-call", "no-deadlock"), True), (("no-deadlock",), True)],
)
def test_they_stay_where_it_matters_how_executions_end(
    tmp_path: Path, properties: tuple[str, ...], ends: bool
) -> None:
    file = tmp_path / "program.c"
    file.write_text("void abort(void); int x; int main(void) { if (x) abort(); return 0; }")
    program = load(Config.of(file, properties=properties)).program
    assert ("abort" in _exits(program)) is ends
