"""What facts say of the errors that a program marks, and of other undefined behaviour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from abpress.analysis.facts import Facts
from abpress.config import Place
from abpress.engines.by_facts import DETAILS, Answer, FactsTime, left_open, standing_facts
from abpress.ir.expr import Expr
from abpress.ir.intervals import Interval, hull
from abpress.ir.program import Overflow, Program
from abpress.later import later
from abpress.modular.apart import PlacesApart
from abpress.modular.assertions import (
    failures,
    failures_in_numbers,
    failures_of_classes,
    is_failure,
    joins_in_doubt,
)
from abpress.modular.bounds.analysis import find as find_bounds
from abpress.modular.claims import claimed
from abpress.modular.definedness import doubtful, is_fault
from abpress.modular.numbers.box import value_of
from abpress.modular.numbers.overflow import OverflowFacts, alarms_of, find
from abpress.modular.threads import SoleThreads
from abpress.proof.assumptions import NO_OVERFLOW_SO_FAR
from abpress.proof.certificate import program_digest
from abpress.proof.facts import FactsProof
from abpress.proof.joint import joint
from abpress.proof.numbers.write import numeric_certificate, proved_locally
from abpress.proof.protocols import Evidence
from abpress.result import Alarm, Soundness, proved, undecided
from abpress.semantics.outcome import no_overflow as overflow_excluded

_NUMBERS: Callable[..., Any] = later("abpress.modular.alarms.checks", "NumbersInWords")

_ERRORS: Callable[..., Any] = later("abpress.engines.templates.engine", "ErrorsOfTemplates")
_INVARIANTS: Callable[..., Any] = later("abpress.engines.templates.engine", "invariants")
_READ_HANDLES: Callable[..., bool] = later(
    "abpress.engines.templates.handles", "joins_read_handles"
)

_SECONDS_FOR_JOINS = 10.0
"""For what is in an array of handles."""


class Errors:
    """What facts say of the errors of a program. Numbers are looked for when they are needed."""

    def __init__(self, program: Program, property: str, time: FactsTime) -> None:
        self._program, self._property, self._time = program, property, time
        self._marks = is_failure(property)
        self._all = tuple(failures(program, self._marks))
        self._parts: list[Evidence] = []
        self._solution = standing_facts(program, time)
        self._apart = None if self._solution is None else PlacesApart(self._solution)
        self._harmless: frozenset[Place] = frozenset()

    def answer(self, soundness: Soundness) -> Answer:
        """The result for the property, with its certificate. Raises TakesTooLong."""
        left = self._left_by_numbers(self._left_by_classes())
        if left and SoleThreads(self._program).creates_many:
            left = self._left_by_templates(left)
        reason = left_open(self._program, left, "an error", ())
        if not reason and not self._parts:
            reason = "a bound of the tool may be reached"
        statistics = {"errors": len(self._all), "alarms": len(left)}
        reason = reason or self._undefined()
        if reason:
            alarms = self._alarms(left)
            return undecided(self._property, reason, statistics, alarms=alarms), None
        self._assume_no_overflow(soundness)
        proof = joint(self._program, self._property, self._parts)
        return proved(self._property, soundness, True, statistics), proof

    def _assume_no_overflow(self, soundness: Soundness) -> None:
        """Assumes that operations do not overflow, where that is not proved. All other undefined
        behaviour is excluded. NOTE(defined-errors)"""
        if self._program.signed_overflow is Overflow.WRAP:
            return
        found = self._numbers
        if found is None:
            soundness.assume(NO_OVERFLOW_SO_FAR)
            return
        left = replace(found, alarms=alarms_of(found.analysis, found.numbers))
        local = set(proved_locally(left, self._time.expired, among=left.alarms))
        for template, location, k in left.alarms:
            if (template, location, k) not in local:
                edge = self._program.templates[template].locations[location].edges[k]
                soundness.assume(overflow_excluded(edge.position))

    def _alarms(self, left: Sequence[Place]) -> tuple[Alarm, ...]:
        if self._numbers is None:
            return ()
        words = _NUMBERS(self._numbers)
        return tuple(words.error(self._property, place) for place in left)

    def _left_by_classes(self) -> tuple[Place, ...]:
        if self._solution is None:
            return self._all
        left = failures_of_classes(self._solution, self._marks)
        if len(left) < len(self._all) or not self._all:
            claims = claimed(self._solution, ())
            digest = program_digest(self._program)
            self._parts.append(FactsProof(digest, self._property, claims, left))
        return left

    def _left_by_numbers(self, left: tuple[Place, ...]) -> tuple[Place, ...]:
        found = self._numbers if left else None
        if found is None:
            return left
        local = proved_locally(found, self._time.expired, self._property, left)
        claims = None if self._solution is None else claimed(self._solution, ())
        proof = numeric_certificate(found, local, claims, self._property)
        rest = tuple(place for place in left if place in proof.alarms)
        if len(rest) < len(left):
            self._parts.append(proof)
        return rest

    def _left_by_templates(self, left: tuple[Place, ...]) -> tuple[Place, ...]:
        """Those that invariants of any number of threads leave open: all, or none. They exclude
        marked undefined behaviour, too, where it is left."""
        faults = self._faults()
        others = tuple(place for place in self._all if place not in left)
        known = (place for place in failures(self._program, is_fault) if place not in faults)
        errors = frozenset((*left, *faults))
        asked = _ERRORS(self._property, errors, others, tuple(known))
        proof = _INVARIANTS(self._program, asked, self._time.seconds, self._time.expired)
        if isinstance(proof, str):
            return left
        self._parts.append(proof)
        self._harmless = frozenset(faults)
        return ()

    @cached_property
    def _numbers(self) -> OverflowFacts | None:
        if self._program.signed_overflow is Overflow.WRAP:
            return None
        left_open = failures_in_numbers(self._marks)
        facts = Facts.of(self._program)
        found = find(self._program, facts, self._time.expired, self._apart, left_open)
        return None if found.cuts else found

    def _undefined(self) -> str:
        """Where undefined behaviour is not excluded, in words; NOTE(defined-errors)."""
        program, what = self._program, "undefined behaviour"
        where = sorted(self._reached())
        words = left_open(program, tuple(doubtful(program, where, self._values)), what, ())
        words = words or left_open(program, self._faults(), what, ())
        return (
            words
            or left_open(program, self._joins(where), "a join of no thread", ())
            or self._invalid()
        )

    def _values(self, template: str, location: int, e: Expr) -> Interval | None:
        """The values of an expression where a thread of the template stands."""
        if self._numbers is None:
            return None
        boxes = self._numbers.numbers.states.get((template, location), ())
        found: Interval | None = None
        for box in boxes:
            its = value_of(e, box)
            if its is None:
                return None
            found = hull((found, its))
        return found

    def _reached(self) -> frozenset[tuple[str, int]]:
        if self._solution is None:
            assert self._numbers is not None
            return frozenset(at for at, its in self._numbers.numbers.states.items() if its)
        names = self._solution.classes.template
        return frozenset(
            (names(cls).name, i) for (cls, i), its in self._solution.known.items() if its
        )

    def _faults(self) -> tuple[Place, ...]:
        faults = failures(self._program, is_fault)
        left = tuple(place for place in faults if place not in self._harmless)
        if self._solution is not None:
            its = frozenset(failures_of_classes(self._solution, is_fault))
            left = tuple(place for place in left if place in its)
        if left and self._numbers is not None:
            numbers = self._numbers
            possible = failures_in_numbers(is_fault)(numbers.analysis, numbers.numbers)
            left = tuple(place for place in left if place in possible)
        return left

    def _joins(self, where: Sequence[tuple[str, int]]) -> tuple[Place, ...]:
        left = joins_in_doubt(self._program, where, self._solution)
        ways = [self._joins_told_apart, self._joins_of_arrays]
        if SoleThreads(self._program).creates_many:
            ways.reverse()  # of threads that a loop creates there are too many to tell them apart
        for way in ways:
            left = way(where, left) if left else left
        return left

    def _joins_told_apart(
        self, where: Sequence[tuple[str, int]], left: tuple[Place, ...]
    ) -> tuple[Place, ...]:
        """Those of the joins that are in doubt where creations by one edge are told apart, too."""
        if self._solution is None:
            return left
        finer = standing_facts(self._program, self._time, DETAILS[-1])
        return left if finer is None else joins_in_doubt(self._program, where, finer)

    def _joins_of_arrays(
        self, _: Sequence[tuple[str, int]], left: tuple[Place, ...]
    ) -> tuple[Place, ...]:
        """None of the joins if what they join is read from arrays of ids; else all."""
        seconds = min(self._time.seconds, _SECONDS_FOR_JOINS)
        return () if _READ_HANDLES(self._program, left, seconds, self._time.expired) else left

    def _invalid(self) -> str:
        facts = Facts.of(self._program)
        found = find_bounds(self._program, facts, self._time.expired, self._apart)
        words = left_open(self._program, found.alarms, "an invalid access", found.cuts)
        return words or left_open(self._program, found.strayed, "undefined behaviour", ())
