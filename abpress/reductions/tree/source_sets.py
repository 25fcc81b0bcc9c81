"""Source sets: a node is expanded in further threads when a race asks for it.

The theorem is that of the checker, `abpress.proof.source_sets`: a node may be expanded in some of
its threads, T, if (C) nothing of another thread behind a step of T conflicts with a next step of T,
unless it happens after a step of T; (D) in every state some thread of T goes on; (F) every cycle
has a node that is expanded in all threads. Here T is made so that they hold: (D) by the first
thread, which is chosen because it goes on (`partial.ExpandOneFirst`); (C) by `compute_bt`, which
adds the threads of races, the events that violate (C); (F) by `progress.unproductive`,
NOTE(ignoring).

The sets grow by [AbPress14], Algorithm 1. There the races of a path are found when it is explored,
here from summaries, to which every path contributes. NOTE(ghost-events): a race found so has no
path, so its initials are not known; but of several races the one with the least past is taken
first, and those that come after an event of its thread are none any more. What is proved is (C),
however the sets were found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from abpress.art.node import Node
from abpress.art.tree import Changes
from abpress.reductions.tree.footprints import Bits, Footprints
from abpress.reductions.tree.protocol import Expired
from abpress.reductions.tree.summaries import Summaries

Race = tuple[int, Bits]
"""The thread of the later event, and the past of that."""

Races = Callable[[Node, Sequence[int]], Iterable[Race]]
"""The races of a node with these threads: the events that violate (C)."""


def compute_bt(node: Node, races: Races, creator: Callable[[int], int]) -> tuple[int, ...]:
    """The threads that races add to the source set of a reduced node (the paper's ComputeBT).

    The source set SSet(v) are the threads in which the node is expanded.
    """
    threads = node.place.threads
    chosen = [t for t in threads if t in node.expanded]
    before = len(chosen)
    while len(chosen) < len(threads):
        found = min(races(node, chosen), key=lambda race: (race[1].bit_count(), race), default=None)
        if found is None:
            break
        thread = found[0]
        while thread and thread not in threads:
            thread = creator(thread)
        if not thread or thread in chosen:
            chosen = [*chosen[:before], *(t for t in threads if t not in node.expanded)]
        else:
            chosen.append(thread)
    return tuple(sorted(chosen[before:]))


class RaceFinder(Protocol):
    """Finds the races of nodes of one growing tree."""

    def update(
        self, nodes: Sequence[Node], changes: Changes, expired: Expired
    ) -> list[Node] | None:
        """The nodes whose races may have changed; None if the time is over before that is known."""

    def races(self, node: Node, chosen: Sequence[int], /) -> Iterator[Race]:
        """The races of a node that is expanded in the chosen threads, as `Races` says."""


class SummaryRaces:
    """Races found from summaries."""

    def __init__(self, footprints: Footprints) -> None:
        self._footprints = footprints
        self._summaries = Summaries(footprints)
        self.update = self._summaries.update

    def races(self, node: Node, chosen: Sequence[int]) -> Iterator[Race]:
        """The races of a node that is expanded in the chosen threads, as `Races` says."""
        footprints = self._footprints
        conflicts = footprints.conflicts(node.place, chosen)
        inside = sum(map(footprints.thread, chosen))
        thread_of, bit_of = footprints.thread_of, footprints.bit_of
        for children in node.expanded.values():
            for _, child in children:
                if child is None:
                    continue
                for access, past in self._summaries.of(child).items():
                    if bit_of[access] & conflicts and not past & inside:
                        thread = thread_of[access]
                        if thread not in chosen and not _created(thread, node, child):
                            yield thread, past


class PathRaces:
    """Races found on the paths themselves, into what covers a node and below (no summaries).

    A path is followed with what has come after an event of the chosen threads so far; where two
    agree on that, one is followed.
    """

    def __init__(self, footprints: Footprints) -> None:
        self._footprints = footprints

    def update(self, nodes: Sequence[Node], changes: Changes, expired: Expired) -> list[Node]:
        """All nodes, the last one first, if the tree has changed."""
        return list(reversed(nodes)) if changes.grown or changes.shrunk else []

    def races(self, node: Node, chosen: Sequence[int]) -> Iterator[Race]:
        """The races as `Races` says; the past is that of the race's last event alone."""
        footprints = self._footprints
        conflicts = footprints.conflicts(node.place, chosen)
        inside = sum(map(footprints.thread, chosen))
        seen: set[tuple[int, Bits]] = set()
        todo: list[tuple[Node, Bits]] = []
        for children in node.expanded.values():
            todo += [(child.representative(), inside) for _, child in children if child is not None]
        born = {t for at, _ in todo for t in at.place.threads} - set(node.place.threads)
        while todo:
            at, after = todo.pop()
            if (at.number, after) in seen:
                continue
            seen.add((at.number, after))
            for thread in at.place.threads:
                if thread in chosen or thread in born:
                    continue
                for event in footprints.next_events(at.place, thread):
                    if event.own & conflicts and not event.conflicts & after:
                        yield thread, event.own
            for children in at.expanded.values():
                for move, child in children:
                    if child is not None:
                        step = move.step
                        event = footprints.event(step.thread, step.reads, step.writes)
                        follows = after | event.own if event.conflicts & after else after
                        todo.append((child.representative(), follows))


def _created(thread: int, node: Node, child: Node) -> bool:
    """Whether the thread was created by the step from the node to the child."""
    return thread not in node.place.threads and thread in child.place.threads
