"""Programs that `auto` takes for finite."""

from __future__ import annotations

import pytest

from abpress.ir.program import Program
from abpress.verify.closed import looks_finite
from tests.engines.programs import INT, THREAD_ENDS, code, counter, program

WORKER = code("worker", THREAD_ENDS)


def havoc(effect: str, type: str) -> Program:
    return program(code("main", effect, 'exit "end"', r=type))


def spawning(*actions: str) -> Program:
    body = ("i := 0", *actions, 'exit "end"')
    return program(code("main", *body, i="i32", t="u32", n="i32"), WORKER)


@pytest.mark.parametrize(
    ("effect", "type", "domain", "finite"),
    [
        ('r := any "in"', "u8", 256, True),
        ('r := any "in"', "u8", 255, False),
        ('r := any "in"', "i32", 256, False),
        ('r := any "in" [0, 9]', "i32", 10, True),
        ('r := any "in" [0, 9]', "i32", 9, False),
        ('r := any "in" [-300, 400]', "u8", 256, True),
    ],
)
def test_inputs(effect: str, type: str, domain: int, finite: bool) -> None:
    assert looks_finite(havoc(effect, type), domain) is finite


@pytest.mark.parametrize(
    ("most", "kept", "finite"),
    [(255, "*&x := r", False), (1, "*&x := r", True), (255, "n := r", True)],
)
def test_inputs_that_are_stored_in_a_loop(most: int, kept: str, finite: bool) -> None:
    body = (
        "i := 0",
        "when i < 9 -> L2\n when i >= 9 -> L5",
        f'r := any "byte" [0, {most}]',
        kept,
        "i := i + 1 -> L1",
        'exit "end"',
    )
    assert (
        looks_finite(program(code("main", *body, i="i32", n="i32", r="i32"), x=INT), 256) is finite
    )


@pytest.mark.parametrize(("number", "finite"), [(2, True), (3, False)])
def test_inputs_together(number: int, finite: bool) -> None:
    text = code("main", *['r := any "in"'] * number, 'exit "end"', r="u8")
    assert looks_finite(program(text), 256) is finite


def test_a_program_without_inputs() -> None:
    assert looks_finite(counter(3), 1)


def test_threads_in_a_counted_loop() -> None:
    loop = ("when i < 3 -> L2\n when i >= 3 -> L4", "t := spawn worker 0ptr4", "i := i + 1 -> L1")
    assert looks_finite(spawning(*loop), 256)


def test_threads_without_end() -> None:
    assert not looks_finite(spawning("t := spawn worker 0ptr4 -> L1"), 256)


def test_threads_as_long_as_an_input_says_so() -> None:
    loop = (
        'n := any "more" [0, 1]',
        "when n != 0 -> L3\n when n == 0 -> L4",
        "t := spawn worker 0ptr4 -> L1",
    )
    assert not looks_finite(spawning(*loop), 256)


@pytest.mark.parametrize(
    ("cells", "finite"), [("{4: 0 i32}", False), ("{1: 0 u8}", True), ("{3 * {1: 0 u8}}", False)]
)
def test_what_objects_hold_at_first_is_an_input(cells: str, finite: bool) -> None:
    unknown = "3 * ?" if "*" in cells else "?"
    text = code("main", 'exit "end"')
    assert looks_finite(program(text, x=f"{cells} = {unknown}"), 256) is finite
