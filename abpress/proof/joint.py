"""Certificates of several facts that prove a property together, as text (JSON).

Each part is a certificate of facts of some kind, which leaves edges open. Together they prove the
property if every edge is shown by one of them not to violate it, NOTE(joint-facts).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from abpress.config import Place
from abpress.ir.program import Program
from abpress.proof.assumptions import DEFINED_SO_FAR
from abpress.proof.certificate import Accepted, Rejected, program_digest, require_program
from abpress.proof.partial import PARTIAL, left_open_by, read_partial
from abpress.proof.protocols import Claimed, Evidence, Proof

FORMAT = "abpress joint facts"
VERSION = 1


@dataclass(frozen=True, slots=True)
class JointFacts:
    """Certificates of facts that prove a property of a program, which is named by its digest."""

    program: str
    property: str
    parts: tuple[Evidence, ...]
    format: str = FORMAT

    def properties(self) -> tuple[str, ...]:
        """The property that it proves."""
        return (self.property,)

    def variant_of(self) -> tuple[str, ...]:
        """The property that the variant of the program is for."""
        return (self.property,)


def write_joint(program: Program, proof: JointFacts, claimed: Claimed) -> str:
    """The certificate as JSON: a head, and its parts one after the other."""
    head = {
        "format": proof.format,
        "version": VERSION,
        "program": proof.program,
        "property": proof.property,
    }
    texts = (PARTIAL[part.format].write(program, part, claimed).rstrip() for part in proof.parts)
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    return "{\n" + ",\n".join([*lines, '"parts": [\n' + ",\n".join(texts) + "\n]"]) + "\n}\n"


def read_joint(data: Any) -> JointFacts:
    """The certificate that JSON data says. Raises Rejected."""
    if data.get("version") != VERSION:
        raise Rejected("the version of the format is not known")
    parts = data.get("parts")
    if not isinstance(parts, list):
        raise Rejected("it has no parts")
    return JointFacts(
        str(data.get("program")), str(data.get("property")), tuple(map(read_partial, parts))
    )


def check_joint(program: Program, proof: JointFacts) -> Accepted:
    """Checks a certificate for the program; what it counts are parts, and edges that one part
    leaves to others. Raises Rejected and Unchecked."""
    require_program(proof.program, program)
    left = [_left_open(program, proof.property, part) for part in proof.parts]
    if not left:
        raise Rejected("it has no parts")
    everywhere = frozenset.intersection(*left)
    if everywhere:
        raise Rejected("no part says of {} {} {} that it is harmless".format(*min(everywhere)))
    settled = frozenset[Place]().union(*left)
    return Accepted(proof.property, (DEFINED_SO_FAR,), len(left), len(settled))


def _left_open(program: Program, property: str, part: Any) -> frozenset[Place]:
    its: Proof = part
    if tuple(its.properties()) != (property,):
        raise Rejected("a part is about another property")
    alarms, _ = left_open_by(program, part)
    return alarms.places


def joint(program: Program, property: str, parts: Sequence[Evidence]) -> JointFacts:
    """The certificate of these parts."""
    return JointFacts(program_digest(program), property, tuple(parts))
