"""What certificates of all kinds have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from abpress.config import Place
from abpress.semantics.outcome import Options


class Evidence(Protocol):
    """What an engine has to make a certificate from, of the kind whose `format` it names."""

    @property
    def format(self) -> str: ...


class Proof(Protocol):
    """A certificate that was read: what it proves, and of which variant of the program."""

    def properties(self) -> Sequence[str]: ...
    def variant_of(self) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True)
class Claimed:
    """What is proved: these properties, of the variant of the program that those asked need.

    `facts` are the texts of certificates that prove the rest of them, and that accesses of the
    edges that are `synchronised` meet none in conflict. `lean`: of the program without what nobody
    reads, NOTE(overwritten-writes), NOTE(private-objects).
    """

    properties: Sequence[str]
    asked: Sequence[str]
    options: Options
    facts: Sequence[str] = ()
    synchronised: Sequence[Place] = ()
    lean: bool = False
