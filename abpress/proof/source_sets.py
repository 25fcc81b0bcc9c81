"""The condition that the expanded threads of a node are a source set ([AbPress14], section 4).

Let T be the threads that a node n is expanded in, and *next steps* what the threads at n may do
next or touch before they wait. T suffices if

- (C) no event of a thread p outside T, on a path behind a step of T, conflicts with a next step of
  T, unless a step of T happens before the event; p is at n, or can be created without T;
- (D) in every state of n some thread of T can do a step after which the program goes on;
- (F) every cycle of child and cover edges has a node that is expanded in all threads.

Theorem: if a state s of n has an execution w to an error (a violation, a fault or an overflow),
then an error step is possible at a node below n. Two claims are proved together, by induction on
the length of w, then on the distance from n to the next nodes that are expanded in all threads,
which is finite by (F). Suppose that no error step is possible in the tree. *For every execution w
from s, and the next step g of a thread after w (it may have to wait): g is no error, and from n a
path leads to an event with the accesses of g and a past that is contained in the past of g in w.*
The past is what happens before an event, and the event: threads and accesses.

- If w is empty, g is a next step. That it is no error is known only if its thread is expanded at n:
  else the cases below apply, with w empty.
- If n is expanded in all threads, the first step of w leads to a child.
- T moves in w: let e be its first step there. If nothing before e conflicts with a next step of T,
  e is possible in s; the rest is an execution behind it, and is shorter. Else let h be the first
  step in w that does, and u what is before it. By (D) some e1 of T goes on from s, to a child n1.
  No step of u conflicts with it, so u is possible behind it; and the thread of h has a next step h'
  there. That reads what h reads until it comes to something that e1 has written; so h' conflicts
  with a next step of T, as h does, or is an error. By induction for u, which is shorter than w, it
  is none, and a path from n1 leads to it without a step of T in its past. That contradicts (C).
- T does not move in w. If a step of w conflicts with a next step of T, as before. Else let e1 go on
  to n1. Then w is possible behind it, and n1 is nearer. If g is of T, it is a next step at n. If it
  is not, and conflicts with a next step of T, (C) is contradicted as before. Else it is the same
  behind e1, and by induction a path from n1 leads to it; e1 is not in its past, because it
  conflicts with nothing there.

Deadlocks (states in which threads are left, and all of them wait) are found as well: if s has an
execution w to a deadlocked state, some node below n has such a state, NOTE(no-thread-goes-on). By
induction on the length of w, with both claims. If w is empty, n is expanded in all threads by (D),
and the state is one of n. If n is expanded in all threads, the first step of w leads to a child. If
T moves in w, nothing before its first step e conflicts with a next step of T, as above, and the
rest of w behind e leads to the same state. T does move: else no step of w conflicts with a next
step of T, as above, so the thread of T that goes on from s by (D) still does in the last state. (An
execution to a deadlock has no exit. With cells that do not count a state is deadlocked if it is
with some values of these cells; (D) holds for all of their values.)

So are races (states in which two threads stand before accesses a and b that race), by the same
cases and NOTE(races-in-trees): if T moves in w, as above. If it does not, no step of w conflicts
with a next step of T. If the thread of a is of T, it stands before a in s; then b conflicts with a
next step of T, so its thread is of T, and stands before b in s: the race is found at n. If neither
is, neither a nor b conflicts with a next step of T, so that e1 leaves them as they are, and w leads
behind e1 to such a state. (The key of what is accessed counts: it is not left out.)

Threads outside T that have first to be created by T, directly or through others, are no h and no g
of the last case. A node with an invisible step (S-POR) is no exception to (C): invisible steps
commute, but reading undefined memory, which chooses its value, has an access that conflicts.

NOTE(blocked-threads): threads that wait need no rule. The next step of a thread of T that waits
reads what it waits for, and who changes that has a race with it. NOTE(exits-are-steps): nor do
exits. No violation follows one, so that it conflicts with everything need not be said, but it does
not go on, so that (D) counts it.

NOTE(lost-is-stable): what is so in a state, and stays so, needs another claim, which the same cases
prove: *for every execution w from s, a path from n takes a permutation of w and more.* Where T
moves in w, its first step there commutes with all before it, or (C) is contradicted; where it does
not, a step of T that goes on may come before w. So of a state in which memory is lost there is a
step on a path of the tree that loses it first; and of one in which threads wait in a circle,
NOTE(circles-last), a node at the end of a path has such a state, or the node that covers it.

Where a node is covered by one in which threads are others, what is known of that one is taken with
the names that threads have at the node, NOTE(symmetric-covers).

(C) is looked for in two ways: by summaries, which forget on which path an event lies, and by paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from abpress.proof.accesses import Alphabet, Bits, TreeEvent
from abpress.proof.expansion import CheckedTree, require_progress_of
from abpress.symbolic.discrete import Discrete
from abpress.symbolic.exchange import Moves, inverse

Access = tuple[int, Bits]
"""A thread, and the bit of a read or of a write."""


class Race(NamedTuple):
    """An event that violates (C): the child behind which it lies, its thread and an access."""

    child: int
    thread: int
    access: Bits


Races = Callable[[int, Bits, Bits], Race | None]
"""(node, T, what conflicts with its next steps) -> a race there, if there is one."""


def require_source_sets(
    tree: CheckedTree, counts: Callable[[str], bool], paths: bool = False
) -> None:
    """Raises Rejected unless all nodes are expanded in source sets, or Unchecked.

    Keys for which `counts` does not hold conflict with nothing. By summaries; `paths`: where these
    fail, by paths, unless threads are others where nodes are covered.
    """
    require_progress_of(tree)
    alphabet = Alphabet(tree, counts)
    summaries = CheckedSummaries(tree, alphabet)
    exactly = Paths(tree, alphabet)
    for n in tree.missing:
        chosen = tree.expanded[n]
        tree.require(tree.go_on(n, chosen), n, "the other threads may be unable to go on")
        d = tree.discrete[n]
        inside, clash = alphabet.threads(chosen), 0
        for t in chosen:
            for event in alphabet.next(d, t):
                clash |= event.clash & ~inside
        race = summaries.race(n, inside, clash)
        if race is not None and paths and not tree.moves:
            race = exactly.race(n, inside, clash)
        if race is not None:
            what = f"the {alphabet.name(race.access)} by {tree.system.name(race.thread)}"
            raise tree.reject(n, f"{what} behind node {race.child} may come first")


def _outside(tree: CheckedTree, n: int) -> Callable[[int], bool]:
    """Whether a thread can move below n before the threads do that n is expanded in."""
    present = {part.id for part in tree.discrete[n].threads}
    inside = set(tree.expanded[n])
    creator = tree.system.creator

    def outside(t: int) -> bool:
        while t and t not in present:
            t = creator(t)
        return t not in inside

    return outside


class CheckedSummaries:
    """Per node, what may be accessed from there on, with a lower bound of its past over all paths
    and events: the least fixpoint over child and cover edges."""

    def __init__(self, tree: CheckedTree, alphabet: Alphabet) -> None:
        self._tree = tree
        self._alphabet = alphabet
        self._back: dict[int, Callable[[Bits], Bits]] = {}
        self._moves: dict[int, Moves] = {}
        self._parents: dict[int, dict[tuple[int, TreeEvent, int], None]] = {
            n: {} for n in tree.expanded
        }
        for n, children in tree.children.items():
            for step, child in children:
                target = tree.representatives[child]
                if tree.moves:
                    self._note_moves(child, inverse(tree.through(child)))
                through = child if child in self._moves else target
                self._parents[target][n, alphabet.step(step), through] = None
        self._bases: dict[Discrete, dict[Access, Bits]] = {}
        self._found: dict[int, dict[Access, Bits]] = {n: {} for n in tree.expanded}
        self._solve()

    def race(self, n: int, inside: Bits, clash: Bits) -> Race | None:
        """A race of the node that violates (C), as `Races` says; None if there is none."""
        outside = _outside(self._tree, n)
        for _, child in self._tree.children[n]:
            for access, past in self._of(child):
                thread, bit = access
                if bit & clash and not past & inside and outside(thread):
                    return Race(child, thread, bit)
        return None

    def _note_moves(self, child: int, moves: Moves) -> None:
        if moves:
            self._moves[child] = moves
            self._back[child] = self._alphabet.renaming(moves)

    def _of(self, child: int) -> Iterator[tuple[Access, Bits]]:
        """What is known of a node, with the names that threads have there."""
        return self._taken_back(child, self._found[self._tree.representatives[child]])

    def _taken_back(
        self, child: int, known: Mapping[Access, Bits]
    ) -> Iterator[tuple[Access, Bits]]:
        """What is known of what covers a node, with the names that threads have at the node."""
        moves = self._moves.get(child)
        if moves is None:
            yield from known.items()
            return
        back = self._back[child]
        for (thread, bit), past in known.items():
            yield (moves.get(thread, thread), back(bit)), back(past)

    def _base(self, d: Discrete) -> Mapping[Access, Bits]:
        """The accesses of next steps, with what certainly happens with them."""
        found = self._bases.get(d)
        if found is None:
            found = self._bases[d] = {}
            for t in self._tree.system.threads(d):
                for event in self._alphabet.next(d, t):
                    for bit in self._alphabet.accesses(event.own):
                        found[t, bit] = found.get((t, bit), event.own) & event.own
        return found

    def _solve(self) -> None:
        """Hands what is new at a node to its parents, from the last nodes to the first."""
        rank = {n: k for k, n in enumerate(_postorder(self._tree))}
        new: dict[int, dict[Access, Bits]] = {}
        for n in rank:
            base = self._base(self._tree.discrete[n])
            self._found[n] = dict(base)
            new[n] = dict(base)
        todo = [(k, n) for n, k in rank.items()]
        heapify(todo)
        while todo:
            n = heappop(todo)[1]
            changes = new.pop(n, None)
            if not changes:
                continue
            for parent, (own, clash), through in self._parents[n]:
                known = self._found[parent]
                waiting = new.get(parent)
                for access, past in self._taken_back(through, changes):
                    if past & clash:
                        past |= own
                    before = known.get(access)
                    after = past if before is None else before & past
                    if after != before:
                        known[access] = after
                        if waiting is None:
                            waiting = new[parent] = {}
                            heappush(todo, (rank[parent], parent))
                        waiting[access] = after


def _postorder(tree: CheckedTree) -> Iterable[int]:
    """The expanded nodes, each behind those that it leads to, as far as there is no cycle."""
    found: dict[int, None] = {}
    seen: set[int] = set()
    for root in tree.expanded:
        todo = [(root, False)]
        while todo:
            n, left = todo.pop()
            if left:
                found[n] = None
            elif n not in seen:
                seen.add(n)
                todo.append((n, True))
                todo += [(tree.representatives[m], False) for _, m in tree.children[n]]
    return found


class Paths:
    """Follows paths, each with what has come after a step of T: its threads and accesses."""

    def __init__(self, tree: CheckedTree, alphabet: Alphabet) -> None:
        self._tree = tree
        self._alphabet = alphabet

    def race(self, n: int, inside: Bits, clash: Bits) -> Race | None:
        """A race of the node that violates (C), as `Races` says; None if there is none."""
        tree, alphabet = self._tree, self._alphabet
        outside = _outside(tree, n)
        todo = [(tree.representatives[m], inside, m) for _, m in tree.children[n]]
        seen: set[tuple[int, Bits]] = set()
        while todo:
            at, after, child = todo.pop()
            if (at, after) in seen:
                continue
            seen.add((at, after))
            d = tree.discrete[at]
            for t in filter(outside, tree.system.threads(d)):
                for event in alphabet.next(d, t):
                    if event.own & clash and not event.clash & after:
                        return Race(child, t, next(alphabet.accesses(event.own & clash)))
            for step, m in tree.children[at]:
                own, conflicting = alphabet.step(step)
                follows = after | own if conflicting & after else after
                todo.append((tree.representatives[m], follows, child))
        return None
