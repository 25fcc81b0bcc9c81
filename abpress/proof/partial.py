"""Certificates of facts that may leave something open: what they leave open, once they are checked.

They are parts of certificates of several kinds of facts, and of trees that rest on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abpress.config import Alarms, Place
from abpress.ir.program import Program
from abpress.later import later
from abpress.proof.certificate import Rejected
from abpress.proof.kind import CertificateKind

PARTIAL: Mapping[str, CertificateKind] = {
    "abpress facts": CertificateKind(
        later("abpress.proof.facts", "write_facts"),
        later("abpress.proof.facts", "read_facts"),
        later("abpress.proof.facts", "check_facts"),
        complete=False,
        left_open=later("abpress.proof.facts", "left_open"),
        synchronises=True,
    ),
    "abpress numeric certificate": CertificateKind(
        later("abpress.proof.numbers.certificate", "write_numeric"),
        later("abpress.proof.numbers.certificate", "parse_numeric"),
        later("abpress.proof.numbers.check", "check_numbers"),
        complete=False,
        left_open=later("abpress.proof.numbers.check", "numbers_left_open"),
    ),
    "abpress certificate of accesses": CertificateKind(
        later("abpress.proof.bounds.certificate", "write_bounds"),
        later("abpress.proof.bounds.certificate", "parse_bounds"),
        later("abpress.proof.bounds.check", "check_bounds"),
        complete=False,
        left_open=later("abpress.proof.bounds.check", "bounds_left_open"),
    ),
    "abpress template invariants": CertificateKind(
        later("abpress.proof.templates.certificate", "write_templates"),
        later("abpress.proof.templates.certificate", "read_templates"),
        later("abpress.proof.templates.check", "check_templates"),
        complete=False,
        left_open=later("abpress.proof.templates.check", "templates_left_open"),
    ),
}
"""Format of a certificate -> its kind; of all of them it can be told what they leave open."""


def read_partial(data: Any) -> Any:
    """The certificate that JSON data says. Raises Rejected."""
    kind = PARTIAL.get(str(data.get("format"))) if isinstance(data, dict) else None
    if kind is None:
        raise Rejected("a part is not a certificate of facts")
    return kind.read(data)


def left_open_by(program: Program, part: Any) -> tuple[Alarms, frozenset[Place]]:
    """What facts leave open of the property that they are about, by their certificate, which is
    checked, and the edges whose accesses meet none in conflict. Raises Rejected and Unchecked."""
    left_open = PARTIAL[part.format].left_open
    if left_open is None:
        raise AssertionError(f"{part.format} leaves nothing open")
    return left_open(program, part)
