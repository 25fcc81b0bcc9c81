"""The condition on cycles for searches without a stack: it depends on the state alone.

Legend: at a state `s` of the graph H one thread would be explored alone; its edges are the steps of
that thread (`alone(s)`). A step *advances* if on every cycle of states there is one that does not.

NOTE(returning): at s all threads are explored if a step of alone(s) that does not advance leads to
a state of the same strongly connected component of H. So on every cycle of the explored graph some
state is expanded fully: one on which all are expanded alone is a cycle of H, and the source of its
step that does not advance is one of those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic

from abpress.semantics.protocols import S, Step

Alone = Callable[[S], tuple[Step[S], ...] | None]
"""The steps of the thread that would be explored alone; None if there is no such thread."""

Advances = Callable[[S, int, S], bool]
"""Whether the step of a thread from the one state to the other advances."""

_TICK = 256
"""States between two looks at the limits; a power of two."""


class Returning(Generic[S]):
    """Tells where all threads have to be explored. Mutable: it remembers components of H.

    `tick` is called every few states; it may raise.
    """

    def __init__(
        self, alone: Alone[S], advances: Advances[S], tick: Callable[[], None] = lambda: None
    ) -> None:
        self._alone = alone
        self._advances = advances
        self._tick = tick
        self._components: dict[S, int] = {}
        """State of H -> its component, as far as it was asked for."""

    def asks_for_all(self, state: S, alone: tuple[Step[S], ...]) -> bool:
        """Whether all threads have to be explored at a state, rather than its steps `alone`."""
        for step in alone:
            after = step.successor
            if step.violation is None and not self._advances(state, step.thread, after):
                if state not in self._components:
                    self._find(state)
                if self._components[state] == self._components.get(after):
                    return True
        return False

    def _find(self, root: S) -> None:
        """Finds the components of all states of H that can be reached from one (Tarjan)."""
        components, alone = self._components, self._alone
        order: dict[S, int] = {}
        low: list[int] = []
        stack: list[S] = []
        path: list[tuple[S, int, Iterator[Step[S]]]] = []

        def enter(state: S) -> None:
            number = order[state] = len(order)
            if not number & (_TICK - 1):
                self._tick()
            low.append(number)
            stack.append(state)
            path.append((state, number, iter(alone(state) or ())))

        enter(root)
        while path:
            state, number, steps = path[-1]
            for step in steps:
                successor = step.successor
                if step.violation is not None or successor in components:
                    continue
                known = order.get(successor)
                if known is None:
                    enter(successor)
                    break
                low[number] = min(low[number], known)
            else:
                path.pop()
                if path:
                    below = path[-1][1]
                    low[below] = min(low[below], low[number])
                if low[number] == number:
                    component = len(components)
                    while True:
                        member = stack.pop()
                        components[member] = component
                        if member == state:
                            break
