"""What the native core tells and counts; `native/core.h` and `native/interface.c` have the same."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class CoreEvent(IntEnum):
    """What the core tells; the numbers are those of `enum event`."""

    FAULT = 0  # an attempt ends there: undefined behaviour, a bound, a value that there is not
    NOTE = 1  # something is to be said of the step, which goes on
    VIOLATION = 2
    COMPLETE = 3
    DEADLOCK = 4
    BLOCKED = 5
    VISIT = 6  # properties may look at the state
    WAITS = 7  # asked of a thread as it stands: whether it is known whom it would wait for
    ACCESSES = 8  # the same: the number of what it is about to access
    APART = 9  # asked of two such numbers: whether these are known not to race
    MISSING = 10  # a node before the part of the tree needs one of so many threads
    AGAIN = 11  # the search begins again: what was told before is told once more
    CUT = 12  # a thread does not go on: at the bound of steps (0), or of loops (1)
    JOINS = 13  # asked of a step from the top, or of the initial state: what `main` joins then


QUESTIONS = frozenset({CoreEvent.WAITS, CoreEvent.ACCESSES, CoreEvent.APART, CoreEvent.JOINS})
"""What it asks."""


class Ran(IntEnum):
    """How a slice of a search has ended."""

    MORE = 0
    EXHAUSTED = 1
    STOPPED = 2  # the listener has said so
    REFUSED = 3
    APART = 4  # threads that counted as equal are not


@dataclass(frozen=True, slots=True)
class CoreCounts:
    """What a search has done so far, in the words of `abpress.search.statistics`; `threads` that
    have names, `bytes` of stored states. The last ones are those of searches without these."""

    states: int
    steps: int
    thread_choices: int
    max_depth: int
    complete: int
    deadlocked: int
    assume_blocked: int
    violating: int
    threads: int
    bytes: int
    sleep_set_blocked: int
    races: int
    wakeup_sequences: int
    wakeup_nodes: int
    wakeup_nodes_at_most: int
    remembered_states: int
    known_executions: int
    retraversals: int
    retraversed_transitions: int
    summaries: int
    paths: int
    points_to_sets: int
    determinate: int
    retroactive_choices: int
    cut: int
    permuted_high: int
    permuted_low: int

    @property
    def permuted(self) -> int:
        """How many the states are with all permutations of threads that count as equal."""
        return self.permuted_high << 64 | self.permuted_low


@dataclass(frozen=True, slots=True)
class CoreTally:
    """What was done before a step, in the words of `abpress.search.statistics`."""

    complete: int
    deadlocked: int
    assume_blocked: int
    violating: int
    sleep_set_blocked: int
    events: int
    races: int
    cut: int


@dataclass(frozen=True, slots=True)
class CoreSplit:
    """What is handed over at a node: alternatives of its thread from the first one on, and more
    threads. So many nodes were `frozen` before."""

    node: int
    frozen: int
    first: int
    given: int
    before: CoreTally


@dataclass(frozen=True, slots=True)
class CoreNode:
    """A node of the path: the thread that is under way, which alternative of it, and how many are
    left; threads that were explored before, and that are still to be explored, as bits."""

    thread: int
    alternative: int
    left: int
    done: int
    rest: int
