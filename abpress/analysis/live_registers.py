"""Which registers matter at a location, so that dead values do not tell states apart."""

from __future__ import annotations

from abpress.ir.passes.liveness import Liveness
from abpress.ir.program import Template


def live_registers(template: Template) -> tuple[frozenset[str], ...]:
    """Per location, the registers (also `$tid`, `$arg`) whose value there may still be read.

    These are those that some path reads before it defines them; guards are evaluated first.
    """
    liveness = Liveness(template)
    return tuple(frozenset(liveness.names(i)) for i in range(len(template.locations)))
