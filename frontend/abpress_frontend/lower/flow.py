"""What holds at the locations of a graph; the locations of the parts of an expression."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Protocol, Self, TypeVar

from abpress.ir.passes.rewrite import reverse_postorder
from abpress_frontend.lower.graph import Draft, GraphBuilder
from abpress_frontend.lower.sequencing import Evaluation, Kind, Part


class Known(Protocol):
    """What is known at a location."""

    def meet(self, other: Self) -> Self:
        """What is known where the one or the other is."""
        ...


K = TypeVar("K", bound=Known)


def forward(
    graph: GraphBuilder,
    evaluations: list[Evaluation],
    begin: K,
    after: Callable[[int, K, Draft], K | None],
) -> dict[int, K]:
    """What is known at each location that can be reached, in whatever order expressions are
    evaluated: an operand can be although one on its left does not end.

    `after(location, known, edge)` is what is known after an edge; None if it cannot be taken.
    """
    roots = 0, *(p.start for e in evaluations for p in e.parts)
    order = reverse_postorder(roots, lambda at: (d.target for d in graph.out[at] if not d.ends))
    rank = {location: k for k, location in enumerate(order)}
    known, todo, waiting = {0: begin}, [(rank[0], 0)], {0}

    def reach(location: int, new: K) -> None:
        old = known.get(location)
        merged = new if old is None else old.meet(new)
        if merged != old:
            known[location] = merged
            if location not in waiting:
                waiting.add(location)
                heappush(todo, (rank[location], location))

    apart: dict[int, set[int]] = {}
    while todo:
        while todo:
            _, at = heappop(todo)
            waiting.discard(at)
            for draft in graph.out[at]:
                found = None if draft.ends else after(at, known[at], draft)
                if found is not None:
                    reach(draft.target, found)
        for evaluation in evaluations:
            if evaluation.start in known:
                starts = apart.setdefault(evaluation.start, set())
                starts.update(p.start for p in evaluation.parts if p.start not in known)
                for start in sorted(starts):
                    reach(start, known[evaluation.start])
    return known


def region(graph: GraphBuilder, part: Part, old: int) -> Iterator[int]:
    """The locations of a part, without its end; those from number `old` on were made later."""
    found, todo = {part.start}, [part.start]
    while todo:
        at = todo.pop()
        yield at
        for draft in graph.out[at]:
            if not draft.ends and draft.target not in found and within(part, draft.target, old):
                found.add(draft.target)
                todo.append(draft.target)


def within(part: Part, location: int, old: int) -> bool:
    """Whether an edge in the part that leads to the location stays in it."""
    if location == part.end or location in part.outside:
        return False
    return part.first <= location < part.last or location >= old


def open_parts(evaluation: Evaluation) -> list[Part]:
    """The parts that act, and of which the order is open with another one that does."""
    before = evaluation.before()
    acting = [i for i, p in enumerate(evaluation.parts) if p.kind is not Kind.READ]
    found: set[int] = set()
    for k, j in enumerate(acting):
        for i in acting[:k]:
            if not (before[j] >> i & 1 or before[i] >> j & 1):
                found |= {i, j}
    return [evaluation.parts[i] for i in sorted(found)]
