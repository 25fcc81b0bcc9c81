"""Random executions by the native core: the same draws make the same ones as in Python.

What is to be told of one (what is violated, undefined behaviour, an assumption) the reference finds
out by repeating it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from abpress.core.code import CannotLower, signed
from abpress.core.looking import AccessKinds
from abpress.core.lower import CoreProgram, lower
from abpress.core.random_core import MAY_BE_CIRCLE, MAY_BE_STUCK, RandomCore
from abpress.core.reference import CoreDiffers, CoreRefused, name_threads, refusal, refusing
from abpress.core.told import CoreEvent
from abpress.properties import Aspect, Property
from abpress.properties.finding import Finding
from abpress.search.hunt.execution import CROWD, Steps, Way, repeated, take_steps
from abpress.search.hunt.inputs import PROFILES, Profile, RandomInputs
from abpress.search.hunt.outlook import ABORT, Outlook
from abpress.search.hunt.strategies import (
    STRATEGIES,
    Priorities,
    Rotation,
    Sticky,
    Strategy,
    Uniform,
)
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ASSUMING, AWAITING, NoSteps, Violation

_SCHEDULES = (Uniform, Sticky, Priorities, Rotation)
"""As `enum schedule` has them."""

_WAYS = (None, Way.VIOLATION, Way.ENDED, Way.ABORTED, Way.STUCK, Way.CUT, Way.LOST)
"""As `enum way` has them."""

_FEW_REPEATED = 1_000
"""Executions that the reference may repeat in any case; of more, one in `_REPEATING`."""

_REPEATING = 8

_FEW_FOLLOWED = 1 << 17
"""Steps that the reference may take in any case to where threads are looked at; of more, one in
`_FOLLOWING`."""

_FOLLOWING = 4

ASPECTS = frozenset(
    {
        *(Aspect.STEP, Aspect.LOSS, Aspect.LEFTOVER),
        *(Aspect.DEADLOCK, Aspect.CIRCLE, Aspect.RACE),
    }
)
"""What the core can look at for properties."""


class NativeHunt:
    """Makes random executions. Mutable. Raises CoreRefused where the core cannot.

    `chance` draws from the same generator. `compiled` and `filled` measure work as those of
    `InPlace` do: what Python would have made by now.
    """

    def __init__(
        self,
        system: Interpreter,
        property: Property,
        chance: Random,
        numbers: Sequence[int],
        outlooks: Sequence[Outlook],
    ) -> None:
        if not property.looks_at <= ASPECTS:
            raise CoreRefused(f"property {property.name}")
        self.system = system
        self.parts = property.parts
        self.taken = 0
        self._at: NativeExecution | None = None  # where the reference is, after so many steps
        self._steps = self._looks = 0
        self._looked: tuple[object, ...] = ()
        self._kinds = AccessKinds(system)
        self.begun = self.repeated = self.followed = self.compiled = 0
        self._cells = system.context.base + 1
        self._flags = {name: _flags(strategy) for name, strategy in STRATEGIES.items()}
        self._profiles = {name: number for number, name in enumerate(PROFILES)}
        self._known = 1
        self._inputs = RandomInputs(chance, numbers)
        with refusing():
            self._lowered = lowered = lower(system, property.looks_at)
            watched = [part.standing(system) is not None for part in self.parts]
            words = hunt_words(system, lowered, chance, numbers, outlooks, watched)
            self.core = RandomCore(lowered.words, words, self._told)
        self.chance: Random = _CoreChance(self.core)

    @property
    def filled(self) -> int:
        """How many cells of memory Python would have filled."""
        return (2 + self.begun) * self._cells + self._looks

    def begin(
        self,
        guide: int,
        strategy: Strategy,
        profile: Profile,
        length: float,
        bound: int,
        rests: bool,
    ) -> NativeExecution:
        """A new execution. What is drawn is what `RandomExecution` and its scheduler draw."""
        self.begun += 1
        numbers = guide, *self._flags[strategy.name], self._profiles[profile.name], rests
        if not self.core.draw(numbers, strategy.holding, length, bound):
            raise CoreDiffers("a random execution does not begin")
        self.current = NativeExecution(self, self.parts[guide], rests)
        return self.current

    def check(self) -> None:
        """Raises CoreRefused if an execution is refused."""
        if self.core.refusal[0]:
            raise refusal(self.core, self._lowered)

    def repeat(self, steps: Steps) -> Violation | None:
        """Lets the reference take these steps; what the last one commits."""
        self._known = name_threads(self.core, self.system, self._known)
        self._at = None
        self.repeated += 1
        if self.repeated > max(_FEW_REPEATED, self.begun // _REPEATING):
            raise CoreRefused("random executions of which many have to be repeated")
        return repeated(self.system.in_place, self._inputs, steps)

    def follow(self, execution: NativeExecution, length: int) -> None:
        """Lets the reference go to where the execution is after so many steps. Raises CoreRefused
        if it has to go so far that nothing is gained."""
        machine = self.system.in_place
        self._known = name_threads(self.core, self.system, self._known)
        if self._at is not execution:
            machine.restart()
            self._at, self._steps = execution, 0
        steps = [self.core.played(k) for k in range(self._steps, length)]
        self._steps = length
        self.followed += len(steps)
        if self.followed > max(_FEW_FOLLOWED, (self.taken + length) // _FOLLOWING):
            raise CoreRefused("random executions of which many states have to be looked at")
        if take_steps(machine, self._inputs, steps) is not None:
            raise CoreDiffers("a violation on the way")

    # -- races ----------------------------------------------------------------------------------

    def _told(self, event: CoreEvent, one: int, other: int) -> int:
        """Answers what the core asks: whether two threads race where they stand (1: but nothing is
        found, 2: it is), and what is known of their accesses once for all."""
        if event is CoreEvent.APART:
            return self._kinds.apart(one, other)
        machine, standing = self.system.in_place, self.system.standing
        if event is CoreEvent.ACCESSES:
            return self._kinds.number(machine.state[machine.places[one]])
        length = self.core.depth
        self.follow(self.current, length)
        state = machine.state
        if self._looked != (looked := (self.begun, length, one)):
            self._looked = looked
            self._looks += len(state)
        snapshot = machine.snapshot()
        if not standing.race(snapshot, *(state[machine.places[t]] for t in (one, other))):
            return 0
        self.current.finding = self.current.guide.of_state(self.system, snapshot)
        return 1 if self.current.finding is None else 2


class NativeExecution:
    """A random execution by the core; as `RandomExecution`. Mutable."""

    def __init__(self, hunt: NativeHunt, guide: Property, rests: bool) -> None:
        self.finding: Finding | None = None
        self.guide = guide
        self._hunt = hunt
        self._core = hunt.core
        self.rests = rests
        self.way: Way | None = None
        self.violation: Violation | None = None
        self.length = self.decisions = 0
        self.last_input = -1
        self.threads = 1
        self._assumes = 1

    def repeat(self, last: NativeExecution) -> None:
        """Takes the steps of the one before it up to its last input, which is chosen anew."""
        self._core.repeat(last.last_input)

    def run(self, poll: int) -> bool:
        """Goes on for so many steps, and to the next decision. Returns whether it has ended."""
        if self.way is not None:
            return True
        way, its = self._core.play(poll)
        self.way, self._hunt.compiled = _WAYS[way], its[-1]
        self.length, self.decisions, self.last_input, self.threads, self._assumes, noted, _ = its
        if self.way is not None:
            self._hunt.taken += self.length
        shown = self.finding is not None
        ends_early = not shown and (self.way is Way.VIOLATION or self.way is Way.LOST)
        if self.way is None or noted:
            self._hunt.check()
        if ends_early or (noted and self.way is not None):
            self.violation = self._hunt.repeat(self.steps)
            if (self.violation is None) > (shown or self.way is not Way.VIOLATION):
                raise CoreDiffers("a violation is none")
            if (self.violation is not None) > ends_early:
                raise CoreDiffers("a step violates something")
            self.length -= self.way is Way.LOST and self.violation is None
        return self.way is not None

    def stands(self, aspect: Aspect) -> bool:
        """Whether the state may show this of threads that wait; then the machine is there."""
        if not self._core.shows() & (MAY_BE_CIRCLE if aspect is Aspect.CIRCLE else MAY_BE_STUCK):
            return False
        self._hunt.follow(self, self.length)
        return True

    @property
    def steps(self) -> Steps:
        """The steps so far."""
        return [self._core.played(k) for k in range(self.length)]

    @property
    def crowded(self) -> bool:
        """Whether there are many threads."""
        return self.threads > CROWD

    @property
    def waits(self) -> NoSteps:
        """Why the last thread that has stopped has stopped."""
        return ASSUMING if self._assumes else AWAITING


class _CoreChance(Random):
    """Draws from the generator of a hunt by the core."""

    def __init__(self, core: RandomCore) -> None:
        super().__init__(0)
        self._draw = core.random

    def random(self) -> float:
        """A number from 0 on, below 1."""
        return self._draw()


def _flags(strategy: Strategy) -> tuple[int, int, int, int]:
    schedule = next(k for k, its in enumerate(_SCHEDULES) if strategy.make is its)
    return schedule, strategy.delays, strategy.creators_first, strategy.few


def hunt_words(
    system: Interpreter,
    lowered: CoreProgram,
    chance: Random,
    numbers: Sequence[int],
    outlooks: Sequence[Outlook],
    watched: Sequence[bool],
) -> list[int]:
    """What a hunt has besides the program, as `core_hunt` takes it; of outlooks, whether races are
    looked for."""
    state = chance.getstate()[1]
    words = [*state, lowered.ends.get(ABORT, -1), len(numbers), len(outlooks)]
    for number in numbers:
        words += _wide(number)
    for domain in lowered.domains:
        low, high = (0, 0) if domain is None else domain.bounds
        words += [*_wide(low), *_wide(high)]
    pcs = system.context.pcs
    for outlook, watches in zip(outlooks, watched, strict=True):
        for facts in (outlook.errors, outlook.near, outlook.creates, outlook.invisible):
            words += map(int, facts[:pcs])
        words += [watches, len(outlook.places), *outlook.places]
    return words


def _wide(number: int) -> tuple[int, int]:
    """A number of at most 128 bits as two words."""
    if not -(1 << 127) <= number < 1 << 127:
        raise CannotLower("a number of more than 128 bits")
    return signed(number & (1 << 64) - 1), number >> 64
