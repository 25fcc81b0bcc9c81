"""Answers about certificates."""

from __future__ import annotations

from dataclasses import dataclass

from abpress.config import Config
from abpress.proof.certificate import Accepted, Rejected, Unchecked
from abpress.verify.certify import check_proof


@dataclass(frozen=True, slots=True)
class ProofCheck:
    """What the checker says of certificates. True in a condition if it accepts them all.

    Neither `accepted` nor `rejected`: a limit was reached, or the solver gave up on a question.
    `reason` says why it is not accepted.
    """

    accepted: tuple[Accepted, ...] = ()
    rejected: bool = False
    reason: str = ""

    def __bool__(self) -> bool:
        return bool(self.accepted)

    @property
    def properties(self) -> tuple[str, ...]:
        """What is proved."""
        return tuple(name for its in self.accepted for name in its.property.split(","))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the proofs rest on."""
        return tuple(dict.fromkeys(a for its in self.accepted for a in its.assumptions))


def checked_proof(config: Config, certificate: str) -> ProofCheck:
    """What the checker says of the text of certificates, for `config.program`. Raises InputError
    and UnsupportedError for a program that cannot be read."""
    try:
        return ProofCheck(check_proof(config, certificate))
    except Rejected as error:
        return ProofCheck(rejected=True, reason=error.reason)
    except Unchecked as error:
        return ProofCheck(reason=error.reason)
