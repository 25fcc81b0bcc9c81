"""Who makes the executions of a hunt, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Protocol

from abpress.properties import Aspect, Property
from abpress.properties.finding import Finding
from abpress.search.hunt.execution import Steps, Way
from abpress.search.hunt.inputs import Profile
from abpress.search.hunt.outlook import Outlook
from abpress.search.hunt.strategies import Strategy
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import NoSteps, Violation


class Played(Protocol):
    """A random execution under way, as `RandomExecution` is one. Mutable."""

    way: Way | None
    violation: Violation | None
    decisions: int
    last_input: int
    rests: bool

    @property
    def finding(self) -> Finding | None:
        """What a state of it shows."""

    @property
    def length(self) -> int:
        """How many steps it has."""

    @property
    def steps(self) -> Steps:
        """The steps."""

    @property
    def threads(self) -> int:
        """How many threads there were."""

    @property
    def crowded(self) -> bool:
        """Whether there are many threads."""

    @property
    def waits(self) -> NoSteps:
        """Why the last thread that has stopped has stopped."""

    def repeat(self, last: Any, /) -> None:
        """Takes the steps of the last one up to its last input, which is chosen anew."""

    def stands(self, aspect: Aspect, /) -> bool:
        """Whether its state may show this of threads that wait; then the machine is there."""

    def run(self, poll: int, /) -> bool:
        """Goes on for so many steps. Returns whether it has ended."""


class Player(Protocol):
    """Who makes executions instead of `RandomExecution`: the same ones, of the same draws.

    `compiled` and `filled` measure work as those of `InPlace` do.
    """

    chance: Random

    @property
    def compiled(self) -> int:
        """How many functions were made."""

    @property
    def filled(self) -> int:
        """How many cells of memory were filled."""

    def begin(
        self,
        guide: int,
        strategy: Strategy,
        profile: Profile,
        length: float,
        bound: int,
        rests: bool,
        /,
    ) -> Played:
        """A new execution, guided by the part of this number."""


MakePlayer = Callable[[Interpreter, Property, Random, Sequence[int], Sequence[Outlook]], Player]
"""Of a system, what is looked for, a generator, numbers of the program, and for each part what lies
ahead."""
