"""What a search without stored states asks of an algorithm, and the words that they share.

Legend, after [ODPOR14]: `E` is the current execution, `E'` a prefix of it, `v` a sequence of events
that can be executed after E'. An *initial* of v is a thread whose first event in v has no event of
v happen before it. A *weak initial* of v after E' is an initial, or a thread that is not in v and
whose next step after E' is independent of all of v. The *sleep set* of E' are threads with which
everything is explored that could be explored next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from abpress.relations.dependence import Access
from abpress.relations.happens_before import Event
from abpress.semantics.outcome import State, Step


class Item(NamedTuple):
    """An event of a sequence that is to be explored: a thread, and what its step accesses there."""

    thread: int
    access: Access


Sequence = tuple[Item, ...]


@dataclass(slots=True, eq=False)
class Next:
    """The steps of a thread in a state (none if it waits), and what they access together."""

    steps: tuple[Step, ...]
    access: Access


Look = Callable[[State, int], Next]
"""The next steps of a thread in a state."""


class Sleeper(NamedTuple):
    """A thread of done(w) that is a weak initial of the w' since.

    `overwritten`: the bits of cells that it writes blindly, and others have written so, too: before
    its step if it is `over` (then only until the next write). Somebody who reads one of them now
    makes the others' writes happen before the step.
    """

    thread: int
    access: Access
    overwritten: int = 0
    over: bool = False

    def after(self, item: Item) -> Sleeper | None:
        """The same after one more event; None if it is no weak initial any more."""
        access = item.access
        if self.over:
            if access.read() & self.overwritten:
                return None
            return self._replace(overwritten=self.overwritten & ~access.written)
        if item.thread == self.thread:
            return self._replace(over=True)
        if self.access.ordered(access):
            return None
        return self._replace(overwritten=self.overwritten | self.access.blind & access.blind)

    def sleeps(self, v: Sequence) -> bool:
        """Whether it is a weak initial still `after` all items of v."""
        thread, access, overwritten, over = self
        touched, written, blind = access.touched, access.written, access.blind
        items = iter(v)
        if not over:
            for other, its in items:
                if other == thread:
                    break
                shared = written & its.touched | touched & its.written
                if shared:
                    if shared & ~(blind & its.blind):
                        return False
                    overwritten |= shared
            else:
                return True
        if overwritten:
            for _, its in items:
                if its.read() & overwritten:
                    return False
                overwritten &= ~its.written
        return True


@dataclass(slots=True, eq=False)
class Node:
    """A prefix of the current execution, at the end or before its next event. Mutable.

    `threads` are those that may go on (they have not finished and are not cut off by a bound).
    `preferred` is the thread of the event that leads here. `sleep` has the threads of the sleep set
    with what their next steps access, those that are done here included. `current` is the thread
    whose steps are being explored, `past` what happens before them, `races` the events that they
    race with, `done` are the threads before it. `todo` is the algorithm's.

    `replayed` are the events that were last executed from here to reverse a race, each with where
    it leads.

    `waits` are threads whose steps race with the event after the node, but wait after what would
    reverse that, or after less, each with what its attempt accesses there.

    `sleepers` are the sleep set, without those that are done here, of algorithms with observers and
    of those that remember. `met`: everything that follows is known, and the search does not go on.
    """

    state: State
    threads: tuple[int, ...]
    look: Look
    sleep: dict[int, Access]
    preferred: int
    done: list[int] = field(default_factory=list)
    current: int | None = None
    past: int = 0
    races: list[int] = field(default_factory=list)
    todo: list[int] = field(default_factory=list)
    sleepers: tuple[Sleeper, ...] = ()
    met: bool = False
    waits: set[Item] = field(default_factory=set)
    known: dict[int, Next] = field(default_factory=dict)
    replayed: list[tuple[Event, State]] = field(default_factory=list)

    def next_of(self, thread: int) -> Next:
        """The next steps of one of the threads."""
        found = self.known.get(thread)
        if found is None:
            found = self.known[thread] = self.look(self.state, thread)
        return found

    def enabled(self) -> Iterator[int]:
        """The threads that can move: the preferred one first, the others in their order."""
        first = self.preferred
        if first in self.threads and self.next_of(first).steps:
            yield first
        for thread in self.threads:
            if thread != first and self.next_of(thread).steps:
                yield thread

    def event(self, step: Step) -> Event:
        """A step of the current thread as an event of the execution."""
        return Event(step.thread, step.choices, self.known[step.thread].access, self.past)

    def leave(self) -> None:
        """All steps of the current thread, if there is one, have been explored."""
        thread = self.current
        if thread is not None:
            self.done.append(thread)
            self.sleep[thread] = self.known[thread].access
        self.current = None

    def sleep_after(self, thread: int) -> dict[int, Access]:
        """The sleep set after a step of the thread."""
        if not self.sleep:
            return {}
        access = self.known[thread].access
        touched, written = access.touched, access.written
        return {
            t: a
            for t, a in self.sleep.items()
            if t != thread and not (a.written & touched or a.touched & written)
        }

    def asleep(self) -> tuple[Sleeper, ...]:
        """The sleep set as sleepers."""
        return tuple(Sleeper(thread, access) for thread, access in self.sleep.items())

    def awake(self) -> int | None:
        """The first thread that can move and is not in the sleep set."""
        first, sleep = self.preferred, self.sleep
        if first not in sleep and first in self.threads and self.next_of(first).steps:
            return first
        for thread in self.threads:
            if thread != first and thread not in sleep and self.next_of(thread).steps:
                return thread
        return None


class Algorithm(Protocol):
    """Chooses threads at the nodes of the current execution. Made for one search.

    `races`: it wants to be told of races, in executions that have ended. `observers`: writes count
    only where they are observed. `remembers`: the search does not go on from a state from which
    everything is explored (`remembered`). `certain`: no thread has had a choice so far, nor, if
    states are remembered, has been cut off at a bound.
    """

    races: bool
    observers: bool
    remembers: bool
    certain: bool

    def enter(self, node: Node, parent: Node | None, /) -> None:
        """The search has come to a new node, by a step of `parent.current`; without a parent it
        begins, maybe once more."""

    def choose(self, node: Node, /) -> int | None:
        """The next thread to explore at the node; None when all that is needed is done."""

    def reverse(self, node: Node, v: Sequence, /) -> None:
        """A race is to be reversed: v can be executed after the node, from which the search has
        gone on otherwise. At the end of v stands the later event of the race."""

    def leave(self, node: Node, /) -> None:
        """The search goes back from the node."""

    def statistics(self) -> dict[str, int]:
        """The algorithm's own numbers."""


