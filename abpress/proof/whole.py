"""Certificates of whole proofs: what checks trees is loaded where the text does not prove all."""

from __future__ import annotations

from collections.abc import Callable

from abpress.ir.program import Program
from abpress.later import later
from abpress.proof.allocation import accepted_by_text
from abpress.proof.certificate import Accepted, Certificate, require_program

_check_tree: Callable[[Program, Certificate], Accepted] = later("abpress.proof.check", "check")


def check(program: Program, certificate: Certificate) -> Accepted:
    """Checks the certificate for the program. Raises Rejected and Unchecked, with the reason."""
    require_program(certificate.program, program)
    return accepted_by_text(program, certificate) or _check_tree(program, certificate)
