"""The ways to interpolate, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from abpress.ir.formula import Formula
from abpress.itp.laws import check_sequence
from abpress.itp.path import Core, Path
from abpress.itp.wp import weakest_preconditions
from abpress.smt.prover import Prover

Method = Callable[[Prover, Path, Core], tuple[Formula, ...] | None]
"""The interpolants I_0, …, I_n of an infeasible path with this core; None if it finds none."""

METHODS: Mapping[str, Method] = {
    "wp": weakest_preconditions,
}
"""Name -> method, the best first."""


def interpolate(
    prover: Prover, path: Path, core: Core, paranoid: bool = False
) -> tuple[Formula, ...] | None:
    """The interpolants of an infeasible path by the first method that finds any; None if none does.

    `paranoid` checks them against the laws; a violated one is an internal error.
    """
    for name, method in METHODS.items():
        found = method(prover, path, core)
        if found is None:
            continue
        broken = check_sequence(prover, path, found) if paranoid else []
        if broken:
            raise AssertionError(f"internal error: interpolants by {name}: {'; '.join(broken)}")
        return found
    return None
