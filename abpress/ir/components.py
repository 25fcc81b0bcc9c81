"""Strongly connected components of a graph."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping


def components(graph: Mapping[int, Collection[int]]) -> Iterator[frozenset[int]]:
    """The strongly connected components of a graph, given as the successors of each node; a
    successor that is no key has none (Tarjan, 1972, without recursion)."""
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    stack: list[int] = []
    inside: set[int] = set()
    for root in graph:
        if root in number:
            continue
        todo = [(root, iter(graph[root]))]
        number[root] = lowest[root] = len(number)
        stack.append(root)
        inside.add(root)
        while todo:
            node, successors = todo[-1]
            for n in successors:
                if n not in number:
                    number[n] = lowest[n] = len(number)
                    stack.append(n)
                    inside.add(n)
                    todo.append((n, iter(graph.get(n, ()))))
                    break
                if n in inside:
                    lowest[node] = min(lowest[node], number[n])
            else:
                todo.pop()
                if todo:
                    lowest[todo[-1][0]] = min(lowest[todo[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    found: set[int] = set()
                    while node not in found:
                        found.add(stack.pop())
                    inside -= found
                    yield frozenset(found)


def is_cycle(component: frozenset[int], graph: Mapping[int, Collection[int]]) -> bool:
    """Whether a component has an edge: more than one node, or one with an edge to itself."""
    return len(component) > 1 or any(n in graph.get(n, ()) for n in component)
