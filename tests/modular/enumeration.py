"""The states of a program by the definition of the semantics, where every action is a step."""

from __future__ import annotations

from collections.abc import Iterator

from abpress.ir.program import Program
from abpress.semantics.reference import Configuration, ReferenceInterpreter
from abpress.semantics.reference_expressions import Unspecified


def reached(program: Program, most: int) -> Iterator[Configuration]:
    """States that executions reach, no more than about so many."""
    reference = ReferenceInterpreter(program)
    first = reference.initial()
    seen, todo = {first.key()}, [first]
    while todo and len(seen) < most:
        now = todo.pop()
        yield now
        try:
            for _, after in reference.steps(now):
                key = after.key()
                if key not in seen:
                    seen.add(key)
                    todo.append(after)
        except (Unspecified, NotImplementedError):
            continue
