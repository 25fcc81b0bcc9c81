"""Certificates of race freedom by two kinds of facts, as text (JSON).

Claims about single threads show it of most pairs of accesses. Of those that they call alarms,
invariants of threads of templates show that no two threads stand before them. NOTE(races-of-any)
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from abpress.ir.program import Program
from abpress.later import later
from abpress.modular.claims import Claims
from abpress.modular.templates.paths import AccessAt
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.certificate import Accepted, Rejected, require_program
from abpress.proof.facts import FactsProof, left_open, read_facts, write_facts
from abpress.proof.protocols import Claimed
from abpress.proof.templates.certificate import (
    TemplateCertificate,
    read_templates,
    write_templates,
)

FORMAT = "abpress races of any number"
VERSION = 1
_RACES = "no-data-race"

_CHECK_APART: Callable[..., int] = later("abpress.proof.templates.check", "check_apart")


@dataclass(frozen=True, slots=True)
class RacesProof:
    """Claims that leave pairs of accesses of a program open, which is named by its digest, and what
    is said of threads that excludes these."""

    program: str
    claimed: FactsProof
    invariants: TemplateCertificate
    format: str = FORMAT

    def properties(self) -> tuple[str, ...]:
        """The property that it proves."""
        return (_RACES,)

    def variant_of(self) -> tuple[str, ...]:
        """The property that the variant of the program is for."""
        return (_RACES,)


def open_pairs(claims: Claims) -> tuple[tuple[AccessAt, AccessAt], ...]:
    """The accesses of the pairs that claims call alarms."""
    names = [c.template for c in claims.classes]
    found = (
        ((names[a[0]], a[1], a[2], a[3]), (names[b[0]], b[1], b[2], b[3]))
        for a, b in sorted(claims.alarms)
    )
    return tuple(dict.fromkeys(found))


def write_races(program: Program, proof: RacesProof, claimed: Claimed) -> str:
    """The certificate as JSON: a head, and the two certificates of which it consists."""
    head = {"format": proof.format, "version": VERSION, "program": proof.program}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    facts = write_facts(program, proof.claimed, claimed).rstrip()
    invariants = write_templates(program, proof.invariants, claimed).rstrip()
    parts = [f'"claims": {facts}', f'"invariants": {invariants}']
    return "{\n" + ",\n".join([*lines, *parts]) + "\n}\n"


def read_races(data: Any) -> RacesProof:
    """The certificate that JSON data says. Raises Rejected."""
    if data.get("version") != VERSION:
        raise Rejected("the version of the format is not known")
    parts = data.get("claims"), data.get("invariants")
    if not all(isinstance(part, dict) for part in parts):
        raise Rejected("it does not consist of two certificates")
    return RacesProof(str(data.get("program")), read_facts(parts[0]), read_templates(parts[1]))


def check_races(program: Program, proof: RacesProof) -> Accepted:
    """Checks a certificate for the program; what it counts are pairs that the claims leave open,
    and obligations for these. Raises Rejected and Unchecked."""
    require_program(proof.program, program)
    if proof.claimed.properties() != (_RACES,):
        raise Rejected("the claims are about another property")
    left_open(program, proof.claimed)
    pairs = open_pairs(proof.claimed.claims)
    count = _CHECK_APART(program, proof.invariants, pairs)
    return Accepted(_RACES, (DEFINED_SO_FAR,), len(pairs), count)
