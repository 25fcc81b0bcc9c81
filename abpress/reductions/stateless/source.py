"""Source-DPOR ([ODPOR14], Algorithm 1).

Every complete execution is explored once per happens-before class; there are executions that end
blocked by their sleep sets. Races are looked at when the later event is met (line 6) if that is
enough, NOTE(races-met), else in executions that have ended: NOTE(whole-executions).
"""

from __future__ import annotations

from abpress.reductions.stateless.algorithm import SearchPath
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.sequences import Items, initials
from abpress.semantics.naming import MAIN


class SourceSets:
    """The plan of a node is backtrack(E'), a list of threads: a source set once the search leaves
    the node."""

    def begin(self, path: SearchPath) -> None:
        """Does nothing: the path does not matter."""

    def enter(self, node: ExecutionNode, parent: ExecutionNode | None) -> None:
        """Plans some enabled thread that does not sleep (line 3): main, which creates the others,
        if it is one. Where others go on before main has created all, what they have read is
        reversed later, and most of what comes of that is blocked."""
        main = MAIN in node.threads and MAIN not in node.sleep and node.next_of(MAIN).steps
        thread = MAIN if main else node.awake(node.preferred)
        node.plan = [] if thread is None else [thread]

    def choose(self, node: ExecutionNode) -> int | None:
        """A thread of the backtrack set that does not sleep (line 5); None if there is none."""
        thread: int
        for thread in node.plan:
            if thread not in node.sleep:
                return thread
        return None

    def planned(self, node: ExecutionNode) -> int:
        """How many threads of the backtrack set are left."""
        return sum(t not in node.sleep and t != node.current for t in node.plan)

    def reverse(self, node: ExecutionNode, v: Items) -> None:
        """Adds an initial of v, unless there is one (lines 8 and 9): the last one, which mostly is
        the thread of the race's later event. With others, the earlier event often comes first once
        more, and what follows is blocked."""
        todo, sleep, last = node.plan, node.sleep, None
        for last in initials(v):
            if last in todo or last in sleep:
                return
        assert last is not None
        todo.append(last)

    def leave(self, node: ExecutionNode) -> None:
        """Does nothing: nothing is kept of a node."""

    def statistics(self) -> dict[str, int]:
        return {}
