"""Properties that steps violate: each by the violation events that carry its name."""

from __future__ import annotations

from abpress.ir.program import (
    NO_MISUSE,
    NO_OVERFLOW,
    UNREACH_CALL,
    VALID_DEREF,
    VALID_FREE,
    Overflow,
)
from abpress.properties.finding import Finding, Reached
from abpress.properties.preserved import Preserved
from abpress.properties.property import Aspect, Property, Variant
from abpress.semantics.outcome import Violation


class StepProperty(Property):
    """Violated by each violation event that carries its name; all other events only end their
    execution."""

    looks_at = frozenset({Aspect.STEP})
    needs = Preserved.VIOLATIONS

    def of_violation(self, violation: Violation) -> Finding | None:
        """The position that the step reaches."""
        return Reached(violation) if violation.property == self.name else None


class UnreachCall(StepProperty):
    """Violated by `Fail` effects."""

    name = UNREACH_CALL
    meaning = "no execution calls reach_error, or violates an assertion"
    ltl = "G ! call(reach_error())"
    variant = Variant(exits=False)


class FaultProperty(StepProperty):
    """Violated by undefined behaviour of one kind.

    What fails so is an attempt and no step: it is found wherever the thread could move.
    """

    faults = True


class ValidDeref(FaultProperty):
    """Violated by a load, store or copy that is not within one living object."""

    name = VALID_DEREF
    meaning = "every access is to a living object, and within it"
    ltl = "G valid-deref"
    variant = Variant(reads_text=True)


class ValidFree(FaultProperty):
    """Violated by freeing what is not the beginning of a living heap object, nor NULL."""

    name = VALID_FREE
    meaning = "only the beginnings of living heap objects are freed"
    ltl = "G valid-free"


class NoOverflow(FaultProperty):
    """Violated by signed arithmetic with a result that its type does not have."""

    name = NO_OVERFLOW
    meaning = "no signed arithmetic overflows"
    ltl = "G ! overflow"
    variant = Variant(signed_overflow=Overflow.ERROR)


class NoMisuse(FaultProperty):
    """Violated by uses of the thread library that it leaves undefined."""

    name = NO_MISUSE
    meaning = "no lock, thread, condition or the like is used as the library forbids"
    ltl = "G ! misuse"
    variant = Variant(spurious_wakeups="chosen", misuse=True)  # so that it is known who waits
