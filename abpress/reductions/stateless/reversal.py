"""Reversals of races: the sequences that reverse them; threads that wait race, too.

NOTE(blocked-threads): the step that a thread waits to do races, too, with what it waits for.

A race is a thread q that has come to its next step in a cut of the execution E, and an event e of
the cut with which that step races. Without e and what happens after it, the rest v of the cut can
still be executed. If q can move after v, then v and q's step are what reverses the race. If q
waits there, it is not reversible (a mutex is locked still, when its unlocking is taken back,
NOTE(locks-are-cells)), but
q's attempt is the next step of a smaller cut, and its races are looked at in the same way. So it is
if q's step fails there, which the search is told (NOTE(failed-accesses)).

Completeness (sketch). Let p be explored after E', and E'.w.q be a trace in which p comes later or
never, all of w independent of p, and q dependent with p but disabled after E'.p.w. An explored
execution contains E'.p.w. There q waits until some r enables it, or for ever. The events that q's
step races with, without those of w, can be taken back one after the other until only p is left,
which is taken back last: then q can move. Where it can move before, the execution in which it does
is explored, and the argument goes on there, with fewer events to take back.

NOTE(races-in-cuts): the states after these cuts, and those that the search visits, show all data
races, also of steps that are never possible. Theorem: let the search explore an execution of each
class, w lead to a state in which p and q stand before accesses a and b that race, and a be made by
p's next step, or attempt, wherever p stands there. Then such a state is met: p and q stand where
they do after w, and before a and b. (Of such w a shortest is meant: NOTE(useless-rounds).) Proof. E
contains w if it is an execution of the class of some w.v. One of an E, or a cut of it, that
contains w is *good for* a thread r if no event of r is in it but those of w. At such a one let n be
the next step or attempt of r, as it is there (if r moves in E outside of w, n is its first event
there, and we mean E without what happens after n).

1. Let r's attempt or step after w be T. *From any E that contains w we come to a cut that is good
   for r and where n has no race with an event outside of w; there n does what T does.* If there is
   a race with such an event e, the search takes E back to the cut without e and what happens after
   it, which contains w still. If r can move there, some explored E' contains that cut and then r's
   step n'; what E' has besides comes later, and is in no conflict with n'; we go on with n' in E'.
   Else we go on with the attempt. (If the program ends in E before r moves, although it can, we
   begin with an E' in which it moves then.) It ends: e is the only event of its future that n is in
   conflict with, as it races. So n' accesses what n does, up to the first cell k that e has
   written, and k has one write less outside of w. (The numbers of such writes, of the cells that n
   accesses in their order, shrink lexicographically.) If no race is left, nothing outside of w is
   in conflict with n, for the latest such event would race. Then n reads what T reads.
2. *q's step after w exists*, and some step does not end the program. Take w.q for w, and p for r.
   At the cut of (1) n makes a, which is in conflict with q's event, and races with it, as nothing
   of w comes after that. So E is taken back to the cut without it: p stands there, and q's event is
   possible there, with all that it accesses, since what is there beyond w is in no conflict with
   it.
3. *q's step ends the program*: what ends with it is w and that step, and w's state is visited.
4. *q only has an attempt.* Take q for r. The cut of (1) was taken back to, or it is the end of E
   (or what comes before the program's end), which is visited; for q's attempt after w is no event.
   There q stands before b. An event of p outside of w would make a, and be in conflict with b.

Two things are not looked at, and withhold the verdict "true" (`analysis.racing`, `entangled`): an
end of a thread and its join are in conflict but no race, so q must not access something and then
join, in one block; and an access that a block exposes must not come after others, which may decide
whether it is made. With observers, not all that races is in conflict; a search that remembers
states takes nothing back behind them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from abpress.reductions.stateless.algorithm import SearchPath
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.sequences import Item, Items
from abpress.relations.footprint import Footprint
from abpress.relations.happens_before import Event, Order
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Reversible

MOST_REPLAYED = 20_000
"""Of the states that are kept to be used again."""


@dataclass(frozen=True, slots=True)
class Reversal:
    """After the prefix `node` v can be executed, at the end of which stands the later event of the
    race. The earlier event is that of the node's current thread."""

    node: ExecutionNode
    v: Items


class AccessesMore(Exception):
    """What a thread would access is no part of what is allowed."""


