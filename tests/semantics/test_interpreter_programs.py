"""Whole programs: the interpreter and the oracle reach the same violations and final memories."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings

from abpress.ir.program import Program
from abpress.result import Soundness
from abpress.semantics.interpreter import Interpreter
from tests.semantics.oracle import Unspecified
from tests.semantics.oracle_programs import Oracle, Outcomes, outcomes
from tests.strategies.ir_programs import Features, programs

MOST_STATES = 1500


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
    """The same as `oracle.outcomes` by the interpreter."""
    seen = {interpreter.initial()}
    stack = list(seen)
    result = Outcomes()
    while stack:
        s = stack.pop()
        threads = interpreter.threads(s)
        steps = [step for t in threads for step in interpreter.steps(s, t)]
        if not steps and interpreter.ended(s) is None:
            memory = repr(sorted(interpreter.describe(s)["memory"].items()))
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
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(programs(SMALL))
def test_same_outcomes_as_edge_by_edge(program: Program) -> None:
    oracle = Oracle(program)
    try:
        wanted = outcomes(oracle, MOST_STATES)
    except Unspecified:
        assume(False)
    assume(wanted is not None)
    assert wanted is not None
    for visible in (None, everything(program)):
        soundness = Soundness()
        interpreter = Interpreter(program, soundness=soundness, visible=visible)
        found = explored(interpreter, MOST_STATES)
        assert found is not None
        assert found.finals == wanted.finals
        if visible is not None:
            # where steps are longer, threads stop before what they write unobserved
            assert found.stuck == wanted.stuck
        if visible is not None or not oracle.lost:
            assert found.violations == wanted.violations
        assert found.violations <= wanted.violations
        assert bool(oracle.lost) == bool(soundness.reasons or soundness.assumptions)
