"""Source-DPOR ([ODPOR14], Algorithm 1).

Every complete execution is explored once per happens-before class; there are executions that end
blocked by their sleep sets. Races are looked at in executions that have ended, not when the later
event is met (line 6): NOTE(whole-executions).
"""

from __future__ import annotations

from abpress.reductions.stateless.algorithm import Node, Sequence, initials


class SourceSets:
    """`todo` is backtrack(E'): a source set once the search leaves the node."""

    races = True
    observers = False
    remembers = False
    certain = True

    def enter(self, node: Node, parent: Node | None) -> None:
        """Line 3: some enabled thread that does not sleep."""
        thread = node.awake()
        node.todo = [] if thread is None else [thread]

    def choose(self, node: Node) -> int | None:
        """Line 5: a thread of the backtrack set that does not sleep."""
        for thread in node.todo:
            if thread not in node.sleep:
                return thread
        return None

    def reverse(self, node: Node, v: Sequence) -> None:
        """Lines 8 and 9: an initial of v, unless there is one."""
        todo, sleep, first = node.todo, node.sleep, None
        for thread in initials(v):
            if thread in todo or thread in sleep:
                return
            if first is None:
                first = thread
        assert first is not None
        todo.append(first)

    def leave(self, node: Node) -> None:
        """Nothing is kept of a node."""

    def statistics(self) -> dict[str, int]:
        return {}