class Reversals:
    """Finds the reversals of a search. Events are taken back one by one where that can be done;
    else the others are executed from a node. What was executed last from it is kept for the next
    time, as long as it is not too much. Mutable."""

    def __init__(self, path: SearchPath) -> None:
        self.path = path
        self._system = path.system
        self._look = path.look
        self._items: dict[Footprint, Item] = {}  # no two threads have the same access object
        self._replayed: dict[ExecutionNode, list[tuple[Event, State]]] = {}
        self._kept: deque[ExecutionNode] = deque()
        self._size = 0

    def of(
        self,
        execution: Order,
        nodes: Sequence[ExecutionNode],
        thread: int,
        races: list[int],
        then: Iterable[Event] = (),
        within: Footprint | None = None,
    ) -> Iterator[Reversal]:
        """Where a race of the thread's next step with an event of `races` can be reversed, and how.

        `nodes[k]` is the prefix of the first k events, at least up to the last event. The
        events of `then` were taken back, but can follow what was not, before the thread's step.
        Raises AccessesMore where the step would access what is no part of `within`.
        """
        events = execution.events
        todo = [execution.future(e) for e in races]
        seen = set(todo)
        while todo:
            removed = todo.pop()
            k = (removed & -removed).bit_length() - 1
            rest = [events[j] for j in range(k + 1, len(events)) if not removed >> j & 1]
            rest.extend(then)
            state = None
            if execution.writes_ordered:
                state = self._taken_back(events, nodes, removed)
            if state is None:
                state = self._after(nodes[k], rest)
            if thread not in self._system.threads(state):
                continue  # it has not been created there
            self.path.tried = (*events[:k], *rest)
            if self.path.on_cut is not None:
                self.path.on_cut(state)
            its = self._look(state, thread)
            self.path.tried = None
            if within is not None and not its.access.is_part(within):
                raise AccessesMore
            if its.steps:
                items = self._items
                v = [items.get(event.access) or self._item(event) for event in rest]
                yield Reversal(nodes[k], (*v, Item(thread, its.access)))
                continue
            waiting = Item(thread, its.access)
            for e in races:
                nodes[e].note_waiting(waiting)
            if then:
                continue  # an observer waits: the search begins again (`observed_races`)
            for e in execution.races_in_cut(thread, its.access, removed):
                smaller = removed | execution.future(e)
                if smaller not in seen:
                    seen.add(smaller)
                    todo.append(smaller)

    def _item(self, event: Event) -> Item:
        item = self._items[event.access] = Item(event.thread, event.access)
        return item

    def _taken_back(
        self, events: list[Event], nodes: Sequence[ExecutionNode], removed: int
    ) -> State | None:
        """The state after the events that are not removed; None if that is not known.

        What a removed event has changed is as it was before the first of them that has changed it:
        an event that is not removed and has changed it, too, has done so earlier. For it depends on
        the removed one, by the thread or by the cell.
        """
        n = (~removed & (1 << len(events)) - 1).bit_length()
        if n == len(nodes):
            return None  # the last event violates a property
        removed &= (1 << n) - 1
        changes = []
        while removed:
            j = removed.bit_length() - 1
            removed ^= 1 << j
            event = events[j]
            if event.change == ():
                its = nodes[j].state, nodes[j + 1].state, event.thread
                event.change = self._system.undo.change(*its)
            if event.change is None:
                return None
            changes.append(event.change)
        state = nodes[n].state
        return self._system.undo.restored(state, changes) if changes else state

    def _after(self, node: ExecutionNode, events: list[Event]) -> State:
        """The state after the events from the node."""
        state, replayed = node.state, self._replayed.setdefault(node, [])
        self._size -= len(replayed)
        n = 0
        for event in events:
            if n < len(replayed):
                last, its_state = replayed[n]
                if last is event or (last.thread, last.choices) == (event.thread, event.choices):
                    state = its_state
                    n += 1
                    continue
                del replayed[n:]
            state = after(self._system, state, event)
            replayed.append((event, state))
            n += 1
        if not self._kept or self._kept[-1] is not node:
            self._kept.append(node)
        self._size += len(replayed)
        while self._size > MOST_REPLAYED:
            self._size -= len(self._replayed.pop(self._kept.popleft(), ()))
        return state


def after(system: Reversible, state: State, event: Event) -> State:
    """The state after the event, which does not depend on what has been taken out before it."""
    for step in system.steps(state, event.thread):
        if step.choices == event.choices:
            return step.successor
    raise AssertionError("internal error: an event depends on one that does not happen before it")
