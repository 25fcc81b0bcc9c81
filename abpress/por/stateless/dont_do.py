"""Don't-do sequences: what need not be executed, because it leads to a state that is met otherwise.

After *Optimal Context-Sensitive Dynamic Partial Order Reduction with Observers*, Algorithms 1, 2.
A sleep set holds threads whose exploration would repeat that of an equivalent execution; dnd(E)
holds sequences for which the execution that is explored instead need not be equivalent, but leads
to the same state. dnd(E.p) are the sequences of dnd(E) of which p is a weak initial, without p
(line 62, without observers: an independent p is taken out wherever it stands).

A thread whose next step is all of such a sequence is *refused*: the search does not go on with it,
but with the races of that step (lines 18 and 26), and with those that may follow: `contexts`,
NOTE(races-beyond). That is done as soon as there is such a sequence: it excludes from then on.

What is refused leads to the state of an execution that branches off earlier, in the order of the
search. That one may be refused in turn, but finally one is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from abpress.por.dependence import Access
from abpress.por.stateless.algorithm import Node, Sequence, without
from abpress.por.stateless.futures import Futures


class DontDo:
    """The don't-do sequences of the prefixes of the current execution. Mutable.

    `found` is the number of sequences that were excluded.
    """

    def __init__(self) -> None:
        self._futures = Futures()
        self.found = self._refused = 0
        self._stored = self._most = 0  # sequences of all prefixes together
        self._deepest = self._depth = 0
        self._made: Counter[int] = Counter()
        self._path: list[int] = []
        self._fresh: dict[Node, list[int]] = {}
        self._covered: dict[Node, bool] = {}

    def enter(self, node: Node, parent: Node | None) -> None:
        """What is left of the parent's sequences (lines 29, 30, 62)."""
        self._depth += 1
        self._deepest = max(self._deepest, self._depth)
        fresh = self._fresh[node] = []
        self._covered[node] = False
        if parent is None:
            self._path.append(0)
            return
        assert parent.current is not None
        self._made[parent.current] += 1
        self._path.append(parent.current)
        access = parent.next_of(parent.current).access
        for v in parent.dont:
            rest = without(v, parent.current, access)
            if rest is not None:
                self._note(node, rest)
                if len(rest) == 1 < len(v) and rest[0].thread not in fresh:
                    fresh.append(rest[0].thread)
        self._covered[node] = any(
            self._futures.comes_first(node, self._made, t)
            for t in node.enabled()
            if node.excluded(t) and t not in node.sleep
        )

    def note(self, thread: int, made: int, access: Access) -> None:
        """The thread's next step after `made` steps has this access."""
        self._futures.note(thread, made, access)

    def after(self, made: Counter[int]) -> Iterator[tuple[int, Access]]:
        """Threads and accesses of steps to come, when threads have `made` so many steps."""
        return self._futures.after(made)

    def covered(self, node: Node) -> bool:
        """Whether nothing needs to be explored after the node: a thread is excluded, and comes
        before all that depends on it, whatever is done."""
        return self._covered[node]

    def exclude(self, node: Node, v: Sequence) -> None:
        """Line 42."""
        self.found += 1
        self._note(node, v)

    def fresh(self, node: Node) -> int | None:
        """A thread that is to be refused at once, if there is one that was not to at the parent."""
        fresh = self._fresh[node]
        while fresh:
            thread = fresh.pop(0)
            if thread not in node.sleep and self.refuse(node, thread):
                return thread
        return None

    def refuse(self, node: Node, thread: int) -> bool:
        """Whether the thread, which the algorithm has chosen, is refused."""
        if not node.excluded(thread):
            return False
        if thread not in node.refused:
            node.refused.append(thread)
            self._refused += 1
        return True

    def free(self, node: Node) -> list[int]:
        """A thread that can move, neither sleeps nor is refused; all that are, if there is none
        (lines 17 to 21).

        Rather one that leads on in a don't-do sequence: the sooner it is at its end, the less is
        explored of what it excludes.
        """
        awake = [t for t in node.enabled() if t not in node.sleep]
        allowed = [t for t in awake if not (node.excluded(t) or self._covered[node])]
        if not allowed:
            return [t for t in awake if node.excluded(t) and t not in node.refused]
        for v in sorted(node.dont, key=len):
            if v[0].thread in allowed:
                return [v[0].thread]
        return allowed[:1]

    def leave(self, node: Node) -> None:
        """The search goes back from the node."""
        self._made[self._path.pop()] -= 1
        del self._covered[node]
        self._depth -= 1
        self._stored -= len(node.dont)
        del self._fresh[node]

    def statistics(self) -> dict[str, int]:
        """`M_D` and `M_S` are those of the paper's table: the most don't-do sequences that the
        prefixes of an execution have together, and the most states on a path."""
        return {
            "dont_do_sequences": self.found,
            "refused": self._refused,
            "M_D": self._most,
            "M_S": self._deepest,
        }

    def _note(self, node: Node, v: Sequence) -> None:
        if v not in node.dont:
            node.dont.append(v)
            self._stored += 1
            self._most = max(self._most, self._stored)
