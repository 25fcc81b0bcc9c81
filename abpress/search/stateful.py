"""Depth-first search with stored states: a system and a reduction are plugged in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Hashable, Iterator
from typing import Any

from abpress.interpreter import without_cycle_collection
from abpress.properties import VISITED, Property
from abpress.properties.ends import classify
from abpress.reductions.choice import StatefulReduction, Visited
from abpress.search import leftovers
from abpress.search.ledger import (
    POLL_INTERVAL,
    Exploration,
    Ledger,
    OnFinal,
    Poll,
    SearchOver,
    told_of_faults,
)
from abpress.search.statistics import Statistics
from abpress.semantics.protocols import S, Step, TransitionSystem


def _table(
    serials: dict[Any, int], key: Callable[[S], Hashable] | None
) -> tuple[Callable[[S, int], int], Callable[[S], int | None]]:
    """What gives a state a serial number unless it has one, and what tells it."""
    if key is None:
        return serials.setdefault, serials.get

    def known(state: S, serial: int) -> int:
        return serials.setdefault(key(state), serial)

    def serial_of(state: S) -> int | None:
        return serials.get(key(state))

    return known, serial_of


@without_cycle_collection()
def explore(
    system: TransitionSystem[S],
    reduction: StatefulReduction[S],
    property: Property,
    *,
    poll: Poll[Statistics] | None = None,
    keep_going: bool = False,
    on_final: OnFinal[S] | None = None,
    leads: Container[str] = (),
    on_stop: Callable[[Collection[S]], None] | None = None,
    key: Callable[[S], Hashable] | None = None,
) -> Exploration[S, Statistics]:
    """Searches all executions of `system` that `reduction` asks for, depth first.

    Stops at the first violation of `property` (of a conjunction, at the first of each part, or of
    one that `leads`), or with `keep_going` collects one execution per distinct violation (and one
    deadlock). `poll` is asked every few steps whether to stop;
    `on_final` is told every state without a step once, `on_stop` all states that are known when a
    limit ends the search. States with one `key` count as one, of which the first is explored.
    """
    leftovers.clear()
    stats = Statistics(states=1)
    ledger: Ledger[S, Statistics] = Ledger(property, stats, keep_going, poll, on_final, leads)
    looks = not property.looks_at.isdisjoint(VISITED)
    suspicious = property.suspects(system) if looks else None
    initial = system.initial()

    # A state's serial number is its rank in the order of discovery; `left[serial]` is set when the
    # search leaves it for good. So one dictionary access per step tells new from known states.
    serials: dict[Any, int] = {initial if key is None else key(initial): 0}
    left = bytearray(1)
    known, serial_of = _table(serials, key)

    def on_stack(state: S) -> bool:
        serial = serial_of(state)
        return serial is not None and not left[serial]

    expand = reduction.expand
    # Telling those that never ask again costs `none` 1.7 % more instructions (bench-stateful).
    asks_again, meet, leave = reduction.asks_again, reduction.meet, reduction.leave
    visited = Visited(serial_of, on_stack)
    path: list[Step[S]] = []  # the steps from the initial state to the top of the stack
    top, count, steps, depth = 0, 1, 0, 0
    opened = 0  # value of `steps` when the top was discovered; -1 once it is known to have a step

    def record() -> None:
        stats.states, stats.steps, stats.max_depth = count, steps, depth
        stats.thread_choices = reduction.thread_choices

    def closed(exhausted: bool = False) -> Exploration[S, Statistics]:
        record()
        stats.more = reduction.statistics()
        return ledger.closed(exhausted)

    def attempted(state: S, attempt: Step[S]) -> None:
        if state == (path[-1].successor if path else initial):
            ledger.attempt(path, attempt)

    try:
        with told_of_faults(system, attempted):
            if looks and ledger.visit(system, initial, path):
                return closed()
            moves = expand(initial, visited)  # of the top
            below: list[
                tuple[Iterator[Step[S]], int]
            ] = []  # moves and serial of the states below it
            while True:
                for step in moves:
                    steps += 1
                    if not steps & (POLL_INTERVAL - 1):
                        record()
                        if ledger.polled():
                            if on_stop is not None:
                                on_stop(serials)
                            leftovers.leave(serials, below, path, moves)
                            return closed()
                    if step.violation is not None:
                        if ledger.violation(path, step):
                            return closed()
                        continue
                    successor = step.successor
                    serial = known(successor, count)
                    if serial == count:
                        count += 1
                        left.append(0)
                        below.append((moves, top))
                        path.append(step)
                        if len(path) > depth:
                            depth = len(path)
                        if (
                            looks
                            and (suspicious is None or suspicious(successor))
                            and ledger.visit(system, successor, path)
                        ):
                            return closed()
                        moves, top, opened = expand(successor, visited), serial, steps
                        break
                    if asks_again:
                        meet(serial, successor)
                else:
                    if steps == opened:
                        state = path[-1].successor if path else initial
                        if not reduction.stays(state):
                            end = classify(system, state)
                            if ledger.end(system, state, end, path):
                                return closed()
                    left[top] = 1
                    if asks_again:
                        leave()
                    if not below:
                        return closed(exhausted=True)
                    moves, top = below.pop()
                    path.pop()
                    opened = -1
    except SearchOver:
        return closed()
