"""One search for invariants of the threads of a program, for so many threads and with the elements
of so many arrays chosen: by guesses, or by clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from itertools import chain, islice
from typing import TypeVar

from abpress.analysis.facts import Facts
from abpress.config import Place
from abpress.engines.horn.apart import solve_apart
from abpress.engines.templates.clauses import ClausesOfObligations, relevant
from abpress.engines.templates.counters import counters_of
from abpress.engines.templates.guesses import Guesses
from abpress.engines.templates.houdini import kept
from abpress.engines.templates.phases import meetings
from abpress.engines.templates.weights import Hints
from abpress.errors import UnsupportedError
from abpress.ir.expr import Compare, Reg
from abpress.ir.program import Join, Program, edges
from abpress.ir.types import Layout
from abpress.logic.formula import TRUE, Formula, conj, conjuncts, substitute
from abpress.modular.templates.elements import arrays_of_elements
from abpress.modular.templates.nodes import nodes_of
from abpress.modular.templates.obligations import Obligation, Obligations
from abpress.modular.templates.paths import AccessAt, At, Key, NotFollowed, ThreadStep
from abpress.modular.templates.steps import TemplateSteps
from abpress.proof.certificate import program_digest
from abpress.proof.judge import Judge
from abpress.proof.races import Pairs
from abpress.proof.templates.certificate import TemplateCertificate
from abpress.search.processor import processor_time
from abpress.smt.answer import Answer, NotExact
from abpress.smt.clauses import Invariants

_MOST_OBLIGATIONS = 6000
"""More are not looked at."""

_FEW_OBLIGATIONS = 1000
"""Of two threads: guesses of these take about as long as those of one, and are tried first. Of 17
programs they prove four, which have 812 at most; none of those that have more than 1,000."""


T = TypeVar("T")

ArrayGroups = tuple[tuple[str, ...], ...]
"""Arrays of which the same elements are chosen."""


class SearchedBy(Enum):
    """How invariants are looked for."""

    BY_FEW_GUESSES = auto()
    BY_GUESSES = auto()
    SOLVED_FOR = auto()


@dataclass(frozen=True, slots=True)
class SearchStage:
    """Of how many threads invariants are looked for, and for how much of the time that is left
    each search may last at most."""

    width: int
    how: SearchedBy
    share: float


@dataclass(frozen=True, slots=True)
class ErrorsOfTemplates:
    """What is to be shown: that no edge of `errors` (and faults) is taken, and that no two threads
    stand before a pair of accesses of `races`. The errors `alarms`, and the `faults`, are left
    open."""

    property: str
    errors: frozenset[Place]
    alarms: tuple[Place, ...] = ()
    faults: tuple[Place, ...] = ()
    races: Pairs = ()

    def without(self, races: Collection[tuple[AccessAt, AccessAt]]) -> ErrorsOfTemplates:
        """What is left where these pairs are excluded."""
        return replace(self, races=tuple(pair for pair in self.races if pair not in races))

    def places(self) -> Iterator[tuple[str, int]]:
        """The templates and locations of the errors, and of the accesses."""
        yield from ((name, i) for name, i, _ in self.errors)
        yield from ((name, i) for pair in self.races for name, i, _, _ in pair)

    def asks(self, o: Obligation) -> bool:
        """Whether an obligation is about one of these."""
        if o.goal is not None:
            return False
        return o.race is not None or (o.step is not None and o.step.error in self.errors)


@dataclass(frozen=True, slots=True)
class FoundInvariants:
    """A certificate, and those of the pairs of accesses asked for that it excludes."""

    certificate: TemplateCertificate
    races: Pairs


class _LateError(Exception):
    """All time is over."""


class TemplateSearch:
    """What the stages have in common where these elements are chosen. Mutable: remembers what was
    found out."""

    def __init__(
        self,
        program: Program,
        expired: Callable[[], bool],
        groups: ArrayGroups = (),
    ) -> None:
        self._program = program
        self._expired = expired
        self._groups = groups
        self._steps, cuts = _settled(program, groups)
        self._cuts = {
            name: tuple(sorted({*its, *self._behind_joins(name)})) for name, its in cuts.items()
        }
        alone = Obligations(self._steps, self._cuts, 1)
        found = counters_of(self._steps, alone)
        met = tuple(meetings(self._steps, alone.steps))
        self._rounds = frozenset(v.name for its in met for v in its.rounds)
        of_phases = (counter for its in met for counter in its.counters)
        self._counters = (*found, *(counter for counter in of_phases if counter not in found))
        self._left: dict[int, tuple[object, Mapping[Key, tuple[Formula, ...]]]] = {}
        self._last: tuple[object, tuple[Obligations, list[Obligation]]] | None = None

    def _behind_joins(self, template: str) -> Iterator[int]:
        """Where a thread has joined one of an array of which the same element is chosen as of
        others: what is accessed there may be that of the thread that was joined."""
        together = {name for group in self._groups if len(group) > 1 for name in group}
        its = (n for n, array in self._steps.handles.items() if array.template == template)
        if not together.isdisjoint(its):
            locations = self._program.templates[template].locations
            for _, edge in edges(self._program.templates[template]):
                joins = any(isinstance(effect, Join) for effect in edge.effects)
                if joins and not locations[edge.target].atomic:
                    yield edge.target

    def arrays(self, allocated: bool) -> tuple[str, ...]:
        """The arrays of which elements may be chosen, also `allocated` ones."""
        return arrays_of_elements(self._program, self._steps.memory, allocated)

    def nodes(self) -> tuple[tuple[str, ...], ...]:
        """The nodes of which one may be chosen, of each layout."""
        memory = self._steps.memory
        found: dict[Layout, list[str]] = {}
        for name, place in sorted(nodes_of(memory).items()):
            found.setdefault(memory.allocation(place).element, []).append(name)
        return tuple(map(tuple, found.values()))

    def tried(
        self, asked: ErrorsOfTemplates, stage: SearchStage, end: float
    ) -> FoundInvariants | str:
        """Invariants of so many threads that exclude what is asked for, but for some pairs; or why
        there are none until then."""
        try:
            match stage.how:
                case SearchedBy.SOLVED_FOR:
                    return self._found(asked, stage.width, end)
                case SearchedBy.BY_GUESSES:
                    found = self._guessed(asked, stage.width, end)
                case SearchedBy.BY_FEW_GUESSES:
                    worth = stage.width == 1 or self._is_worth_two(asked)
                    found = self._found_at_once(asked, stage.width, end) if worth else None
            return found or "guesses are not enough"
        except _LateError:
            return "its time is over"
        except NotFollowed as error:
            return str(error)
        except (NotExact, UnsupportedError) as error:
            return f"the clauses are not linear: {error}"

    def _found_at_once(
        self, asked: ErrorsOfTemplates, width: int, end: float
    ) -> FoundInvariants | None:
        """Invariants among few guesses, until then; None if they do not exclude the errors.
        Counters that steps do not agree upon are found where those of single threads exclude
        some."""
        best: FoundInvariants | None = None
        with suppress(_LateError):
            while True:
                obligations, listed = self._listed(width, asked)
                guesses = Guesses(self._steps, obligations.steps, self._counters)
                its = self._in_time(relevant(obligations, listed, self._rounds).items())
                guessed = {key: guesses.of(key, variables, few=True) for key, variables in its}
                late = len(listed) > _MOST_OBLIGATIONS
                left = None if late else kept(listed, guessed, lambda: self._late(end))
                if left is None:
                    return best
                facts = {key: conj(its) for key, its in left.items()}
                found = self._excluded(asked, listed, facts)
                if found is not None and (best is None or len(found.races) > len(best.races)):
                    best = found
                if width > 1 or (best is not None and best.races == asked.races):
                    return best
                possible = partial(_is_possible, facts, Judge("int"))
                hints = Hints(possible, partial(_equal, facts), partial(_known, left))
                counters = counters_of(self._steps, obligations, hints)
                more = tuple(counter for counter in counters if counter not in self._counters)
                if not more:
                    return best
                self._counters += more
        return best

    def _listed(self, width: int, asked: ErrorsOfTemplates) -> tuple[Obligations, list[Obligation]]:
        """The obligations for so many threads; more than `_MOST_OBLIGATIONS` if there are too many.
        Those that were asked for last are remembered. Raises _LateError."""
        key = width, self._counters, asked.races
        if self._last is None or self._last[0] != key:
            its = Obligations(self._steps, self._cuts, width, self._counters)
            every = self._in_time(chain(its.all(), its.races(asked.races)))
            self._last = key, (its, list(islice(every, _MOST_OBLIGATIONS + 1)))
        return self._last[1]

    def _late(self, end: float) -> bool:
        return self._expired() or processor_time() > end

    def _in_time(self, these: Iterable[T]) -> Iterator[T]:
        """These, until all time is over: what is remembered is not cut for one stage. Raises
        _LateError."""
        for its in these:
            if self._expired():
                raise _LateError
            yield its

    def _is_worth_two(self, asked: ErrorsOfTemplates) -> bool:
        """Whether there are few obligations for two threads; races, of which a part may be
        excluded, are left to other searches."""
        return not asked.races and len(self._listed(2, asked)[1]) <= _FEW_OBLIGATIONS

    def _guessed(self, asked: ErrorsOfTemplates, width: int, end: float) -> FoundInvariants | None:
        """Invariants of two threads among the guesses that exclude all errors, if there are few
        obligations."""
        left = self._kept(asked, width, end) if self._is_worth_two(asked) else None
        if left is None:
            return None
        _, listed = self._listed(width, asked)
        return self._excluded(asked, listed, {key: conj(its) for key, its in left.items()})

    def _kept(
        self, asked: ErrorsOfTemplates, width: int, end: float
    ) -> Mapping[Key, tuple[Formula, ...]] | None:
        """The guesses that are left; None if they are not known until then. They are remembered."""
        obligations, listed = self._listed(width, asked)
        now = self._counters, asked.races
        known = self._left.get(width)
        if known is None or known[0] != now:
            guesses = Guesses(self._steps, obligations.steps, self._counters)
            its = self._in_time(relevant(obligations, listed, self._rounds).items())
            guessed = {key: guesses.of(key, variables) for key, variables in its}
            left = kept(listed, guessed, lambda: self._late(end))
            if left is None:
                return None
            known = self._left[width] = now, left
        return known[1]

    def _found(self, asked: ErrorsOfTemplates, width: int, end: float) -> FoundInvariants | str:
        """Invariants of so many threads, or why there are none until then."""
        obligations, listed = self._listed(width, asked)
        if len(listed) > _MOST_OBLIGATIONS:
            return "there are too many places at which threads may stand"
        left = self._kept(asked, width, end)
        if left is None:
            return "its time is over"
        facts = {key: conj(its) for key, its in left.items()}
        found = self._excluded(asked, listed, facts)
        if found is None:
            asks = asked.asks
            problem = ClausesOfObligations(obligations, listed, asks, facts, self._rounds)
            seconds = max(0.0, end - processor_time())
            solved = solve_apart(problem.relations, problem.clauses, seconds, None, self._expired)
            if not isinstance(solved, Invariants):
                return "there are no invariants of so few threads, or they are not found"
            pairs = zip(problem.keys, solved.labels, strict=True)
            facts = {key: conj((facts[key], label)) for key, label in pairs}
            found = FoundInvariants(self._certificate(asked, facts), asked.races)
        return found

    def _excluded(
        self, asked: ErrorsOfTemplates, listed: Sequence[Obligation], facts: Mapping[Key, Formula]
    ) -> FoundInvariants | None:
        """A certificate of the facts, if they exclude all errors, and some pair of accesses if any
        is asked for."""
        judge = Judge("int")
        meet: set[tuple[AccessAt, AccessAt]] = set()
        for o in filter(asked.asks, listed):
            if o.race is not None and o.race in meet:
                continue
            known = frozenset(substitute(facts[a.key], a.values) for a in o.known)
            if judge.impossible(known, frozenset(o.assumed)) is not Answer.YES:
                if o.race is None:
                    return None
                meet.add(o.race)
        races = asked.without(meet).races
        if asked.races and not races:
            return None
        return FoundInvariants(self._certificate(asked, facts), races)

    def _certificate(
        self, asked: ErrorsOfTemplates, labels: Mapping[Key, Formula]
    ) -> TemplateCertificate:
        return TemplateCertificate(
            program_digest(self._program),
            asked.property,
            {cell: number.value for cell, number in self._steps.constants.items()},
            self._counters,
            labels,
            asked.alarms,
            asked.faults,
            self._groups,
        )


def _known(left: Mapping[Key, Sequence[Formula]], at: At) -> Sequence[Formula]:
    """What is known where a thread stands."""
    return left.get((at,), ())


def _equal(facts: Mapping[Key, Formula], at: At) -> frozenset[tuple[str, str]]:
    """The pairs of variables that are known to be equal where a thread stands."""
    found: set[tuple[str, str]] = set()
    for f in conjuncts(facts.get((at,), TRUE)):
        match f.expr:
            case Compare("==", Reg(a), Reg(b)):
                found |= {(a, b), (b, a)}
            case _:
                pass
    return frozenset(found)


def _is_possible(facts: Mapping[Key, Formula], judge: Judge, step: ThreadStep) -> bool:
    """Whether what is known where a step begins leaves it open that it is taken."""
    known = facts.get(((step.template, step.source),), TRUE)
    return judge.impossible(frozenset({known}), frozenset(step.guard)) is not Answer.YES


def _settled(
    program: Program, groups: ArrayGroups
) -> tuple[TemplateSteps, Mapping[str, tuple[int, ...]]]:
    """The steps between cuts, with the cells that are found to be constant."""
    facts = Facts.of(program)
    first = TemplateSteps(program, facts, groups=groups)
    constants = dict(first.initial())
    while True:
        steps = TemplateSteps(program, facts, constants, groups=groups, memory=first.memory)
        cuts = {name: steps.cuts(name) for name in program.templates}
        changed = {
            cell
            for name, its in cuts.items()
            for i in its
            for step in steps.steps(name, i, its)
            for cell in step.values
            if cell in constants
        }
        if not changed:
            return steps, cuts
        constants = {cell: n for cell, n in constants.items() if cell not in changed}
