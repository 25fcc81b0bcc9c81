"""Certificates of thread-modular proofs: claims about single threads, as text (JSON)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from abpress.config import Alarms, Place
from abpress.ir.program import Program
from abpress.modular.analysis import Solution
from abpress.modular.claims import Claims, Malformed, read, written
from abpress.modular.synchronised import synchronised
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.certificate import Accepted, Rejected, program_digest
from abpress.proof.modular import check_claims
from abpress.proof.protocols import Claimed

FORMAT = "abpress facts"
VERSION = 1


@dataclass(frozen=True, slots=True)
class FactsProof:
    """Claims that prove a property of a program, which is named by its digest, but for alarms."""

    program: str
    property: str
    claims: Claims
    format: str = FORMAT

    def properties(self) -> tuple[str, ...]:
        """The property that it proves."""
        return (self.property,)

    def variant_of(self) -> tuple[str, ...]:
        """The property that the variant of the program is for."""
        return (self.property,)

    def alarms(self) -> Alarms:
        """The edges of the accesses of which some pair is an alarm."""
        classes = self.claims.classes
        return Alarms(
            self.property,
            frozenset(
                (classes[cls].template, location, edge)
                for pair in self.claims.alarms
                for cls, location, edge, *_ in pair
            ),
        )


def write_facts(program: Program, proof: FactsProof, claimed: Claimed) -> str:
    """The certificate as JSON, with an entry on each line."""
    data: dict[str, Any] = {
        "format": proof.format,
        "version": VERSION,
        "program": proof.program,
        "property": proof.property,
        **written(proof.claims),
    }
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_facts(data: Any) -> FactsProof:
    """The certificate that JSON data says. Raises Rejected."""
    if data.get("version") != VERSION:
        raise Rejected("the version of the format is not known")
    try:
        return FactsProof(str(data.get("program")), str(data.get("property")), read(data))
    except Malformed as error:
        raise Rejected(f"the certificate is malformed: {error}") from error


def check_facts(program: Program, proof: FactsProof) -> Accepted:
    """Checks a certificate for the program; what it counts are sets of states, and pairs of
    accesses. Raises Rejected."""
    if proof.claims.alarms:
        raise Rejected("there are pairs of accesses that may race")
    _check(program, proof)
    states = sum(map(len, proof.claims.known.values()))
    return Accepted(proof.property, (DEFINED_SO_FAR,), states, len(proof.claims.reasons))


def left_open(program: Program, proof: FactsProof) -> tuple[Alarms, frozenset[Place]]:
    """Checks what a certificate says of all but its alarms, and returns these, and the edges whose
    accesses meet none in conflict by what it says. Raises Rejected."""
    solution = _check(program, proof)
    return proof.alarms(), synchronised(solution)


def _check(program: Program, proof: FactsProof) -> Solution:
    if proof.program != program_digest(program):
        raise Rejected("it is for another program, or for other options of the program")
    if proof.property != "no-data-race":
        raise Rejected("facts do not prove this property")
    try:
        return check_claims(program, proof.claims)
    except (LookupError, TypeError, ValueError, AssertionError, RecursionError) as error:
        raise Rejected(f"the certificate is malformed: {error}") from error
