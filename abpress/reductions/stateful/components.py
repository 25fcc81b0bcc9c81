"""The strongly connected components of the explored graph, found during the search ([Tarjan72])."""

from __future__ import annotations

from collections.abc import Sequence


class Components:
    """States by their serial numbers. Mutable.

    `_low` has those whose component is not known yet: in the order of discovery, with the first
    state that they are known to reach.
    """

    def __init__(self) -> None:
        self._low: dict[int, int] = {}

    def enter(self, serial: int) -> None:
        """A state was discovered."""
        self._low[serial] = serial

    def is_open(self, serial: int) -> bool:
        """Whether the component of a visited state is not known yet: an edge from the top of the
        stack to such a state closes a cycle."""
        return serial in self._low

    def meet(self, top: int, serial: int) -> None:
        """There is an edge from a state on the stack to a visited one that is open."""
        self._low[top] = min(self._low[top], self._low[serial])

    def leave(self, serial: int) -> Sequence[int]:
        """The search leaves a state for good; returns its component, the last discovered first, if
        no other state of it is on the stack, else nothing."""
        component: list[int] = []
        if self._low[serial] == serial:
            while not component or component[-1] != serial:
                component.append(self._low.popitem()[0])
        return component
