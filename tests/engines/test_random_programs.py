"""Random programs: every reduction against plain enumeration in the smallest possible steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import assume, given, settings

from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.properties import PROPERTIES, Preserved
from abpress.properties.ends import End, classify
from abpress.properties.finding import Deadlock
from abpress.reductions.table import STATIC
from abpress.search.stateful import explore
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.witness.build import build_trace
from abpress.witness.minimise import context_switches, minimise
from abpress.witness.replay import follow
from tests.sampling import examples
from tests.strategies.ir_programs import permuted_threads, programs

UNREACH, DEADLOCK = PROPERTIES["unreach-call"], PROPERTIES["no-deadlock"]
MOST_STATES = 3_000
"""Larger programs are not compared: plain enumeration would take too long."""


@dataclass(frozen=True)
class Truth:
    """What a program can do."""

    errors: frozenset[str]
    deadlock: bool
    finals: frozenset[str]
    states: int


class TooLarge(Exception):
    """The program has more than `MOST_STATES` states."""


def every_edge_visible(program: Program) -> dict[str, frozenset[tuple[int, int]]]:
    return {
        name: frozenset((i, k) for i, at in enumerate(t.locations) for k in range(len(at.edges)))
        for name, t in program.templates.items()
    }


def final(interpreter: Interpreter, state: State, end: End) -> str | None:
    """How an execution ends, and the static memory then: what no reduction may change.

    When the program ends while threads run, how far they have come with what nobody else can see
    is left open. Executions that are given up (None) are not judged at all.
    """
    if end is End.BLOCKED:
        return None
    how = interpreter.views.ended(state)
    if how is not None:
        return how
    memory = interpreter.views.describe(state)["memory"]
    statics = interpreter.program.objects
    return f"{end.value}: { ({name: value for name, value in memory.items() if name in statics}) }"


def enumerate_all(interpreter: Interpreter) -> Truth:
    """Breadth-first search without any cleverness: the oracle."""
    queue = [interpreter.initial()]
    seen = set(queue)
    errors, finals, deadlock = set(), set(), False
    for state in queue:
        steps = [s for t in interpreter.threads(state) for s in interpreter.steps(state, t)]
        if not steps:
            end = classify(interpreter, state)
            deadlock = deadlock or end is End.DEADLOCK
            finals.add(final(interpreter, state, end))
        for step in steps:
            if step.violation is not None:
                errors.add(step.violation.message)
            elif step.successor not in seen:
                seen.add(step.successor)
                queue.append(step.successor)
        if len(seen) > MOST_STATES:
            raise TooLarge
    return Truth(frozenset(errors), deadlock, frozenset(finals) - {None}, len(seen))


def run(interpreter: Interpreter, por: str) -> tuple[Truth, list[Any]]:
    """The same by the driver with a reduction, and the violating executions."""
    finals = set()
    info = STATIC[por]
    result = explore(
        interpreter,
        info.make(interpreter),
        DEADLOCK,
        keep_going=True,
        on_final=lambda state, end: finals.add(final(interpreter, state, end)),
    )
    failing = explore(interpreter, info.make(interpreter), UNREACH, keep_going=True)
    assert result.exhausted
    assert failing.exhausted
    errors = frozenset(f.finding.message for f in failing.found)
    found = [*result.found, *failing.found]
    return Truth(
        errors, bool(result.found), frozenset(finals) - {None}, result.statistics.states
    ), found


@settings(max_examples=examples(25, whole=150), derandomize=True, deadline=None, database=None)
@given(program=programs())
def test_reductions_agree_with_plain_enumeration(program: Program) -> None:
    fine = Interpreter(program, visible=every_edge_visible(program))
    try:
        truth = enumerate_all(fine)
    except TooLarge:
        assume(False)
    compare(program, fine, truth)
    if not fine.soundness.reasons:
        turned = permuted_threads(program)
        for por in STATIC:
            other, _ = run(Interpreter(turned), por)
            assert (other.errors, other.deadlock) == (truth.errors, truth.deadlock), por


def compare(program: Program, fine: Interpreter, truth: Truth) -> None:
    """Every reduction finds the truth, and every violation that it finds is one."""
    unreduced = 0
    for por, info in STATIC.items():
        interpreter = Interpreter(program)
        result, found = run(interpreter, por)
        text = f"{por}\n{format_program(program)}"
        assert result.errors <= truth.errors, text
        assert result.states <= (unreduced or result.states), text
        unreduced = unreduced or result.states
        for execution in found:
            check_trace(interpreter, execution)
        assert interpreter.soundness.complete == fine.soundness.complete, text
        assert bool(interpreter.soundness.assumptions) == bool(fine.soundness.assumptions), text
        if fine.soundness.reasons:
            continue  # nothing is proved: behind undefined behaviour a step is cut off as a whole
        if info.preserves.includes(Preserved.VIOLATIONS):
            assert result.errors == truth.errors, text
        if info.preserves.includes(Preserved.DEADLOCKS):
            assert result.deadlock == truth.deadlock, text
        if info.preserves.includes(Preserved.OUTCOMES):
            assert result.finals == truth.finals, text


def check_trace(interpreter: Interpreter, execution: Any) -> None:
    """The execution replays, its minimised form is no worse, and a trace can be made of it."""
    schedule, finding = execution.schedule, execution.finding
    assert follow(interpreter, schedule, finding) is not None
    cheap = minimise(interpreter, schedule, finding, budget=0)
    best = minimise(interpreter, schedule, finding, budget=2_000)
    for shorter in (cheap, best):
        assert follow(interpreter, shorter, finding) is not None
        assert context_switches(shorter) <= context_switches(schedule)
    deadlock = isinstance(finding, Deadlock)
    name = "no-deadlock" if deadlock else "unreach-call"
    trace = build_trace(interpreter, best, name, finding)
    assert {step.thread for step in trace.steps} <= set(trace.threads)
    assert bool(trace.blocked) == deadlock
    assert len(trace.to_json()["steps"]) == len(trace.steps)
