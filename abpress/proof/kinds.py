"""The kinds of certificates. The modules of a kind are loaded when there is a certificate of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abpress.later import later
from abpress.proof.certificate import Rejected
from abpress.proof.kind import CertificateKind
from abpress.proof.partial import PARTIAL

KINDS: Mapping[str, CertificateKind] = {
    "abpress certificate": CertificateKind(
        later("abpress.proof.write", "write_tree"),
        later("abpress.proof.certificate", "read_tree"),
        later("abpress.proof.whole", "check"),
        complete=True,
    ),
    "abpress certificate of clauses": CertificateKind(
        later("abpress.proof.write", "write_tree"),
        later("abpress.proof.certificate", "read_tree"),
        later("abpress.proof.check", "check"),
        complete=False,
    ),
    **PARTIAL,
    "abpress joint facts": CertificateKind(
        later("abpress.proof.joint", "write_joint"),
        later("abpress.proof.joint", "read_joint"),
        later("abpress.proof.joint", "check_joint"),
        complete=False,
    ),
    "abpress races of any number": CertificateKind(
        later("abpress.proof.races", "write_races"),
        later("abpress.proof.races", "read_races"),
        later("abpress.proof.races", "check_races"),
        complete=False,
    ),
    "abpress facts in sequence": CertificateKind(
        later("abpress.proof.sequence", "write_sequence"),
        later("abpress.proof.sequence", "read_sequence"),
        later("abpress.proof.sequence", "check_sequence"),
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
