"""Slices: the part of a path that its core is about."""

from __future__ import annotations

from dataclasses import dataclass, replace

from abpress.ir.expr import registers
from abpress.itp.path import Core, Path
from abpress.logic.formula import variables


@dataclass(frozen=True, slots=True)
class Slice:
    """A path with the conditions of the core and the updates that these depend on, no others.

    `live` are per stage the variables that the rest of the slice depends on. Interpolants of the
    slice over these are interpolants of the path.
    """

    path: Path
    live: tuple[frozenset[str], ...]


def sliced(path: Path, core: Core) -> Slice:
    """The slice of an infeasible path for its core."""
    live: set[str] = set()
    stages = [frozenset(live)]
    steps = []
    for step, guard in zip(reversed(path.steps), reversed(core.guards), strict=True):
        updates = {name: e for name, e in step.updates.items() if name in live}
        live -= set(updates)
        live.update(name for f in guard for name in variables(f))
        live.update(name for e in updates.values() for name in registers(e))
        live -= step.fresh
        stages.append(frozenset(live))
        steps.append(replace(step, guard=guard, updates=updates))
    return Slice(Path(core.facts, tuple(reversed(steps))), tuple(reversed(stages)))
