"""The same threads in another order: does it still violate?

A cause is not believed because it looks like one. The steps of the execution are taken in the order
that would avoid it, each thread with the inputs that it got, and then all threads go on to their
ends; those that have none, to where they begin another round (`Rounds`). If that violates as well,
it was not the cause: a cause is what changes the outcome [Isolating02].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto

from abpress.properties.ends import End, classify
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep, State
from abpress.semantics.tracing import TracedAction
from abpress.witness.diagnosis.rounds import Rounds
from abpress.witness.diagnosis.scene import Scene, SceneAccess
from abpress.witness.library import is_kept

BUDGET = 30_000
"""Steps that all executions in other orders may take together."""

_LONGEST = 5_000
"""Steps of one of them."""

_FINISHING = 300
"""Steps of a thread that goes on to its end before the others do anything."""

_MOST_ROUNDS = 2
"""Rounds that threads without end take more than they have to, where another one waits."""

_TURN = 50
"""Steps that a thread takes before the next one has its turn, once the order is used up: a thread
may wait in a loop for what another one does."""


class FlipEnding(Enum):
    """What an execution in another order comes to."""

    AVOIDED = auto()
    VIOLATED = auto()
    UNSEEN = auto()
    """It takes too many steps or too much time, waits for ever, or is excluded by the program."""


@dataclass
class Flips:
    """Executions in other orders. Mutable: how many steps are left for them.

    When `expired`, nothing more is seen of any.
    """

    scene: Scene
    budget: int = BUDGET
    expired: Callable[[], bool] = lambda: False
    _given: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)
    _last: _Flipped | None = None
    _aims: _Aims | None = None

    def __post_init__(self) -> None:
        for thread, choices in self.scene.schedule:
            self._given.setdefault(thread, []).append(choices)
        rounds = Rounds(self.scene.system)
        if rounds.any:
            self._aims = _aims(rounds, self.scene)

    def avoids(self, order: Sequence[int], last: int | None = None) -> bool:
        """Whether an execution in this order of threads comes to its end without a violation."""
        return self.ending(order, last) is FlipEnding.AVOIDED

    def violates_one_by_one(self, order: Sequence[int], last: int | None = None) -> bool:
        """Whether it is violated where each thread, once the order is used up, goes on until it has
        ended or has to wait."""
        ending = self.ending(order, last, turn=_LONGEST)
        assert self._last is not None, "it was just tried"
        return ending is FlipEnding.VIOLATED and not self._last.cut

    def waiting_avoids(self, step: int) -> bool:
        """Whether nothing is violated if the thread of this step waits there for all others."""
        threads = self.scene.threads
        waits = threads[step]
        others = [thread for thread in threads[step:] if thread != waits]
        return self.avoids([*threads[:step], *others], last=waits)

    def finishing_first(self, step: int) -> FlipEnding:
        """What comes of it if the thread of this step goes on from there to its end, or to that of
        its round, as far as it need not wait, before the others do what they do."""
        threads = self.scene.threads
        first = threads[step]
        others = [thread for thread in threads[step + 1 :] if thread != first]
        return self.ending([*threads[: step + 1], *[first] * _FINISHING, *others])

    def possible(self, order: Sequence[int]) -> bool:
        """Whether the threads can take their steps in this order."""
        run = self._run()
        with run.listening():
            possible = all(run.step(thread) for thread in order)
        self.budget -= run.taken
        return possible

    def writes(self) -> Iterator[SceneAccess]:
        """What the user's program writes in the execution that was tried last, in order."""
        return (access for access in self.accesses() if access.writes)

    def accesses(self) -> Iterator[SceneAccess]:
        """What the user's program reads, and writes, in that execution, in order; of an action that
        does both, one after the other."""
        for i, name, event in self.actions():
            for cell, value in event.reads:
                if not is_kept(event.position, cell):
                    yield SceneAccess(i, name, cell, event.position, (), value=value)
            for cell, value in event.writes:
                if not is_kept(event.position, cell):
                    yield SceneAccess(i, name, cell, event.position, (), written=value)

    def actions(self) -> Iterator[tuple[int, str, TracedAction]]:
        """The actions of that execution, with the numbers of their steps and their threads."""
        assert self._last is not None, "an execution was tried before"
        views = self.scene.system.views
        for i, (state, step) in enumerate(self._last.steps):
            name = views.thread_name(step.thread)
            for event in views.trace(state, step.thread, step.choices):
                yield i, name, event

    def write_of(self, access: SceneAccess) -> SceneAccess | None:
        """Who else writes the cell first in the execution that was tried last."""
        its = (a for a in self.writes() if a.cell == access.cell and a.thread != access.thread)
        return next(its, None)

    def ending(
        self, order: Sequence[int], last: int | None = None, turn: int = _TURN
    ) -> FlipEnding:
        """What an execution in this order of threads comes to.

        A thread that cannot move when its turn comes lets it pass. When the order is used up, the
        threads go on in turn, the greatest id first, `turn` steps each; `last` takes a step only
        when no other one can, or all others come round loops that change nothing, as they do where
        they wait for a signal (a wait may end without one) or look for a change. Threads without
        end are not interrupted, and go on to the end of the round that they are in.
        """
        system = self.scene.system
        turn = turn if self._aims is None else _LONGEST
        run = self._last = self._run()
        if self.expired():
            return FlipEnding.UNSEEN
        limit = min(self.budget, _LONGEST)
        with run.listening():
            for thread in order:
                run.step(thread)
            while run.taken < limit and (
                run.turns(turn, last) or run.give_way(last, turn) or run.another_round()
            ):
                pass
        self.budget -= run.taken
        if run.failed or self._shown(run.state):
            return FlipEnding.VIOLATED
        finished = classify(system, run.state) is End.COMPLETE or run.done()
        return FlipEnding.AVOIDED if finished and run.taken < limit else FlipEnding.UNSEEN

    def _run(self) -> _Flipped:
        its = {thread: choices[::-1] for thread, choices in self._given.items()}
        return _Flipped(self.scene.system, its, self._aims)

    def _shown(self, state: State) -> bool:
        return self.scene.finding.is_shown_by(self.scene.system, state)


