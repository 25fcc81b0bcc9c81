"""The conflict relation, and happens-before of one execution by it.

Two steps are *in conflict* if one writes what the other reads or writes. `in_conflict` is that
definition. The searches use forms of it by bit sets, which tests compare with it:
`Footprint.conflicts` (`relations.footprint`), and that of the tree (`reductions.tree.footprints`);
the checker of certificates (`proof`) has its own on purpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Protocol


class Keys(Protocol):
    """What a step reads and writes: cells, lives of objects and threads, the program's being
    alive."""

    @property
    def reads(self) -> AbstractSet[Any]:
        """The keys that it reads."""

    @property
    def writes(self) -> AbstractSet[Any]:
        """The keys that it writes; one that it reads and writes is in both."""


def in_conflict(one: Keys, other: Keys) -> bool:
    """Whether one writes a key that the other reads or writes."""
    return not (
        one.writes.isdisjoint(other.writes)
        and one.writes.isdisjoint(other.reads)
        and one.reads.isdisjoint(other.writes)
    )


def predecessors(threads: Sequence[int], steps: Sequence[Keys]) -> list[set[int]]:
    """Per step of an execution, the earlier ones that it depends on directly.

    Their transitive closure is happens-before: order within a thread, and conflicts. Of the writes
    of a key only the last one is named, and of its reads those since.
    """
    last_of: dict[int, int] = {}
    writer: dict[Any, int] = {}
    readers: dict[Any, list[int]] = {}
    result = []
    for i, (thread, keys) in enumerate(zip(threads, steps, strict=True)):
        before = set()
        if thread in last_of:
            before.add(last_of[thread])
        for key in keys.reads | keys.writes:
            if key in writer:
                before.add(writer[key])
        for key in keys.writes:
            before.update(readers.get(key, ()))
        for key in keys.reads - keys.writes:
            readers.setdefault(key, []).append(i)
        for key in keys.writes:
            writer[key] = i
            readers[key] = []
        last_of[thread] = i
        result.append(before)
    return result


def sources(threads: Sequence[int], steps: Sequence[Keys]) -> list[set[int]]:
    """Per step of an execution, the earlier ones that it comes from directly: the one before of its
    thread, and those that have written last what it reads."""
    last_of: dict[int, int] = {}
    writer: dict[Any, int] = {}
    result = []
    for i, (thread, keys) in enumerate(zip(threads, steps, strict=True)):
        before = {writer[key] for key in keys.reads if key in writer}
        if thread in last_of:
            before.add(last_of[thread])
        writer.update(dict.fromkeys(keys.writes, i))
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
