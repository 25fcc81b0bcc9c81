"""What threads may still do: the accesses of their later steps that the search has met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from abpress.por.dependence import Access
from abpress.por.stateless.algorithm import Node


class Futures:
    """Per thread, and per number of steps that it has made, the accesses of its next step. Mutable.

    A step that waits counts, too.
    """

    def __init__(self) -> None:
        self._met: dict[int, list[dict[Access, None]]] = {}
        self._unions: dict[int, list[tuple[int, int]]] = {}

    def note(self, thread: int, made: int, access: Access) -> None:
        """The thread's next step after `made` steps has this access."""
        steps = self._met.setdefault(thread, [])
        while len(steps) <= made:
            steps.append({})
        if access not in steps[made]:
            steps[made][access] = None
            self._unions.pop(thread, None)

    def after(self, made: Counter[int]) -> Iterator[tuple[int, Access]]:
        """Threads and accesses of steps to come, when threads have `made` so many steps."""
        for thread, steps in self._met.items():
            seen: dict[Access, None] = {}
            for accesses in steps[made[thread] :]:
                seen.update(accesses)
            for access in seen:
                yield thread, access

    def comes_first(self, node: Node, made: Counter[int], thread: int) -> bool:
        """Whether no step that depends on the thread's next one can come before it.

        The others that can move, and those that they wake or create, have no such step. The search
        must have met what follows the thread's step at the node: then every other step that can
        come before it has been met, too. For what is independent of the thread's step can come
        after it, and is then the same; and the first one that is not, if there were one, would be
        dependent with it in both orders.
        """
        access = node.next_of(thread).access
        others = [t for t in self._met if t != thread and made[t] < len(self._met[t])]
        live = [t for t in node.threads if t != thread and node.next_of(t).steps]
        asleep = [t for t in others if t not in live]
        while live:
            other = live.pop()
            touched, written = self._union(other, made)
            if other in node.threads:
                touched |= node.next_of(other).access.touched
                written |= node.next_of(other).access.written
            if access.written & touched or access.touched & written:
                return False
            still: list[int] = []
            for t in asleep:
                own = node.next_of(t).access.touched if t in node.threads else self._first(t, made)
                (live if written & own else still).append(t)
            asleep = still
        return True

    def _first(self, thread: int, made: Counter[int]) -> int:
        touched = 0
        for access in self._met[thread][made[thread]]:
            touched |= access.touched
        return touched

    def _union(self, thread: int, made: Counter[int]) -> tuple[int, int]:
        """What the thread may touch and write from now on."""
        unions = self._unions.get(thread)
        if unions is None:
            touched = written = 0
            unions = [(0, 0)]
            for accesses in reversed(self._met.get(thread, [])):
                for access in accesses:
                    touched |= access.touched
                    written |= access.written
                unions.append((touched, written))
            unions.reverse()
            self._unions[thread] = unions
        return unions[min(made[thread], len(unions) - 1)]