@dataclass(frozen=True, slots=True)
class _Aims:
    """What threads without end have to come to: each has begun so many rounds, and the one that
    violates has begun so many steps at the place of its last access."""

    rounds: Rounds
    begun: Mapping[int, int]
    violates: int
    place: tuple[str, int]
    visits: int


def _aims(rounds: Rounds, scene: Scene) -> _Aims:
    """One round more than in the execution, of the threads that are in the middle of one."""
    system, state = scene.system, scene.system.initial()
    begun: Counter[int] = Counter()
    places: Counter[tuple[str, int]] = Counter()
    violates = scene.threads[-1]
    mine = [a.step for a in scene.accesses if scene.threads[a.step] == violates]
    last = mine[-1] if mine else len(scene.schedule) - 1
    place = ("", 0)
    for number, (thread, choices) in enumerate(scene.schedule):
        step = system.take(state, thread, choices)
        if step is None:
            break
        if thread == violates and number <= last:
            place = system.location(state, thread)
            places[place] += 1
        before, state = state, step.successor
        if step.violation is not None:
            state = before
            break
        if thread in system.threads(state):
            begun[thread] += rounds.begins(state, thread)
    for thread in system.threads(state):
        begun[thread] += not rounds.begins(state, thread) or thread == violates
    return _Aims(rounds, begun, violates, place, places[place])


@dataclass
class _Flipped:
    """One execution, step by step. Mutable; `failed`: it ends with a violation or is undefined;
    `cut`: some turn was over before its thread had to let others go on."""

    system: Interpreter
    given: dict[int, list[tuple[int, ...]]]
    aims: _Aims | None = None
    begun: Counter[int] = field(default_factory=Counter)
    visits: int = 0
    more: int = 0
    failed: bool = False
    cut: bool = False
    steps: list[tuple[State, ConcreteStep]] = field(default_factory=list)
    state: State = field(init=False)

    def __post_init__(self) -> None:
        self.state = self.system.initial()

    @property
    def taken(self) -> int:
        return len(self.steps)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within, attempts that are undefined behaviour count as failures."""
        listener, self.system.on_fault = self.system.on_fault, self._fails
        try:
            yield
        finally:
            self.system.on_fault = listener

    def _fails(self, state: State, step: object) -> None:
        self.failed = True

    def turns(self, steps: int, last: int | None) -> bool:
        """Some steps of each thread but the last one; whether there was one."""
        threads = [t for t in self.system.threads(self.state) if t != last]
        moved = [self.turn(thread, steps) for thread in reversed(threads)]
        return any(moved)

    def give_way(self, last: int | None, steps: int) -> bool:
        """A step of the last thread, to which the others come by going round their loops, where
        they may hold what it needs; whether there was one."""
        for thread in (t for t in self.system.threads(self.state) if t != last):
            for _ in range(steps):
                if last is not None and self.step(last):
                    return True
                if not self.step(thread):
                    break
        return last is not None and self.step(last)

    def turn(self, thread: int | None, steps: int) -> bool:
        """Some steps of the thread, until it comes round a loop that changes nothing; whether it
        has come to another state."""
        began = self.state
        seen = {began}
        for _ in range(steps):
            if thread is None or not self.step(thread):
                break
            if self.state in seen:
                self.cut = True
                break
            seen.add(self.state)
        else:
            self.cut = True
        return self.state != began

    def step(self, thread: int) -> bool:
        """A step of the thread, with the inputs that it has got if it can take them; whether there
        was one. A thread without end takes none where its rounds are over."""
        system = self.system
        if self.failed or thread not in system.threads(self.state) or self.rests(thread):
            return False
        given = self.given.get(thread)
        step = system.take(self.state, thread, given[-1]) if given else None
        if step is None:
            step = next(iter(system.steps(self.state, thread)), None)
        if step is None:
            return False
        if given:
            given.pop()
        self.steps.append((self.state, step))
        self.failed = self.failed or step.violation is not None
        if self.aims is not None:
            self._count(self.aims, thread, step.successor)
        self.state = step.successor
        return not self.failed

    def _count(self, aims: _Aims, thread: int, after: State) -> None:
        self.visits += (
            thread == aims.violates and self.system.location(self.state, thread) == aims.place
        )
        if thread in self.system.threads(after):
            self.begun[thread] += aims.rounds.begins(after, thread)

    def rests(self, thread: int) -> bool:
        """Whether a thread without end is to begin another round, and has done what it has to."""
        aims = self.aims
        return (
            aims is not None
            and self.begun[thread] >= aims.begun.get(thread, 0) + self.more
            and (thread != aims.violates or self.visits >= aims.visits)
            and aims.rounds.begins(self.state, thread)
        )

    def another_round(self) -> bool:
        """Lets threads without end go on where one that violates waits for what they do; whether
        that is worth while."""
        aims = self.aims
        if aims is None or self.failed or self.done() or self.more >= _MOST_ROUNDS:
            return False
        self.more += 1
        return True

    def done(self) -> bool:
        """Whether all threads have ended, rest, or wait for the end of one that has none."""
        aims, system = self.aims, self.system
        return aims is not None and all(
            self.rests(t)
            or (aims.rounds.joins(self.state, t) and system.waits(self.state, t) is not None)
            for t in system.threads(self.state)
        )
