"""The tree, in each way in which it can be built, against plain enumeration of concrete states."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from abpress.art.labels.table import LABELS
from abpress.config import Config
from abpress.engines.abpress.engine import prove
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.properties import PROPERTIES, Property
from abpress.properties.ends import classify
from abpress.reductions.table import TREE
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.semantics.interpreter import Interpreter
from abpress.smt.table import ENCODINGS
from abpress.verify.certify import certified

MOST_STATES = 800
SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Way:
    """How a tree is built."""

    por: str
    labels: str
    encoding: str
    property: str = "unreach-call"

    def config(self) -> Config:
        return Config.of(
            Path(),
            por=self.por,
            labels=self.labels,
            encoding=self.encoding,
            property=self.property,
        )


WAYS = tuple(Way(*names) for names in product(TREE, LABELS, ENCODINGS))
DEADLOCK_WAYS = tuple(replace(way, property="no-deadlock") for way in WAYS)


def enumerate_errors(interpreter: Interpreter, property: Property) -> bool | None:
    """Whether the property can be violated; None if there are too many states."""
    queue = [interpreter.initial()]
    seen = set(queue)
    found = False
    for state in queue:
        if not any(interpreter.steps(state, t) for t in interpreter.threads(state)):
            found |= property.of_end(interpreter, state, classify(interpreter, state)) is not None
        for thread in interpreter.threads(state):
            for step in interpreter.steps(state, thread):
                if step.violation is not None:
                    found |= property.of_violation(step.violation) is not None
                elif step.successor not in seen:
                    seen.add(step.successor)
                    queue.append(step.successor)
        if len(seen) > MOST_STATES:
            return None
    return found


def check(program: Program, way: Way) -> bool:
    """Raises AssertionError if the tree and the enumeration disagree; whether both have an answer.

    The certificate of a "true" is checked; a "false" was replayed, or it would not be said.
    """
    interpreter = Interpreter(program)
    erroneous = enumerate_errors(interpreter, PROPERTIES[way.property])
    if erroneous is None:
        return False
    config = way.config()
    result, view = prove(program, config, Limits(time=SECONDS), None, Soundness())
    text = f"{way}: {result.verdict} {result.reason}\n{format_program(program)}"
    assert (view is not None) == (result.verdict is Verdict.TRUE)
    if view is not None:
        assert not erroneous, text
        lost = interpreter.soundness.reasons  # of undefined memory not all contents are tried
        assert all(reason.startswith("symbolic input") for reason in lost), text
        certified(program, config, view)
    elif result.verdict is Verdict.FALSE:
        assert erroneous, text
        assert result.trace is not None
    elif interpreter.soundness.complete:
        assert "time limit" in result.reason, text
        return False
    return True
