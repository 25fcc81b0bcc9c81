"""unreach-call: no call of reach_error, no failing assertion."""

from __future__ import annotations

from abpress.properties.finding import Finding, Reached
from abpress.properties.preserved import Preserved
from abpress.properties.property import Aspect, Property
from abpress.semantics.protocols import S, Step


class UnreachCall(Property):
    """Violated by each violation event (a `Fail` effect) that carries its name; all other events
    only end their execution."""

    name = "unreach-call"
    meaning = "no execution calls reach_error, or violates an assertion"
    ltl = "G ! call(reach_error())"
    looks_at = frozenset({Aspect.STEP})
    needs = Preserved.VIOLATIONS

    def of_step(self, step: Step[S]) -> Finding | None:
        """The position that the step reaches."""
        violation = step.violation
        if violation is None or violation.property != self.name:
            return None
        return Reached(violation)
