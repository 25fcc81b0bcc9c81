"""Source sets: a node is expanded in further threads when a race asks for it.

A reduced node is expanded in some of its threads, T. That suffices if

1. in every state of the node some step of a thread in T is possible and goes on;
2. no event of a thread outside T, on a path behind a step of T, conflicts with the next step of a
   thread in T, unless an event of a thread in T happens before it;
3. on every cycle of tree and cover edges some node is expanded in all threads, NOTE(ignoring).

Theorem: if a state s of a node n has an execution w to a violation, an error is possible in the
tree below n. We show more: if a state s of n has an execution w after which g is the next step of
its thread (it may have to wait), then an event like g lies on a path from n, with a past that is
not larger than that of g in w. By induction on the length of w, then on the distance from n to the
next fully expanded nodes, which is finite by 3. If w is empty, g is next at n. If n is expanded
fully, the first step of w leads to a child. Else let T be its threads.

- T moves in w, first by e. If e depends on nothing before it, it commutes to the front, and w
  shrinks. Else let h be the first step of w that depends on a next step of T, and u what is before
  it. By 1 some thread of T goes on from s; u and h are still next behind its step. By induction,
  for u is shorter than w, an event like h lies on a path there, and no event of T happens before
  it: 2 is violated.
- T does not move in w. If a step of w depends on a next step of T: as before. Else a step of T
  that goes on commutes with w; the distance shrinks. The past of g does not grow by that step, or
  g conflicts with it: then 2 is violated again, unless the thread of g is in T; but then g is next
  at n.

NOTE(blocked-threads): threads that wait need no rule here. The next step of a thread of T that
waits reads what it waits for, and who changes that has a race with it. Nor do threads that exit: no
violation follows an exit, so it enables and disables nothing that matters, but it does not go on.

The sets start with one thread that goes on, and grow by the threads of races: [AbPress14],
Algorithm 1. There the races of a path are found when it is explored, here from summaries, to which
every path contributes. NOTE(ghost-events): a race found so has no path, so its initials are not
known; but of several races the one with the least past is taken first, and those that come after an
event of its thread are none any more. What is proved is condition 2, however the sets were found.
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
"""The races of a node with these threads: the events that violate condition 2."""


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
