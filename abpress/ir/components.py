"""Strongly connected components of a graph."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping


def components(graph: Mapping[int, Collection[int]]) -> Iterator[frozenset[int]]:
    """The strongly connected components of a graph, given as the successors of each node, those
    that others lead to first; a successor that is no key has none.

    The algorithm is Tarjan's, without recursion, in the form of Nuutila.
    """
    number: dict[int, int] = {}  # of nodes, as they are reached
    lowest: dict[int, int] = {}  # the lowest number that is reached from a node
    successors: dict[int, Iterator[int]] = {}
    assigned: set[int] = set()  # nodes whose component is known
    waiting: list[int] = []  # nodes that are done, and belong to the component of one that is not
    for root in graph:
        path = [] if root in assigned else [root]
        while path:
            node = path[-1]
            if node not in number:
                number[node] = len(number) + 1
                successors[node] = iter(graph.get(node, ()))
            following = next((n for n in successors[node] if n not in number), None)
            if following is not None:
                path.append(following)
                continue
            path.pop()
            lowest[node] = number[node]
            for n in graph.get(node, ()):
                if n not in assigned:
                    reached = lowest[n] if number[n] > number[node] else number[n]
                    lowest[node] = min(lowest[node], reached)
            if lowest[node] < number[node]:
                waiting.append(node)
                continue
            component = {node}
            while waiting and number[waiting[-1]] > number[node]:
                component.add(waiting.pop())
            assigned |= component
            yield frozenset(component)


def is_cycle(component: frozenset[int], graph: Mapping[int, Collection[int]]) -> bool:
    """Whether a component has an edge: more than one node, or one with an edge to itself."""
    return len(component) > 1 or any(n in graph.get(n, ()) for n in component)
