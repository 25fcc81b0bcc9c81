"""What a kind of certificates is: how each is written, read and checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from abpress.config import Alarms, Place
from abpress.ir.program import Program
from abpress.proof.certificate import Accepted
from abpress.proof.protocols import Claimed, Proof

LeftOpen = Callable[[Program, Any], tuple[Alarms, frozenset[Place]]]
"""Checks a certificate of facts, and tells what these leave open, and where accesses meet none in
conflict. Raises Rejected and Unchecked."""


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
    left_open: LeftOpen | None = None
    synchronises: bool = False
