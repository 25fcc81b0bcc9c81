"""The hub: knows who has which part of the tree, passes messages on, and sees the end.

What all know is asked for when all have stopped and no message is under way: NOTE(resumed-search).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from abpress.parallel.messages import (
    Batch,
    Continuation,
    Counted,
    GoOn,
    Halt,
    Halted,
    Idle,
    Insertion,
    Lease,
    LeaseName,
    Limited,
    Message,
    Moment,
    Numbered,
    Over,
    Tell,
    TheEnd,
    Wanted,
)
from abpress.parallel.parts import (
    NO_PART,
    NOTHING_LEFT,
    Frontier,
    Heritage,
    Inheritance,
    KeptPart,
    Told,
)
from abpress.search.limits import StopReason
from abpress.search.statistics import ExecutionStatistics

_ASKED = 8
"""Parts of the tree that are wanted of one worker at a time: who gets one can give some, too."""

FIRST = 0
"""The worker that begins with the whole tree, unless the hub is told who is there."""


@dataclass(slots=True)
class _Known:
    """What the hub knows of a worker. Mutable."""

    present: bool  # or may come later
    share: Inheritance | None = NOTHING_LEFT  # that it begins with
    passed: int = 0  # messages to it that are part of the search
    came: int = 0  # the same from it
    idle: Idle | None = None
    halted: Halted | None = None
    part: KeptPart | None = None
    asked: int = 0  # parts of the tree that are wanted of it
    told: list[Message] = field(default_factory=list)  # all messages to it
    batches: int = 0
    held: dict[int, Batch] = field(default_factory=dict)  # that have come too early
    taken: list[tuple[Moment, int]] = field(default_factory=list)


class Hub:
    """Passes on the messages of workers. Mutable."""

    def __init__(
        self,
        workers: int,
        send: Callable[[int, Numbered], None],
        present: Sequence[int] | None = None,
        frontier: Frontier | None = None,
    ) -> None:
        """Workers that are not `present` (None: all are) have no part in the search before
        `arrives` is called. The first of the others begins with the whole tree, or all have their
        shares of a frontier: without them the search does not end."""
        self._send = send
        there = range(workers) if present is None else present
        self._first = there[0] if there else FIRST
        self._workers = [_Known(worker in there) for worker in range(workers)]
        self._workers[self._first].share = None
        self._holders: dict[LeaseName, int] = {}
        self._spare: list[Lease] = []
        self._early: list[Continuation] = []
        self._halts = 0
        self._halting = self._telling = False
        self.counted: dict[int, ExecutionStatistics] = {}
        self.limited: StopReason | None = None
        """The limit that a worker has met."""
        self.over = False
        if frontier is not None:
            shares, others = frontier.among(there), Inheritance((), frontier.given)
            for worker, its in enumerate(self._workers):
                its.share = shares.get(worker, others)
            self._holders = frontier.holders(there)
            self._spare += frontier.spare_among(there)
            self._early += frontier.early

    @property
    def present(self) -> int:
        """How many workers have a part in the search."""
        return sum(its.present for its in self._workers)

    def arrives(self, worker: int) -> None:
        """A worker has come, which need not be for the first time."""
        self._workers[worker].present = True

    def take(self, worker: int, came: Batch | Counted | Told) -> None:
        """Takes in what a worker says; in the order in which it says it."""
        if isinstance(came, Counted):
            self.counted[worker] = came.statistics
            return
        if isinstance(came, Told):
            if came.n == self._halts and self._telling:
                self._workers[worker].part = came.part
            return
        its = self._workers[worker]
        its.held[came.n] = came
        while (batch := its.held.pop(its.batches, None)) is not None:
            its.batches += 1
            its.taken += batch.taken
            for message in batch.messages:
                self._take(worker, message)

    def lost(self, worker: int) -> bool:
        """A worker does not come back, and nobody else knows what it had."""
        return False

    def heir(self, worker: int) -> tuple[Heritage, list[Numbered]]:
        """What a worker has to know to begin, or to go on where a dead one was, and what it will be
        told."""
        its = self._workers[worker]
        its.held.clear()
        taken = tuple((when, n, its.told[n]) for when, n in its.taken)
        life = Heritage(its.batches, taken, its.share)
        known = {n for _, n in its.taken}
        return life, [(n, m) for n, m in enumerate(its.told) if n not in known]

    def done(self) -> ExecutionStatistics:
        """How much of the search is done."""
        done = ExecutionStatistics()
        for its in self.counted.values():
            done.add(its)
        return done

    def _take(self, worker: int, message: Message) -> None:
        its = self._workers[worker]
        match message:
            case Idle():
                its.idle = message
                if worker in self.counted:
                    self.counted[worker].left = None
                its.asked = 0
            case Lease():
                its.came += 1
                its.asked = max(0, its.asked - 1)
                self._spare.append(message)
            case Insertion(owner):
                its.came += 1
                self._pass(owner, message)
            case Continuation():
                its.came += 1
                self._pass_on(message)
            case Halted(n):
                its.halted = message if n == self._halts else its.halted
            case Limited(reason):
                self.limited = self.limited or reason
            case Over():
                self.end()
                return
        self._distribute()

    def _pass_on(self, message: Continuation) -> None:
        """Passes it to who has the part of the tree, once somebody has."""
        if message.lease in self._holders:
            self._pass(self._holders[message.lease], message)
        else:
            self._early.append(message)

    def _pass(self, worker: int, message: Message) -> None:
        its = self._workers[worker]
        its.passed += 1
        self._tell(worker, message)

    def _tell(self, worker: int, message: Message) -> None:
        told = self._workers[worker].told
        told.append(message)
        self._send(worker, (len(told) - 1, message))

    def _rests(self, worker: int) -> bool:
        """Whether a worker has nothing to do, and knows all."""
        its = self._workers[worker]
        return its.idle is not None and its.idle.taken == its.passed and its.idle.sent == its.came

    def _distribute(self) -> None:
        """Gives parts of the tree to who rests, or wants some of who works."""
        if self.over or self._halting:
            self._ask()
            return
        present = [w for w, its in enumerate(self._workers) if its.present]
        resting = [w for w in present if self._rests(w)]
        while self._spare and resting:
            lease, worker = self._spare.pop(0), resting.pop(0)
            self._holders[lease.name] = worker
            self._pass(worker, lease)
            early, self._early = self._early, []
            for message in early:
                self._pass_on(message)
        if len(resting) == len(present) and self._workers[self._first].present:
            self.end()
            return
        working = [self._workers[w] for w in present if not self._rests(w)]
        wanted = min(len(resting), _ASKED * len(working))
        missing = wanted - sum(its.asked for its in working)
        for _ in range(missing):
            least = min(present, key=self._load)
            self._workers[least].asked += 1
            self._tell(least, Wanted())

    def _load(self, worker: int) -> tuple[bool, int]:
        return self._rests(worker), self._workers[worker].asked

    # -- what all know --------------------------------------------------------------------------

    def halt(self) -> bool:
        """Asks for the frontier, unless it has been asked for, the search is over, or nobody has
        come yet who has the tree; returns whether it does."""
        if self.over or self._halting or not self._workers[self._first].present:
            return False
        self._halting = True
        self._halts += 1
        for worker, its in enumerate(self._workers):
            its.halted = its.part = None
            self._tell(worker, Halt(self._halts))
        return True

    def _ask(self) -> None:
        """Asks all what they know, once they have stopped and nothing is under way."""
        if self.over or self._telling:
            return
        for its in self._workers:
            known = its.halted is not None and (its.halted.taken, its.halted.sent)
            if its.present and known != (its.passed, its.came):
                return
        self._telling = True
        for worker in range(len(self._workers)):
            self._tell(worker, Tell(self._halts))

    def frontier(self, last: bool = False) -> Frontier | None:
        """What was asked for, once it is there; then all go on, or end if it is the `last` one."""
        if self.over or not self._telling:
            return None
        if any(its.present and its.part is None for its in self._workers):
            return None
        parts = tuple(its.part or NO_PART for its in self._workers)
        frontier = Frontier(parts, tuple(self._spare), tuple(self._early))
        self._halting = self._telling = False
        if last:
            self.end()
            return frontier
        for worker in range(len(self._workers)):
            self._tell(worker, GoOn(self._halts))
        self._distribute()
        return frontier

    def end(self) -> None:
        """Ends the search, unless it has ended."""
        if self.over:
            return
        self.over = True
        for worker in range(len(self._workers)):
            self._tell(worker, TheEnd())
