"""Stateful depth-first search, written once: a system and a reduction are plugged in."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic

from abpress.properties import Aspect, Property
from abpress.properties.ends import End, classify
from abpress.reductions.static.protocol import Reduction
from abpress.search.ledger import Found, Ledger
from abpress.search.limits import StopReason
from abpress.semantics.protocols import S, Step, TransitionSystem

POLL_INTERVAL = 256
"""Steps between two looks at the limits; a power of two."""


@dataclass(slots=True)
class Statistics:
    """What a search has done so far. Mutable: the search counts as it goes.

    Executions are counted once per end: the distinct states without a step, by the way they end,
    and the steps that end with a violation of any property. `thread_choices` are the states at
    which several threads were explored; `more` are numbers of the reduction.
    """

    states: int = 0
    steps: int = 0
    complete: int = 0
    deadlocked: int = 0
    blocked: int = 0
    violating: int = 0
    max_depth: int = 0
    thread_choices: int = 0
    more: dict[str, int] = field(default_factory=dict)

    @property
    def executions(self) -> int:
        """All maximal executions, however they end, but not those that meet a known state."""
        return self.complete + self.deadlocked + self.blocked + self.violating

    def count(self, end: End) -> None:
        """One more execution that ends in a state without a step."""
        match end:
            case End.COMPLETE:
                self.complete += 1
            case End.DEADLOCK:
                self.deadlocked += 1
            case End.BLOCKED:
                self.blocked += 1

    def as_dict(self) -> dict[str, int | float | str]:
        """Names and numbers for reports."""
        return {
            "states": self.states,
            "transitions": self.steps,
            "thread_choices": self.thread_choices,
            "executions": self.executions,
            "complete_executions": self.complete,
            "deadlocked_executions": self.deadlocked,
            "blocked_executions": self.blocked,
            "violating_executions": self.violating,
            "max_depth": self.max_depth,
            **self.more,
        }


@dataclass(frozen=True, slots=True)
class Exploration(Generic[S]):
    """The outcome of a search.

    `stopped` says which limit ended it. `exhausted` means that every state that the reduction asks
    for was explored; a search that stops at its first violation is neither.
    """

    statistics: Statistics
    found: tuple[Found[S], ...]
    stopped: StopReason | None
    exhausted: bool


Poll = Callable[[Statistics], StopReason | None]
OnFinal = Callable[[S, End], None]


@contextmanager
def without_cycle_collection() -> Iterator[None]:
    """Millions of states are containers without cycles: looking for some would halve the speed."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@without_cycle_collection()
def explore(
    system: TransitionSystem[S],
    reduction: Reduction[S],
    property: Property,
    *,
    poll: Poll | None = None,
    keep_going: bool = False,
    on_final: OnFinal[S] | None = None,
) -> Exploration[S]:
    """Searches all executions of `system` that `reduction` asks for, depth first.

    Stops at the first violation of `property`, or with `keep_going` collects one execution per
    distinct violation (and one deadlock). `poll` is asked every few steps whether to stop;
    `on_final` is told every state without a step once.
    """
    stats = Statistics(states=1)
    ledger: Ledger[S] = Ledger(keep_going)
    look = property.of_state if Aspect.STATE in property.looks_at else None
    initial = system.initial()

    # A state's serial number is its rank in the order of discovery; `left[serial]` is set when the
    # search leaves it for good. So one dictionary access per step tells new from known states.
    serials: dict[S, int] = {initial: 0}
    left = bytearray(1)

    def on_stack(state: S) -> bool:
        serial = serials.get(state)
        return serial is not None and not left[serial]

    expand, known = reduction.expand, serials.setdefault
    moves = expand(initial, on_stack)  # of the top of the stack
    below: list[tuple[Iterator[Step[S]], int]] = []  # moves and serial of the states below it
    path: list[Step[S]] = []  # the steps from the initial state to the top
    top, count, steps, depth = 0, 1, 0, 0
    opened = 0  # value of `steps` when the top was discovered; -1 once it is known to have a step

    def outcome(stopped: StopReason | None, exhausted: bool) -> Exploration[S]:
        record()
        return Exploration(stats, ledger.found, stopped, exhausted)

    def record() -> None:
        stats.states, stats.steps, stats.max_depth = count, steps, depth
        stats.thread_choices = reduction.thread_choices

    if look is not None and ledger.note(look(system, initial), path):
        return outcome(None, False)
    while True:
        for step in moves:
            steps += 1
            if not steps & (POLL_INTERVAL - 1) and poll is not None:
                record()
                stopped = poll(stats)
                if stopped is not None:
                    return outcome(stopped, False)
            violation = step.violation
            if violation is not None:
                stats.violating += 1
                if ledger.note(property.of_step(step), path, step):
                    return outcome(None, False)
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
                if look is not None and ledger.note(look(system, successor), path):
                    return outcome(None, False)
                moves, top, opened = expand(successor, on_stack), serial, steps
                break
        else:
            if steps == opened:
                state = path[-1].successor if path else initial
                end = classify(system, state)
                stats.count(end)
                if on_final is not None:
                    on_final(state, end)
                if ledger.note(property.of_end(system, state, end), path):
                    return outcome(None, False)
            left[top] = 1
            if not below:
                return outcome(None, True)
            moves, top = below.pop()
            path.pop()
            opened = -1
