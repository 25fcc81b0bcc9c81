"""Writes numeric certificates of what was found."""

from __future__ import annotations

from collections.abc import Callable

from abpress.modular.claims import Claims
from abpress.modular.numbers.box import Box
from abpress.modular.numbers.overflow import OverflowFacts
from abpress.proof.certificate import program_digest
from abpress.proof.numbers.certificate import NumericCertificate, Place, Stand
from abpress.proof.numbers.local import LocalProofs
from abpress.smt.answer import Answer

PROPERTY = "no-overflow"


def proved_locally(
    found: OverflowFacts, expired: Callable[[], bool] = lambda: False
) -> tuple[Place, ...]:
    """The alarms that local proofs settle, up to the first one that none does: then there is no
    proof of all, and the others wait for nothing."""
    if not found.alarms:
        return ()
    stands = {at: tuple(map(_stand, boxes)) for at, boxes in found.numbers.states.items()}
    analysis = found.analysis
    numbers = found.numbers
    proofs = LocalProofs(analysis.holding, stands, numbers.shared, numbers.bounded)
    settled: list[Place] = []
    for place in found.alarms:
        if expired() or proofs.proves(place) is not Answer.YES:
            break
        settled.append(place)
    return tuple(settled)


def numeric_certificate(
    found: OverflowFacts, local: tuple[Place, ...], claims: Claims | None = None
) -> NumericCertificate:
    """The certificate; what is neither proved by numbers nor locally are its alarms. `claims` are
    those that say which places are apart."""
    return NumericCertificate(
        program_digest(found.analysis.program),
        PROPERTY,
        {at: tuple(map(_stand, boxes)) for at, boxes in found.numbers.states.items()},
        dict(found.numbers.shared),
        tuple(sorted(found.claims)),
        local,
        tuple(place for place in found.alarms if place not in set(local)),
        claims,
    )


def _stand(box: Box) -> Stand:
    sums = {name: (form.terms, form.low, form.high) for name, form in box.forms.items()}
    return Stand(dict(box.regs), dict(box.cells), dict(box.same), sums)
