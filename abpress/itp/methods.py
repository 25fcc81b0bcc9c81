"""The ways to interpolate, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from abpress.itp.cubes import cubes
from abpress.itp.laws import check_sequence
from abpress.itp.meeting import meeting
from abpress.itp.path import Core, Path
from abpress.itp.sp import strongest_postconditions
from abpress.itp.wp import weakest_preconditions
from abpress.logic.formula import Formula
from abpress.smt.answer import NotExact
from abpress.smt.prover import Prover

Method = Callable[[Prover, Path, Core], tuple[Formula, ...] | None]
"""The interpolants I_0, …, I_n of an infeasible path with this core; None if it finds none."""

METHODS: Mapping[str, Method] = {
    "wp": weakest_preconditions,
    "sp": strongest_postconditions,
    "cubes": cubes,
    "meeting": meeting,
}
"""Name -> method, the best first."""


def refinements(
    prover: Prover,
    path: Path,
    core: Core,
    paranoid: bool = False,
    methods: Mapping[str, Method] = METHODS,
) -> Iterator[tuple[str, tuple[Formula, ...]]]:
    """Formulas that say why a path is infeasible, and by what they were found; the best first.

    Each method's interpolants; then their parts, each for itself, for labels that cannot make use
    of a formula as a whole. No further method is tried before the next one is asked for.

    A method whose formulas the prover's encoding cannot say finds none; then NotExact is raised
    after the last. `paranoid` checks all interpolants against the laws; one that is violated is
    an internal error.
    """
    inexact: NotExact | None = None
    found: dict[str, tuple[Formula, ...]] = {}
    for name, method in methods.items():
        try:
            interpolants = method(prover, path, core)
            if interpolants is None:
                continue
            broken = check_sequence(prover, path, interpolants, True) if paranoid else []
        except NotExact as error:
            inexact = error
            continue
        if broken:
            raise AssertionError(f"internal error: interpolants by {name}: {'; '.join(broken)}")
        found[name] = interpolants
        yield name, interpolants
    for name, interpolants in found.items():
        yield f"parts of {name}", parts(interpolants)
    if inexact is not None:
        raise inexact


def parts(formulas: Iterable[Formula]) -> tuple[Formula, ...]:
    """The proper parts of the formulas, and the parts of those; each once."""
    seen: dict[Formula, None] = {}
    todo = [part for f in formulas for part in f.parts]
    for f in todo:
        if f not in seen:
            seen[f] = None
            todo += f.parts
    return tuple(seen)
