"""Engine `facts`: what holds where single threads stand proves properties, without any search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.ir.program import Program
from abpress.modular.analysis import Detail, Solution, analyse
from abpress.modular.apart import PlacesApart
from abpress.modular.bounds.analysis import find as find_bounds
from abpress.modular.claims import claimed
from abpress.modular.numbers.overflow import find
from abpress.modular.pairs import AccessPoint, PairOfAccesses, pairs
from abpress.modular.settling import TakesTooLong
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.bounds.write import bounds_certificate
from abpress.proof.certificate import program_digest
from abpress.proof.facts import FactsProof
from abpress.proof.numbers.certificate import Place
from abpress.proof.numbers.write import numeric_certificate, proved_locally
from abpress.proof.protocols import Evidence
from abpress.result import Result, Soundness, proved, undecided
from abpress.search.limits import Limits
from abpress.search.statistics import Statistics

_DETAILS = (Detail(parts=8), Detail(parts=64, occurrences=8))
"""The second one is for what the first one leaves open."""

Expired = Callable[[], bool]
Answer = tuple[Result, Evidence | None]
Answers = tuple[Mapping[str, Result], Evidence | None]


def no_data_race(program: Program, property: str, expired: Expired, soundness: Soundness) -> Answer:
    """Proves that no pair of accesses races; else as many of them as it can."""
    reason, proof = "the facts take too long to find", None
    statistics: dict[str, int | float | str] = {}
    for detail in _DETAILS:
        solution = analyse(program, detail, expired)
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
    return undecided(property, reason, statistics), proof


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


def no_overflow(program: Program, property: str, expired: Expired, soundness: Soundness) -> Answer:
    """Proves that no signed operation overflows."""
    facts = Facts.of(program)
    try:
        found = find(program, facts, expired)
        local, claims = proved_locally(found, expired), None
        standing = None
        if found.cuts or len(local) < len(found.alarms):
            standing = _standing(program, expired)
        if standing is not None:
            found = find(program, facts, expired, PlacesApart(standing))
            local, claims = proved_locally(found, expired), claimed(standing, ())
    except TakesTooLong:
        return undecided(property, "the facts take too long to find"), None
    proof = numeric_certificate(found, local, claims)
    statistics: dict[str, int | float | str] = {
        "states of threads": sum(map(len, proof.stands.values())),
        "cells that grow": len(proof.counted),
        "proved locally": len(local),
        "alarms": len(proof.alarms),
    }
    left = _left(program, proof.alarms, "an overflow", found.cuts)
    if left:
        return undecided(property, left, statistics), None
    soundness.assume(DEFINED_SO_FAR)
    return proved(property, soundness, True, statistics), proof


def _standing(program: Program, expired: Expired) -> Solution | None:
    """What is known where single threads stand, if a proof may use it."""
    solution = analyse(program, _DETAILS[0], expired)
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


def valid_deref(program: Program, property: str, expired: Expired, soundness: Soundness) -> Answer:
    """Proves that every access is within an object that lives."""
    facts = Facts.of(program)
    try:
        found, claims = find_bounds(program, facts, expired), None
        standing = _standing(program, expired) if found.alarms or found.cuts else None
        if standing is not None:
            found = find_bounds(program, facts, expired, PlacesApart(standing))
            claims = claimed(standing, ())
    except TakesTooLong:
        return undecided(property, "the facts take too long to find"), None
    statistics: dict[str, int | float | str] = {
        "states of threads": sum(map(len, found.states.values())),
        "alarms": len(found.alarms),
    }
    left = _left(program, found.alarms, "an invalid access", found.cuts)
    if left:
        return undecided(property, left, statistics), None
    soundness.assume(DEFINED_SO_FAR)
    return proved(property, soundness, True, statistics), bounds_certificate(program, found, claims)


Prover = Callable[[Program, str, Expired, Soundness], Answer]

PROVERS: Mapping[str, Prover] = {
    "no-data-race": no_data_race,
    "no-overflow": no_overflow,
    "valid-deref": valid_deref,
}
"""The properties that facts can prove, by name."""


def prove(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None],
    soundness: Soundness,
) -> Answers:
    """Proves the configuration's only property, or leaves it open."""

    def expired() -> bool:
        late = limits.time is not None and monotonic() - limits.started >= limits.time
        return late or limits.interrupt.requested

    (property,) = config.question.properties
    result, proof = PROVERS[property](program, property, expired, soundness)
    return {property: result}, proof


def search(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None],
    soundness: Soundness,
) -> Mapping[str, Result]:
    """As `prove`, without what a certificate is made from."""
    return prove(program, config, limits, progress, soundness)[0]
