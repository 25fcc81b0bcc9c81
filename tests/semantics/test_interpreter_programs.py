"""Whole programs: interpreter and reference reach the same violations and final memories."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

from abpress.config import Config
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.result import Soundness
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.naming import MAIN
from abpress.semantics.outcome import Options
from abpress.semantics.reference import ReferenceInterpreter
from abpress.semantics.reference_expressions import Unspecified
from abpress.verify.load import load
from tests.sampling import examples
from tests.semantics.machine import HEADER, straight
from tests.semantics.outcomes import Outcomes, outcomes
from tests.strategies.ir_programs import Features, programs

MOST_STATES = 1500

DETACHING = """
#include <pthread.h>
void *nothing(void *a) { return a; }
int main(void) {
  for (int i = 0; i < 300; i++) {
    pthread_t t;
    pthread_create(&t, 0, nothing, 0);
    pthread_detach(t);
  }
}
"""


def everything(program: Program) -> dict[str, frozenset[tuple[int, int]]]:
    """All edges, as visible ones."""
    return {
        name: frozenset(
            (i, k)
            for i, location in enumerate(template.locations)
            for k in range(len(location.edges))
        )
        for name, template in program.templates.items()
    }


def explored(interpreter: Interpreter, most: int) -> Outcomes | None:
    """The same as `outcomes` by the interpreter."""
    seen = {interpreter.initial()}
    stack = list(seen)
    result = Outcomes()
    while stack:
        s = stack.pop()
        threads = interpreter.threads(s)
        steps = [step for t in threads for step in interpreter.steps(s, t)]
        if not steps and interpreter.views.ended(s) is None:
            memory = repr(sorted(interpreter.views.describe(s)["memory"].items()))
            (result.stuck if threads else result.finals).add(memory)
        for step in steps:
            if step.violation is not None:
                v = step.violation
                result.violations.add(f"violates {v.property}: {v.message}")
            elif step.successor not in seen:
                seen.add(step.successor)
                stack.append(step.successor)
                if len(seen) > most:
                    return None
    return result


SMALL = Features(threads=2, statements=8, exits=False, unbounded_loops=False)


@settings(
    max_examples=examples(32, whole=80),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(programs(SMALL))
def test_same_outcomes_as_edge_by_edge(program: Program) -> None:
    reference = ReferenceInterpreter(program)
    try:
        wanted = outcomes(reference, MOST_STATES)
    except Unspecified:
        assume(False)
    assume(wanted is not None)
    assert wanted is not None
    compare(program, reference, wanted)


def compare(program: Program, reference: ReferenceInterpreter, wanted: Outcomes) -> None:
    """The interpreter reaches what the reference has reached, with short steps and with long."""
    for visible in (None, everything(program)):
        soundness = Soundness()
        interpreter = Interpreter(program, soundness=soundness, visible=visible)
        found = explored(interpreter, MOST_STATES)
        assert found is not None
        assert found.finals == wanted.finals
        if visible is not None:
            # where steps are longer, threads stop before what they write unobserved
            assert found.stuck == wanted.stuck
        if visible is not None or not reference.lost:
            assert found.violations == wanted.violations
        assert found.violations <= wanted.violations
        assert bool(reference.lost) == bool(soundness.reasons or soundness.assumptions)


OBJECTS = """
object p {4: 0 i32} = 1
object q {4: 0 i32} = 2
object literal {4: 0 i32} readonly = 7
"""

PAIR = 'at := alloc 2 {4: 0 i32} zeroed "calloc"; *(at + 4) := 5'
MORE = 'to := alloc 3 {4: 0 i32} zeroed "calloc"'
LOCK = 'at := alloc 1 {4: 0 u32 users} zeroed "calloc"; *at := 1u32'


@pytest.mark.parametrize(
    "effects",
    [
        ("b := bit 10", "*&p := b"),
        ("b := bit 0", "*&p := b"),
        ("copy *&p := *&q, 4",),
        ("copy *&p := *&q, 0",),
        ("copy *&literal := *&p, 4",),
        ("*&literal := 1",),
        ('at := alloc 2 {4: 0 i32} zeroed "calloc"', "*(at + 4) := 5", "b := *(at + 4)"),
        ('at := alloc 1 {4: 0 i32} zeroed "calloc"', "*(at + 4) := 5"),
        ('at := alloc 1 {4: 0 i32} zeroed "calloc"', "free at", "free at"),
        ('at := alloc 1 {4: 0 i32} zeroed "calloc"', "free at", "b := *at"),
        (PAIR, MORE, "moving copy *to := *at, 99", "free at", "b := *(to + 4)", "*&p := b"),
        (MORE, PAIR, "moving copy *at := *to, 99", "free to", "b := *at", "*&p := b"),
        (PAIR, MORE, "free at", "moving copy *to := *at, 99"),
        (MORE, "moving copy *to := *&p, 4"),
        (LOCK, "free at", "*&p := 6"),
        (LOCK, "*at := 0u32", "free at", "*&p := 6"),
        (LOCK, "*at := 4294967295u32", "free at", "*&p := 6"),
        ("enter m", "*&m := 2u256", "leave m", "*&p := 6"),
        ("enter m", "*&m := 1u256", "leave m", "*&p := 6"),
        ("enter l", "at := &l", "*at := 3", "*&p := 4", "leave l", "b := *at"),
        ('cut "a bound"',),
        ('fault "a reason"',),
        ("*&p := 5", 'fail "unreach-call" "here"'),
        ('a := any "input" [3, 2]', "*&p := a"),
    ],
    ids=" ; ".join,
)
def test_same_outcomes_of_each_effect(effects: tuple[str, ...]) -> None:
    text = straight(
        *effects,
        declare=OBJECTS + "local l {4: 0 i32} = 0\nlocal m {32: 0 u256 users} = 0u256",
        registers="b: i32, a: i32, at: ptr, to: ptr",
    )
    program = parse_program(HEADER + text)
    reference = ReferenceInterpreter(program)
    wanted = outcomes(reference, MOST_STATES)
    assert wanted is not None
    compare(program, reference, wanted)


COUNTING = """
object x {4: 0 i32} = 0
template main entry L0
  register i: i32
  L0: i := 0 -> L1
  L1 atomic:
      when i < 1500 do i := i + 1 -> L1
      when i >= 1500 do *&x := i -> L2
  L2: finish 0ptr -> L2
"""


def test_a_block_with_a_loop_is_one_step_however_long() -> None:
    program = parse_program(HEADER + COUNTING)
    reference = ReferenceInterpreter(program)
    found = outcomes(reference, 5)
    assert found is not None
    assert found.finals == {"[('x', 1500)]"}
    compare(program, reference, found)


def test_more_threads_than_sets_tell_of_are_a_bound(tmp_path: Path) -> None:
    """Which is no undefined behaviour of the program."""
    file = tmp_path / "program.c"
    file.write_text(DETACHING)
    soundness = Soundness()
    program = load(Config.of(file, property="no-misuse")).program
    interpreter = Interpreter(program, Options(max_threads=1000), soundness)
    attempts = []
    interpreter.on_fault = lambda _, attempt: attempts.append(attempt)
    s, created = interpreter.initial(), 0
    while steps := interpreter.steps(s, MAIN):
        s = steps[0].successor
        created = max(created, len(interpreter.threads(s)) - 1)
    assert created == 254
    assert not attempts
    assert list(soundness.reasons) == ["more than 255 threads"]
