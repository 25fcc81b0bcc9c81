"""Arithmetic that may overflow: by example, and against the interpreter on random programs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.analysis.ranges import overflowing_edges
from abpress.ir.reader import parse_program
from abpress.semantics.interpreter import Interpreter
from tests.sampling import examples

HEADER = """
program pointer 4 overflow end
template main entry L0
  register i: i8
  register j: i8
  register u: u8
  register w: i16
"""


def overflowing(body: str) -> set[int]:
    """The locations with an edge that may overflow."""
    template = parse_program(HEADER + body).templates["main"]
    return {i for i, _ in overflowing_edges(template)}


def test_a_counter_below_anything_does_not_overflow() -> None:
    loop = """
    L0: i := 0i8 -> L1
    L1: when i < j -> L2 when i >= j -> L3
    L2: i := i + 1i8 -> L1
    L3: exit "" -> L3
    """
    assert overflowing(loop) == set()
    assert overflowing(loop.replace("i < j", "i <= j").replace("i >= j", "i > j")) == {2}
    assert overflowing(loop.replace("1i8", "2i8")) == {2}


def test_a_counter_that_goes_down() -> None:
    assert (
        overflowing(
            """
    L0: i := 9i8 -> L1
    L1: when 0i8 < i -> L2 when (0i8 < i) == 0 -> L3
    L2: i := i - 1i8 -> L1
    L3: exit "" -> L3
    """
        )
        == set()
    )


def test_kinds_of_arithmetic() -> None:
    assert overflowing('L0: i := j + 1i8 -> L1 L1: exit "" -> L1') == {0}
    assert overflowing('L0: i := -(j) -> L1 L1: exit "" -> L1') == {0}
    assert overflowing('L0: i := i / j -> L1 L1: exit "" -> L1') == {0}
    assert overflowing('L0: i := i / 2i8 -> L1 L1: exit "" -> L1') == set()
    assert overflowing('L0: i := i % j -> L1 L1: exit "" -> L1') == {0}
    assert overflowing('L0: i := i % 2i8 -> L1 L1: exit "" -> L1') == set()
    assert overflowing('L0: w := i16(j) * 2i16 -> L1 L1: exit "" -> L1') == set()
    assert overflowing('L0: i := i8(u) + 1i8 -> L1 L1: exit "" -> L1') == {0}
    assert overflowing('L0: u := u + 1u8 -> L1 L1: exit "" -> L1') == set()
    assert overflowing('L0: when (j * j) > 0i8 -> L1 L1: exit "" -> L1') == {0}
    assert overflowing('L0: i := j & 7i8 -> L1 L1: i := i * i -> L2 L2: exit "" -> L2') == set()


NAMES = st.sampled_from(("i", "j"))
NUMBERS = st.integers(-128, 127).map(lambda n: f"{n}i8")
ATOMS = st.one_of(NAMES, NUMBERS)
OPERATORS = st.sampled_from(("+", "-", "*", "&", "%", "/"))
COMPARED = st.sampled_from(("<", "<=", "==", "!=", ">", ">="))


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Assignments, inputs and branches, forward and backward."""
    n = draw(st.integers(2, 6))
    text = ""
    for i in range(n):
        kind = draw(st.sampled_from(("assign", "assign", "input", "branch", "branch")))
        if kind == "assign":
            value = f"{draw(ATOMS)} {draw(OPERATORS)} {draw(ATOMS)}"
            text += f"L{i}: {draw(NAMES)} := {value} -> L{i + 1}\n"
        elif kind == "input":
            low = draw(st.integers(-4, 3))
            text += f'L{i}: {draw(NAMES)} := any "" [{low}, {low + 3}] -> L{i + 1}\n'
        else:
            condition = f"({draw(ATOMS)} {draw(COMPARED)} {draw(ATOMS)})"
            target = draw(st.integers(0, n))
            text += f"L{i}: when {condition} == 0 -> L{i + 1} when {condition} != 0 -> L{target}\n"
    return text + f'L{n}: exit "" -> L{n}\n'


@settings(max_examples=examples(60, whole=150), deadline=None)
@given(bodies())
def test_only_what_may_overflow_does(body: str) -> None:
    program = parse_program(HEADER + "L0: i := 0i8; j := 1i8 -> L1\n" + _moved(body))
    template = program.templates["main"]
    known = {i for i, _ in overflowing_edges(template)}
    every = {
        "main": frozenset(
            (i, k) for i, loc in enumerate(template.locations) for k in range(len(loc.edges))
        )
    }
    interpreter = Interpreter(program, visible=every)
    seen, todo = {interpreter.initial()}, [interpreter.initial()]
    while todo and len(seen) < 2000:
        s = todo.pop()
        for t in interpreter.threads(s):
            before = len(interpreter.soundness.assumptions)
            steps = interpreter.steps(s, t)
            if len(interpreter.soundness.assumptions) > before:
                assert interpreter.location(s, t)[1] in known
                interpreter.soundness.assumptions.clear()
            for step in steps:
                if step.successor not in seen:
                    seen.add(step.successor)
                    todo.append(step.successor)


def _moved(body: str) -> str:
    """The body with locations numbered one higher."""
    return "".join(
        f"L{int(word[1:].rstrip(':')) + 1}{':' if word.endswith(':') else ''}\n"
        if word[0] == "L"
        else word + " "
        for word in body.split()
    )
