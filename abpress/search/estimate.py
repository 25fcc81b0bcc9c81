"""How many executions a search without stored states still has to explore, as an estimate.

Two estimates are made of the subtree of the first node of the path. One is the weighted backtrack
estimate of [TreeSize06]: what is explored, divided by the probability that a random walk ends
there, which takes any branch that is done, under way or planned. It is too small in the beginning,
as races will add branches. The other is their recursive estimate: from the end of the path up, what
is not explored at a node is as large as what is. Here that is corrected by what finished nodes had:
how many branches, where the first one accessed the same; and how much larger a branch was than the
one before it. The truth is mostly between the two, or near them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from abpress.reductions.stateless.algorithm import SearchPath, ThreadChoice
from abpress.reductions.stateless.node import ExecutionNode
from abpress.search.statistics import Left
from abpress.semantics.outcome import ConcreteStep

_DOUBT = 2.0
"""The true number is often outside of the two estimates, seldom by more than this factor."""

_SEEN = 3
"""Finished nodes that have to be there for something to be learned from them."""

_ALL, _SAMPLED = 1024, 8
"""After so many executions, one of so many is looked at for how many branches nodes have: it takes
time."""


@dataclass(slots=True)
class _Ratio:
    """Of how large branches were and those before them. Mutable."""

    sizes: int = _SEEN
    before: int = _SEEN


class Forecast:
    """Learns from what a search has left behind. Mutable."""

    def __init__(self, path: SearchPath, choice: ThreadChoice) -> None:
        self._nodes = path.nodes
        self._execution = path.execution
        self._choice = choice
        self._ended = 0
        self._begun: list[int] = []  # how many had ended, at each node of the path
        self._branches: dict[int, list[int]] = {}  # the same when a branch began, where several did
        self._numbers: dict[tuple[int, int, int], int] = {}  # of nodes: by access, and branches
        self._ratios = _Ratio(), _Ratio()  # of second branches, and of later ones

    def enter(self) -> None:
        """Is told that the path goes on to a node."""
        self._begun.append(self._ended)

    def next_branch(self) -> None:
        """Is told that at the last node another branch begins, which is not the first one."""
        depth, ended = len(self._begun) - 1, self._ended
        branches = self._branches.get(depth)
        if branches is not None:
            branches.append(ended)
        elif self._begun[depth] < ended:  # else others have explored those before
            self._branches[depth] = [self._begun[depth], ended]

    def leave(self, node: ExecutionNode) -> None:
        """Is told that the search goes back from the last node of the path, for good."""
        self._begun.pop()
        if not node.done:
            self._ended += 1
            return
        branches = self._branches.pop(len(self._begun), None)
        if branches is not None:
            sizes = _sizes([*branches, self._ended])
            for k, (before, size) in enumerate(pairwise(sizes)):
                ratio = self._ratios[k > 0]
                ratio.before += before
                ratio.sizes += size
        awake = len(node.threads) - len(node.sleep) + len(node.done)
        if awake > 1 and (self._ended < _ALL or not self._ended % _SAMPLED):
            access, n = node.next_of(node.done[0]).access, 1 if branches is None else len(branches)
            key = access.written, access.touched, n
            self._numbers[key] = self._numbers.get(key, 0) + 1

    def forget(self) -> None:
        """Is told that the search goes back from the last node, and nothing is to be learned."""
        self._begun.pop()
        self._branches.pop(len(self._begun), None)

    # -- estimates ------------------------------------------------------------------------------

    def left(self, step: ConcreteStep) -> Left:
        """What is left to explore from the path, the step after it included."""
        forks = list(self._forks(step))
        explored = self._ended - self._begun[0]
        planned = sum(its.planned for its in forks)
        return by_the_path(explored, _share(forks), self._recursive(forks), planned)

    def _forks(self, step: ConcreteStep) -> Iterable[_Fork]:
        taken = [
            *((e.thread, e.choices) for e in self._execution.events),
            (step.thread, step.choices),
        ]
        ends = [*self._begun[1:], self._ended]
        for k, (node, (thread, choices)) in enumerate(zip(self._nodes, taken, strict=True)):
            branches = self._branches.get(k, self._begun[k : k + 1])
            steps = node.next_of(thread).steps
            number = 0
            if len(steps) > 1:
                number = next(n for n, its in enumerate(steps) if its.choices == choices)
            yield _Fork(
                node,
                thread,
                _sizes(branches),
                self._choice.planned(node),
                ends[k] - branches[-1],
                number,
                len(steps),
            )

    def _recursive(self, forks: list[_Fork]) -> float:
        """The recursive estimate of the subtree of the first one."""
        size = self._coming(forks[-1])
        for its in reversed(forks):
            last = (its.explored + size) * its.steps / (its.taken + 1)
            size = sum(its.done) + last
            missing, later = its.planned + self._unplanned(its), bool(its.done)
            while missing > 0:
                last *= self._ratio(later)
                size += min(1.0, missing) * last
                missing, later = missing - 1, True
        return size

    def _coming(self, its: _Fork) -> float:
        """How large a step is that is not yet taken."""
        if its.taken:
            return its.explored / its.taken
        return its.done[-1] * self._ratio(len(its.done) > 1) if its.done else 1.0

    def _unplanned(self, its: _Fork) -> float:
        """How many branches races will add. When one is done, most of its races are known."""
        if its.done:
            return 0.0
        known = its.planned + 1
        access = its.node.next_of(its.thread).access
        alike = {
            n: self._numbers.get((access.written, access.touched, n), 0)
            for n in range(known, len(its.node.threads) + 1)
        }
        total = sum(alike.values())
        if total < _SEEN:
            return 0.0
        most = max(known, sum(its.may_move(thread) for thread in its.node.threads))
        return sum((min(n, most) - known) * often for n, often in alike.items()) / total

    def _ratio(self, later: bool) -> float:
        ratio = self._ratios[later]
        return ratio.sizes / ratio.before


def by_the_path(explored: float, share: float, recursive: float, planned: float) -> Left:
    """What is left of a subtree of which so many executions are explored, where a random walk ends
    with the probability `share`; there are so many in all by the recursive estimate, and as many as
    are planned are left at least."""
    recursive = max(explored, recursive)
    least, most = sorted((recursive, explored / share if share else recursive))
    numbers = least / _DOUBT, sqrt(least * most), most * _DOUBT
    return Left(*(max(its - explored, planned) for its in numbers))


def _sizes(begun: list[int]) -> list[int]:
    """How many executions the branches had that began then, but for the last one."""
    return [after - before for before, after in pairwise(begun)]


@dataclass(frozen=True, slots=True)
class _Fork:
    """A node of the path with a thread under way.

    How large the branches are that are done, and how many are planned; of the one under way, how
    much has been explored by the steps that are done, how many these are, and of how many.
    """

    node: ExecutionNode
    thread: int
    done: list[int]
    planned: int
    explored: int
    taken: int
    steps: int

    def may_move(self, thread: int) -> bool:
        """Whether the thread is awake, as far as it has been looked at."""
        its = self.node.known.get(thread)
        return thread not in self.node.sleep and (its is None or bool(its.steps))


def _share(forks: Iterable[_Fork]) -> float:
    """The probability that a random walk from the first node ends in what is explored, if it takes
    any branch that is done, under way or planned, and any step, each with the same probability."""
    share, weight = 0.0, 1.0
    for its in forks:
        weight /= len(its.done) + its.planned + 1
        share += weight * len(its.done)
        weight /= its.steps
        share += weight * its.taken
    return share
