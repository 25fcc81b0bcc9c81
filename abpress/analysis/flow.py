"""Control flow of a template: which locations an edge leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from abpress.ir.components import components
from abpress.ir.passes.rewrite import forwards
from abpress.ir.program import Template, goes_on


def loop_heads(template: Template, inside: Sequence[bool]) -> Iterator[int]:
    """One location at least of every cycle among the locations that are `inside`."""
    locations = template.locations
    for i, k in back_edges(template, range(len(locations)), inside):
        yield locations[i].edges[k].target


def back_edges(
    template: Template, roots: Iterable[int], inside: Sequence[bool] | None = None
) -> Iterator[tuple[int, int]]:
    """The edges of depth-first search that lead to where it has come from, as (location, number).

    It begins at the roots in their order, and keeps to the locations that are `inside`.
    """
    locations = template.locations
    entered, left = [False] * len(locations), [False] * len(locations)

    def successors(i: int) -> Iterator[tuple[int, int]]:
        return (
            (k, e.target)
            for k, e in enumerate(locations[i].edges)
            if goes_on(e) and (inside is None or inside[e.target])
        )

    for root in roots:
        if entered[root] or (inside is not None and not inside[root]):
            continue
        entered[root] = True
        path = [(root, successors(root))]
        while path:
            i, rest = path[-1]
            for k, target in rest:
                if not entered[target]:
                    entered[target] = True
                    path.append((target, successors(target)))
                    break
                if not left[target]:
                    yield i, k
            else:
                left[i] = True
                path.pop()


def loops_first(template: Template) -> dict[int, frozenset[int]]:
    """The locations that the entry leads to, each after those before it on all paths (but loops),
    and all of a loop before what comes after it; with the locations of the loop that is entered
    there, or that one alone.

    That is a weak topological order [Bourdoncle93]: of each strongly connected component the
    location where it is entered, and then the rest in the same way.
    """
    locations = template.locations
    place = {location: k for k, location in enumerate(forwards(template))}
    todo: list[frozenset[int]] = []

    def add(inside: Iterable[int]) -> None:
        its = dict.fromkeys(sorted(inside, key=place.__getitem__))
        graph = {
            i: [e.target for e in locations[i].edges if goes_on(e) and e.target in its] for i in its
        }
        todo.extend(components(graph))

    add(place)
    order = {}
    while todo:
        part = todo.pop()
        head = min(part, key=place.__getitem__)
        order[head] = part
        if len(part) > 1:
            add(part - {head})
    return order
