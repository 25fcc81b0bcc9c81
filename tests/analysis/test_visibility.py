"""The classification of edges against the interpreter, on random programs.

Oracle: the interpreter with all edges visible, where every action is a step of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from abpress.analysis.facts import Facts
from abpress.ir.program import GuardKind, Program
from abpress.ir.reader import parse_program
from abpress.relations.conflict import in_conflict
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from tests.sampling import examples
from tests.strategies.ir_programs import Features, programs

MAX_STATES = 1500

FEATURES = st.sampled_from(
    (
        Features(threads=2, statements=5),
        Features(threads=2, statements=5, locks=False, exits=False),
        Features(threads=3, statements=4, unbounded_loops=False),
    )
)

HEADER = """
program pointer 4 overflow end
object x {4: 0 i32} = 0
object q {4: 0 ptr} = &x
object none {4: 0 ptr} = 0ptr
"""
TEMPLATE = """
template NAME entry L0
  register $arg: ptr
  register p: ptr
  register r: ptr
  register t: u32
  register u: u32
  register v: i32
  register c: u8
  local l {4: 0 i32} = 1
  local undefined {1: 0 u8} = ?
"""
LINES = (
    "enter l",
    "leave l",
    "p := &l",
    "p := &x",
    'p := alloc 1 {4: 0 i32} zeroed "malloc"',
    "*&q := p",
    "p := *&q",
    "p := *&q",
    "*p := v",
    "*p := v",
    "v := *p",
    "v := *p",
    "free p",
    "v := 2",
    "*&x := v",
    "v := *&x",
    "assume v == 2",
    "assert v != 2",
)


def written(**templates: list[str]) -> Program:
    """A program of one action per line, in sequence."""
    text = HEADER
    for name, lines in templates.items():
        text += TEMPLATE.replace("NAME", name)
        for i, line in enumerate(lines):
            if line.startswith("assert "):
                condition = line.removeprefix("assert ")
                text += f"L{i}: when ({condition}) != 0 -> L{i + 1}\n"
                text += f'when ({condition}) == 0 do fail "unreach-call" "{name}:{i}" -> L0\n'
            else:
                text += f"L{i}: {line} -> L{(i + 1) % len(lines)}\n"
    return parse_program(text)


@st.composite
def pointing(draw: st.DrawFn) -> Program:
    """Programs in which two threads besides `main` pass pointers around."""

    def lines(most: int) -> list[str]:
        return draw(st.lists(st.sampled_from(LINES), max_size=most))

    second = draw(st.sampled_from(("one", "two")))
    first = draw(st.sampled_from(("t", "u", "u")))
    both = ("p := join u", "p := join t", "v := *&x", "*&x := v", "v := *p")
    joins = ((), ("p := join t", "v := *p"), *((both,) if first == "u" else ()))
    return written(
        main=[
            *("enter l", "p := &x", "v := 0"),
            *lines(2),
            f"{first} := spawn one p",
            *lines(2),
            f"t := spawn {second} p",
            *lines(3),
            *draw(st.sampled_from(joins)),
            *draw(st.sampled_from((("finish p",), ('exit "return"',)))),
        ],
        one=["enter l", "p := $arg", "v := 0", *lines(4), "finish p"],
        two=["enter l", "p := $arg", "v := 0", *lines(4), "finish p"],
    )


PROGRAMS = st.one_of(FEATURES.flatmap(programs), pointing(), pointing())


def finest(program: Program) -> Interpreter:
    """Every action is a step."""
    every = {
        name: frozenset(
            (i, k)
            for i, location in enumerate(template.locations)
            for k in range(len(location.edges))
        )
        for name, template in program.templates.items()
    }
    return Interpreter(program, visible=every)


def states(interpreter: Interpreter) -> Iterator[State]:
    """All reachable states without those of violations; gives the example up if they are many."""
    initial = interpreter.initial()
    seen, todo = {initial}, [initial]
    while todo:
        s = todo.pop()
        yield s
        for t in interpreter.threads(s):
            for step in interpreter.steps(s, t):
                if step.violation is None and step.successor not in seen:
                    if len(seen) >= MAX_STATES:
                        reject()
                    seen.add(step.successor)
                    todo.append(step.successor)


def check_commutation(program: Program) -> None:
    """Asserts in every state that invisible actions commute with all actions of others."""
    visible = Facts(program).visible
    interpreter = finest(program)

    def invisible(s: State, t: int) -> bool:
        name, i = interpreter.location(s, t)
        edges = program.templates[name].locations[i].edges
        return not any((i, k) in visible[name] for k in range(len(edges)))

    for s in states(interpreter):
        threads = interpreter.threads(s)
        for t in threads:
            if not invisible(s, t):
                continue
            here = interpreter.steps(s, t)
            for u in threads:
                for other in interpreter.steps(s, u) if u != t else ():
                    for own in here:
                        a = interpreter.accessed(s, t, own.choices)
                        b = interpreter.accessed(s, u, other.choices)
                        assert not in_conflict(a, b) or b.writes >= {0}
                    if other.violation is not None or not interpreter.threads(other.successor):
                        continue  # the program has ended
                    after = {step.choices: step for step in interpreter.steps(other.successor, t)}
                    assert after.keys() == {own.choices for own in here}
                    for own in here:
                        assert own.violation is None
                        assert after[own.choices].successor in {
                            step.successor for step in interpreter.steps(own.successor, u)
                        }


@settings(max_examples=examples(50, whole=120), deadline=None)
@given(PROGRAMS)
def test_an_invisible_action_commutes_with_all_actions_of_others(program: Program) -> None:
    check_commutation(program)


SEEN = "assume c == 1u8"
READER = ["v := *$arg"]


@pytest.mark.parametrize(
    "templates",
    [
        {
            "main": ["enter undefined", "t := spawn one &undefined", "c := *&undefined", SEEN],
            "one": ["c := *$arg", SEEN],
        },
        {"main": ["enter l", "t := spawn one &l", "leave l"], "one": READER},
        {"main": ["enter l", "t := spawn one &l"], "one": READER},
        {
            "main": ["t := spawn one p", "t := spawn one p"],
            "one": ["enter l", "*&none := &l", "p := *&none", "v := 2", "*p := v", "v := *p"],
        },
        {
            "main": ["t := spawn one p", "t := spawn one p"],
            "one": [
                'p := alloc 1 {4: 0 ptr} zeroed "malloc"',
                "enter l",
                "*p := &l",
                "*&none := p",
                "p := *&none",
                "p := *p",
                "v := 2",
                "*p := v",
                "v := *p",
            ],
        },
    ],
    ids=["undefined", "leave", "finish", "escape", "reachable"],
)
def test_what_does_not_commute_is_visible(templates: dict[str, list[str]]) -> None:
    made = written(**{name: [*lines, "finish 0ptr"] for name, lines in templates.items()})
    check_commutation(made)


@dataclass(slots=True)
class Found:
    """What can be observed of all executions."""

    violations: set[tuple[str, str]] = field(default_factory=set)
    final: set[str] = field(default_factory=set)
    deadlocks: set[tuple[tuple[str, int], ...]] = field(default_factory=set)
    exits: bool = False


def observe(interpreter: Interpreter) -> Found:
    found = Found()
    for s in states(interpreter):
        threads = interpreter.threads(s)
        steps = [step for t in threads for step in interpreter.steps(s, t)]
        for step in steps:
            if step.violation is not None:
                v = step.violation
                found.violations.add((v.message, str(v.position)))
        if interpreter.views.ended(s) is not None:
            found.exits = True
        elif not threads:
            found.final.add(json.dumps(interpreter.views.describe(s)["memory"], sort_keys=True))
        elif not steps and all(interpreter.waits(s, t) is GuardKind.AWAIT for t in threads):
            found.deadlocks.add(tuple(interpreter.location(s, t) for t in threads))
    return found


def check_steps(program: Program) -> None:
    """Asserts that violations, deadlocks and final states are those of single actions."""
    fine = finest(program)
    expected = observe(fine)
    if not fine.soundness.complete:
        return
    steps = Interpreter(program)
    assert observe(steps) == expected
    assert steps.soundness.complete


@settings(max_examples=examples(50, whole=120), deadline=None)
@given(PROGRAMS)
def test_steps_reach_what_single_actions_reach(program: Program) -> None:
    check_steps(program)


@pytest.mark.parametrize(
    "stops", [["assume v == 1"], ["v := 2147483647", "v := v + v"], ['cut "bound"']]
)
def test_a_write_is_seen_before_the_thread_stops(stops: list[str]) -> None:
    made = written(
        main=["t := spawn one &x", "v := *&x", "assert v != 2", "finish p"],
        one=["v := 2", "*$arg := v", *stops, "*$arg := v", "finish p"],
    )
    assert observe(Interpreter(made)).violations == {("main:2", "<unknown>:0:0")}
