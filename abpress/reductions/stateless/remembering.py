"""Context-sensitive independence, as a wrapper of any choice of threads.

Steps that lead to the same state in both orders are independent in that context. With source sets
that is DPOR_cs ([ContextSensitive17] as told in [ContextSensitive19], section 3), with wakeup trees
ODPOR_cs ([ContextSensitive19], Algorithm 1), and with observers ODPOR^ob_cs (Algorithm 2). There
two states may differ in cells that several threads write and that are not read any more, which is
the refined check for write-write races. NOTE(dont-do) says what is different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from abpress.reductions.stateless.algorithm import SearchPath, StatelessAlgorithm, ThreadChoice
from abpress.reductions.stateless.node import ExecutionNode, WatchedNode
from abpress.reductions.stateless.races import ObservedRaces
from abpress.reductions.stateless.remembered import Remembered
from abpress.reductions.stateless.sequences import Items
from abpress.relations.footprint import InternedFootprints
from abpress.relations.happens_before import Event


def remembering(choice: ThreadChoice, *, observers: bool = False) -> StatelessAlgorithm:
    """Chooses as `choice`; the search does not go on from what is known."""
    remembering = RememberingChoice(choice)
    return StatelessAlgorithm(remembering, RememberedRaces(remembering, ObservedRaces(observers)))


class RememberingChoice:
    """Another choice of threads, but none at a state from which everything was explored.

    Where threads are cut off after rounds of loops, who goes on is not said by the state alone:
    then nothing is remembered.
    """

    reverse: Callable[[ExecutionNode, Items], None]
    memory: Remembered
    _path: SearchPath

    def __init__(self, choice: ThreadChoice) -> None:
        self._choice = choice
        self.reverse = choice.reverse

    @property
    def inner(self) -> ThreadChoice:
        """The other choice."""
        return self._choice

    def begin(self, path: SearchPath) -> None:
        """Begins with nothing remembered."""
        self._choice.begin(path)
        self._path = path
        self.memory = Remembered(path.system, path.look, path.accesses.contested)

    def enter(self, node: ExecutionNode, parent: ExecutionNode | None) -> None:
        """Plans as the other choice, and looks for what is known of the state."""
        path = self._path
        if path.unrolled:
            self._choice.enter(node, parent)
            return
        if path.cut:
            path.certain = False
        self._choice.enter(node, parent)
        events = path.execution.events
        event = events[-1] if events else None
        before = None if parent is None else _watched(parent)
        self.memory.enter(_watched(node), before, event, path.certain)

    def choose(self, node: ExecutionNode) -> int | None:
        """None where everything that follows is known, else as the other choice."""
        return None if node.met else self._choice.choose(node)

    def planned(self, node: ExecutionNode) -> int:
        return 0 if node.met else self._choice.planned(node)

    def leave(self, node: ExecutionNode) -> None:
        self._choice.leave(node)
        self.memory.leave(_watched(node), self._path.certain)

    def statistics(self) -> dict[str, int]:
        mine = {} if self._path.unrolled else self.memory.statistics()
        return self._choice.statistics() | mine


class RememberedRaces:
    """Other races, and those of executions that are known to follow."""

    def __init__(self, choice: RememberingChoice, races: ObservedRaces) -> None:
        self._choice = choice
        self._races = races
        self.node = races.node
        self.met = races.met
        self.ending = races.ending
        self.ended = races.ended

    def accesses(self) -> InternedFootprints:
        return self._races.accesses()

    def begin(self, path: SearchPath, choice: ThreadChoice) -> None:
        self._path = path
        self._races.begin(path, choice)

    def violated(self, event: Event) -> None:
        """Remembers the violation, and looks at the races as the others do."""
        self._choice.memory.violated(_watched(self._path.nodes[-1]), event)
        self._races.violated(event)

    def follow(self) -> Iterator[None]:
        """Looks at the races of the executions that are put together."""
        path = self._path
        watched = [_watched(node) for node in path.nodes]
        continued = self._choice.memory.continued(path.execution.events, watched)
        for events, nodes, whole in continued:
            self._races.reverse(events, nodes, whole)
            yield


def _watched(node: ExecutionNode) -> WatchedNode:
    assert isinstance(node, WatchedNode)
    return node
