"""Happens-before of one execution, and its reordering into few context switches."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Protocol


class Footprint(Protocol):
    """The cells (and other resources) that a step reads and writes."""

    @property
    def reads(self) -> AbstractSet[Any]: ...

    @property
    def writes(self) -> AbstractSet[Any]: ...


def predecessors(threads: Sequence[int], footprints: Sequence[Footprint]) -> list[set[int]]:
    """Per step of an execution, the earlier ones that it depends on directly.

    Their transitive closure is happens-before: order within a thread, and conflicting accesses
    (same cell, at least one write).
    """
    last_of: dict[int, int] = {}
    writer: dict[Any, int] = {}
    readers: dict[Any, list[int]] = {}
    result = []
    for i, (thread, footprint) in enumerate(zip(threads, footprints, strict=True)):
        before = set()
        if thread in last_of:
            before.add(last_of[thread])
        for key in footprint.reads | footprint.writes:
            if key in writer:
                before.add(writer[key])
        for key in footprint.writes:
            before.update(readers.get(key, ()))
        for key in footprint.reads - footprint.writes:
            readers.setdefault(key, []).append(i)
        for key in footprint.writes:
            writer[key] = i
            readers[key] = []
        last_of[thread] = i
        result.append(before)
    return result


def past(before: Sequence[set[int]], event: int) -> list[int]:
    """The event and all that happens before it, in order."""
    seen = {event}
    todo = [event]
    while todo:
        for i in before[todo.pop()]:
            if i not in seen:
                seen.add(i)
                todo.append(i)
    return sorted(seen)


def reorderings(threads: Sequence[int], before: Sequence[set[int]]) -> list[list[int]]:
    """Some linearisations of happens-before in which threads run long without interruption.

    Greedy: at each switch the thread that can run longest goes on (ties: the first in the
    original order), once from the beginning of the execution and once from its end, from each
    possible first thread.
    """
    count = len(threads)
    after: list[set[int]] = [set() for _ in range(count)]
    for i, earlier in enumerate(before):
        for j in earlier:
            after[j].add(i)
    found = []
    for constraints, backward in ((before, False), (after, True)):
        indices = range(count - 1, -1, -1) if backward else range(count)
        queues: dict[int, list[int]] = {}
        for i in indices:
            queues.setdefault(threads[i], []).append(i)
        for first in queues:
            order = _greedy(queues, constraints, first)
            if order is not None:
                found.append(order[::-1] if backward else order)
    return found


def _greedy(
    queues: dict[int, list[int]], constraints: Sequence[set[int]], first: int
) -> list[int] | None:
    """The order in which the queues are emptied; None if `first` cannot be the first to move."""
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
        thread, longest = max(((t, run(t)) for t in queues), key=lambda pair: len(pair[1]))
