"""Searches that store states, of one process: by Python, or by the native core."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from abpress.config import AUTO, NATIVE, PYTHON, Config
from abpress.core.search import ALGORITHMS, unfit
from abpress.core.search import explore as explore_natively
from abpress.engines import core as cores
from abpress.engines.census import census
from abpress.engines.vacuity import Ends
from abpress.properties import Property
from abpress.reductions.entry import ReductionEntry
from abpress.reductions.table import STATEFUL, STATIC
from abpress.search.ledger import Exploration, OnFinal, Poll
from abpress.search.limits import Limits, StopReason, Watch
from abpress.search.stateful import explore as search_states
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State

HAND_OVER = 1 << 14
"""Steps of a Python search after which the core begins anew. It needs as long to get ready."""

BUILD = 1 << 18
"""The same where the core has to be built first, which takes two seconds."""


def explore_all(
    system: Interpreter,
    por: str,
    property: Property,
    *,
    poll: Poll[Statistics] | None = None,
    keep_going: bool = False,
    on_final: OnFinal[State] | None = None,
    leads: Container[str] = (),
    on_stop: Callable[[Collection[State]], None] | None = None,
) -> Exploration[State, Statistics]:
    """The search with a static or a dynamic reduction; see `search.stateful.explore`."""
    reduction = entry_of(por).make(system)
    return search_states(
        system,
        reduction,
        property,
        poll=poll,
        keep_going=keep_going,
        on_final=on_final,
        leads=leads,
        on_stop=on_stop,
    )


def entry_of(por: str) -> ReductionEntry[Any]:
    """The entry of a reduction of searches that store states."""
    return STATIC.get(por) or STATEFUL[por]


@dataclass(frozen=True, slots=True)
class Searched:
    """What was explored, of which system, and how executions end. `core` says who did it, with the
    reason where the core has refused; empty where nobody could have asked it. `large` says what
    makes the states many, if a limit has ended a search of Python's."""

    system: Interpreter
    outcome: Exploration[State, Statistics]
    ends: Ends
    core: str = ""
    large: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> dict[str, str]:
        """What is told beside the numbers."""
        return {**({"core": self.core} if self.core else {}), **self.large}


@dataclass(frozen=True, slots=True)
class StoredSearch:
    """A search that stores states, of one process. `begin` makes a new system."""

    begin: Callable[[], Interpreter]
    property: Property
    config: Config
    limits: Limits
    watch: Watch[Statistics]

    def run(self) -> Searched:
        """Searches to the end, or to a limit."""
        core = self.config.search.core
        if self.config.search.por not in ALGORITHMS:
            return self.in_python(self.watch)
        why = None if core == PYTHON else unfit(self.config, self.property)
        if core == AUTO and why is None:
            return _HandingOver(self).run()
        found = self.natively() if core == NATIVE and why is None else why
        if isinstance(found, Searched):
            return found
        return replace(self.in_python(self.watch), core=cores.by_python(found))

    def in_python(
        self, poll: Poll[Statistics], counts: Callable[[], bool] = lambda: True
    ) -> Searched:
        """The search in Python. `counts`: whether it matters what a limit leaves of it."""
        system = self.begin()
        ends = Ends(system)
        large: dict[str, str] = {}
        outcome = explore_all(
            system,
            self.config.search.por,
            self.property,
            poll=poll,
            keep_going=self.config.search.keep_going,
            on_final=ends.note,
            leads=self.config.question.leads,
            on_stop=lambda states: large.update(census(system, states) if counts() else {}),
        )
        return Searched(system, outcome, ends, large=large)

    def natively(self) -> Searched | str:
        """The search by the core, or why it refuses."""
        return cores.asked(self._explored_natively, self.config.search.core)

    def _explored_natively(self) -> Searched:
        system = self.begin()
        ends = Ends(system)
        outcome = explore_natively(
            system,
            self.config.search.por,
            self.property,
            poll=self.watch,
            keep_going=self.config.search.keep_going,
            on_final=ends.note,
            leads=self.config.question.leads,
            most_states=self.limits.states,
        )
        return Searched(system, outcome, ends, NATIVE)


class _HandingOver:
    """A search that Python begins."""

    def __init__(self, search: StoredSearch) -> None:
        self.search = search
        self.core = cores.HandingOver[Searched](search.natively, HAND_OVER, BUILD)

    def run(self) -> Searched:
        """Searches to the end, or to a limit."""
        begun = self.search.in_python(self._poll, lambda: not self._is_over())
        found = self.core.found
        if isinstance(found, Searched):
            return replace(found, large=begun.large)
        return replace(begun, core=cores.by_python(found))

    def _is_over(self) -> bool:
        """Whether the core has searched to the end."""
        found = self.core.found
        return isinstance(found, Searched) and found.outcome.stopped is None

    def _poll(self, statistics: Statistics) -> StopReason | None:
        stop = self.search.watch(statistics)
        return self.core.polled(statistics.steps) if stop is None else stop
