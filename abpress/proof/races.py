"""Certificates of race freedom by two kinds of facts, as text (JSON).

Claims about single threads show it of most pairs of accesses. Of those that they call alarms,
invariants of threads of templates show that no two threads stand before them, each of some of them:
what is an invariant does not depend on what it is used for. NOTE(races-of-any)
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
VERSION = 2
_RACES = "no-data-race"

_CHECK_APART: Callable[..., int] = later("abpress.proof.templates.check", "check_apart")


Pairs = tuple[tuple[AccessAt, AccessAt], ...]
"""Pairs of accesses."""


@dataclass(frozen=True, slots=True)
class PairsExcluded:
    """Pairs of accesses, and what is said of threads that excludes them."""

    pairs: Pairs
    invariants: TemplateCertificate


@dataclass(frozen=True, slots=True)
class RacesProof:
    """Claims that leave pairs of accesses of a program open, which is named by its digest, and the
    parts of these that are excluded, each by what is said of threads."""

    program: str
    claimed: FactsProof
    parts: tuple[PairsExcluded, ...]
    format: str = FORMAT

    def properties(self) -> tuple[str, ...]:
        """The property that it proves."""
        return (_RACES,)

    def variant_of(self) -> tuple[str, ...]:
        """The property that the variant of the program is for."""
        return (_RACES,)


def open_pairs(claims: Claims) -> Pairs:
    """The accesses of the pairs that claims call alarms."""
    names = [c.template for c in claims.classes]
    found = (
        ((names[a[0]], a[1], a[2], a[3]), (names[b[0]], b[1], b[2], b[3]))
        for a, b in sorted(claims.alarms)
    )
    return tuple(dict.fromkeys(found))


def write_races(program: Program, proof: RacesProof, claimed: Claimed) -> str:
    """The certificate as JSON: a head, and the certificates of which it consists."""
    head = {"format": proof.format, "version": VERSION, "program": proof.program}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    facts = write_facts(program, proof.claimed, claimed).rstrip()
    parts = ",\n".join(
        f'{{"pairs": {json.dumps(part.pairs)},\n"invariants": '
        f"{write_templates(program, part.invariants, claimed).rstrip()}}}"
        for part in proof.parts
    )
    return "{\n" + ",\n".join([*lines, f'"claims": {facts}', f'"parts": [{parts}]']) + "\n}\n"


def read_races(data: Any) -> RacesProof:
    """The certificate that JSON data says. Raises Rejected."""
    if data.get("version") != VERSION:
        raise Rejected("the version of the format is not known")
    claims, parts = data.get("claims"), data.get("parts")
    if not isinstance(claims, dict) or not isinstance(parts, list):
        raise Rejected("it does not consist of certificates")
    return RacesProof(str(data.get("program")), read_facts(claims), tuple(map(_read_part, parts)))


def _read_part(data: Any) -> PairsExcluded:
    if not isinstance(data, dict) or not isinstance(data.get("invariants"), dict):
        raise Rejected("a part is no certificate")
    try:
        pairs = tuple((_read_access(a), _read_access(b)) for a, b in data["pairs"])
    except (LookupError, TypeError, ValueError) as error:
        raise Rejected(f"pairs of accesses are malformed: {error}") from error
    return PairsExcluded(pairs, read_templates(data["invariants"]))


def _read_access(data: Any) -> AccessAt:
    template, location, edge, effect = data
    return str(template), int(location), int(edge), int(effect)


def check_races(program: Program, proof: RacesProof) -> Accepted:
    """Checks a certificate for the program; what it counts are pairs that the claims leave open,
    and obligations for these. Raises Rejected and Unchecked."""
    require_program(proof.program, program)
    if proof.claimed.properties() != (_RACES,):
        raise Rejected("the claims are about another property")
    left_open(program, proof.claimed)
    pairs = open_pairs(proof.claimed.claims)
    excluded = {pair for part in proof.parts for pair in part.pairs}
    if not excluded.issuperset(pairs):
        raise Rejected("nothing excludes a pair of accesses that the claims leave open")
    count = sum(_CHECK_APART(program, part.invariants, part.pairs) for part in proof.parts)
    return Accepted(_RACES, (DEFINED_SO_FAR,), len(pairs), count)
