"""Records of what was explored from states, so that it need not be explored again.

Context-sensitive independence ([ContextSensitive19], section 3): where two steps lead to the same
state in both orders, only one order is followed further. Here that is noticed when the state is met
again, by whatever steps. The *continuations* of a state are the executions that were explored from
it, as sequences of events. Where it is met again, none is executed: they are put together with the
steps that have led there now, and their races with these are reversed, as if they had been
executed. With observers, two states are the same *modulo observability* (section 4.1) if they
differ only in cells that several threads write blindly, and that no event of a continuation reads
before it is written: from the one everything can be executed that was executed from the other, and
the same is read.

Theorem: a search that remembers meets the states (with observers: modulo observability) at the ends
of the executions that the algorithm explores without remembering, and the same violations. Proof:
consider the tree of a search, and put below each node that is met again the subtree that was
explored from its state, once more, and so on; that ends, since a subtree is remembered when it has
been left. A node of a copy has the same state, and at least as much asleep (a record fits only if
all that slept there sleeps now, too). So the algorithm could explore of the copy what does not
begin with a thread that sleeps now, or an execution up to where only such threads can move; those
are the executions that are put together. What is explored at a node is what races ask for whose
earlier event stands there, in the executions through it. If the node is in a copy, both events are
in the continuation, and the race was looked at when the record was made: whether they race does not
depend on what was before, nor what can be executed to reverse that. If it is not, the race is
looked at now. So every node is asked for what it would be asked for, and the ends are those of the
copies, all of which were met.

NOTE(asleep): of a continuation, the first step of a thread that sleeps now, and what happens after
it, is left out. With that step, a race would be reversed by a sequence of which the sleeping thread
is an initial, and source sets would take it for reversed elsewhere; random systems (tests) lose
final states then.

NOTE(waiting-beyond): the thread of the later event may wait after what would reverse a race, and so
race with what was before (`reversal`), even if both events are in the continuation. That is
different where a state is met again: the same cells were written, but by other threads, or in
another order. So it is remembered what such threads wait for, and where somebody has written that
now, their races are looked at once more. Without that random systems (tests) lose deadlocks.

NOTE(dont-do): [ContextSensitive19] foresees what will be the same, by don't-do sequences that are
found race by race and handed down (Algorithm 2, lines 61, 62, 72 to 81), and gives up an execution
where one ends, after a look at the races of what has been executed (lines 51 and 58). As published
that loses executions: what would still follow may race with steps whose order was changed, and who
reads the cell after the observers of a race (Example 4.1) sees a difference; tests keep such
programs. So states are stored, which the paper avoids; its M_D, the number of don't-do sequences,
has no meaning here. Of executions that lead to the same end only one is completed, but the time
grows with the number of happens-before classes, since each is put together.

Once a thread has had a choice, or been cut off at a bound, nothing is known any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from abpress.reductions.next_steps import Next, NextSteps
from abpress.reductions.stateless.node import WatchedNode
from abpress.reductions.stateless.reversal import after
from abpress.reductions.stateless.sequences import Item
from abpress.reductions.stateless.sleepers import Sleeper
from abpress.relations.footprint import Footprint
from abpress.relations.happens_before import Event
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Comparable


@dataclass(slots=True, eq=False)
class Record:
    """What is explored from a state: its next events, and what is from where they lead. Mutable.

    `live` are the keys of cells that are read before they are written, and `waits` those of the
    node, once all is explored. `copy` is a node for the state that is not of the search.
    """

    state: State
    sleepers: frozenset[Sleeper]
    next: list[tuple[Event, Record]] = field(default_factory=list)
    waiting: tuple[Next, ...] = ()
    live: frozenset[int] = frozenset()
    waits: AbstractSet[Item] = frozenset()
    copy: WatchedNode | None = None

    def close(self) -> None:
        """Works out `live`: all has been explored."""
        live = {key for its in self.waiting for key in its.access.reads}
        for event, then in self.next:
            live.update(then.live.difference(event.access.writes), event.access.reads)
        self.live = frozenset(live)


class _Blocked(NamedTuple):
    """Events that are not executed, because their threads sleep, or others that do come before:
    their threads, and what they access together."""

    threads: frozenset[int]
    footprint: Footprint

    def before(self, event: Event) -> bool:
        """Whether one of them happens before the event."""
        return event.thread in self.threads or self.footprint.conflicts(event.access)

    def and_then(self, event: Event) -> _Blocked:
        """These events and another one."""
        return _Blocked(self.threads | {event.thread}, self.footprint.joined(event.access))


_NOTHING = _Blocked(frozenset(), Footprint((), (), False, 0, 0))


class _Continuing(NamedTuple):
    """A place on the way through what is known: what is left to do there, who sleeps, what is not
    executed for that reason, and whether the event that leads here was."""

    rest: Iterator[tuple[Event, Record]]
    asleep: dict[int, Footprint]
    blocked: _Blocked | None
    executed: bool


class Remembered:
    """The records of a search. Mutable: it is told of the search's way up and down."""

    def __init__(self, system: Comparable, look: NextSteps, contested: AbstractSet[int]) -> None:
        self._system = system
        self._look = look
        self._contested = contested
        self._closed: dict[State, list[Record]] = {}
        """By state without what cells hold."""
        self._states = self._put_together = 0

    def enter(
        self, node: WatchedNode, parent: WatchedNode | None, event: Event | None, certain: bool
    ) -> None:
        """The search has come to a node from its parent by the event. Notes what is known to
        follow. If nothing is `certain` any more, as of the algorithm, all is forgotten."""
        if not certain:
            self._closed.clear()
            return
        sleepers = frozenset(node.sleepers())
        known = self._known(node.state, sleepers)
        node.met = known is not None
        node.record = record = known or Record(node.state, sleepers)
        if parent is not None and event is not None:
            _follows(parent, event, record)

    def violated(self, node: WatchedNode, event: Event) -> None:
        """Records that the event after the node violates a property."""
        _follows(node, event, Record((), frozenset()))

    def leave(self, node: WatchedNode, certain: bool) -> None:
        """Closes the record of the node, if it has one: all has been explored from there."""
        record: Record | None = node.record
        if record is None or node.met or not certain:
            return
        if not record.next:
            record.waiting = tuple(node.next_of(t) for t in node.threads)
        record.waits = node.waits
        record.close()
        key, _ = self._system.cells.split(record.state)
        self._closed.setdefault(key, []).append(record)
        self._states += 1

    def continued(
        self, events: list[Event], nodes: list[WatchedNode]
    ) -> Iterator[tuple[list[Event], list[WatchedNode], bool]]:
        """The executions that would be explored from the last node, which was met, with their
        prefixes, and whether they are whole; those prefixes that are not of the search have no
        current thread. Each is good until the next one is asked for."""
        node = nodes[-1]
        known: Record = node.record
        same = node.state == known.state
        for item in known.waits:
            node.note_waiting(item)
        events, nodes = [*events], [*nodes]
        asleep = {s.thread: s.access for s in node.sleepers() if not (s.over or s.access.blind)}
        seen: set[tuple[int, ...]] = set()
        path = [_Continuing(iter(known.next), asleep, None, False)]
        if not known.next:
            self._put_together += 1
            yield events, nodes, True
        while path:
            rest, asleep, blocked, _ = path[-1]
            event, then = next(rest, (None, known))
            if event is None:
                if path.pop().executed:
                    events.pop()
                    nodes.pop()
                continue
            executed = event.thread not in asleep and not (blocked and blocked.before(event))
            if executed:
                access = event.access
                asleep = {t: a for t, a in asleep.items() if not a.conflicts(access)}
                events.append(event)
                if then.state:  # else it violates a property
                    nodes.append(self._after(nodes[-1], event, then, same and not blocked))
            else:
                blocked = (blocked or _NOTHING).and_then(event)
            if then.next:
                path.append(_Continuing(iter(then.next), asleep, blocked, executed))
                continue
            threads = tuple(e.thread for e in events) if blocked else ()
            if threads not in seen:
                if blocked:
                    seen.add(threads)
                self._put_together += 1
                yield events, nodes, not blocked
            if executed:
                events.pop()
                if then.state:
                    nodes.pop()

    def _after(self, node: WatchedNode, event: Event, record: Record, same: bool) -> WatchedNode:
        """The node after the event; `same`: the states are those of the records."""
        if not same:
            return self._node(after(self._system, node.state, event), record)
        if record.copy is None:
            record.copy = self._node(record.state, record)
        return record.copy

    def _node(self, state: State, record: Record) -> WatchedNode:
        node = WatchedNode(state, self._system.threads(state), self._look, {}, 0)
        node.waits.update(record.waits)
        return node

    def statistics(self) -> dict[str, int]:
        """How many states are remembered, and how many executions were put together from what is
        known to follow them."""
        return {"remembered_states": self._states, "known_executions": self._put_together}

    def _known(self, state: State, sleepers: frozenset[Sleeper]) -> Record | None:
        key, contents = self._system.cells.split(state)
        for record in self._closed.get(key, ()):
            if record.sleepers <= sleepers and self._equal(record, contents):
                return record
        return None

    def _equal(self, record: Record, contents: tuple[Any, ...]) -> bool:
        _, others = self._system.cells.split(record.state)
        return self._system.cells.same_but(
            contents, others, lambda key: key in self._contested and key not in record.live
        )


def _follows(node: WatchedNode, event: Event, record: Record) -> None:
    if node.record is not None:
        node.record.next.append((event, record))
