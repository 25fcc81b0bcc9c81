"""S-POR: invisible steps first ([Pragmatic23], Algorithm 1).

Legend: `t` is a thread whose next step in state `s` is invisible, `A` the set of t's steps there.

Why one such thread is enough. The steps in A are independent of everything that others do, and
remain what they are while others move; so {t} is a persistent set of s. The paper assumes acyclic
systems without blocking and without branching threads; three conditions make up for it:

1. *A is not empty* (t does not wait, its execution does not end): else exploring t explores
   nothing. One step of A must also go on without a violation: a step that ends the execution
   hides the errors of the other threads after it, NOTE(blocked-threads).
2. *All of A is explored*, as a thread may branch, NOTE(branching-threads).
3. *No step of A leads to a state on the stack* of the depth-first search, NOTE(ignoring). Every
   cycle of the explored graph contains an edge to a state that is on the stack when that edge is
   explored; the source of the edge is then expanded fully. So on every cycle some state expands
   all threads, and none is ignored forever.

   A search that has no stack keeps the condition on cycles itself (`reductions.static.returning`).

Theorem: if a violation (or a state without steps) can be reached from an explored state s, then
the search meets it. Proof by induction on the length n of the path w to it, then on the order in
which the search leaves states for good. If s is expanded fully, the first step of w is explored:
n shrinks. Else s is expanded by {t}. If t moves in w, its first step there is in A and commutes to
the front: n shrinks (w cannot end before it in a state without steps, because t can move there).
If t does not move in w, take a step of A that goes on: its successor s' is not on the stack, so
the search leaves it before s, and w is possible from s' and reaches the same violation.

The same holds for a state in which two threads stand before accesses that race, NOTE(race-states).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from abpress.reductions.choice import OnStack, Visited
from abpress.reductions.static.none import NoReduction
from abpress.semantics.protocols import Moves, S, Step
from abpress.semantics.thread_sets import ThreadSet

Tests = tuple[Callable[[S, int], bool], ...]
"""Questions to `Moves` about the next step of a thread, of the kind of `invisible`: true means that
the step suffices as far as others are concerned."""


class SPor(NoReduction[S]):
    """Expands one thread with an invisible step where that suffices, all threads elsewhere."""

    def __init__(self, system: Moves[S]) -> None:
        super().__init__(system)
        self.tests: Tests[S] = (system.invisible,)

    def expand(self, state: S, visited: Visited[S]) -> Iterator[Step[S]]:
        """safeSet(state) of Algorithm 1, under the conditions of this module's docstring."""
        threads = self._system.threads(state)
        safe = safe_steps(self._system, state, threads, visited.on_stack, self.tests)
        return self.all(state, threads) if safe is None else iter(safe)

    def alone(self, state: S, threads: Sequence[int]) -> tuple[Step[S], ...] | None:
        """The steps of a thread under conditions 1 and 2 of this module's docstring."""
        return safe_steps(self._system, state, threads, _nowhere, self.tests)


def safe_steps(
    system: Moves[S],
    state: S,
    threads: Sequence[int],
    on_stack: OnStack[S],
    tests: Tests[S],
) -> tuple[Step[S], ...] | None:
    """The steps A of the first thread that suffices under the conditions of this module's
    docstring, by the first test that holds for one; None if there is no such thread."""
    for test in tests:
        asked = threads
        if type(threads) is ThreadSet and test == system.invisible:
            asked = threads.quiet  # no other one has to be asked
        for thread in asked:
            if test(state, thread):
                steps = system.steps(state, thread)
                if _suffice(steps, on_stack):
                    return steps
    return None


def _nowhere(state: object) -> bool:
    return False


def _suffice(steps: tuple[Step[S], ...], on_stack: OnStack[S]) -> bool:
    goes_on = False
    for step in steps:
        if step.violation is None:
            if on_stack(step.successor):
                return False
            goes_on = True
    return goes_on
