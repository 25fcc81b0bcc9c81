"""Don't-do sequences: what need not be executed, because it leads to a state that is met otherwise.

After *Optimal Context-Sensitive Dynamic Partial Order Reduction with Observers*, Algorithms 1, 2.
A sleep set holds threads whose exploration would repeat that of an equivalent execution; dnd(E)
holds sequences for which the execution that is explored instead need not be equivalent, but leads
to the same state. dnd(E.p) are the sequences of dnd(E) of which p is a weak initial, without p
(line 62, without observers: an independent p is taken out wherever it stands). A thread whose next
step is all of such a sequence is *refused*: the search does not go on with it, but with the races
of that step (lines 18 and 26).

What is refused leads to the state of an execution that branches off earlier, in the order of the
search. That one may be refused in turn, but finally one is not.
"""

from __future__ import annotations

from abpress.por.stateless.algorithm import Node, Sequence, without


class DontDo:
    """The don't-do sequences of the prefixes of the current execution. Mutable.

    `stored` is the number of sequences of all prefixes.
    """

    def __init__(self) -> None:
        self.stored = self._most = self._found = self._refused = 0
        self._deepest = self._depth = 0

    def enter(self, node: Node, parent: Node | None) -> None:
        """What is left of the parent's sequences (lines 29, 30, 62)."""
        self._depth += 1
        self._deepest = max(self._deepest, self._depth)
        if parent is None:
            return
        assert parent.current is not None
        access = parent.next_of(parent.current).access
        for v in parent.dont:
            rest = without(v, parent.current, access)
            if rest is not None:
                self._note(node, rest)

    def exclude(self, node: Node, v: Sequence) -> None:
        """Line 42."""
        self._found += 1
        self._note(node, v)

    def refuse(self, node: Node, thread: int) -> None:
        """The algorithm has chosen the thread; it may be one to refuse."""
        if node.excluded(thread):
            node.refused.append(thread)
            self._refused += 1

    def free(self, node: Node) -> list[int]:
        """A thread that can move, neither sleeps nor is refused; all that are, if there is none
        (lines 17 to 21).

        Rather one that leads on in a don't-do sequence: the sooner it is at its end, the less is
        explored of what it excludes.
        """
        awake = [t for t in node.enabled() if t not in node.sleep]
        allowed = [t for t in awake if not node.excluded(t)]
        if not allowed:
            return awake
        for v in sorted(node.dont, key=len):
            if v[0].thread in allowed:
                return [v[0].thread]
        return allowed[:1]

    def leave(self, node: Node) -> None:
        """The search goes back from the node."""
        self._depth -= 1
        self.stored -= len(node.dont)

    def statistics(self) -> dict[str, int]:
        """`M_D` and `M_S` are those of the paper's table: the most don't-do sequences that the
        prefixes of an execution have together, and the most states on a path."""
        return {
            "dont_do_sequences": self._found,
            "refused": self._refused,
            "M_D": self._most,
            "M_S": self._deepest,
        }

    def _note(self, node: Node, v: Sequence) -> None:
        if v not in node.dont:
            node.dont.append(v)
            self.stored += 1
            self._most = max(self._most, self.stored)
