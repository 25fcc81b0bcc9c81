"""Outcomes of a program by the reference interpreter, in the words of `Views.describe`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from abpress.semantics.reference import Configuration, ReferenceInterpreter


@dataclass
class Outcomes:
    """What a program can reach, as text: violations, memories when all threads have finished, and
    memories when some have not but none can go on."""

    violations: set[str] = field(default_factory=set)
    finals: set[str] = field(default_factory=set)
    stuck: set[str] = field(default_factory=set)


def outcomes(reference: ReferenceInterpreter, most: int) -> Outcomes | None:
    """What the program can reach; None if it has more than `most` states."""
    first = reference.initial()
    seen = {first.key()}
    stack = [first]
    result = Outcomes()
    while stack:
        configuration = stack.pop()
        successors = [after for _, after in reference.steps(configuration)]
        if configuration.status.startswith("violates"):
            result.violations.add(configuration.status)
        elif configuration.status == "running" and not successors:
            done = all(t.location is None for t in configuration.threads.values())
            memory = memory_text(reference, configuration)
            (result.finals if done else result.stuck).add(memory)
        for after in successors:
            if after.key() not in seen:
                seen.add(after.key())
                stack.append(after)
                if len(seen) > most:
                    return None
    return result


def memory_text(reference: ReferenceInterpreter, configuration: Configuration) -> str:
    """The memory by the names of cells, as `Views.describe` gives it."""
    memory = {}
    for name, content in configuration.memory.items():
        for cell in reference.layouts[name].cells:
            memory[name + cell.path] = value_text(content[cell.offset])
    return repr(sorted(memory.items()))


def value_text(value: Any) -> Any:
    """A value as `Views.describe` gives it: addresses as text, integers as they are."""
    if not isinstance(value, tuple):
        return value
    name, offset = value
    shown = name.removesuffix("()") if name.endswith("()") else f"&{name}"
    return shown + (f"{offset:+}" if offset else "")