def initials(v: Sequence) -> Iterator[int]:
    """The initials of v, in the order of v."""
    touched = written = 0
    seen = set()
    for thread, access in v:
        if thread not in seen:
            seen.add(thread)
            if not (access.written & touched or access.touched & written):
                yield thread
        touched |= access.touched
        written |= access.written


def ancestors(v: Sequence) -> Sequence:
    """The items of v that happen before its last one."""
    thread, access = v[-1]
    threads, touched, written = {thread}, access.touched, access.written
    found = []
    for item in reversed(v[:-1]):
        thread, access = item
        if thread in threads or access.written & touched or access.touched & written:
            threads.add(thread)
            touched |= access.touched
            written |= access.written
            found.append(item)
    return tuple(reversed(found))


def any_weak_initial(v: Sequence, sleep: Mapping[int, Access]) -> bool:
    """Whether some thread of the sleep set is a weak initial of v."""
    if not sleep:
        return False
    touched = written = 0
    others = dict(sleep)
    for thread, access in v:
        asleep = others.pop(thread, None) is not None
        if asleep and not (access.written & touched or access.touched & written):
            return True
        touched |= access.touched
        written |= access.written
    return any(not (a.written & touched or a.touched & written) for a in others.values())


def without(v: Sequence, thread: int, access: Access | None) -> Sequence | None:
    """v after the thread's first step if that is a weak initial of v, else None.

    `access` is what the thread's next step before v accesses; None: unknown, then a thread that is
    not in v counts as no weak initial.
    """
    touched = written = 0
    for k, (other, its) in enumerate(v):
        if other == thread:
            if its.written & touched or its.touched & written:
                return None
            return (*v[:k], *v[k + 1 :])
        touched |= its.touched
        written |= its.written
    if access is None or access.written & touched or access.touched & written:
        return None
    return v
