"""Certificates of proofs by a program in which threads run one after the other, as text (JSON).

Claims about single threads say that no two of them ever conflict, NOTE(one-after-another). From
them the checker makes the program with one thread, of which another certificate is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from abpress.ir.program import Program
from abpress.modular.claims import Claims, Malformed, read, written
from abpress.modular.sequence import in_sequence
from abpress.proof.certificate import Accepted, Rejected, require_program
from abpress.proof.joint import FORMAT as JOINT
from abpress.proof.joint import JointFacts, check_joint, read_joint, write_joint
from abpress.proof.modular import check_states
from abpress.proof.partial import PARTIAL, read_partial
from abpress.proof.protocols import Claimed, Evidence, Proof

FORMAT = "abpress facts in sequence"
VERSION = 1
_RACES = "no-data-race"


@dataclass(frozen=True, slots=True)
class SequenceProof:
    """Claims about the threads of a program, which is named by its digest, and a certificate of the
    program in which they run one after the other."""

    program: str
    property: str
    claims: Claims
    sequence: Evidence
    format: str = FORMAT

    def properties(self) -> tuple[str, ...]:
        """The property that it proves."""
        return (self.property,)

    def variant_of(self) -> tuple[str, ...]:
        """The property that the variant of the program is for."""
        return (self.property,)


def write_sequence(program: Program, proof: SequenceProof, claimed: Claimed) -> str:
    """The certificate as JSON; that of the sequence is its last entry."""
    data: dict[str, Any] = {
        "format": proof.format,
        "version": VERSION,
        "program": proof.program,
        "property": proof.property,
        "claims": written(proof.claims),
    }
    part = proof.sequence
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()]
    if isinstance(part, JointFacts):
        text = write_joint(program, part, claimed).rstrip()
    else:
        text = PARTIAL[part.format].write(program, part, claimed).rstrip()
    return "{\n" + ",\n".join([*lines, '"sequence": ' + text]) + "\n}\n"


def read_sequence(data: Any) -> SequenceProof:
    """The certificate that JSON data says. Raises Rejected."""
    if data.get("version") != VERSION:
        raise Rejected("the version of the format is not known")
    part = data.get("sequence")
    joint = isinstance(part, dict) and part.get("format") == JOINT
    try:
        claims = read(data.get("claims"))
    except Malformed as error:
        raise Rejected(f"the certificate is malformed: {error}") from error
    sequence = read_joint(part) if joint else read_partial(part)
    return SequenceProof(str(data.get("program")), str(data.get("property")), claims, sequence)


def check_sequence(program: Program, proof: SequenceProof) -> Accepted:
    """Checks a certificate for the program; what it counts is what that of the sequence does.
    Raises Rejected and Unchecked."""
    require_program(proof.program, program)
    part: Any = proof.sequence
    its: Proof = part
    if proof.property == _RACES or tuple(its.properties()) != (proof.property,):
        raise Rejected("the sequence is about another property")
    solution = check_states(program, proof.claims)
    try:
        sequence = in_sequence(solution)
    except (LookupError, TypeError, ValueError, AssertionError, RecursionError) as error:
        raise Rejected(f"the claims are malformed: {error}") from error
    if sequence is None:
        raise Rejected("the claims do not say that threads may run one after the other")
    check = check_joint if isinstance(part, JointFacts) else PARTIAL[part.format].check
    return check(sequence, part)
