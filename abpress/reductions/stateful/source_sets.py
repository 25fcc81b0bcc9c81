"""UpdateBack: whether the explored threads of a state suffice, and which to add if not.

After [Pragmatic23], Figure 2.

They suffice when a subset T of them is closed: T = union of s.current[t] for t in T.

NOTE(waiting-threads): UpdateBack adds all threads when one of s.current[t] cannot move at s. Here
it may be in T if who may end its waiting is, too: that is what s.current says of its attempt. In a
C program `main` waits for the others and then looks at their results; else it would be in the way
of every reduction. A thread that does not exist yet waits for its creator.

As long as no T is closed, UpdateBack adds the union of s.current[t] for all explored t. One thread
at a time does, as the question is asked again after each: so the search for more of s.current ends
with the first thread that is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from abpress.reductions.stateful.algorithm import StateNode

Current = Callable[[StateNode, int, int], Iterable[int]]
"""Of a node, an explored thread t, and t itself or a waiting thread w: which threads have something
in the future of t's step that is dependent on the next step of t (the attempt of w)."""

Creator = Callable[[int], int]
"""Who has created a thread."""


def missing(node: StateNode, current: Current, creator: Creator) -> Sequence[int]:
    """Threads of which one has to be explored, since no set of explored and waiting threads is
    closed; none if there is such a set."""
    remaining = node.remaining()
    found: dict[int, None] = {}
    for t in node.explored:
        u = _missing_of(node, t, remaining, current, creator)
        if u is None:
            return ()
        found[u] = None
    return tuple(found)


def _missing_of(
    node: StateNode, t: int, remaining: Sequence[int], current: Current, creator: Creator
) -> int | None:
    """A thread that is missing in the smallest closed set around t; any if the set has a thread
    that does not go on. None: nothing is missing."""
    T = [t]
    for w in T:
        steps = node.next_of(w).steps
        if steps and not node.goes_on(w):
            return remaining[0]
        for u in current(node, w if steps else t, w):
            while u not in node.threads:
                u = creator(u)
            if u in remaining:
                return u
            if u not in T:
                T.append(u)
    return None


def visited_first(node: StateNode, threads: Sequence[int]) -> list[int]:
    """The threads, those that lead to visited states first ([Pragmatic23], Section 4.1)."""
    return sorted(threads, key=lambda t: not node.leads_to_visited(t))
