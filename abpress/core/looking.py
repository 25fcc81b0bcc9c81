"""Properties that look at states, where the native core searches: it tells of states that the
reference has to look at, and asks what is known of threads once for all."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, TypeVar

from abpress.core.library import Algorithm
from abpress.core.lower import CoreProgram
from abpress.core.reference import CoreRefused, CoreSearch
from abpress.core.told import QUESTIONS, CoreCounts, CoreEvent
from abpress.properties import Property
from abpress.search.bounds import ExecutionBounds
from abpress.search.ledger import Ledger, told_of_faults
from abpress.search.statistics import SearchCounts
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.semantics.standing import Pending

if TYPE_CHECKING:
    from abpress.search.symmetric import SymmetricStates

FEW_VISITS = 1_000
"""States that the reference may look at in any case."""

VISIT_COSTS = 8
"""How many states the Python search meets while the reference goes to one and looks at it."""

C = TypeVar("C", bound=SearchCounts)


class AccessKinds:
    """What threads are about to access, as numbers from 1 on. Mutable."""

    def __init__(self, system: Interpreter) -> None:
        self._standing = system.standing
        self._kinds: list[tuple[Pending, ...]] = []
        self._numbers: dict[tuple[object, ...], int] = {}

    def number(self, thread: tuple[Any, ...]) -> int:
        """That of a thread, given by its component of a state; 0 if that has to be looked up in the
        state."""
        accesses = self._standing.kept(thread)
        if accesses is None:
            return 0
        key = tuple((its.address, its.size, its.writes, its.kind) for its in accesses)
        if key not in self._numbers:
            self._kinds.append(accesses)
            self._numbers[key] = len(self._kinds)
        return self._numbers[key]

    def apart(self, one: int, other: int) -> int:
        """Whether accesses of two kinds are known not to race."""
        mine, others = self._kinds[one - 1], self._kinds[other - 1]
        return int(not any(a.races(b) for a in mine for b in others))


class LookingSearch(CoreSearch[C]):
    """A search at work. Mutable."""

    def __init__(
        self,
        system: Interpreter,
        algorithm: Algorithm,
        property: Property,
        ledger: Ledger[State, C],
        bounds: ExecutionBounds | None = None,
        lowered: CoreProgram | None = None,
        symmetric: SymmetricStates | None = None,
    ) -> None:
        self.suspicious = property.suspects(system)
        self.kinds = AccessKinds(system)
        self.visits = 0
        super().__init__(system, algorithm, ledger, property.looks_at, bounds, lowered, symmetric)

    @abstractmethod
    def met(self, counts: CoreCounts) -> int:
        """How many states the search has met."""

    def suspects(self, state: State) -> bool:
        """Whether the property may hold in the state at the top: false only where it does not."""
        return self.suspicious is None or self.suspicious(state)

    def told(self, event: CoreEvent, one: int, other: int) -> int:
        """Takes note of an event, or answers what the core asks; may raise SearchOver."""
        return self._answer(event, one, other) if event in QUESTIONS else self.noted(event, one)

    def noted(self, event: CoreEvent, thread: int) -> bool:
        if event is CoreEvent.VISIT:
            return self._visited(self.top())
        return super().noted(event, thread)

    def _visited(self, state: State) -> bool:
        """Lets the property look at a state, as the Python search does. Returns whether the search
        ends. Raises CoreRefused where that has to be done so often that nothing is gained."""
        self.visits += 1
        if self.visits >= FEW_VISITS and self.visits * VISIT_COSTS > self.met(self.core.counts):
            raise CoreRefused("properties that look at many states")
        with told_of_faults(self.system, self.attempted):
            return self.suspects(state) and self.ledger.visit(self.system, state, self.path)

    def _answer(self, event: CoreEvent, one: int, other: int) -> int:
        """What is known once for all: of a thread of the state at the top, or of accesses."""
        if event is CoreEvent.APART:
            return self.kinds.apart(one, other)
        system, state = self.system, self.top()
        its = state[system.context.index(state, one)]
        if event is CoreEvent.WAITS:
            return int(system.circles.knows(its))
        return self.kinds.number(its)
