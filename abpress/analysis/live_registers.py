"""The registers that matter at a location; dead ones are no part of states, NOTE(dead-values)."""

from __future__ import annotations

from abpress.ir.passes.liveness import Liveness
from abpress.ir.program import Template


def live_registers(template: Template) -> tuple[frozenset[str], ...]:
    """Per location, the registers (also `$tid`, `$arg`) whose value there may still be read.

    These are those that some path reads before it defines them; guards are evaluated first.
    """
    liveness = Liveness(template)
    return tuple(liveness.at(i) for i in range(len(template.locations)))
