"""Engine `static`: what holds where single threads stand proves properties, without any search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from abpress.analysis.facts import Facts
from abpress.config import Config, Place
from abpress.engines.by_facts import (
    TOO_LONG,
    Answer,
    FactsTime,
    details,
    left_open,
    standing_facts,
)
from abpress.engines.errors_by_facts import Errors
from abpress.interpreter import without_cycle_collection
from abpress.ir.program import Program
from abpress.later import later
from abpress.modular.analysis import Solution, analyse
from abpress.modular.apart import PlacesApart
from abpress.modular.bounds.analysis import BoundsFacts
from abpress.modular.bounds.analysis import find as find_bounds
from abpress.modular.claims import Claims, claimed
from abpress.modular.numbers.overflow import find
from abpress.modular.pairs import AccessPoint, PairOfAccesses, pairs
from abpress.modular.sequence import in_sequence
from abpress.modular.settling import TakesTooLong
from abpress.modular.threads import SoleThreads
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.bounds.write import bounds_certificate
from abpress.proof.certificate import program_digest
from abpress.proof.facts import FactsProof
from abpress.proof.numbers.write import numeric_certificate, proved_locally
from abpress.proof.protocols import Evidence
from abpress.proof.races import RacesProof, open_pairs
from abpress.proof.sequence import SequenceProof
from abpress.result import Alarm, Result, Soundness, Verdict, proved, undecided
from abpress.search.limits import Limits
from abpress.search.statistics import Statistics

_PATHS_IN_VAIN = 150
"""That local proofs may try once it is clear that there are alarms, to leave fewer of them."""

_RACES = "no-data-race"

_MOST_PAIRS = 60
"""Of more pairs of accesses invariants of any number of threads are not looked for."""

_MOST_ASKED = 40
"""Of more accesses that are not proved no solver is asked."""

_SECONDS_ALONE, _SECONDS_BESIDE = 20.0, 3.0
"""For these invariants, if no other engine is asked, and else: searches show soon that accesses
race, and where threads are created in no loop they often decide all."""

_RACE_ALARMS: Callable[..., tuple[Alarm, ...]] = later(
    "abpress.modular.alarms.races", "race_alarms"
)
_ACCESS_ALARMS: Callable[..., tuple[Alarm, ...]] = later(
    "abpress.modular.alarms.checks", "access_alarms"
)
_NUMBERS: Callable[..., Any] = later("abpress.modular.alarms.checks", "NumbersInWords")
_VALID_IF_ASKED: Callable[..., frozenset[Place]] = later(
    "abpress.proof.bounds.check", "valid_if_asked"
)
_RACES_EXCLUDED: Callable[..., Any] = later("abpress.engines.templates.engine", "races_excluded")

Answers = tuple[Mapping[str, Result], Evidence | None]


def no_data_race(program: Program, property: str, time: FactsTime, soundness: Soundness) -> Answer:
    """Proves that no pair of accesses races; else as many of them as it can."""
    reason, proof = TOO_LONG, None
    statistics: dict[str, int | float | str] = {}
    told: tuple[Alarm, ...] = ()
    for detail in details(program):
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
        told = _RACE_ALARMS(solution, alarms)
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
            standing = standing_facts(program, time)
        if standing is not None:
            found = find(program, facts, time.expired, PlacesApart(standing))
            local = proved_locally(found, time.expired, in_vain=_PATHS_IN_VAIN)
            claims = claimed(standing, ())
    except TakesTooLong:
        return undecided(property, TOO_LONG), None
    proof = numeric_certificate(found, local, claims)
    statistics: dict[str, int | float | str] = {
        "states of threads": sum(map(len, proof.stands.values())),
        "cells that grow": len(proof.counted),
        "proved locally": len(local),
        "alarms": len(proof.alarms),
    }
    left = left_open(program, proof.alarms, "an overflow", found.cuts)
    if left:
        words = _NUMBERS(found)
        told = dict.fromkeys(words.overflow(property, place) for place in proof.alarms)
        alarms = tuple(told)
        return undecided(property, left, statistics, alarms=alarms), None if found.cuts else proof
    soundness.assume(DEFINED_SO_FAR)
    return proved(property, soundness, True, statistics), proof


def valid_deref(program: Program, property: str, time: FactsTime, soundness: Soundness) -> Answer:
    """Proves that every access is within an object that lives."""
    facts = Facts.of(program)
    try:
        found, claims = _accesses(program, facts, time, None), None
        standing = standing_facts(program, time) if found.alarms or found.cuts else None
        if standing is not None:
            claims = claimed(standing, ())
            found = _accesses(program, facts, time, PlacesApart(standing), claims)
    except TakesTooLong:
        return undecided(property, TOO_LONG), None
    statistics: dict[str, int | float | str] = {
        "states of threads": sum(map(len, found.states.values())),
        "alarms": len(found.alarms),
    }
    left = left_open(program, found.alarms, "an invalid access", found.cuts)
    proof = bounds_certificate(program, found, claims)
    if left:
        alarms = _ACCESS_ALARMS(program, property, found)
        return undecided(property, left, statistics, alarms=alarms), None if found.cuts else proof
    soundness.assume(DEFINED_SO_FAR)
    return proved(property, soundness, True, statistics), proof


def _accesses(
    program: Program,
    facts: Facts,
    time: FactsTime,
    apart: PlacesApart | None,
    claims: Claims | None = None,
) -> BoundsFacts:
    """What is known of accesses; a solver is asked of those few that are left, which may follow
    from what is known. Raises TakesTooLong."""
    found = find_bounds(program, facts, time.expired, apart)
    if found.cuts or not 0 < len(found.alarms) <= _MOST_ASKED:
        return found
    proof = bounds_certificate(program, found, claims)
    valid = _VALID_IF_ASKED(program, proof, facts, apart, time.expired)
    return replace(found, alarms=tuple(place for place in found.alarms if place not in valid))


def unreach_call(program: Program, property: str, time: FactsTime, soundness: Soundness) -> Answer:
    """Proves that no error is reached that the program marks: by what classes of threads know of
    cells, by numbers, or by the code before it; by invariants of any number of threads, where they
    are created in a loop; each for those errors that are left."""
    try:
        return Errors(program, property, time).answer(soundness)
    except TakesTooLong:
        return undecided(property, TOO_LONG), None


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
    solution = standing_facts(program, time)
    sequence = None if solution is None else in_sequence(solution)
    if solution is None or sequence is None:
        return None
    result, proof = PROVERS[property](sequence, property, time, soundness)
    if result.verdict is not Verdict.TRUE or proof is None:
        return None
    claims = claimed(solution, ())
    return result, SequenceProof(program_digest(program), property, claims, proof)


def _races_of_any(
    program: Program, proof: Evidence | None, seconds: float, time: FactsTime, soundness: Soundness
) -> Answer | None:
    """A proof by invariants of any number of threads of what facts of single ones leave open; None
    if there is none."""
    pairs = open_pairs(proof.claims) if isinstance(proof, FactsProof) else ()
    if not isinstance(proof, FactsProof) or not 0 < len(pairs) <= _MOST_PAIRS:
        return None
    found = _RACES_EXCLUDED(program, pairs, min(time.seconds, seconds), time.expired)
    if isinstance(found, str):
        return None
    soundness.assume(DEFINED_SO_FAR)
    statistics = {"pairs left to invariants": len(pairs)}
    return proved(_RACES, soundness, True, statistics), RacesProof(proof.program, proof, found)


def prove(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None],
    soundness: Soundness,
) -> Answers:
    """Proves the configuration's only property, or leaves it open."""

    (property,) = config.question.properties
    time = FactsTime(limits, progress)
    with without_cycle_collection():
        result, proof = PROVERS[property](program, property, time, soundness)
        if result.verdict is Verdict.UNKNOWN and property != _RACES and not time.expired():
            found = _one_after_another(program, property, time, soundness)
            result, proof = found or (result, proof)
        elif result.verdict is Verdict.UNKNOWN and property == _RACES:
            alone = config.search.engine == "static"
            seconds = _SECONDS_ALONE if alone else _SECONDS_BESIDE
            if alone or SoleThreads(program).creates_many:
                found = _races_of_any(program, proof, seconds, time, soundness)
                result, proof = found or (result, proof)
    late = time.expired() and not limits.interrupt.requested
    if result.verdict is Verdict.UNKNOWN and late:
        result = replace(result, reason=limits.time_exceeded.text)
    return {property: result}, proof
