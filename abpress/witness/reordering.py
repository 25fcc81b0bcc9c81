"""The reordering of one execution into few context switches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_LOOKS = 2_000_000
"""Looks at a step that reorderings of one execution may take: it may have many threads."""


def reorderings(
    threads: Sequence[int], before: Sequence[set[int]], looks: int = MOST_LOOKS
) -> list[list[int]]:
    """Some linearisations of happens-before in which threads run long without interruption.

    Greedy: at each switch the thread that can run longest goes on (ties: the first in the
    original order), once from the beginning of the execution and once from its end, from each
    possible first thread, until it has looked often enough at a step.
    """
    left = _Left(looks)
    count = len(threads)
    after: list[set[int]] = [set() for _ in range(count)]
    for i, earlier in enumerate(before):
        for j in earlier:
            after[j].add(i)
    found: list[list[int]] = []
    for constraints, backward in ((before, False), (after, True)):
        indices = range(count - 1, -1, -1) if backward else range(count)
        queues: dict[int, list[int]] = {}
        for i in indices:
            queues.setdefault(threads[i], []).append(i)
        for first in queues:
            order = _greedy(queues, constraints, first, left)
            if left.looks <= 0:
                return found
            if order is not None:
                found.append(order[::-1] if backward else order)
    return found


@dataclass(slots=True)
class _Left:
    """How many looks at steps are left. Mutable."""

    looks: int


def _greedy(
    queues: dict[int, list[int]], constraints: Sequence[set[int]], first: int, left: _Left
) -> list[int] | None:
    """The order in which the queues are emptied; None if `first` cannot be the first to move, or
    no looks are left."""
    position = dict.fromkeys(queues, 0)
    done: set[int] = set()
    order: list[int] = []

    def run(thread: int) -> list[int]:
        queue, own = queues[thread], set[int]()
        steps = []
        for i in queue[position[thread] :]:
            if not all(j in done or j in own for j in constraints[i]):
                break
            own.add(i)
            steps.append(i)
        left.looks -= len(steps) + 1
        return steps

    longest = run(first)
    if not longest:
        return None
    total = sum(map(len, queues.values()))
    thread = first
    while True:
        order += longest
        done.update(longest)
        position[thread] += len(longest)
        if len(order) == total:
            return order
        if left.looks <= 0:
            return None
        thread, longest = max(((t, run(t)) for t in queues), key=lambda pair: len(pair[1]))
