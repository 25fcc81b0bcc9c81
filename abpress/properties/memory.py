"""valid-memtrack: no memory is lost; valid-memcleanup: none is left when the program ends."""

from __future__ import annotations

from abpress.properties.preserved import Preserved
from abpress.properties.property import Aspect, Variant
from abpress.properties.steps import StepProperty
from abpress.semantics.outcome import LEFTOVER, LOSS


class ValidMemtrack(StepProperty):
    """Violated by a step after which no pointer leads to an allocated object any more
    (`semantics.tracking`). Pointers in static objects, in frames of threads that run, in results
    of finished threads that nobody has joined yet, and in objects to which pointers lead count."""

    name = LOSS
    meaning = "no execution loses the last pointer to allocated memory"
    ltl = "G valid-memtrack"
    looks_at = frozenset({Aspect.LOSS})
    needs = Preserved.STABLE
    variant = Variant(lifetimes=True)
    ends_executions = True


class ValidMemcleanup(StepProperty):
    """Violated by a step that ends the program, but by `abort`, while memory is allocated.

    NOTE(left-at-the-end): which that is does not depend on the order of the steps before it.
    """

    name = LEFTOVER
    meaning = "no execution ends with memory that is still allocated (abort does not count)"
    ltl = "G valid-memcleanup"
    looks_at = frozenset({Aspect.LEFTOVER})
    needs = Preserved.OBSERVED_STATES
