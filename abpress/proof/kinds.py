"""The kinds of certificates: how each is written, read and checked.

The modules of a kind are loaded when there is a certificate of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from abpress.config import Alarms, Place
from abpress.ir.program import Program
from abpress.later import later
from abpress.proof.certificate import Accepted, Rejected
from abpress.proof.protocols import Claimed, Proof


@dataclass(frozen=True, slots=True)
class CertificateKind:
    """A kind of certificates. `write` gives a text, `read` takes its JSON data and raises Rejected,
    `check` raises Rejected and Unchecked.

    `left_open` checks what the certificate says of all that it does not leave open, and returns
    what it does, and the edges whose accesses meet none in conflict (None: it is not of facts); it
    raises Rejected and Unchecked. `synchronises`: there may be such edges.
    `complete`: the checker accepts whatever an engine has proved, unless one of them is wrong.
    """

    write: Callable[[Program, Any, Claimed], str]
    read: Callable[[Any], Proof]
    check: Callable[[Program, Any], Accepted]
    complete: bool
    left_open: Callable[[Program, Any], tuple[Alarms, frozenset[Place]]] | None = None
    synchronises: bool = False


KINDS: Mapping[str, CertificateKind] = {
    "abpress certificate": CertificateKind(
        later("abpress.proof.write", "write_tree"),
        later("abpress.proof.certificate", "read_tree"),
        later("abpress.proof.check", "check"),
        complete=True,
    ),
    "abpress certificate of clauses": CertificateKind(
        later("abpress.proof.write", "write_tree"),
        later("abpress.proof.certificate", "read_tree"),
        later("abpress.proof.check", "check"),
        complete=False,
    ),
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
    "abpress joint facts": CertificateKind(
        later("abpress.proof.joint", "write_joint"),
        later("abpress.proof.joint", "read_joint"),
        later("abpress.proof.joint", "check_joint"),
        complete=False,
    ),
}
"""Format of a certificate -> its kind.

What a solver of clauses says is believed where the checker accepts it, and nowhere else. Facts may
be lost where an analysis joins others to them: then the checker does not find what the engine
has."""


def kind_of(data: Any) -> CertificateKind:
    """The kind of a certificate, of its JSON data. Raises Rejected if it has none."""
    format = data.get("format") if isinstance(data, dict) else None
    if not isinstance(format, str) or format not in KINDS:
        raise Rejected("the file is not a certificate")
    return KINDS[format]
