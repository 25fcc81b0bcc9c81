"""Foresight: what others can reach, and may access later, in states of small programs."""

from __future__ import annotations

import pytest

from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from tests.engines.programs import INT, THREAD_ENDS, code, main, program
from tests.engines.test_random_programs import every_edge_visible

POINTER = "{4: 0 ptr} = 0ptr"
MAIN, FIRST, SECOND = 1, 2, 3


class Run:
    """A program with two workers, w and v, and the state it is in. Every edge is visible."""

    def __init__(self, *workers: str, **objects: str) -> None:
        built = program(main("w", "v"), *workers, **objects)
        self.system = Interpreter(built, visible=every_edge_visible(built))
        self.state: State = self.system.initial()
        self.move(MAIN, 2)

    def move(self, thread: int, steps: int) -> None:
        for _ in range(steps):
            (step,) = self.system.steps(self.state, thread)
            self.state = step.successor

    def confined(self, thread: int) -> bool:
        return self.system.foresight.confined(self.state, thread)

    def uncontended(self, thread: int) -> bool:
        return self.system.foresight.uncontended(self.state, thread)


ALLOCATES = code(
    "w",
    'p := alloc 2 {4: 0 i32} zeroed ""',
    "*p := 1",
    "*&q := p",
    "*p := 2",
    THREAD_ENDS,
    p="ptr",
)
USES = code("v", "p := *&q", "r := *(p + 4)", "r := *&x", THREAD_ENDS, p="ptr", r="i32")


def test_a_heap_object_is_confined_until_it_is_published() -> None:
    run = Run(ALLOCATES, USES, q=POINTER, x=INT)
    assert run.confined(FIRST)
    run.move(FIRST, 1)
    assert run.confined(FIRST)
    run.move(FIRST, 1)
    assert not run.confined(FIRST), "the step publishes it: q is static"
    run.move(FIRST, 1)
    assert not run.confined(FIRST)


def test_what_is_reached_through_another_object() -> None:
    links = code(
        "w",
        'p := alloc 1 {4: 0 ptr} zeroed ""',
        'r := alloc 1 {4: 0 i32} zeroed ""',
        "*p := r",
        "*&q := p",
        "*r := 1",
        THREAD_ENDS,
        p="ptr",
        r="ptr",
    )
    run = Run(links, code("v", "p := *&q", THREAD_ENDS, p="ptr"), q=POINTER)
    run.move(FIRST, 3)
    assert not run.confined(FIRST)
    run.move(FIRST, 1)
    assert not run.confined(FIRST), "reached from q in two steps"
    assert run.uncontended(FIRST), "nobody accesses it"


def test_a_local_object_is_confined_until_its_address_escapes() -> None:
    escapes = code("w", "enter o", "*&o := 1", "*&q := &o", "*&o := 2", THREAD_ENDS)
    escapes = escapes.replace("\n", "\nlocal o {4: 0 i32} = 0\n", 1)
    uses = code("v", "p := *&q", "*p := 3", THREAD_ENDS, p="ptr")
    run = Run(escapes, uses, q=POINTER)
    run.move(FIRST, 1)
    assert run.confined(FIRST)
    run.move(FIRST, 2)
    assert not run.confined(FIRST)
    assert not run.uncontended(FIRST)
    run.move(SECOND, 1)
    assert not run.uncontended(SECOND)


@pytest.mark.parametrize(
    ("other", "free"),
    [
        ("r := *&y", True),  # another object
        ("r := *&x", False),
        ("*&x := 1", False),
    ],
)
def test_static_objects_are_contended_by_future_accesses(other: str, free: bool) -> None:
    writes = code("w", "*&x := 1", THREAD_ENDS)
    run = Run(writes, code("v", other, THREAD_ENDS, r="i32"), x=INT, y=INT)
    assert not run.confined(FIRST)
    assert run.uncontended(FIRST) is free
    run.move(SECOND, 1)
    assert run.uncontended(FIRST), "nothing is left to be accessed"


def test_two_readers_do_not_contend() -> None:
    reads = (code(name, "r := *&x", THREAD_ENDS, r="i32") for name in ("w", "v"))
    run = Run(*reads, x=INT)
    assert not run.confined(FIRST)
    assert run.uncontended(FIRST)


def test_fields_of_heap_objects_are_told_apart() -> None:
    pair = '{8: 0 i32 ".a", 4 i32 ".b"}'
    builds = code(
        "w", f'p := alloc 1 {pair} zeroed ""', "*&q := p", "*p := 2", THREAD_ENDS, p="ptr"
    )
    for offset, free in ((0, False), (4, True)):
        uses = code("v", "p := *&q", f"r := *(p + {offset})", THREAD_ENDS, p="ptr", r="i32")
        run = Run(builds, uses, q=POINTER)
        run.move(FIRST, 2)
        assert not run.confined(FIRST)
        assert run.uncontended(FIRST) is free


def test_children_that_are_not_created_yet() -> None:
    writes = code("w", "*&x := 1", THREAD_ENDS)
    creates = code("v", "t := spawn u 0ptr4", THREAD_ENDS, t="u32")
    run = Run(writes, creates, code("u", "r := *&x", THREAD_ENDS, r="i32"), x=INT)
    assert not run.uncontended(FIRST)
    system, state = run.system, run.state
    run.move(SECOND, 1)
    child = next(t for t in system.threads(run.state) if t not in (MAIN, FIRST, SECOND))
    point = system.foresight.point(run.state, child)
    assert system.foresight.may_come(state, child, point)
    assert system.foresight.may_come(run.state, child, point)
    assert not system.foresight.may_come(run.state, SECOND, point)
    run.move(child, 2)
    assert not system.foresight.may_come(run.state, child, point)
    assert run.uncontended(FIRST)
