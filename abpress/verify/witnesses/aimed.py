"""A search for the violation that a witness means, past those that it does not mean.

Of races and of undefined behaviour only what stands at the targets counts, by the threads that are
told, when all waypoints are passed. Executions are all that comes of it: that it finds none says
nothing, as what reductions keep is that the property is violated, and not how.

NOTE(observing-code)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from abpress.config import Config
from abpress.engines.answer import expiry
from abpress.engines.order import InOrder
from abpress.engines.stored import StoredSearch
from abpress.engines.table import ENGINES
from abpress.properties import PROPERTIES, Aspect, Property
from abpress.properties.conjunction import Conjunction
from abpress.properties.data_race import NoDataRace, races
from abpress.properties.finding import Finding
from abpress.result import Soundness
from abpress.search.limits import Watch, limits_of
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import FEW_THREADS
from abpress.semantics.protocols import S, Step, TransitionSystem
from abpress.verify.load import load
from abpress.verify.witnesses.observers import PASSED, Observation, Standing, names_in
from abpress.witness.build import build_trace
from abpress.witness.sources import with_source_lines
from abpress.witness.trace import Trace

_MOST_STATES = 100_000
"""As many states are looked at, of each reduction."""


@dataclass(frozen=True, slots=True)
class _Aim:
    """What of the violations of a system counts."""

    system: Interpreter
    observation: Observation

    def meant(self, state: Any, standing: Standing) -> bool:
        """Whether what threads that stand so do next is what the witness tells."""
        cells = dict(self.system.views.cells(state))
        if (cells.get(PASSED) or 0) != self.observation.segments:
            return False
        names = names_in(cells, self.system.views.thread_name)
        return self.observation.missed(standing, names) is None


class _Aimed(Property):
    """A property of which only that counts which the witness tells."""

    def __init__(self, of: Property, aim: _Aim) -> None:
        self._of, self._aim = of, aim
        self.name, self.meaning, self.ltl = of.name, of.meaning, of.ltl
        self.looks_at, self.needs, self.variant = of.looks_at, of.needs, of.variant
        self.faults = of.faults

    def suspects(self, system: TransitionSystem[S]) -> Callable[[Any], bool] | None:
        """As the property."""
        return self._of.suspects(system)

    def of_attempt(self, attempt: Step[S]) -> Finding | None:
        """What the property finds, at a target."""
        found = self._of.of_attempt(attempt)
        if found is None or attempt.violation is None:
            return None
        thread = self._aim.system.views.thread_name(attempt.thread)
        standing = [(thread, attempt.violation.position.origin)]
        return found if self._aim.meant(attempt.successor, standing) else None

    def of_state(self, system: TransitionSystem[S], state: S) -> Finding | None:
        """A race of accesses at the targets."""
        if not isinstance(self._of, NoDataRace) or self._of.of_state(system, state) is None:
            return None
        for race in races(system, state):
            standing = [(a.thread, a.position.origin) for a in (race.first, race.second)]
            if self._aim.meant(state, standing):
                return race
        return None


def can_aim(properties: Iterable[str]) -> bool:
    """Whether there are properties whose violations can be told from one another."""
    return any(_told_apart(PROPERTIES[name]) for name in properties)


def _told_apart(property: Property) -> bool:
    return property.faults or Aspect.RACE in property.looks_at


def aimed(
    config: Config, observation: Observation, started: float | None
) -> tuple[Trace, Mapping[str, str]] | None:
    """An execution of `config.program.file`, with what is inserted, that violates one of the
    properties as the witness tells, and the texts that it refers to; None if none was found. It is
    replayed, and not shortened."""
    names = tuple(name for name in config.question.properties if _told_apart(PROPERTIES[name]))
    config = config.but(properties=names, engine="explicit", workers=1, core="python")
    loaded = load(config)
    for reduction in dict.fromkeys((ENGINES["explicit"].configured(config).search.por, "none")):
        limits = replace(limits_of(config.bounds, started), states=_MOST_STATES)
        watch: Watch[Any] = Watch(limits)
        system = InOrder(loaded.program, config, Soundness(), FEW_THREADS)
        parts = [_Aimed(PROPERTIES[name], _Aim(system, observation)) for name in names]
        asked = parts[0] if len(parts) == 1 else Conjunction(parts)
        its = config.but(por=reduction)
        outcome = StoredSearch(partial(_itself, system), asked, its, limits, watch).run().outcome
        for found in outcome.found:
            expired = expiry(watch, outcome.statistics)
            trace = build_trace(system, found.schedule, found.violates, found.finding, expired)
            return with_source_lines(trace, loaded.sources), loaded.sources
    return None


def _itself(system: Interpreter) -> Interpreter:
    return system
