"""One random execution, in place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import inf
from random import Random

from abpress.properties import Aspect
from abpress.properties.finding import Finding
from abpress.search.hunt.inputs import RandomInputs
from abpress.search.hunt.outlook import ABORT, Outlook
from abpress.search.hunt.strategies import Scheduler, Strategy
from abpress.search.hunt.watch import RaceWatch
from abpress.semantics.in_place import InPlace
from abpress.semantics.outcome import ASSUMING, ExecutionEnds, NoSteps, Violation

CROWD = 64
"""Threads from which on those that create others go first, and only some take part."""

MOST_CREATIONS = 20_000
"""Threads created in one execution while creation goes first."""

WOKEN_AT_ONCE = 8
"""Waiting threads that are all woken by a step; of more, two are."""

_TRIES = 12
"""Choices that are tried for a step that an assumption excludes."""

_UNSEEN = 1_000
"""Steps that nobody else sees after which the others may move, too."""

_MOST_AT_ONCE = 6
"""Threads that are created, at most, before who creates them rests."""

_MORE = 300
"""Steps after the bound of an execution for threads that were held until then."""

Steps = list[tuple[int, tuple[int, ...]]]
"""The thread and the choices of each step."""


class Way(Enum):
    """How a random execution ends."""

    VIOLATION = "violation"
    ENDED = "ended"  # the program has ended, or no thread can reach an error
    ABORTED = "aborted"  # the program says that the execution does not count
    STUCK = "stuck"  # no thread can move
    CUT = "cut"  # by the bound
    LOST = "lost"  # it leaves what is defined, or a bound of the interpreter


@dataclass(frozen=True, slots=True)
class Frame:
    """What all executions of one hunt share. `watch` looks at the states, if somebody has to."""

    machine: InPlace
    outlook: Outlook
    inputs: RandomInputs
    chance: Random
    status: int  # the index in a state of how the program has ended
    watch: RaceWatch | None = None


class RandomExecution:
    """One execution under way. Mutable. Threads are given by their places in the machine.

    A thread is *active*: it may move; *parked*: it waits, and is tried again after others have
    moved; *held*: others move first; or in the *pool*, where it has not moved yet.

    `steps` has each step, `decisions` counts those after which somebody else could move. `waits` is
    why the last thread that has stopped has stopped. In one that `rests` a thread that has created
    a few others is held until no other one can move, and the execution ends before they are a
    crowd: most errors of crowds need few of their threads.
    """

    def __init__(
        self,
        frame: Frame,
        strategy: Strategy,
        scheduler: Scheduler,
        bound: int,
        rests: bool = False,
    ) -> None:
        self._frame = frame
        self._machine = frame.machine
        self._chance = frame.chance
        self._scheduler = scheduler
        self._strategy = strategy
        self._bound = bound
        self._holding = frame.chance.random() < strategy.holding
        self._delays: tuple[int, ...] = _places(frame) if strategy.delays else ()
        self._patience = frame.chance.choice((5.0, 30.0, inf))
        self._window = frame.chance.randrange(2, 6) if strategy.few else CROWD
        self._after = int(300 * 66 ** frame.chance.random())
        self.rests = rests
        self.steps: Steps = []
        self.decisions = 0
        self.last_input = -1
        self.violation: Violation | None = None
        self.finding: Finding | None = None
        self.waits: NoSteps = ASSUMING
        self.way: Way | None = None
        self._active: list[int] = []
        self._parked: list[int] = []
        self._pool: list[int] = []
        self._held: list[tuple[float, int]] = []
        self._release = inf
        self._woken_at = -1
        self._created_at = 0
        self._hopeful = 0
        self._met = self._machine.first
        self._machine.restart()
        self._meet()
        self._rest_at: float = self._next_rest() if rests else inf

    def repeat(self, last: RandomExecution) -> None:
        """Takes the steps of another one up to its last input, which is chosen anew."""
        steps, thread = last.steps[: last.last_input], last.steps[last.last_input][0]
        machine = self._machine
        s = machine.state
        take_steps(machine, self._frame.inputs, steps)
        self.steps = list(steps)
        errors = self._frame.outlook.errors
        everybody = range(machine.first, len(s))
        self._met = len(s)
        self._hopeful = sum(errors[s[place][1]] for place in everybody)
        alive = [place for place in everybody if not machine.finished(place)]
        place = machine.places[thread]
        alive.remove(place)
        self._active, self._pool = [place, *alive[:CROWD]], alive[CROWD:]
        self._guarded(place)

    def run(self, poll: int) -> bool:
        """Goes on for so many steps, and to the next decision. Returns whether it has ended."""
        until = len(self.steps) + poll
        scheduler = self._scheduler.next
        while self.way is None:
            if len(self.steps) >= until:
                return False
            if self._release <= self.decisions:
                self._release_held()
            if not self._active and not self._refill():
                self.way = Way.STUCK
                break
            creator = self._creator()
            if creator is not None:
                self._guarded(creator)
            else:
                self._guarded(scheduler(self._active))
        return True

    @property
    def length(self) -> int:
        """How many steps it has."""
        return len(self.steps)

    @property
    def threads(self) -> int:
        """How many threads there were."""
        return self._met - self._machine.first

    @property
    def crowded(self) -> bool:
        """Whether there are many threads."""
        return self.threads > CROWD

    def stands(self, aspect: Aspect) -> bool:
        """Whether the state, that of the machine, may show this of threads that wait."""
        return True

    # -- steps ----------------------------------------------------------------------------------

    def _guarded(self, place: int) -> None:
        try:
            self._move(place)
        except ExecutionEnds as end:
            inputs, thread = self._frame.inputs, self._machine.state[place][0]
            self.violation = end.violation(thread)
            if self.violation is not None:
                self.steps.append((thread, tuple(inputs.taken)))
            inputs.taken.clear()
            inputs.forced.clear()
            self.way = Way.LOST

    def _move(self, place: int) -> None:
        """A step of the thread, and those after it that nobody else sees."""
        frame = self._frame
        s, functions, steps = self._machine.state, self._machine.functions, self.steps
        inputs, invisible = frame.inputs, frame.outlook.invisible
        taken = inputs.taken
        thread, before = s[place][0], s[place][1]
        first = len(steps)
        tries = _TRIES
        after = before
        while True:
            outcome = functions[after](s, place, inputs)
            if outcome is None:
                if taken:
                    self.last_input = len(steps)
                    steps.append((thread, tuple(taken)))
                    taken.clear()
                else:
                    steps.append((thread, ()))
                if s[frame.status]:
                    self.way = Way.ABORTED if s[frame.status] == ABORT else Way.ENDED
                    return
                after = s[place][1]
                if not invisible[after] or len(steps) > first + _UNSEEN:
                    break
            elif isinstance(outcome, Violation):
                steps.append((thread, tuple(taken)))
                taken.clear()
                self.violation, self.way = outcome, Way.VIOLATION
                return
            else:
                chosen = bool(taken)
                taken.clear()
                tries -= 1
                if not chosen or tries == 0:
                    self.waits = outcome
                    self._stop(place)
                    break
        if len(steps) > first:
            self._moved(place, before, after)

    def _moved(self, place: int, before: int, after: int) -> None:
        """Takes note of a decision that has led a thread from one pc to another."""
        outlook = self._frame.outlook
        self.decisions += 1
        watch = self._frame.watch
        creates = len(self._machine.state) > self._met
        if creates:
            created = range(self._met, len(self._machine.state))
            self._meet()
            if watch is not None:
                self._look(watch, *created)
            if self.rests and self.threads >= CROWD and self.way is None:
                self.way = Way.CUT
                return
        if watch is not None and watch.masks[after] is not None:
            self._look(watch, place)
        if outlook.errors[before] and not outlook.errors[after]:
            self._hopeful -= 1
            if not self._hopeful:
                self.way = Way.ENDED
                return
        if after < 0:
            self._leave(place)
        elif creates and self._met >= self._rest_at:
            self._rest_at = self._next_rest()
            self._hold(place, inf)
        elif self._is_held(before, after):
            self._hold(place, self._patience)
        if self._parked:
            self._wake()
        if len(self.steps) > self._bound and len(self.steps) > self._created_at + self._after:
            self._reach_bound()

    def _look(self, watch: RaceWatch, *places: int) -> None:
        """Ends the execution if its state shows something of the threads at these places."""
        others = [*self._active, *self._parked, *(place for _, place in self._held)]
        others += self._pool[:CROWD]
        for place in places[:CROWD]:
            if self.way is None and (found := watch.finding(place, others)) is not None:
                self.finding, self.way = found, Way.VIOLATION

    def _meet(self) -> None:
        """Takes note of new threads."""
        s, errors = self._machine.state, self._frame.outlook.errors
        for place in range(self._met, len(s)):
            self._hopeful += errors[s[place][1]]
            if self._taking_part < self._window:
                self._active.append(place)
            else:
                self._pool.append(place)
        self._met = len(s)
        if len(self._pool) == CROWD:
            self._window = 3 + int(63 * self._chance.random() ** 2)
        if CROWD < self._met - self._machine.first <= MOST_CREATIONS:
            self._created_at = len(self.steps)

    def _creator(self) -> int | None:
        """The thread that goes first because it creates others."""
        crowded = len(self._pool) > CROWD
        if not crowded and not self._strategy.creators_first:
            return None
        s, creates = self._machine.state, self._frame.outlook.creates
        if self._met > self._machine.first + MOST_CREATIONS:
            return None
        return next((place for place in self._active if creates[s[place][1]]), None)

    # -- who takes part -------------------------------------------------------------------------

    def _leave(self, place: int) -> None:
        """The thread is no longer active; somebody else takes part instead."""
        if place in self._active:
            self._active.remove(place)
        if self._pool and self._taking_part < self._window:
            self._invite()

    @property
    def _taking_part(self) -> int:
        return len(self._active) + len(self._parked) + len(self._held)

    def _invite(self) -> None:
        """A thread of the pool takes part."""
        k = int(self._chance.random() * len(self._pool))
        self._pool[k], self._pool[-1] = self._pool[-1], self._pool[k]
        self._active.append(self._pool.pop())

    def _stop(self, place: int) -> None:
        """The thread waits."""
        if place in self._active:
            self._active.remove(place)
        self._parked.append(place)

    def _wake(self) -> None:
        """Waiting threads try again after a step."""
        if len(self._parked) <= WOKEN_AT_ONCE:
            self._active += self._parked
            self._parked = []
            return
        for _ in range(2):
            k = int(self._chance.random() * len(self._parked))
            self._active.append(self._parked.pop(k))

    def _refill(self) -> bool:
        """Nobody is active: those that wait, else those that are held, else one of the pool is."""
        if self._parked and self._woken_at != self.decisions:
            self._woken_at = self.decisions
            self._active, self._parked = self._parked, []
        elif self._held:
            self._held = [(0, place) for _, place in self._held]
            self._release_held()
        elif self._pool:
            self._invite()
        return bool(self._active)

    def _is_held(self, before: int, after: int) -> bool:
        near = self._frame.outlook.near
        return (self._holding and near[after] and not near[before]) or (
            after in self._delays and after != before
        )

    def _next_rest(self) -> int:
        """How many threads, counted as `_met`, there are when who creates them rests."""
        return self._met + self._chance.randrange(1, _MOST_AT_ONCE + 1)

    def _hold(self, place: int, patience: float) -> None:
        """Others move before the thread does."""
        if place in self._active:
            self._active.remove(place)
        if patience < inf:
            patience = 1 + int(self._chance.expovariate(1 / patience))
        self._held.append((self.decisions + patience, place))
        self._release = min(self._release, self.decisions + patience)

    def _release_held(self) -> None:
        """Those that were held long enough may move."""
        due = [place for until, place in self._held if until <= self.decisions]
        self._held = [(until, place) for until, place in self._held if until > self.decisions]
        self._active += due
        self._release = min((until for until, _ in self._held), default=inf)

    def _reach_bound(self) -> None:
        """The execution is long enough; those that are held may still move."""
        if not self._held:
            self.way = Way.CUT
            return
        self._bound = len(self.steps) + _MORE
        self._after = 0
        self._held = [(0, place) for _, place in self._held]
        self._release_held()
        self._holding = False


def take_steps(machine: InPlace, inputs: RandomInputs, steps: Steps) -> Violation | None:
    """Takes steps with the choices that they have; returns what the last one commits."""
    s, functions, outcome = machine.state, machine.functions, None
    for mover, choices in steps:
        place = machine.places[mover]
        inputs.forced = list(reversed(choices))
        outcome = functions[s[place][1]](s, place, inputs)
        inputs.taken.clear()
    return outcome if isinstance(outcome, Violation) else None


def repeated(machine: InPlace, inputs: RandomInputs, steps: Steps) -> Violation | None:
    """What the last of these steps of an execution commits, as it may end that."""
    machine.restart()
    try:
        return take_steps(machine, inputs, steps)
    except ExecutionEnds as end:
        inputs.taken.clear()
        inputs.forced.clear()
        return end.violation(steps[-1][0])


def _places(frame: Frame) -> tuple[int, ...]:
    """The pcs at which threads are delayed."""
    everywhere = frame.outlook.places
    wanted = frame.chance.randrange(1, 4)
    return tuple(frame.chance.sample(everywhere, min(len(everywhere), wanted)))
