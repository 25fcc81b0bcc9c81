"""The races of a whole execution with observers, and the sequences that reverse them.

[ContextSensitive19], Figure 1, lines 2 to 8. A race of e and e' that has no observers is reversed
as any other (`reversal`). If it has, not only is e' to come before e, but the last observer o is to
see it: v = notdep(e).e'.e.notobs(e, e').o, without what happens after an observer. That o waits
after v instead of seeing it is found out in time: cells that threads wait for are not written
blindly (`relations.footprint`), and writes of others have no observers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from abpress.reductions.next_steps import Next
from abpress.reductions.stateless.algorithm import SearchPath
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.reversal import Reversal, Reversals
from abpress.reductions.stateless.sequences import Item
from abpress.relations.happens_before import Event
from abpress.relations.observed import ObservedExecution, ObservedRace


def observed_reversals(
    reversals: Reversals,
    execution: ObservedExecution,
    nodes: Sequence[ExecutionNode],
    whole: bool,
) -> Iterator[Reversal]:
    """Where the races of an execution that has ended can be reversed, and how.

    `nodes[k]` is the prefix of the first k events, at least up to the last event. What threads are
    left with races, too: with the end of the program, or because they wait. At nodes that are not
    of the search (they have no current thread) nothing is reversed. `whole`: such an execution was
    looked at before, when its nodes were of the search.
    """
    for reversal in _reversals(reversals, execution, nodes, whole):
        if reversal.node.current is not None:
            yield reversal


def _reversals(
    reversals: Reversals,
    execution: ObservedExecution,
    nodes: Sequence[ExecutionNode],
    whole: bool,
) -> Iterator[Reversal]:
    events = execution.events
    earlier = _earlier(events, nodes) if whole else (1 << len(events)) - 1
    for race in execution.races(earlier):
        thread, then = _observed(execution, race)
        yield from reversals.of(execution, nodes, thread, [race.first], then)
    last = len(events) - 1
    ending = 1 << last if events and events[-1].access.ends else 0
    for thread, its in _left(reversals.path, events, nodes):
        if not its.steps:
            races = execution.races_in_cut(thread, its.access, ending)
            yield from reversals.of(execution, nodes, thread, races)
        elif ending:
            yield from reversals.of(execution, nodes, thread, [last])


def _earlier(events: list[Event], nodes: Sequence[ExecutionNode]) -> int:
    """The events whose races with later ones may be reversed at nodes of the search: those after
    such nodes; and others, if a thread that then waits races with an event after such a node."""
    executed = sum(node.current is not None for node in nodes)
    found = (1 << executed) - 1
    races: dict[Item, bool] = {}
    for k in range(executed, len(nodes)):
        for item in nodes[k].waits:
            if item not in races:
                races[item] = _races(events[:executed], item)
            if races[item]:
                found |= 1 << k
                break
    return found


def _races(events: list[Event], waiting: Item) -> bool:
    """Whether the thread's attempt races with one of the events. Its creation does not."""
    thread, attempt = waiting
    created = replace(attempt, touched=attempt.touched & ~attempt.life)
    return any(event.thread != thread and created.conflicts(event.access) for event in events)


def _left(
    path: SearchPath, events: list[Event], nodes: Sequence[ExecutionNode]
) -> Iterable[tuple[int, Next]]:
    """What threads are left with; nothing is where the execution was cut short. Where the program
    has ended they are looked at now, so it is said where they stand."""
    n = len(events)
    ended = n > 0 and events[-1].access.ends
    if not ended and len(nodes) == n:
        return []
    node = nodes[n - ended]
    path.tried = events[: n - ended]
    left = [(t, node.next_of(t)) for t in node.threads if not ended or t != events[-1].thread]
    path.tried = None
    return left


def _observed(execution: ObservedExecution, race: ObservedRace) -> tuple[int, list[Event]]:
    """The thread of the last event of v, and what else of v happens after e."""
    events = execution.events
    e, second, observers = race
    if not observers:
        return events[second].thread, []
    observing = 0
    for o in observers:
        observing |= execution.future(o)
    rest = execution.future(e) & ~(observing | 1 << e | 1 << second)
    notobs = [event for k, event in enumerate(events) if rest >> k & 1]
    return events[observers[-1]].thread, [events[second], events[e], *notobs]
