"""Searches that store states, of one process: by Python, or by the native core."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from abpress.analysis.alike import TellsApart
from abpress.config import AUTO, NATIVE, OFF, ON, PYTHON, Config
from abpress.core.search import ALGORITHMS, unfit
from abpress.core.search import explore as explore_natively
from abpress.engines import core as cores
from abpress.engines.census import census
from abpress.engines.vacuity import Ends
from abpress.later import later
from abpress.properties import Property
from abpress.reductions.entry import ReductionEntry
from abpress.reductions.table import STATEFUL, STATIC
from abpress.search.ledger import Exploration, OnFinal, Poll
from abpress.search.limits import Limits, StopReason, Watch
from abpress.search.stateful import explore as search_states
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State

_UNFIT: Callable[..., Any] = later("abpress.engines.symmetric", "unfit")
_PROMISES: Callable[..., Any] = later("abpress.engines.symmetric", "promises")
_SYMMETRIC: Callable[..., Any] = later("abpress.engines.symmetric", "symmetric")
_IN_COMMON: Callable[..., Any] = later("abpress.core.common_states", "explore_in_common")

COMMON = frozenset({"none", "s-por", "heap-reach", "heap-reach+fields"})
"""Reductions whose states may be in common: what they explore depends on the state alone."""

MOST_SEARCHERS = 256
"""More than these no algorithm has."""

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
    symmetric: bool = False,
) -> Exploration[State, Statistics]:
    """The search with a static or a dynamic reduction; see `search.stateful.explore`. `symmetric`:
    equal threads count as such; raises TellsApart where they are not."""
    key = None
    if symmetric:
        states, reduction = _SYMMETRIC(system, por)
        key = states.key
    else:
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
        key=key,
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
    large: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def words(self) -> dict[str, str | int]:
        """What is told beside the numbers."""
        return {**({"core": self.core} if self.core else {}), **self.large}


def told_of_workers(config: Config, stored: Sequence[int]) -> dict[str, str | int]:
    """What is told of workers, which have stored so many states each."""
    by_worker = ", ".join(f"{n:,}" for n in stored) or "none"
    return {"workers": config.search.workers, "states_by_worker": by_worker}


@dataclass(frozen=True, slots=True)
class StoredSearch:
    """A search that stores states, of one process. `begin` makes a new system; `symmetry`:
    whether equal threads are looked for (`SearchOptions`); `symmetric`: they count as such."""

    begin: Callable[[], Interpreter]
    property: Property
    config: Config
    limits: Limits
    watch: Watch[Statistics]
    symmetry: str = OFF
    symmetric: bool = False

    def run(self) -> Searched:
        """Searches to the end, or to a limit."""
        if self.symmetry == OFF:
            return self._run()
        found = self._symmetric()
        if isinstance(found, str):
            its = self._run()
            if self.symmetry != ON:
                return its
            return replace(its, large={**its.large, "symmetry": f"off ({found})"})
        return replace(found, large={**found.large, "symmetry": "on"})

    def _symmetric(self) -> Searched | str:
        """The search in which equal threads count as such, or what tells threads apart."""
        why: str | None = _UNFIT(self.config, self.property)
        if why is not None:
            return why
        try:
            if self.symmetry != ON and not _PROMISES(self.begin()):
                return "threads begin with other arguments"
            return replace(self, symmetric=True)._run()
        except TellsApart as apart:
            return str(apart)

    def _run(self) -> Searched:
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

        def look_around(states: Collection[State]) -> None:
            large.update(census(system, states) if counts() else {})

        outcome = explore_all(
            system,
            self.config.search.por,
            self.property,
            poll=poll,
            keep_going=self.config.search.keep_going,
            on_final=ends.note,
            leads=self.config.question.leads,
            on_stop=None if self.symmetric else look_around,
            symmetric=self.symmetric,
        )
        return Searched(system, outcome, ends, large=large)

    def natively(self) -> Searched | str:
        """The search by the core, or why it refuses."""
        return cores.asked(self._explored_natively, self.config.search.core)

    def in_common(self) -> Searched | str | None:
        """The search by several searches of the core, in threads, or why it refuses; None: it is
        not asked."""
        search = self.config.search
        if search.core == PYTHON or search.por not in COMMON or search.workers > MOST_SEARCHERS:
            return None
        why = unfit(self.config, self.property)
        return cores.asked(self._explored_in_common, search.core) if why is None else why

    def _explored_in_common(self) -> Searched:
        system = self.begin()
        ends = Ends(system)
        outcome, stored = _IN_COMMON(
            system,
            self.config.search.por,
            self.property,
            self.config.search.workers,
            poll=self.watch,
            keep_going=self.config.search.keep_going,
            on_final=ends.note,
            leads=self.config.question.leads,
            most_states=self.limits.states,
        )
        timed = "max_depth" if outcome.exhausted else "all"
        words = {**told_of_workers(self.config, stored), "depend_on_timing": timed}
        return Searched(system, outcome, ends, NATIVE, words)

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
            symmetric=_SYMMETRIC(system, self.config.search.por)[0] if self.symmetric else None,
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
