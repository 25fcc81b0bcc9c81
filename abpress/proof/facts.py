"""Certificates of thread-modular proofs: claims about single threads, as text (JSON)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from abpress.ir.program import Program
from abpress.modular.claims import Claims, Malformed, read, written
from abpress.proof.certificate import Rejected, program_digest
from abpress.proof.modular import check_claims

FORMAT = "abpress facts"
VERSION = 1

ASSUMPTION = "no undefined behaviour: executions are looked at up to it"
"""What a proof by facts rests on, as executions end there."""


@dataclass(frozen=True, slots=True)
class FactsProof:
    """Claims that prove a property."""

    property: str
    claims: Claims


def format_facts(program: Program, proof: FactsProof) -> str:
    """The certificate as JSON, with an entry on each line."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "program": program_digest(program),
        "property": proof.property,
        **written(proof.claims),
    }
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def property_of_facts(text: str) -> str | None:
    """The property of a certificate of this kind; None for texts of other kinds."""
    data = _parsed(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return None
    return str(data.get("property"))


def check_facts(program: Program, text: str) -> FactsProof:
    """Checks a certificate for the program. Raises Rejected."""
    data = _parsed(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise Rejected("the file is not a certificate")
    if data.get("version") != VERSION:
        raise Rejected("the version of the format is not known")
    if data.get("program") != program_digest(program):
        raise Rejected("it is for another program, or for other options of the program")
    if data.get("property") != "no-data-race":
        raise Rejected("facts do not prove this property")
    try:
        claims = read(data)
        if claims.alarms:
            raise Rejected("there are pairs of accesses that may race")
        check_claims(program, claims)
    except (Malformed, LookupError, TypeError, ValueError, AssertionError, RecursionError) as error:
        raise Rejected(f"the certificate is malformed: {error}") from error
    return FactsProof("no-data-race", claims)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
