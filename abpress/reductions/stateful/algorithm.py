"""The interface of the algorithms of dynamic reductions, the words they share, and a theorem.

After [Pragmatic23], Section 2 and Figure 2:

- The *graph* (the paper's L_r) has the states that were visited and the steps explored between
  them. A state is *open* while it is on the path of the depth-first search, *complete* when all
  states that can be reached from it in the graph have been left for good.
- The *future* of a state are the steps explored behind it, and the attempts of threads that wait
  behind it: each a thread with what it accesses.
- s.*current*[t] are the threads other than t of whose future behind t's step at s something is
  dependent on that step.

The paper assumes acyclic systems without waiting, in which an action accesses one object. Here:

Theorem. Let every state s of the graph satisfy one of
(F) all its threads that can move are explored;
(I) one thread whose steps all pass a test is explored, and one of them goes on
    (`reductions.static.s_por`);
(P) s lies on no cycle of the graph, and there is a set T of threads of s such that those that can
    move are explored and *go on* (`StateNode.goes_on`), t0 is one of them, and T contains whoever
    has something that is dependent on the next step of a t in T in the future of t's step; for a t
    in T that waits: on t's attempt, in the future of t0's step.
Let each step (I) lead to states that have been left earlier. Then for each execution w from a state
s of the graph to a violation or a state without steps, the search meets that violation or state.

Proof. We walk from s along w: at a state s1 with a rest w1 to go. At (F), the first step of w1 is
explored. At (I), see there. At (P), assume that the steps of w1 by others than T, before the
first one by a thread of T, are independent of T's next steps. If there is such a first one, it can
move at s1, commutes to the front, and is explored; w1 shrinks. Else a step of T that goes on
commutes with w1, and w1 stays the same behind it; that happens finitely often in a row, for these
steps lead to states that have been left earlier. w1 is not empty before the end is met: a step of
T that can move stays possible.

The assumption. Let w.a be a shortest execution from any state s (P) that violates it: all of w is
by others than T and independent of T, and a, of the thread u not in T, depends on the next step of
a t in T. Of several such s take the one that is left first. If t can move, w is possible behind
its step, and there u is next with an attempt that depends on t (up to its first access to what t
has written it does the same). If t waits, take the step of t0 instead: if a depends on that, we are
in the first case with t0, else a is next behind t0.w. We walk from there along w, to a state where
u makes that attempt, or waits with it: the assumption holds for each w1 on the way, since w1 is
shorter than w, or its state is left before s. So the attempt is in the future of the step of t (of
t0), and by (P) u is in T: a contradiction. QED.

The same holds for a state in which p and q stand before accesses that race, NOTE(race-states): it
is met, or one in which they stand before the same. We walk along w, which leads there. At (P), if
no step of w1 is by T: all of w1 is independent of T's next steps, and so is the step or attempt,
after w1, of whoever is not in T (it is an a as above). The accesses that race are dependent; so
either both p and q are in T, or neither. If both are, they do the same at s1 as after w1: s1 is
such a state. If neither is, a step of T that goes on leaves them what they do, and commutes with
w1. At (I), p and q are not the thread that goes alone, since its step conflicts with nothing.

What follows from it for an algorithm: its caller (`stateful.dynamic`) sees to (I), and to (F) for
states on cycles of the graph, NOTE(ignoring): where a visited state is met whose future is not
complete yet, nothing can be concluded from it, so all threads are explored, and
NOTE(summaries-grow) has no case. Steps that lead back to their own state are left out, and count as
waiting. The algorithm sees to (F) or (P) at the others. All branches of a thread are explored,
NOTE(branching-threads). The end of the program accesses everything, NOTE(exits-are-steps). There
are no sleep sets, so any visited state may be matched, NOTE(cover-sleep).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from abpress.reductions.next_steps import SearchNode
from abpress.reductions.static.s_por import Tests
from abpress.semantics.outcome import State


@dataclass(slots=True, eq=False)
class StateNode(SearchNode):
    """An open state. Mutable. None of its next steps leads back to it.

    `serial` is its number in the order of discovery. `threads` are its unfinished threads, in the
    order in which they are preferred. `explored`: thread -> the serial numbers of the states that
    its steps lead to; in the order of exploration, `current` the last of them. `safe`: one thread
    with steps that pass a test is explored alone. `cyclic`: the state lies on a cycle of the graph.
    """

    serial: int
    visited: Callable[[State], bool]
    safe: bool
    cyclic: bool = False
    current: int = 0
    explored: dict[int, list[int]] = field(default_factory=dict)

    def begin(self, thread: int) -> None:
        """The steps of the thread are about to be explored."""
        self.current = thread
        self.explored[thread] = []

    def arrive(self, serial: int) -> None:
        """A step of the current thread leads to this state."""
        self.explored[self.current].append(serial)

    def remaining(self) -> list[int]:
        """The threads that can move and have not been explored."""
        return [t for t in self.threads if t not in self.explored and self.next_of(t).steps]

    def waiting(self) -> list[int]:
        """The threads that cannot move."""
        return [t for t in self.threads if not self.next_of(t).steps]

    def goes_on(self, thread: int) -> bool:
        """Whether the others are still next behind some step of the thread: it does not violate a
        property, and does not end the program."""
        its = self.next_of(thread)
        return not its.access.ends and any(step.violation is None for step in its.steps)

    def leads_to_visited(self, thread: int) -> bool:
        """Whether all steps of the thread lead to complete states, or violate a property."""
        steps = self.next_of(thread).steps
        return all(s.violation is not None or self.visited(s.successor) for s in steps)


class DynamicAlgorithm(Protocol):
    """A dynamic reduction. Made for one search.

    A thread whose steps pass one of the `tests` of S-POR is explored alone, where that suffices: at
    `safe` nodes. Of these the algorithm is told the step, and when they are left.
    """

    tests: Tests[State]

    def enter(self, node: StateNode, /) -> None:
        """Is told of a new state, which is not expanded yet."""

    def step_alone(self, node: StateNode, /) -> None:
        """Is told that the steps of `node.current` are about to be explored, at a safe node."""

    def step(self, node: StateNode, /) -> None:
        """Is told that the steps of `node.current` are about to be explored."""

    def meet(self, serial: int, state: State, /) -> None:
        """Is told that the last step has led to a visited state, which is complete."""

    def wanted(self, node: StateNode, /) -> Sequence[int]:
        """Of the threads that remain, those of which one is to be explored next, the preferred
        first; none when those that are explored suffice. Not asked at cyclic nodes."""

    def leave(self, node: StateNode, /) -> None:
        """Is told that the search leaves the state for good."""

    def complete(self, node: StateNode, serials: Sequence[int], /) -> None:
        """Is told that these states are complete now. All were left, and they reach one another;
        the node, the first of them that was discovered, was left last."""

    def statistics(self) -> dict[str, int]:
        """The algorithm's own numbers."""
