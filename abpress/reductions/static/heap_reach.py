"""Reductions by what the heap tells: `heap-reach` and `heap-reach+fields`.

Configurations 1 and 2 of the experiments in [Hybrid16] (Section IV): there is a choice between
threads only where each of them is about to access an object that two threads can reach
([ObjectEscape04]), or one that another thread can reach and may access later in the same field
([FutureFields11]). The paper lets the current thread go on up to such an access, and tries all
threads there; here any thread goes on that can, as for S-POR, of which these are extensions: the
theorem of `reductions.static.s_por` holds with its conditions.

NOTE(stopped-threads): one thing may come before a step that passes these tests: the end of the
program. If it stops the thread first, how far the memory has got then is not explored.

A test is asked only where those before it hold for no thread. So the states that are explored with
more tests are among those that are explored with fewer, unless the search meets cycles.
"""

from __future__ import annotations

from abpress.reductions.static.s_por import SPor
from abpress.semantics.protocols import Foreseeing, S


class HeapReach(SPor[S]):
    """`heap-reach`."""

    def __init__(self, system: Foreseeing[S]) -> None:
        super().__init__(system)
        self.tests += (system.foresight.confined,)


class HeapReachFields(HeapReach[S]):
    """`heap-reach+fields`."""

    def __init__(self, system: Foreseeing[S]) -> None:
        super().__init__(system)
        self.tests += (system.foresight.uncontended,)
