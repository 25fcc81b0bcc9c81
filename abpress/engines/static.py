"""Engine `static`: what holds where single threads stand proves properties, without any search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import monotonic
from typing import Any

from abpress.analysis.facts import Facts
from abpress.config import Config, Place
from abpress.garbage import without_cycle_collection
from abpress.ir.expr import Expr
from abpress.ir.intervals import Interval, hull
from abpress.ir.program import Overflow, Program
from abpress.later import later
from abpress.modular.alarms.checks import NumbersInWords, access_alarms
from abpress.modular.alarms.races import race_alarms
from abpress.modular.analysis import Solution, analyse
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
from abpress.modular.pairs import AccessPoint, PairOfAccesses, pairs
from abpress.modular.sequence import in_sequence
from abpress.modular.settling import TakesTooLong
from abpress.modular.standing import Detail
from abpress.modular.threads import SoleThreads
from abpress.proof.assumptions import DEFINED_SO_FAR, NO_OVERFLOW_SO_FAR
from abpress.proof.bounds.write import bounds_certificate
from abpress.proof.certificate import program_digest
from abpress.proof.facts import FactsProof
from abpress.proof.joint import joint
from abpress.proof.numbers.write import numeric_certificate, proved_locally
from abpress.proof.protocols import Evidence
from abpress.proof.sequence import SequenceProof
from abpress.result import Alarm, Result, Soundness, Verdict, proved, undecided
from abpress.search.limits import Limits
from abpress.search.statistics import Statistics
from abpress.semantics.outcome import no_overflow as overflow_excluded

_ERRORS: Callable[..., Any] = later("abpress.engines.templates.engine", "ErrorsOfTemplates")
_INVARIANTS: Callable[..., Any] = later("abpress.engines.templates.engine", "invariants")
_READ_HANDLES: Callable[..., bool] = later(
    "abpress.engines.templates.handles", "joins_read_handles"
)

_DETAILS = (Detail(parts=8), Detail(parts=64, occurrences=8))
"""The second one is for what the first one leaves open."""

_SECONDS = 60.0
"""For invariants of any number of threads, where the run has no limit of time."""

_SECONDS_FOR_JOINS = 10.0
"""For what is in an array of handles."""

_PATHS_IN_VAIN = 150
"""That local proofs may try once it is clear that there are alarms, to leave fewer of them."""

_RACES = "no-data-race"

_TOO_LONG = "the facts take too long to find"


@dataclass(frozen=True, slots=True)
class FactsTime:
    """The time that there is for facts."""

    limits: Limits

    def expired(self) -> bool:
        """Whether it is over, or the user has interrupted."""
        limits = self.limits
        late = limits.time is not None and monotonic() - limits.started >= limits.time
        return late or limits.interrupt.requested

    @property
    def seconds(self) -> float:
        """What is left of it, or so much where there is no limit."""
        return _SECONDS if self.limits.time is None else max(0.0, self.limits.left)


Answer = tuple[Result, Evidence | None]
Answers = tuple[Mapping[str, Result], Evidence | None]


def no_data_race(program: Program, property: str, time: FactsTime, soundness: Soundness) -> Answer:
    """Proves that no pair of accesses races; else as many of them as it can."""
    reason, proof = _TOO_LONG, None
    statistics: dict[str, int | float | str] = {}
    told: tuple[Alarm, ...] = ()
    for detail in _DETAILS:
        solution = analyse(program, detail, time.expired)
        if solution is None:
            break
        found = list(pairs(solution))
        alarms = [pair for pair in found if pair.alarm]
        statistics = {
            "classes of threads": len(solution.classes.listed),
            "pairs": len(found),
            "alarms": len(alarms),
        }
        if not solution.doubts:
            if proof is None or len(alarms) < len(proof.claims.alarms):
                digest = program_digest(program)
                proof = FactsProof(digest, property, claimed(solution, found))
            if not alarms:
                soundness.assume(DEFINED_SO_FAR)
                return proved(property, soundness, True, statistics), proof
        reason = _open(solution, alarms)
        told = race_alarms(solution, alarms)
    return undecided(property, reason, statistics, alarms=told), proof


def _open(solution: Solution, alarms: list[PairOfAccesses]) -> str:
    """What is not proved."""
    if not alarms:
        return solution.doubts[0]
    first = alarms[0]
    more = f" and {len(alarms) - 1} more" if len(alarms) > 1 else ""
    places = " and ".join(_place(solution, point) for point in (first.first, first.second))
    return f"a race is not excluded: {places}{more}"


def _place(solution: Solution, point: AccessPoint) -> str:
    at = solution.classes.template(point.cls).locations[point.location]
    return at.edges[point.edge].position.described


def no_overflow(program: Program, property: str, time: FactsTime, soundness: Soundness) -> Answer:
    """Proves that no signed operation overflows."""
    facts = Facts.of(program)
    try:
        found = find(program, facts, time.expired)
        local, claims = proved_locally(found, time.expired), None
        standing = None
        if found.cuts or len(local) < len(found.alarms):
            standing = _standing(program, time.expired)
        if standing is not None:
            found = find(program, facts, time.expired, PlacesApart(standing))
            local = proved_locally(found, time.expired, in_vain=_PATHS_IN_VAIN)
            claims = claimed(standing, ())
    except TakesTooLong:
        return undecided(property, _TOO_LONG), None
    proof = numeric_certificate(found, local, claims)
    statistics: dict[str, int | float | str] = {
        "states of threads": sum(map(len, proof.stands.values())),
        "cells that grow": len(proof.counted),
        "proved locally": len(local),
        "alarms": len(proof.alarms),
    }
    left = _left(program, proof.alarms, "an overflow", found.cuts)
    if left:
        words = NumbersInWords(found)
        told = dict.fromkeys(words.overflow(property, place) for place in proof.alarms)
        alarms = tuple(told)
        return undecided(property, left, statistics, alarms=alarms), None if found.cuts else proof
    soundness.assume(DEFINED_SO_FAR)
    return proved(property, soundness, True, statistics), proof


def _standing(
    program: Program, expired: Callable[[], bool], detail: Detail = _DETAILS[0]
) -> Solution | None:
    """What is known where single threads stand, if a proof may use it."""
    solution = analyse(program, detail, expired)
    return None if solution is None or solution.doubts else solution


def _left(program: Program, alarms: Sequence[Place], what: str, cuts: Sequence[str]) -> str:
    """What is not proved, in words: at alarms, or as the analysis was cut short; empty if
    everything is."""
    if not alarms:
        return cuts[0] if cuts else ""
    template, location, k = alarms[0]
    where = program.templates[template].locations[location].edges[k].position.described
    more = f" and {len(alarms) - 1} more" if len(alarms) > 1 else ""
    return f"{what} is not excluded: {where}{more}"


def valid_deref(program: Program, property: str, time: FactsTime, soundness: Soundness) -> Answer:
    """Proves that every access is within an object that lives."""
    facts = Facts.of(program)
    try:
        found, claims = find_bounds(program, facts, time.expired), None
        standing = _standing(program, time.expired) if found.alarms or found.cuts else None
        if standing is not None:
            found = find_bounds(program, facts, time.expired, PlacesApart(standing))
            claims = claimed(standing, ())
    except TakesTooLong:
        return undecided(property, _TOO_LONG), None
    statistics: dict[str, int | float | str] = {
        "states of threads": sum(map(len, found.states.values())),
        "alarms": len(found.alarms),
    }
    left = _left(program, found.alarms, "an invalid access", found.cuts)
    proof = bounds_certificate(program, found, claims)
    if left:
        alarms = access_alarms(program, property, found)
        return undecided(property, left, statistics, alarms=alarms), None if found.cuts else proof
    soundness.assume(DEFINED_SO_FAR)
    return proved(property, soundness, True, statistics), proof


def unreach_call(program: Program, property: str, time: FactsTime, soundness: Soundness) -> Answer:
    """Proves that no error is reached that the program marks: by what classes of threads know of
    cells, by numbers, or by the code before it; by invariants of any number of threads, where they
    are created in a loop; each for those errors that are left."""
    try:
        return _Errors(program, property, time).answer(soundness)
    except TakesTooLong:
        return undecided(property, _TOO_LONG), None


class _Errors:
    """What facts say of the errors of a program. Numbers are looked for when they are needed."""

    def __init__(self, program: Program, property: str, time: FactsTime) -> None:
        self._program, self._property, self._time = program, property, time
        self._marks = is_failure(property)
        self._all = tuple(failures(program, self._marks))
        self._parts: list[Evidence] = []
        self._solution = _standing(program, time.expired)
        self._apart = None if self._solution is None else PlacesApart(self._solution)
        self._harmless: frozenset[Place] = frozenset()

    def answer(self, soundness: Soundness) -> Answer:
        """The result for the property, with its certificate. Raises TakesTooLong."""
        left = self._left_by_numbers(self._left_by_classes())
        if left and SoleThreads(self._program).creates_many:
            left = self._left_by_templates(left)
        reason = _left(self._program, left, "an error", ())
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
        words = NumbersInWords(self._numbers)
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
        words = _left(program, tuple(doubtful(program, where, self._values)), what, ())
        words = words or _left(program, self._faults(), what, ())
        return (
            words
            or _left(program, self._joins(where), "a join of no thread", ())
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
        if left and self._solution is not None:
            finer = _standing(self._program, self._time.expired, _DETAILS[1])
            left = left if finer is None else joins_in_doubt(self._program, where, finer)
        seconds = min(self._time.seconds, _SECONDS_FOR_JOINS)
        if left and _READ_HANDLES(self._program, left, seconds, self._time.expired):
            return ()
        return left

    def _invalid(self) -> str:
        facts = Facts.of(self._program)
        found = find_bounds(self._program, facts, self._time.expired, self._apart)
        words = _left(self._program, found.alarms, "an invalid access", found.cuts)
        return words or _left(self._program, found.strayed, "undefined behaviour", ())


Prover = Callable[[Program, str, FactsTime, Soundness], Answer]

PROVERS: Mapping[str, Prover] = {
    _RACES: no_data_race,
    "no-overflow": no_overflow,
    "valid-deref": valid_deref,
    "unreach-call": unreach_call,
}
"""The properties that facts can prove, by name."""


def _one_after_another(
    program: Program, property: str, time: FactsTime, soundness: Soundness
) -> Answer | None:
    """A proof by the program in which threads run one after the other; None if there is none."""
    solution = _standing(program, time.expired)
    sequence = None if solution is None else in_sequence(solution)
    if solution is None or sequence is None:
        return None
    result, proof = PROVERS[property](sequence, property, time, soundness)
    if result.verdict is not Verdict.TRUE or proof is None:
        return None
    claims = claimed(solution, ())
    return result, SequenceProof(program_digest(program), property, claims, proof)


def prove(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None],
    soundness: Soundness,
) -> Answers:
    """Proves the configuration's only property, or leaves it open."""

    (property,) = config.question.properties
    time = FactsTime(limits)
    with without_cycle_collection():
        result, proof = PROVERS[property](program, property, time, soundness)
        if result.verdict is Verdict.UNKNOWN and property != _RACES and not time.expired():
            found = _one_after_another(program, property, time, soundness)
            result, proof = found or (result, proof)
    late = time.expired() and not limits.interrupt.requested
    if result.verdict is Verdict.UNKNOWN and late:
        result = replace(result, reason=limits.time_exceeded.text)
    return {property: result}, proof
