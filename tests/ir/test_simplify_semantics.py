"""Simplification keeps what programs do, by full enumeration of both programs."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass

from hypothesis import HealthCheck, assume, given, settings

from abpress.ir.check import check
from abpress.ir.passes.inputs import narrow_inputs
from abpress.ir.passes.pipeline import simplify
from abpress.ir.program import GuardKind, Program
from abpress.result import Soundness
from abpress.semantics.interpreter import Interpreter
from tests.sampling import examples
from tests.strategies.ir_programs import Features, permuted_threads, programs

MOST_STATES = 4000


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a program can do, as far as it does not depend on registers and locations."""

    violations: frozenset[tuple[str, str]]
    deadlocks: frozenset[str]
    finals: frozenset[str]
    complete: bool


def behaviour(program: Program, objects: frozenset[str]) -> Behaviour | None:
    """The behaviour, with the memory of `objects`; None for a program with too many states."""
    soundness = Soundness()
    interpreter = Interpreter(program, soundness=soundness)
    violations: set[tuple[str, str]] = set()
    deadlocks: set[str] = set()
    finals: set[str] = set()
    start = interpreter.initial()
    seen = {start}
    pending = deque([start])
    while pending:
        s = pending.popleft()
        threads = interpreter.threads(s)
        steps = [step for t in threads for step in interpreter.steps(s, t)]
        for step in steps:
            if step.violation is not None:
                violations.add((step.violation.property, step.violation.message))
            elif step.successor not in seen:
                seen.add(step.successor)
                pending.append(step.successor)
        if len(seen) > MOST_STATES:
            return None
        if not steps:
            memory = interpreter.views.describe(s)["memory"]
            text = json.dumps({k: v for k, v in memory.items() if k in objects}, sort_keys=True)
            if interpreter.views.ended(s) is not None:
                # what other threads did unobserved is written at any time before
                finals.add("program ended")
            elif not threads:
                finals.add(text)
            elif all(interpreter.waits(s, t) is GuardKind.AWAIT for t in threads):
                deadlocks.add(text)
    return Behaviour(
        frozenset(violations), frozenset(deadlocks), frozenset(finals), soundness.complete
    )


@settings(
    max_examples=examples(30, whole=60), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(programs())
def test_simplify_keeps_the_behaviour(program: Program) -> None:
    simple = simplify(program)
    check(simple)
    objects = frozenset(simple.objects)
    expected = behaviour(program, objects)
    assume(expected is not None)
    assert behaviour(simple, objects) == expected


@settings(
    max_examples=examples(15, whole=30), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(programs())
def test_the_order_of_threads_does_not_matter(program: Program) -> None:
    objects = frozenset(program.objects) - {"q"}  # pointers show the numbers of threads
    expected, permuted = (behaviour(p, objects) for p in (program, permuted_threads(program)))
    assume(expected is not None and permuted is not None)
    assert permuted == expected


@settings(
    max_examples=examples(15, whole=30), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(programs(Features(wide_inputs=True, exits=False, threads=2, statements=4)))
def test_ranges_of_inputs_keep_violations_and_deadlocks(program: Program) -> None:
    narrowed = narrow_inputs(program)
    check(narrowed)
    expected, found = (behaviour(p, frozenset(program.objects)) for p in (program, narrowed))
    assume(expected is not None and found is not None)
    assert expected is not None
    assert found is not None
    assert found.violations == expected.violations
    assert found.deadlocks == expected.deadlocks
    assert found.finals - {"program ended"} == expected.finals - {"program ended"}
