"""What threads may still do: the accesses of their later steps that the search has met."""

from __future__ import annotations

from collections.abc import Iterator

from abpress.por.dependence import Access


class Futures:
    """Per thread, and per number of steps that it has made, the accesses of its next step. Mutable.

    A step that waits counts, too.
    """

    def __init__(self) -> None:
        self._met: dict[int, list[dict[Access, None]]] = {}

    def note(self, thread: int, made: int, access: Access) -> None:
        """The thread's next step after `made` steps has this access."""
        steps = self._met.setdefault(thread, [])
        while len(steps) <= made:
            steps.append({})
        steps[made][access] = None

    def after(self, made: dict[int, int]) -> Iterator[tuple[int, Access]]:
        """Threads and accesses of steps to come, when threads have `made` so many steps."""
        for thread, steps in self._met.items():
            seen: dict[Access, None] = {}
            for accesses in steps[made.get(thread, 0) :]:
                seen.update(accesses)
            for access in seen:
                yield thread, access
