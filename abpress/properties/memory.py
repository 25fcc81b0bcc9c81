"""valid-memtrack: no memory is lost; valid-memcleanup: none is left when the program ends."""

from __future__ import annotations

from abpress.properties.finding import Finding, Reached
from abpress.properties.preserved import Preserved
from abpress.properties.property import Aspect, Property
from abpress.semantics.outcome import LEFTOVER, LOSS
from abpress.semantics.protocols import S, Step


class _OfMemory(Property):
    """A property that the steps violate which the semantics finds to do so."""

    def of_step(self, step: Step[S]) -> Finding | None:
        """What the step loses or leaves, and where."""
        violation = step.violation
        if violation is None or violation.property != self.name:
            return None
        return Reached(violation)


class ValidMemtrack(_OfMemory):
    """Violated by a step after which no pointer leads to an allocated object any more
    (`semantics.tracking`). Pointers in static objects, in frames of threads that run, in results
    of finished threads that nobody has joined yet, and in objects to which pointers lead count."""

    name = LOSS
    meaning = "no execution loses the last pointer to allocated memory"
    ltl = "G valid-memtrack"
    looks_at = frozenset({Aspect.LOSS})
    needs = Preserved.FINAL_STATES
    lifetimes = True


class ValidMemcleanup(_OfMemory):
    """Violated by a step that ends the program, but by `abort`, while memory is allocated."""

    name = LEFTOVER
    meaning = "no execution ends with memory that is still allocated (abort does not count)"
    ltl = "G valid-memcleanup"
    looks_at = frozenset({Aspect.LEFTOVER})
    needs = Preserved.STATES
