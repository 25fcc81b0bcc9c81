"""The ledger of a search: what it has found and counted, and whether it has to stop."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, TypeVar

from abpress.ir.program import UNDEFINED
from abpress.properties import ENDS, VISITED, Property
from abpress.properties.ends import End
from abpress.properties.finding import Finding, Reached
from abpress.search.limits import StopReason
from abpress.search.statistics import OUTCOMES, Outcome, SearchCounts
from abpress.semantics.protocols import S, Step, TellsFaults, TransitionSystem

Schedule = tuple[tuple[int, tuple[int, ...]], ...]
"""An execution from the initial state: per step its thread and choices."""

POLL_INTERVAL = 256
"""Steps of a search that stores states between two looks at the limits; a power of two."""

POLL_EVENTS = 64
"""The same for a search without stored states, whose steps take longer."""

C = TypeVar("C", bound=SearchCounts)

Poll = Callable[[C], StopReason | None]
"""Asked every few steps whether a limit ends the search."""

Rank = Callable[[tuple[Step[Any], ...]], Any]
"""Which of two executions comes first: the lesser."""

OnFinal = Callable[[S, End], None]
"""Told the states in which executions end."""


@dataclass(frozen=True, slots=True)
class Found(Generic[S]):
    """An execution that violates the property of this name: its steps, and what it ends with."""

    path: tuple[Step[S], ...]
    finding: Finding
    violates: str

    @property
    def schedule(self) -> Schedule:
        """The schedule that replays the execution."""
        return tuple((step.thread, step.choices) for step in self.path)


@dataclass(frozen=True, slots=True)
class Exploration(Generic[S, C]):
    """The outcome of a search.

    `found` is in the order in which it was found. `stopped` says which limit ended it. `exhausted`
    means that everything that the reduction asks for was explored; a search that stops at its first
    violation is neither. `fault` is the first execution that ends with undefined behaviour that
    violates nothing that is asked.
    """

    statistics: C
    found: tuple[Found[S], ...]
    stopped: StopReason | None
    exhausted: bool
    fault: Found[S] | None = None


class SearchOver(Exception):
    """The search ends now, in the middle of whatever it does."""


class Ledger(Generic[S, C]):
    """What a search for violations of a property has found and counted. Mutable.

    Of a conjunction each part is asked by itself. Of the findings of one property with the same key
    the first is kept, with its execution: by the `rank` of executions, if there is one. A method
    that returns a bool says whether the search ends: at a limit; unless `keep_going`, when each
    part has its first finding, or one that `leads`, without which the others are searched with
    less.
    """

    def __init__(
        self,
        property: Property,
        statistics: C,
        keep_going: bool = False,
        poll: Poll[C] | None = None,
        on_final: OnFinal[S] | None = None,
        leads: Container[str] = (),
        rank: Rank | None = None,
    ) -> None:
        self.statistics = statistics
        self._rank = rank
        self._keep_going = keep_going
        self._poll = poll
        self._on_final = on_final
        self._leads = leads
        self._found: dict[tuple[str, Hashable], Found[S]] = {}
        self._stopped: StopReason | None = None
        self._fault: Found[S] | None = None
        self._asked = property.parts
        self._open: tuple[Property, ...] = ()
        self._of_states: tuple[Property, ...] = ()
        self._of_ends: tuple[Property, ...] = ()
        self._ask(property.parts)

    def _ask(self, parts: Iterable[Property]) -> None:
        """Asks these from now on."""
        self._open = tuple(parts)
        self._of_states = tuple(p for p in self._open if not p.looks_at.isdisjoint(VISITED))
        self._of_ends = tuple(p for p in self._open if not p.looks_at.isdisjoint(ENDS))

    def begin_again(self, statistics: C) -> None:
        """The search begins again: nothing has been found and counted."""
        self.statistics = statistics
        self._found.clear()
        self._stopped = self._fault = None
        self._ask(self._asked)

    def polled(self) -> bool:
        """Looks at the limits; the statistics are up to date."""
        if self._poll is not None:
            self._stopped = self._poll(self.statistics)
        return self._stopped is not None

    def _note(
        self, findings: Sequence[tuple[Property, Finding | None]], path: Iterable[Step[S]]
    ) -> bool:
        """Notes what the parts find in the execution of these steps."""
        found = [(part, finding) for part, finding in findings if finding is not None]
        if not found:
            return False
        steps: tuple[Step[S], ...] | None = None
        for part, finding in found:
            key = part.name, finding.key
            before = self._found.get(key)
            if before is None or self._rank is not None:
                steps = tuple(path) if steps is None else steps
                if self._is_first(steps, before):
                    self._found[key] = Found(steps, finding, part.name)
        if self._keep_going:
            return False
        decided = {part.name for part, _ in found}
        self._ask(part for part in self._open if part.name not in decided)
        return not self._open or any(name in self._leads for name in decided)

    def _is_first(self, steps: tuple[Step[S], ...], before: Found[S] | None) -> bool:
        if before is None:
            return True
        return self._rank is not None and self._rank(steps) < self._rank(before.path)

    def violation(self, path: Iterable[Step[S]], step: Step[S]) -> bool:
        """Counts and notes an execution that ends with a violation by its last step."""
        self.statistics.count(Outcome.VIOLATING)
        assert step.violation is not None
        violation = step.violation
        findings = [(part, part.of_violation(violation)) for part in self._open]
        return self._note(findings, chain(path, (step,)))

    def attempt(self, path: Iterable[Step[S]], step: Step[S]) -> None:
        """Notes an attempt, after the path, that is undefined behaviour; others go on without it.

        Raises SearchOver if the search ends.
        """
        assert step.violation is not None
        steps = (*path, step)
        findings = [(part, part.of_attempt(step)) for part in self._asked]
        if self._is_first(steps, self._fault) and not any(finding for _, finding in findings):
            self._fault = Found(steps, Reached(step.violation), UNDEFINED)
        if self._note([(part, found) for part, found in findings if part in self._open], steps):
            raise SearchOver

    def visit(self, system: TransitionSystem[S], state: S, path: Iterable[Step[S]]) -> bool:
        """Lets the property look at a state that the search visits, and notes what it shows."""
        return self._note([(part, part.of_state(system, state)) for part in self._of_states], path)

    def end(self, system: TransitionSystem[S], state: S, end: End, path: Iterable[Step[S]]) -> bool:
        """Counts and notes an execution that ends in a state without a step."""
        self.statistics.count(OUTCOMES[end])
        if self._on_final is not None:
            self._on_final(state, end)
        return self._note([(part, part.of_end(system, state, end)) for part in self._of_ends], path)

    def take_over(self, found: Iterable[Found[S]]) -> None:
        """Notes what another search has found, with the fault that violates nothing."""
        for its in found:
            if its.violates == UNDEFINED:
                self._fault = self._fault or its
            else:
                self._found.setdefault((its.violates, its.finding.key), its)

    def closed(self, exhausted: bool = False) -> Exploration[S, C]:
        """The outcome of the search, which ends now."""
        found = tuple(self._found.values())
        return Exploration(self.statistics, found, self._stopped, exhausted, self._fault)


@contextmanager
def told_of_faults(system: object, told: Callable[[Any, Any], None]) -> Iterator[None]:
    """`told` is called for each attempt to take a step that is undefined behaviour, with the state
    and the attempt, if the system tells of them; not where it is being told."""
    if not isinstance(system, TellsFaults):
        yield
        return
    watched = system

    def once(state: Any, attempt: Any) -> None:
        watched.on_fault = None
        told(state, attempt)
        watched.on_fault = once

    before, watched.on_fault = watched.on_fault, once
    try:
        yield
    finally:
        watched.on_fault = before
