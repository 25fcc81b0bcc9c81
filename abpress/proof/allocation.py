"""What is asked of allocated memory, and holds by the text of the program: no tree is needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abpress.ir.program import (
    VALID_FREE,
    Cut,
    Effect,
    Fault,
    Free,
    Program,
    allocates,
    edges,
)
from abpress.logic.formula import Formula
from abpress.proof.assumptions import DEFINED
from abpress.proof.certificate import FORMAT, Accepted, Certificate
from abpress.proof.kept import keeps_track
from abpress.proof.write import NodeView
from abpress.semantics.outcome import ABOUT_ALLOCATION, LOSS

NOTHING = "the program allocates no memory"

FREES_NOTHING = "the program frees no memory"


def proved_by_text(program: Program, property: str) -> str | None:
    """Why the property holds, if that can be read off the program; the assumption under which it
    does is `assumptions.DEFINED`, where memory is allocated. Nothing can where it is cut: what
    comes behind a bound of the tool is not in its text."""
    if property not in ABOUT_ALLOCATION or _is_cut(program):
        return None
    if property == VALID_FREE:
        return None if _frees(program) else FREES_NOTHING
    if not allocates(program):
        return NOTHING
    return (
        "every object is held all the time" if property == LOSS and keeps_track(program) else None
    )


def accepted_by_text(program: Program, certificate: Certificate) -> Accepted | None:
    """What the certificate proves, if all of it can be read off the program."""
    reasons = {proved_by_text(program, name) for name in certificate.properties()}
    if None in reasons:
        return None
    assumptions = () if reasons == {NOTHING} else (DEFINED,)
    return Accepted(certificate.property, assumptions, 0, 0)


def _frees(program: Program) -> bool:
    """Whether an effect may free memory, or fail as one that does."""
    return any(
        isinstance(effect, Free) or (isinstance(effect, Fault) and effect.property == VALID_FREE)
        for effect in _effects(program)
    )


def _is_cut(program: Program) -> bool:
    return any(isinstance(effect, Cut) for effect in _effects(program))


def _effects(program: Program) -> Iterator[Effect]:
    for template in program.templates.values():
        for _, edge in edges(template):
            yield from edge.effects


@dataclass(frozen=True, slots=True)
class NoTree:
    """What a certificate is made from that needs no tree."""

    nodes: tuple[NodeView, ...] = ()
    reduction: str = "none"
    encoding: str = "int"
    threads: tuple[str, ...] = ("main",)
    tracked: tuple[str, ...] = ()
    vocabulary: tuple[Formula, ...] = ()
    format: str = FORMAT
    symmetric: bool = False
