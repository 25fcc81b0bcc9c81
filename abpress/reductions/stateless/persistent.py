"""Persistent sets, computed dynamically, with sleep sets.

After [DPOR05], Figure 3: of a race between an event after the prefix E' and a later step of thread
p, p itself is added at E' if it is enabled there, else a thread whose event happens before p's
step, else all enabled threads.

NOTE(sleeping-choice): as printed that is not complete with sleep sets. Where p sleeps at E', p is
not explored there, and the races are not met that would add the threads whose events must come
before p's. So an initial of the reversing sequence is added besides, unless there is one: the set
is a source set, too.
"""

from __future__ import annotations

from abpress.reductions.stateless.algorithm import SearchPath
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.sequences import Items, ancestors
from abpress.reductions.stateless.source import SourceSets


class PersistentSets(SourceSets):
    """Source sets that are persistent: more threads are added for a race."""

    def begin(self, path: SearchPath) -> None:
        self._path = path

    def reverse(self, node: ExecutionNode, v: Items) -> None:
        """Adds the threads that the race asks for (lines 7 and 8 of the figure)."""
        last = v[-1].thread
        todo: list[int] = node.plan
        if self._moves(node, last):
            if last not in todo:
                todo.append(last)
        else:
            leading = [t for t in _leading(v) if self._moves(node, t)]
            if not leading:
                threads = (node.preferred, *(t for t in node.threads if t != node.preferred))
                todo.extend(t for t in threads if self._moves(node, t) and t not in todo)
            elif not any(t in todo for t in leading):
                todo.append(leading[0])
        super().reverse(node, v)

    def _moves(self, node: ExecutionNode, thread: int) -> bool:
        """Whether the thread can move at the node, to which the search may go back to see that."""
        if thread not in node.threads:
            return False
        path = self._path
        if thread not in node.known and node in path.nodes:
            path.tried = path.execution.events[: path.nodes.index(node)]
            node.next_of(thread)
            path.tried = None
        return bool(node.next_of(thread).steps)


def _leading(v: Items) -> list[int]:
    """The threads of the events of v that happen before its last event, and of that one."""
    return list(dict.fromkeys(item.thread for item in (*ancestors(v), v[-1])))
