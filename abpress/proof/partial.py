"""Certificates of facts that may leave something open: what they leave open, once they are checked.

They are parts of certificates of several kinds of facts, and of trees that rest on them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from abpress.config import Alarms, Place
from abpress.ir.program import Program
from abpress.later import later
from abpress.proof import facts
from abpress.proof.bounds import certificate as bounds
from abpress.proof.certificate import Rejected
from abpress.proof.numbers import certificate as numeric
from abpress.proof.protocols import Claimed, Proof


@dataclass(frozen=True, slots=True)
class PartialKind:
    """A kind of such certificates, as `abpress.proof.kinds` has it."""

    write: Callable[[Program, Any, Claimed], str]
    read: Callable[[Any], Proof]
    left_open: Callable[[Program, Any], tuple[Alarms, frozenset[Place]]]


PARTIAL: Mapping[str, PartialKind] = {
    facts.FORMAT: PartialKind(facts.write_facts, facts.read_facts, facts.left_open),
    numeric.FORMAT: PartialKind(
        numeric.write_numeric,
        numeric.parse_numeric,
        later("abpress.proof.numbers.check", "numbers_left_open"),
    ),
    bounds.FORMAT: PartialKind(
        bounds.write_bounds,
        bounds.parse_bounds,
        later("abpress.proof.bounds.check", "bounds_left_open"),
    ),
}
"""Format of a certificate -> its kind."""


def read_partial(data: Any) -> Any:
    """The certificate that JSON data says. Raises Rejected."""
    kind = PARTIAL.get(str(data.get("format"))) if isinstance(data, dict) else None
    if kind is None:
        raise Rejected("a part is not a certificate of facts")
    return kind.read(data)


def left_open_by(program: Program, data: Any) -> tuple[Alarms, frozenset[Place]]:
    """What facts leave open of the property that they are about, by the JSON data of their
    certificate, which is checked, and the edges whose accesses meet none in conflict. Raises
    Rejected and Unchecked."""
    part = read_partial(data)
    return PARTIAL[part.format].left_open(program, part)
