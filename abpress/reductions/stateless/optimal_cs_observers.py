"""ODPOR^ob_cs: optimal DPOR with observers and context-sensitive independence.

After [ContextSensitive19], Algorithm 2: as `observers`; steps that lead to the same state in both
orders, modulo observability, are independent in that context. NOTE(dont-do) says what is different.
Two states may differ in cells that several threads write and that are not read any more, which is
the refined check for write-write races.
"""

from __future__ import annotations

from abpress.reductions.stateless.observers import ObserversDpor


class OptimalCsObservers(ObserversDpor):
    """As `ObserversDpor`; the search does not go on from what is known."""

    remembers = True
