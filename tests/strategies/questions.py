"""Questions that tests ask."""

from __future__ import annotations

from abpress.properties import Aspect
from abpress.properties.deadlock import NoDeadlock
from abpress.properties.steps import UnreachCall


class AnyError(UnreachCall, NoDeadlock):
    """Violations and deadlocks at once."""

    looks_at = frozenset({Aspect.STEP, Aspect.DEADLOCK})


ANY_ERROR = AnyError()
