"""Random programs: the tree, with every reduction, against plain enumeration of concrete states."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings

from abpress.art.engine import prove
from abpress.art.reductions import REDUCTIONS
from abpress.config import Config
from abpress.explore.limits import Limits
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.result import Result, Soundness, Verdict
from abpress.semantics.interpreter import Interpreter
from tests.strategies.ir_programs import Features, programs

MOST_STATES = 800
FEATURES = Features(threads=2, statements=4)
"""Programs that are proved or refuted in milliseconds."""


def enumerate_errors(interpreter: Interpreter) -> bool | None:
    """Whether an error can be reached; None if there are too many states."""
    queue = [interpreter.initial()]
    seen = set(queue)
    found = False
    for state in queue:
        for thread in interpreter.threads(state):
            for step in interpreter.steps(state, thread):
                if step.violation is not None:
                    found = True
                elif step.successor not in seen:
                    seen.add(step.successor)
                    queue.append(step.successor)
        if len(seen) > MOST_STATES:
            return None
    return found


def run(program: Program, por: str) -> Result:
    config = Config(file=Path(), por=por)
    result, view = prove(program, config, Limits(time=5.0), None, Soundness())
    assert (view is not None) == (result.verdict is Verdict.TRUE)
    return result


@pytest.mark.parametrize("por", sorted(REDUCTIONS))
@settings(max_examples=50, derandomize=True, deadline=None, database=None)
@given(program=programs(FEATURES))
def test_same_verdict_as_enumeration(por: str, program: Program) -> None:
    interpreter = Interpreter(program)
    erroneous = enumerate_errors(interpreter)
    assume(erroneous is not None)
    result = run(program, por)
    text = f"{por}: {result.verdict} {result.reason}\n{format_program(program)}"
    if result.verdict is Verdict.TRUE:
        assert not erroneous, text
        assert interpreter.soundness.complete, text
    elif result.verdict is Verdict.FALSE:
        assert erroneous, text
    elif interpreter.soundness.complete:
        assert "time limit" in result.reason, text
