"""From a race to the sequences that reverse it; threads that wait race, too (DESIGN 4.5).

A race is a thread q that has come to its next step in a cut of the execution E, and an event e of
the cut with which that step races. Without e and what happens after it, the rest v of the cut can
still be executed. If q can move after v, then v and q's step are what reverses the race. If q
waits there, it is not reversible (a mutex is locked still, when its unlocking is taken back), but
q's attempt is the next step of a smaller cut, and its races are looked at in the same way.

Completeness (sketch). Let p be explored after E', and E'.w.q be a trace in which p comes later or
never, all of w independent of p, and q dependent with p but disabled after E'.p.w. An explored
execution contains E'.p.w. There q waits until some r enables it, or for ever. The events that q's
step races with, without those of w, can be taken back one after the other until only p is left,
which is taken back last: then q can move. Where it can move before, the execution in which it does
is explored, and the argument goes on there, with fewer events to take back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from abpress.por.happens_before import Event, Order
from abpress.por.stateless.algorithm import Item, Look, Node, Sequence
from abpress.semantics.outcome import State, Step


class Threads(Protocol):
    """What is asked of an interpreter."""

    def threads(self, s: State, /) -> tuple[int, ...]: ...

    def steps(self, s: State, t: int, /) -> tuple[Step, ...]: ...


@dataclass(frozen=True, slots=True)
class Reversal:
    """After the prefix `node` v can be executed, at the end of which stands the later event of the
    race. The earlier event is that of the node's current thread."""

    node: Node
    v: Sequence


def reversals(
    system: Threads,
    look: Look,
    execution: Order,
    nodes: list[Node],
    thread: int,
    races: Iterable[int],
    then: Iterable[Event] = (),
) -> Iterator[Reversal]:
    """Where a race of the thread's next step with an event of `races` can be reversed, and how.

    `nodes[k]` is the prefix of the first k events. The events of `then` were taken back, but can
    follow what was not, before the thread's step.
    """
    todo = [execution.future(e) for e in races]
    seen = set(todo)
    while todo:
        removed = todo.pop()
        k = (removed & -removed).bit_length() - 1
        state = nodes[k].state
        v = []
        events = execution.events
        rest = (events[j] for j in range(k + 1, len(events)) if not removed >> j & 1)
        for event in chain(rest, then):
            v.append(Item(event.thread, event.access))
            state = after(system, state, event)
        if thread not in system.threads(state):
            continue  # it has not been created there
        its = look(state, thread)
        if its.steps:
            yield Reversal(nodes[k], (*v, Item(thread, its.access)))
            continue
        for e in execution.races_in_cut(thread, its.access, removed):
            smaller = removed | execution.future(e)
            if smaller not in seen:
                seen.add(smaller)
                todo.append(smaller)


def after(system: Threads, state: State, event: Event) -> State:
    """The state after the event, which does not depend on what has been taken out before it."""
    for step in system.steps(state, event.thread):
        if step.choices == event.choices:
            return step.successor
    raise AssertionError("internal error: an event depends on one that does not happen before it")
