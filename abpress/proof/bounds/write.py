"""Writes certificates of accesses of what was found."""

from __future__ import annotations

from abpress.ir.program import VALID_DEREF, Program
from abpress.ir.types import Scalar
from abpress.modular.bounds.analysis import BoundsFacts
from abpress.modular.bounds.number_members import address_name
from abpress.modular.bounds.state import State
from abpress.modular.bounds.values import is_small
from abpress.modular.claims import Claims
from abpress.proof.bounds.certificate import BoundsCertificate, BoundsStand
from abpress.proof.certificate import program_digest


def bounds_certificate(
    program: Program, found: BoundsFacts, claims: Claims | None = None
) -> BoundsCertificate:
    """The certificate, which proves that all accesses are valid but for those that were not proved.
    `claims` are those that say which places are apart."""
    return BoundsCertificate(
        program_digest(program),
        VALID_DEREF,
        {
            (name, i): tuple(_stand(program, state, found.types[name]) for state in its.values())
            for (name, i), its in found.states.items()
        },
        {cell: content for cell, content in found.always.items() if content is not None},
        claims,
        {name: _stand(program, end, found.types[name]) for name, end in found.ends.items()}
        if claims is not None
        else {},
        found.alarms,
        tuple((cell, *its) for cell, its in sorted(found.rests.items())),
        found.private,
    )


def _stand(program: Program, state: State, types: dict[str, Scalar]) -> BoundsStand:
    numbers = state.zone.names()
    small = {x for x in numbers if x in types and is_small(types[x])}
    zone = state.zone if small == numbers else state.zone.only(small)
    differences = tuple((x, y, c) for (x, y), c in sorted(zone.reduced().items()))
    rests = tuple((x, *its) for x, its in sorted(state.rests.items()))
    return BoundsStand(
        dict(state.flags),
        dict(state.pointers),
        differences,
        rests,
        tuple(sorted(state.fresh)),
        dict(state.same),
        tuple((x, *its) for x, its in sorted(state.wrapped.items())),
        tuple(sorted((address_name(program, base), by) for base, by in state.written)),
    )
