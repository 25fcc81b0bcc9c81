"""Reductions by what the heap tells: `heap-reach` and `heap-reach+fields`.

Configurations 1 and 2 of the experiments in *Hybrid Partial Order Reduction with Under-Approximate
Dynamic Points-To and Determinacy Information* (Section IV): there is a choice between threads only
where each of them is about to access an object that two threads can reach (Dwyer, Hatcliff, Robby,
Ranganath, 2004), or (Parizek, Lhotak, 2011) that another thread can reach and may access later in
the same field. The paper lets the current thread go on up to such an access, and there tries all
threads that can move; here any thread goes on that can, as for S-POR.

The theorem of `por.s_por` holds with the same conditions: a test of `Moves` that holds for a step
says that it is independent of everything that the others do before the thread moves. Only the end
of the program may come before it: what a thread would still have done that is stopped there is left
open, and with it how far the memory has got then.

A test is asked only if those before it hold nowhere. So the states that are explored with more
tests are among those that are explored with fewer, unless the search meets cycles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from abpress.por.none import NoReduction
from abpress.por.reduction import Moves, OnStack, S, Step
from abpress.por.s_por import suffices

Test = Callable[[S, int], bool]


class HeapReach(NoReduction[S]):
    """Expands one thread that passes a test where that suffices, all threads elsewhere."""

    def __init__(self, system: Moves[S]) -> None:
        super().__init__(system)
        self.tests: tuple[Test[S], ...] = (system.invisible, system.confined)

    def expand(self, state: S, on_stack: OnStack[S]) -> Iterator[Step[S]]:
        """The steps of the first such thread by the first test that holds for one."""
        yield from alone(self._system, state, on_stack, self.tests) or super().expand(state, on_stack)


class HeapReachFields(HeapReach[S]):
    """`heap-reach+fields`."""

    def __init__(self, system: Moves[S]) -> None:
        super().__init__(system)
        self.tests += (system.uncontended,)


def alone(
    system: Moves[S], state: S, on_stack: OnStack[S], tests: tuple[Test[S], ...]
) -> tuple[Step[S], ...]:
    """The steps of the first thread that suffices by the first test that holds for one; none if
    there is no such thread."""
    threads = system.threads(state)
    for test in tests:
        for thread in threads:
            if test(state, thread):
                steps = system.steps(state, thread)
                if suffices(steps, on_stack):
                    return steps
    return ()
