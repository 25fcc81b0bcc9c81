"""A worker: explores parts of the tree of executions, and talks to the others by messages.

What it does depends on what it takes in and when, and on nothing else: NOTE(replayed-workers).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container
from dataclasses import replace
from time import monotonic
from typing import Any

from abpress.parallel.estate import Estate, Spare
from abpress.parallel.keeping import Own, PartLoader, PartMaker, Pause
from abpress.parallel.leases import lease_of, places_of
from abpress.parallel.load import Diary, Doing, WorkerLoad
from abpress.parallel.messages import (
    Continuation,
    GoOn,
    Halt,
    Halted,
    Idle,
    Insertion,
    Lease,
    LeaseName,
    Limited,
    Message,
    Over,
    Tell,
    TheEnd,
    Wanted,
)
from abpress.parallel.parts import NOTHING_LEFT, Heritage, Inheritance, KeptPart
from abpress.parallel.post import Channel, Post
from abpress.parallel.territory import Territory
from abpress.properties import Property
from abpress.reductions.stateless.algorithm import StatelessAlgorithm
from abpress.reductions.stateless.sequences import Items
from abpress.reductions.table import STATELESS
from abpress.search.bounds import ExecutionBounds
from abpress.search.handover import program_hash, received
from abpress.search.limits import StopReason
from abpress.search.named import NOTHING_MET, Met, Receiver, Sender
from abpress.search.resumed import ResumedSearch
from abpress.search.stateless import ExploredExecutions, Hooks
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.names import CanonicalNames

_PROGRESS = 0.5
"""Seconds after which a worker tells what it has done so far."""

FINISHED = StopReason("finished", "the search is over")

HALTED = StopReason("halted", "the search rests")


class Worker:
    """One of the workers of a search. Mutable."""

    def __init__(
        self,
        number: int,
        system: Interpreter,
        algorithm: str,
        property: Property,
        channel: Channel,
        *,
        keep_going: bool = False,
        bounds: ExecutionBounds | None = None,
        hooks: Hooks | None = None,
        leads: Container[str] = (),
        life: Heritage | None = None,
        met: Met = NOTHING_MET,
        keeps: Callable[[], tuple[Any, ...]] | None = None,
    ) -> None:
        self._number = number
        life = life or Heritage()
        self._diary = Diary()
        self._post = Post(channel, life, self._diary)
        self._algorithm = algorithm
        self._program = program_hash(system.program)
        made = STATELESS[algorithm].make()
        self._territory = Territory(made.choice, self._insert, self._post.go_on)
        self._accesses = accesses = made.races.accesses()
        hooks = hooks or Hooks()
        self._asked = hooks.poll
        self._search = ResumedSearch(
            system,
            accesses,
            True,
            StatelessAlgorithm(self._territory, made.races),
            property,
            keep_going,
            bounds or ExecutionBounds(),
            Hooks(
                self._poll,
                hooks.on_final,
                hooks.on_execution,
                hooks.on_end,
                on_blocked=hooks.on_blocked,
            ),
            leads,
        )
        names = CanonicalNames(system.context)
        self._sender = Sender(names, accesses, self._search.plain)
        self._receiver = Receiver(names, accesses)
        self._meet(met)
        self._leases: deque[Lease] = deque()
        self._roots: dict[LeaseName, Estate] = {}
        self._early: list[Continuation] = []
        self._next = 0.0
        self._wanted = 0
        self._idle: Idle | None = None
        self._given = 0
        self._finished = False
        self._limited: StopReason | None = None  # if what the worker knows is to be kept first
        self._halts = self._tells = self._goes_on = 0
        self._explored: ExploredExecutions | None = None
        self._keeps = keeps
        self._keeper = PartMaker(system, self._sender, self._search.path)
        self._pauses: deque[Pause] = deque()
        if life.share is not None and life.share != NOTHING_LEFT:
            its = self._receiver, self._search, self._territory, property
            with self._diary.while_doing(Doing.REPLAYING):
                self._resume(life.share, PartLoader(system, *its))

    @property
    def _halting(self) -> bool:
        """Whether all are to stop."""
        return self._halts > self._goes_on

    @property
    def met(self) -> Met:
        """What all must have known for what the worker has explored to be worth anything."""
        return self._sender.met(self._search.path.certain)

    def load(self) -> WorkerLoad:
        """What the worker has done until now, and when."""
        done = ExecutionStatistics() if self._explored is None else self._explored.statistics
        return self._diary.load(
            done.executions, done.events, self._given, (self._post.sent, self._post.taken)
        )

    def run(self, begins: bool = False) -> ExploredExecutions | None:
        """Works until the search is over; `begins` with the whole tree. Returns what it has
        explored, None if that is nothing."""
        if begins:
            self._search.begin()
            self._explore()
        while not self._finished:
            if self._accesses.stale:
                self._end_stale()
            elif self._halting:
                self._halt()
            elif self._pauses:
                with self._diary.while_doing(Doing.REPLAYING):
                    self._pauses.popleft().go_on(self._search)
                self._explore()
            elif self._territory.ready:
                with self._diary.while_doing(Doing.REPLAYING):
                    nodes, events = self._territory.way_to(self._territory.ready.pop())
                    self._search.revisit(nodes, events)
                self._explore()
            elif self._leases:
                self._begin(self._leases.popleft())
                self._explore()
            else:
                self._wanted = 0
                idle = Idle(self._post.sent, self._post.taken)
                if idle != self._idle:  # else the hub knows, or will
                    self._idle = idle
                    self._post.say(idle)
                self._flush()
                self._receive(waits=True)
                continue
            self._receive()
        if self._explored is None or self._limited is None:
            return self._explored
        # Parts of the tree that wait for others are no longer given out, even if none is left here.
        return replace(self._explored, exhausted=False, stopped=self._limited)

    def _explore(self) -> None:
        self._explored = None
        while self._explored is None or self._explored.stopped == HALTED:
            if self._explored is not None:
                self._halt()
            self._explored = self._search.run()
            if self._explored is None:
                self._end_stale()
                return
        if not self._explored.exhausted and not self._finished:
            self._end()

    def _end(self) -> None:
        self._finished = True
        self._post.say(Over())
        self._flush()

    def _end_stale(self) -> None:
        """Ends the search, which has to begin again: NOTE(waiting)."""
        self._explored = replace(self._search.outcome(), exhausted=False, stopped=FINISHED)
        self._end()

    def _poll(self, statistics: ExecutionStatistics) -> StopReason | None:
        self._receive()
        if self._finished:
            return FINISHED
        if self._halting:
            return HALTED
        while self._wanted:
            spare = self._territory.spare(self._search)
            if spare is None:
                break
            self._wanted -= 1
            self._hand_over(spare)
        now = monotonic()
        if now >= self._next:
            self._next = now + _PROGRESS
            self._post.count(statistics)
        if self._post.gathered:
            self._flush()
        stop = self._asked(statistics) if self._asked is not None else None
        if stop is None or self._keeps is None:
            return stop
        if self._limited is None:  # the hub asks first what all know
            self._limited = stop
            self._post.say(Limited(stop))
            self._flush()
        return None

    # -- messages -------------------------------------------------------------------------------

    def _flush(self) -> None:
        """Sends what has been told since the last time."""
        self._post.flush(self._sender, self.met)

    def _receive(self, waits: bool = False) -> None:
        """Takes in what has come; if it `waits`, that is something."""
        for message in self._post.come(waits):
            self._take(message)
            if self._finished:
                break

    def _take(self, message: Message) -> None:
        match message:
            case TheEnd():
                self._finished = True
                return
            case Wanted():
                self._wanted += 1
                return
            case Halt(n):
                self._halts = max(self._halts, n)
                return
            case Tell(n):
                self._tells = max(self._tells, n)
                return
            case GoOn(n):
                self._goes_on = max(self._goes_on, n)
                return
            case Lease():
                self._leases.append(message)
            case Insertion(_, nodes, found, met):
                if self._meet(met):
                    sequences = self._receiver.sequences(found)
                    for (node, after), v in zip(nodes, sequences, strict=True):
                        self._territory.insert(node, v, after)
            case Continuation():
                self._continue(message)
        self._post.taken += 1

    def _meet(self, met: Met) -> bool:
        """Takes in what others have met; returns whether what they say is worth anything here."""
        self._search.path.certain &= met.certain
        self._receiver.meet(met)
        return not self._accesses.stale

    # -- what the worker knows ------------------------------------------------------------------

    def _halt(self) -> None:
        """Stops until all know all, says what it knows, and goes on when all have done so."""
        n = self._halts
        while self._tells < n and not self._finished:
            self._post.say(Halted(n, self._post.sent, self._post.taken))
            self._flush()
            self._receive(waits=True)
        if not self._finished:
            with self._diary.while_doing(Doing.TELLING):
                self._post.tell(n, self._part())
        while self._goes_on < n and not self._finished:
            self._flush()
            self._receive(waits=True)

    def _part(self) -> KeptPart:
        pauses = list(self._pauses)
        if self._search.path.nodes:
            pauses.insert(0, Pause.of(self._search))
        own = Own(self._number, self._roots, pauses, self._explored)
        return replace(
            self._keeper.part(self._territory, own),
            leases=tuple(self._leases),
            early=tuple(self._early),
            given=self._given,
            more=() if self._keeps is None else self._keeps(),
        )

    def _resume(self, share: Inheritance, loader: PartLoader) -> None:
        """Goes on where others have stopped."""
        self._given = share.given
        for part in share.parts:
            loader.load(part)
            self._leases += part.leases
            self._early += part.early
        self._roots |= loader.roots
        self._pauses += loader.pauses
        self._explored = self._search.outcome()

    def _continue(self, message: Continuation) -> None:
        root = self._roots.get(message.lease)
        if root is None:
            self._early.append(message)
        elif self._meet(message.met):
            for v in self._receiver.sequences(message.left):
                self._territory.go_on(root, v)

    def _insert(self, estate: Estate, after: int, v: Items) -> None:
        assert estate.address is not None
        if estate.address.worker == self._number:
            self._territory.insert(estate.address.node, v, after)
        else:
            self._post.insert(estate.address, after, v)

    # -- parts of the tree ----------------------------------------------------------------------

    def _hand_over(self, spare: Spare) -> None:
        """Hands a branch, or some steps of one, over to whoever the hub finds."""
        with self._diary.while_doing(Doing.HANDING_OVER):
            self._given += 1
            name = self._number, self._given
            its = self._sender, self._search.path, self._algorithm, self._program
            lease = lease_of(spare, name, *its)
            self._territory.given(spare, name)
            self._post.hand_over(lease)
            self._flush()

    def _begin(self, lease: Lease) -> None:
        """Goes to where a part of the tree begins."""
        with self._diary.while_doing(Doing.REPLAYING):
            self._search.resume(received(lease.prefix, self._receiver, one_tree=False))
            places = places_of(lease, self._receiver)
            self._roots[lease.name] = self._territory.taken_over(places, lease.whole)
            if lease.whole:
                self._search.meet()
            self._diary.taken += 1
            self._diary.replayed += len(lease.places) - 1
            early, self._early = self._early, []
            for message in early:
                self._continue(message)
