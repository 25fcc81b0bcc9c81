"""Random concurrent C programs: reductions, simplification and creation order change no answer."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

from abpress.config import ProgramOptions
from abpress.ir.passes.pipeline import simplify
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.properties.ends import End, classify
from abpress.reductions.table import STATIC
from abpress.search.stateful import explore
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress_frontend.load import load_program
from tests.engines.test_random_programs import MOST_STATES, check_trace, every_edge_visible
from tests.sampling import examples
from tests.strategies.c_programs import DATA, ConcurrentProgram, concurrent_programs

RANDOM = settings(
    max_examples=examples(2, whole=20),
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
MOST_EDGES = 130
"""Larger programs are not compared: plain enumeration would take too long."""


@dataclass(frozen=True)
class Answers:
    """What a program can do: `finals` are the ways it ends and the values of its variables then."""

    errors: frozenset[str]
    deadlock: bool
    finals: frozenset[str]


def final(interpreter: Interpreter, state: State, end: End, names: Collection[str]) -> str:
    """Without the objects that hold thread ids: their numbers depend on the order of the search."""
    memory = interpreter.views.describe(state)["memory"]
    known = {cell: v for cell, v in memory.items() if re.split(r"[.\[]", cell)[0] in names}
    return interpreter.views.ended(state) or f"{end.value}: {known}"


def plain(interpreter: Interpreter, names: Collection[str]) -> Answers | None:
    """By breadth-first search without any cleverness; None if there are too many states."""
    queue = [interpreter.initial()]
    seen = set(queue)
    errors, finals, deadlock = set(), set(), False
    for state in queue:
        steps = [s for t in interpreter.threads(state) for s in interpreter.steps(state, t)]
        if not steps:
            end = classify(interpreter, state)
            deadlock = deadlock or end is End.DEADLOCK
            if end is not End.BLOCKED:
                finals.add(final(interpreter, state, end, names))
        for step in steps:
            if step.violation is not None:
                errors.add(step.violation.message)
            elif step.successor not in seen:
                seen.add(step.successor)
                queue.append(step.successor)
        if len(seen) > MOST_STATES:
            return None
    return Answers(frozenset(errors), deadlock, frozenset(finals))


def searched(interpreter: Interpreter, por: str, names: Collection[str]) -> Answers:
    """By the driver with a reduction; all executions that it finds replay."""
    finals = set()

    def on_final(state: State, end: End) -> None:
        if end is not End.BLOCKED:
            finals.add(final(interpreter, state, end, names))

    make = STATIC[por].make
    stuck, failing = (
        explore(
            interpreter,
            make(interpreter),
            PROPERTIES[name],
            keep_going=True,
            on_final=on_final,
        )
        for name in ("no-deadlock", "unreach-call")
    )
    assert stuck.exhausted
    assert failing.exhausted
    for found in (*stuck.found, *failing.found):
        check_trace(interpreter, found)
    errors = frozenset(f.finding.message for f in failing.found)
    return Answers(errors, bool(stuck.found), frozenset(finals))


def lossy(interpreter: Interpreter) -> bool:
    return bool(interpreter.soundness.reasons or interpreter.soundness.assumptions)


def check(program: ConcurrentProgram, folder: Path) -> bool:
    """Raises AssertionError; returns whether the program was compared: those that are large, or in
    which executions are given up, are not."""
    order = tuple(range(len(program.join)))
    text = program.text(order)

    def loaded(order: tuple[int, ...]) -> Program:
        file = folder / "random.c"
        file.write_text(program.text(order))
        options = ProgramOptions(file, spurious_wakeups=program.spurious_wakeups)
        return load_program(options).program

    lowered = loaded(order)
    simplified = simplify(lowered)
    if sum(len(at.edges) for t in simplified.templates.values() for at in t.locations) > MOST_EDGES:
        return False
    fine = Interpreter(simplified, visible=every_edge_visible(simplified))
    names = [name for name in DATA if name in simplified.objects]
    truth = plain(fine, names)
    if truth is None or lossy(fine):
        return False
    for por in STATIC:
        interpreter = Interpreter(simplified)
        assert searched(interpreter, por, names) == truth, f"{por}\n{text}"
        assert not lossy(interpreter), f"{por}\n{text}"
    interpreter = Interpreter(lowered)
    assert searched(interpreter, "s-por", names) == truth, f"simplification\n{text}"
    assert not lossy(interpreter), f"simplification\n{text}"
    interpreter = Interpreter(simplify(loaded(order[::-1])))
    turned = searched(interpreter, "s-por", ())
    assert (turned.errors, turned.deadlock) == (truth.errors, truth.deadlock), (
        f"creation order\n{text}"
    )
    assert not lossy(interpreter), f"creation order\n{text}"
    return True


@RANDOM
@given(program=concurrent_programs())
def test_the_same_answers_in_every_way(
    program: ConcurrentProgram, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assume(check(program, tmp_path_factory.getbasetemp()))
