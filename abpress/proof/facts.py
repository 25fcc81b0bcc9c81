"""Certificates of thread-modular proofs: claims about single threads, as text (JSON)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from abpress.config import Alarms, Place
from abpress.ir.program import UNREACH_CALL, Program
from abpress.modular.analysis import Solution
from abpress.modular.assertions import failures_of_classes, is_failure
from abpress.modular.claims import Claims, Malformed, read, written
from abpress.modular.synchronised import synchronised
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.certificate import Accepted, Rejected, require_program
from abpress.proof.modular import check_claims, check_states
from abpress.proof.protocols import Claimed

FORMAT = "abpress facts"
VERSION = 2
_RACES = "no-data-race"


@dataclass(frozen=True, slots=True)
class FactsProof:
    """Claims that prove a property of a program, which is named by its digest, but for alarms.

    `failures` are those of a property that the program itself marks: edges that violate it."""

    program: str
    property: str
    claims: Claims
    failures: tuple[Place, ...] = ()
    format: str = FORMAT

    def properties(self) -> tuple[str, ...]:
        """The property that it proves."""
        return (self.property,)

    def variant_of(self) -> tuple[str, ...]:
        """The property that the variant of the program is for."""
        return (self.property,)

    def alarms(self) -> Alarms:
        """The edges of the accesses of which some pair is an alarm, and the failures."""
        classes = self.claims.classes
        racing = (
            (classes[cls].template, location, edge)
            for pair in self.claims.alarms
            for cls, location, edge, *_ in pair
        )
        return Alarms(self.property, frozenset((*racing, *self.failures)))


def write_facts(program: Program, proof: FactsProof, claimed: Claimed) -> str:
    """The certificate as JSON, with an entry on each line."""
    data: dict[str, Any] = {
        "format": proof.format,
        "version": VERSION,
        "program": proof.program,
        "property": proof.property,
        **({"failures": proof.failures} if proof.failures else {}),
        **written(proof.claims),
    }
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_facts(data: Any) -> FactsProof:
    """The certificate that JSON data says. Raises Rejected."""
    if data.get("version") != VERSION:
        raise Rejected("the version of the format is not known")
    try:
        failures = tuple((str(t), int(i), int(k)) for t, i, k in data.get("failures", ()))
        claims = read(data)
    except (Malformed, TypeError, ValueError) as error:
        raise Rejected(f"the certificate is malformed: {error}") from error
    return FactsProof(str(data.get("program")), str(data.get("property")), claims, failures)


def check_facts(program: Program, proof: FactsProof) -> Accepted:
    """Checks a certificate for the program; what it counts are sets of states, and pairs of
    accesses. Raises Rejected."""
    if proof.claims.alarms:
        raise Rejected("there are pairs of accesses that may race")
    if proof.failures:
        raise Rejected("there are errors that may be reached")
    _check(program, proof)
    states = sum(map(len, proof.claims.known.values()))
    return Accepted(proof.property, (DEFINED_SO_FAR,), states, len(proof.claims.reasons))


def left_open(program: Program, proof: FactsProof) -> tuple[Alarms, frozenset[Place]]:
    """Checks what a certificate says of all but its alarms, and returns these, and the edges whose
    accesses meet none in conflict by what it says (if it is about races). Raises Rejected."""
    solution = _check(program, proof)
    races = proof.property == _RACES
    return proof.alarms(), synchronised(solution) if races else frozenset()


def _check(program: Program, proof: FactsProof) -> Solution:
    require_program(proof.program, program)
    if proof.property not in (_RACES, UNREACH_CALL):
        raise Rejected("facts do not prove this property")
    races = proof.property == _RACES
    if proof.failures if races else proof.claims.alarms or proof.claims.reasons:
        raise Rejected("it is about races, and about errors that the program marks")
    try:
        if races:
            return check_claims(program, proof.claims)
        solution = check_states(program, proof.claims)
        _failures(solution, proof)
        return solution
    except (LookupError, TypeError, ValueError, AssertionError, RecursionError) as error:
        raise Rejected(f"the certificate is malformed: {error}") from error


def _failures(solution: Solution, proof: FactsProof) -> None:
    for template, location, k in failures_of_classes(solution, is_failure(proof.property)):
        if (template, location, k) not in proof.failures:
            where = solution.program.templates[template].locations[location].edges[k].position
            raise Rejected(f"an error at {where} may be reached")
