"""A prefix of the current execution of a search without stored states, and what sleeps there.

The *sleep set* of a prefix are threads with which everything is explored that could be explored
next. What a node takes for redundant is a matter of the dependence relation: nodes of algorithms
with observers are `ObservedNode`s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

from abpress.reductions.next_steps import SearchNode
from abpress.reductions.stateless.sequences import (
    Item,
    Items,
    any_initial,
    any_weak_initial,
    without,
)
from abpress.reductions.stateless.sleepers import Sleeper
from abpress.relations.footprint import Footprint
from abpress.relations.happens_before import Event
from abpress.semantics.outcome import ConcreteStep, State


@dataclass(slots=True, eq=False)
class ExecutionNode(SearchNode):
    """A prefix of the current execution, at the end or before its next event. Mutable.

    `threads` are those that may go on (they have not finished and are not cut off by a bound).
    `preferred` is the thread of the event that leads here. `sleep` has the threads of the sleep set
    with what their next steps access, those that are done here included. `current` is the thread
    whose steps are being explored, `past` what happens before them, `races` the events that they
    race with, `done` are the threads before it. `plan` is what the choice of threads keeps here.
    `met`: everything that follows is known, and the search does not go on.
    """

    sleep: dict[int, Footprint]
    preferred: int
    done: list[int] = field(default_factory=list)
    current: int | None = None
    past: int = 0
    races: list[int] = field(default_factory=list)
    plan: Any = None
    met: bool = False

    def enabled(self) -> Iterator[int]:
        """The threads that can move: the preferred one first, the others in their order."""
        first = self.preferred
        if first in self.threads and self.next_of(first).steps:
            yield first
        for thread in self.threads:
            if thread != first and self.next_of(thread).steps:
                yield thread

    def awake(self, first: int | None = None) -> int | None:
        """The first thread that can move and is not in the sleep set: `first` before the others."""
        sleep = self.sleep
        is_awake = first in self.threads and first not in sleep
        if first is not None and is_awake and self.next_of(first).steps:
            return first
        for thread in self.threads:
            if thread != first and thread not in sleep and self.next_of(thread).steps:
                return thread
        return None

    def event(self, step: ConcreteStep) -> Event:
        """A step of the current thread as an event of the execution."""
        return Event(step.thread, step.choices, self.known[step.thread].access, self.past)

    def after(self, state: State, threads: tuple[int, ...], thread: int) -> Self:
        """The node after a step of the thread to the state, in which `threads` may go on."""
        asleep = {}
        if self.sleep:
            access = self.known[thread].access
            touched, written = access.touched, access.written
            asleep = {  # `conflicts` without a call: for each sleeper at each event
                t: a
                for t, a in self.sleep.items()
                if t != thread and not (a.written & touched or a.touched & written)
            }
        return type(self)(state, threads, self.look, asleep, thread)

    def leave(self) -> None:
        """Puts the current thread, if there is one, to sleep: all its steps have been explored."""
        thread = self.current
        if thread is not None:
            self.done.append(thread)
            self.sleep[thread] = self.known[thread].access
        self.current = None

    # -- what is redundant ----------------------------------------------------------------------

    without = staticmethod(without)
    """What is left of a sequence after a weak initial: `sequences.without`."""

    def any_asleep(self) -> bool:
        """Whether something must not be explored after the node."""
        return bool(self.sleep)

    def redundant(self, v: Items) -> bool:
        """Whether v has a weak initial that sleeps: what begins with v has been explored."""
        return any_weak_initial(v, self.sleep)

    def redundant_below(self, firsts: Iterable[Item], certain: bool) -> Callable[[Items], bool]:
        """Says whether a sequence is redundant where these branches have been explored, and what
        slept when the node was entered, NOTE(parallel-branches); `certain` is as of
        `SearchPath`."""
        asleep = {t: a for t, a in self.sleep.items() if t not in self.done}
        asleep.update(firsts)
        return partial(any_weak_initial if certain else any_initial, sleep=asleep)

    def sleepers(self) -> tuple[Sleeper, ...]:
        """The sleep set, before a thread is explored here."""
        return tuple(Sleeper(thread, access) for thread, access in self.sleep.items())

    def note_slept(self, sleepers: tuple[Sleeper, ...]) -> None:
        """Sets what has slept, where that is more than the sleep set."""

    # -- what is remembered ---------------------------------------------------------------------

    def forget(self) -> None:
        """What follows is not known, nor will it be: others have a part in it, or this search has
        not been there from the beginning."""
        self.met = False

    # -- threads that wait ----------------------------------------------------------------------

    @property
    def waits(self) -> AbstractSet[Item]:
        """Threads whose steps race with the event after the node, but wait after what would reverse
        that, or after less, each with what its attempt accesses there; none if nobody asks."""
        return frozenset()

    def note_waiting(self, item: Item) -> None:
        """Adds to `waits`."""


@dataclass(slots=True, eq=False)
class WatchedNode(ExecutionNode):
    """A node at which it is remembered who has waited, and in `record` what follows, unless nobody
    keeps that. Mutable."""

    waits: set[Item] = field(default_factory=set)
    record: Any = None

    def forget(self) -> None:
        super(WatchedNode, self).forget()
        self.record = None

    def note_waiting(self, item: Item) -> None:
        self.waits.add(item)


def without_observed(v: Items, thread: int, access: Footprint | None) -> Items | None:
    """As `sequences.without`, with observers."""
    for k, (other, its) in enumerate(v):
        if other == thread:
            return (*v[:k], *v[k + 1 :]) if Sleeper(thread, its).sleeps(v) else None
    return v if access is not None and Sleeper(thread, access).sleeps(v) else None


@dataclass(slots=True, eq=False)
class ObservedNode(WatchedNode):
    """A node where the order of two writes counts only if somebody observes it. Mutable.

    `slept` are threads that are done at a prefix w of E' = w.w', and are weak initials of w' still;
    without those that are done here. The sleep set has those that are independent of all of w'.

    NOTE(observed-redundancy): v is redundant after E' if a prefix w of E' = w.w' has a thread p in
    done(w) that is a weak initial of w'.v ([ContextSensitive19], Figure 1, line 9). A sleep set
    cannot say that: whether p, which has written x, is one after another write of x, depends on who
    reads x. So a *sleeper* remembers of p what has come of it since w.
    """

    slept: tuple[Sleeper, ...] = ()

    without = staticmethod(without_observed)

    def after(self, state: State, threads: tuple[int, ...], thread: int) -> Self:
        node = super(ObservedNode, self).after(state, threads, thread)
        item = Item(thread, self.known[thread].access)
        still = (sleeper.after(item) for sleeper in self._asleep())
        node.slept = tuple(sleeper for sleeper in still if sleeper is not None)
        return node

    def any_asleep(self) -> bool:
        return bool(self.slept)

    def redundant(self, v: Items) -> bool:
        """Whether what begins with v has been explored, from here or from a prefix (line 9)."""
        return any(sleeper.sleeps(v) for sleeper in self._asleep())

    def redundant_below(self, firsts: Iterable[Item], certain: bool) -> Callable[[Items], bool]:
        if not certain:
            return super(ObservedNode, self).redundant_below(firsts, certain)
        asleep = (*self.slept, *(Sleeper(thread, access) for thread, access in firsts))
        return lambda v: any(sleeper.sleeps(v) for sleeper in asleep)

    def sleepers(self) -> tuple[Sleeper, ...]:
        return self.slept

    def note_slept(self, sleepers: tuple[Sleeper, ...]) -> None:
        self.slept = sleepers

    def _asleep(self) -> tuple[Sleeper, ...]:
        done = tuple(Sleeper(thread, self.next_of(thread).access) for thread in self.done)
        return self.slept + done
