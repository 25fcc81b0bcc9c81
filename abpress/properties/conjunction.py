"""Conjunctions: several properties, asked of one search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from abpress.properties.ends import End
from abpress.properties.finding import Finding
from abpress.properties.property import VISITED, Aspect, Property, Variant
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Violation
from abpress.semantics.protocols import S, TransitionSystem
from abpress.semantics.standing import StandingThreads


class Conjunction(Property):
    """Violated by what violates one of its `parts`; it looks at what any of them does. What has to
    be preserved is what each of them `needs`."""

    def __init__(self, parts: Sequence[Property]) -> None:
        self._parts = tuple(parts)
        self.name = ",".join(part.name for part in parts)
        self.meaning = "; ".join(part.meaning for part in parts)
        self.ltl = " && ".join(f"({part.ltl})" for part in parts)
        self.looks_at = frozenset(aspect for part in parts for aspect in part.looks_at)
        self.faults = any(part.faults for part in parts)
        self.variant = Variant.join(part.variant for part in parts)

    @property
    def parts(self) -> tuple[Property, ...]:
        """The properties, each once, in the order asked."""
        return self._parts

    def standing(self, system: Interpreter) -> StandingThreads | None:
        """What tells where threads have to stand, if one part alone looks at them."""
        looking = [part for part in self._parts if Aspect.RACE in part.looks_at]
        return looking[0].standing(system) if len(looking) == 1 else None

    def suspects(self, system: TransitionSystem[S]) -> Callable[[S], bool] | None:
        """Whether some part that looks at states suspects something, if each has such a test."""
        looking = [part for part in self._parts if not part.looks_at.isdisjoint(VISITED)]
        tests = [test for part in looking if (test := part.suspects(system)) is not None]
        if len(tests) != len(looking) or not tests:
            return None
        return tests[0] if len(tests) == 1 else lambda state: any(test(state) for test in tests)

    def of_violation(self, violation: Violation) -> Finding | None:
        """What the first part finds that finds something."""
        return next((f for part in self._parts if (f := part.of_violation(violation))), None)

    def of_state(self, system: TransitionSystem[S], state: S) -> Finding | None:
        """What the first part finds that finds something."""
        return next((f for part in self._parts if (f := part.of_state(system, state))), None)

    def of_end(self, system: TransitionSystem[S], state: S, end: End) -> Finding | None:
        """What the first part finds that finds something."""
        return next((f for part in self._parts if (f := part.of_end(system, state, end))), None)
