"""The classification of edges against the interpreter, on random programs.

Oracle: the interpreter with all edges visible, where every action is a step of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from abpress.ir.program import GuardKind, Program
from abpress.semantics.interpreter import Interpreter, State
from abpress.semantics.sharing import visible_edges
from tests.strategies.ir_programs import Features, programs

MAX_STATES = 1500

FEATURES = st.sampled_from(
    (
        Features(threads=2, statements=5),
        Features(threads=2, statements=5, locks=False, exits=False),
        Features(threads=3, statements=4, unbounded_loops=False),
    )
)
PROGRAMS = FEATURES.flatmap(programs)


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
                    assume(len(seen) < MAX_STATES)
                    seen.add(step.successor)
                    todo.append(step.successor)


@settings(max_examples=60, deadline=None)
@given(PROGRAMS)
def test_an_invisible_action_commutes_with_all_actions_of_others(program: Program) -> None:
    visible = visible_edges(program)
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
                        a = interpreter.footprint(s, t, own.choices)
                        b = interpreter.footprint(s, u, other.choices)
                        assert a.independent(b) or b.writes >= {0}
                    if other.violation is not None or not interpreter.threads(other.successor):
                        continue  # the program has ended
                    after = {step.choices: step for step in interpreter.steps(other.successor, t)}
                    assert after.keys() == {own.choices for own in here}
                    for own in here:
                        assert own.violation is None
                        assert after[own.choices].successor in {
                            step.successor for step in interpreter.steps(own.successor, u)
                        }


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
        if interpreter.ended(s) is not None:
            found.exits = True
        elif not threads:
            found.final.add(str(interpreter.describe(s)["memory"]))
        elif not steps and all(interpreter.waits(s, t) is GuardKind.AWAIT for t in threads):
            found.deadlocks.add(tuple(interpreter.location(s, t) for t in threads))
    return found


@settings(max_examples=60, deadline=None)
@given(PROGRAMS)
def test_steps_reach_what_single_actions_reach(program: Program) -> None:
    fine = finest(program)
    expected = observe(fine)
    assume(fine.soundness.complete)
    steps = Interpreter(program)
    assert observe(steps) == expected
    assert steps.soundness.complete
