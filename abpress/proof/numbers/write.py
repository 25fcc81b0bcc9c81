"""Writes numeric certificates of what was found."""

from __future__ import annotations

from collections.abc import Callable, Collection

from abpress.config import Place
from abpress.ir.program import NO_OVERFLOW
from abpress.modular.claims import Claims
from abpress.modular.numbers.box import Box
from abpress.modular.numbers.overflow import OverflowFacts
from abpress.proof.certificate import program_digest
from abpress.proof.numbers.certificate import NumericCertificate, Stand
from abpress.proof.numbers.local import LocalProofs
from abpress.smt.answer import Answer


def proved_locally(
    found: OverflowFacts,
    expired: Callable[[], bool] = lambda: False,
    property: str = NO_OVERFLOW,
    among: Collection[Place] | None = None,
    in_vain: int = 0,
) -> tuple[Place, ...]:
    """The alarms of a property that local proofs settle, or those of them that are given.

    If none are given there is no proof of all when one is not settled: then it ends with the one
    at which so many paths were tried in vain.
    """
    alarms = found.alarms if among is None else [p for p in found.alarms if p in among]
    if not alarms:
        return ()
    stands = {at: tuple(map(_stand, boxes)) for at, boxes in found.numbers.states.items()}
    numbers, holding = found.numbers, found.analysis.holding
    proofs = LocalProofs(holding, stands, numbers.shared, numbers.bounded, property)
    settled: list[Place] = []
    lost = 0
    for place in alarms:
        if expired():
            break
        before = proofs.tried
        if proofs.proves(place) is Answer.YES:
            settled.append(place)
            continue
        lost += proofs.tried - before
        if among is None and lost > in_vain:
            break
    return tuple(settled)


def numeric_certificate(
    found: OverflowFacts,
    local: tuple[Place, ...],
    claims: Claims | None = None,
    property: str = NO_OVERFLOW,
) -> NumericCertificate:
    """The certificate; what is neither proved by numbers nor locally are its alarms. `claims` are
    those that say which places are apart."""
    return NumericCertificate(
        program_digest(found.analysis.program),
        property,
        {at: tuple(map(_stand, boxes)) for at, boxes in found.numbers.states.items()},
        dict(found.numbers.shared),
        tuple(sorted(found.claims)),
        local,
        tuple(place for place in found.alarms if place not in set(local)),
        claims,
    )


def _stand(box: Box) -> Stand:
    sums = {name: (form.terms, form.low, form.high) for name, form in box.forms.items()}
    return Stand(dict(box.regs), box.cells.copy(), dict(box.same), sums)
