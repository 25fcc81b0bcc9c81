"""Invariants of threads of templates, however many there are: guessed, or solved for.
First of single threads, with counters of threads, what is most likely; then of two threads all
that is guessed, where these have few obligations; then all that is guessed and what clauses say, of
single threads and of two; each without and with chosen elements of arrays.

What is found is a certificate; the checker of these says whether it is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from itertools import chain, islice
from time import monotonic

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
from abpress.ir.paths import reachable
from abpress.ir.program import Join, Program, edges
from abpress.logic.formula import TRUE, Formula, conj, conjuncts, substitute
from abpress.modular.templates.elements import Groups, arrays_of_elements
from abpress.modular.templates.handle_arrays import handle_arrays
from abpress.modular.templates.obligations import Obligation, Obligations
from abpress.modular.templates.paths import AccessAt, At, Key, NotFollowed, ThreadStep
from abpress.modular.templates.steps import TemplateSteps
from abpress.modular.threads import SoleThreads
from abpress.proof.certificate import program_digest
from abpress.proof.judge import Judge
from abpress.proof.races import Pairs, PairsExcluded
from abpress.proof.templates.certificate import TemplateCertificate
from abpress.smt.answer import Answer, NotExact
from abpress.smt.clauses import Invariants

_RACES = "no-data-race"

_MOST_OBLIGATIONS = 6000
"""More are not looked at."""

_FEW_OBLIGATIONS = 1000
"""Of two threads: guesses of these take about as long as those of one, and are tried first."""


_Groups = tuple[tuple[str, ...], ...]
"""Arrays of which the same elements are chosen."""


class _How(Enum):
    """How invariants are looked for."""

    BY_FEW_GUESSES = auto()
    BY_GUESSES = auto()
    SOLVED_FOR = auto()


@dataclass(frozen=True, slots=True)
class _Stage:
    """Of how many threads invariants are looked for, and for how much of the time that is left
    each search may last at most."""

    width: int
    how: _How
    share: float


_STAGES = (
    _Stage(1, _How.BY_FEW_GUESSES, 0.4),
    _Stage(2, _How.BY_GUESSES, 0.4),
    _Stage(1, _How.SOLVED_FOR, 0.4),
    _Stage(2, _How.SOLVED_FOR, 1.0),
)


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
class _Found:
    """A certificate, and those of the pairs of accesses asked for that it excludes."""

    certificate: TemplateCertificate
    races: Pairs


def invariants(
    program: Program, asked: ErrorsOfTemplates, seconds: float, expired: Callable[[], bool]
) -> TemplateCertificate | str:
    """A certificate that the errors are not reached, not checked yet; or why there is none."""
    found = _parts(program, asked, seconds, expired)
    return found if isinstance(found, str) else found[0].certificate


def races_excluded(
    program: Program, pairs: Pairs, seconds: float, expired: Callable[[], bool]
) -> tuple[PairsExcluded, ...] | str:
    """Certificates that no two threads stand before pairs of accesses, each of some of them, not
    checked yet; or why there is none for some of them."""
    asked = ErrorsOfTemplates(_RACES, frozenset(), races=pairs)
    found = _parts(program, asked, seconds, expired)
    if isinstance(found, str):
        return found
    return tuple(PairsExcluded(its.races, its.certificate) for its in found)


def _parts(
    program: Program, asked: ErrorsOfTemplates, seconds: float, expired: Callable[[], bool]
) -> tuple[_Found, ...] | str:
    """Certificates that all together exclude what is asked for; each of them excludes all errors
    that are no races."""
    end = monotonic() + seconds
    parts: tuple[_Found, ...] = ()
    reason = "there is no time"
    try:
        searches = [_Search(program, expired)]
    except NotFollowed as error:
        return str(error)
    for groups in _groups(program, searches[0], asked):
        with suppress(NotFollowed):
            searches.append(_Search(program, expired, groups))
    for stage in _STAGES:
        left = end - monotonic()
        for n, search in enumerate(searches):
            now = monotonic()
            most = min(stage.share * left, (end - now) / (len(searches) - n))
            found: _Found | str | None = None
            again = stage.how is _How.SOLVED_FOR
            while found is None or (again and isinstance(found, _Found)):
                found = search.tried(asked, stage, now + most)
                if isinstance(found, str):
                    reason = found
                    continue
                parts = (*parts, found)
                asked = asked.without(found.races)
                if not asked.races:
                    return parts
    return reason


def _groups(program: Program, search: _Search, asked: ErrorsOfTemplates) -> Iterable[_Groups]:
    """Arrays of which the same elements are chosen: of all, of all that are no allocated ones, and
    of each by itself; allocated ones only where races are looked for; of handles where errors may
    come behind joins."""
    every = search.arrays(allocated=bool(asked.races))
    static = search.arrays(allocated=False)
    found: list[_Groups] = []
    handles = _handles_before(program, asked)
    if handles:
        found += [((*static, *handles),), (static, *((its,) for its in handles))]
    found += [(every,), (static,), tuple((array,) for array in every)]
    kept = (tuple(filter(None, its)) for its in found)
    return (its for its in dict.fromkeys(kept) if its)


def _handles_before(program: Program, asked: ErrorsOfTemplates) -> tuple[str, ...]:
    """The arrays of handles of threads that may come to an error behind a join."""
    behind: set[str] = set()
    for name, template in program.templates.items():
        joins = [
            edge.target
            for _, edge in edges(template)
            if any(isinstance(effect, Join) for effect in edge.effects)
        ]
        there = reachable(template, joins)
        if any(at == name and i in there for at, i in asked.places()):
            behind.add(name)
    if not behind:
        return ()
    facts = Facts.of(program)
    arrays = handle_arrays(program, facts, SoleThreads(program).single)
    names = tuple(name for name, its in arrays.items() if its.template in behind)
    return tuple(filter(TemplateSteps(program, facts, groups=(names,)).handles.__contains__, names))


class _Search:
    """What the searches for invariants of one program have in common."""

    def __init__(
        self,
        program: Program,
        expired: Callable[[], bool],
        groups: _Groups = (),
    ) -> None:
        self._program = program
        self._expired = expired
        self._groups = groups
        self._steps, self._cuts = _settled(program, groups)
        alone = Obligations(self._steps, self._cuts, 1)
        found = counters_of(self._steps, alone)
        met = tuple(meetings(self._steps, alone.steps))
        self._rounds = frozenset(v.name for its in met for v in its.rounds)
        of_phases = (counter for its in met for counter in its.counters)
        self._counters = (*found, *(counter for counter in of_phases if counter not in found))
        self._left: dict[int, tuple[object, Mapping[Key, tuple[Formula, ...]]]] = {}
        self._last: tuple[object, tuple[Obligations, list[Obligation]]] | None = None

    def arrays(self, allocated: bool) -> tuple[str, ...]:
        """The arrays of which elements may be chosen, also `allocated` ones."""
        return arrays_of_elements(self._program, self._steps.memory, allocated)

    def tried(self, asked: ErrorsOfTemplates, stage: _Stage, end: float) -> _Found | str:
        """Invariants of so many threads that exclude what is asked for, but for some pairs; or why
        there are none until then."""
        try:
            match stage.how:
                case _How.SOLVED_FOR:
                    return self._found(asked, stage.width, end)
                case _How.BY_GUESSES:
                    found = self._guessed(asked, stage.width, end)
                case _How.BY_FEW_GUESSES:
                    found = self._found_at_once(asked, end)
            return found or "guesses are not enough"
        except NotFollowed as error:
            return str(error)
        except (NotExact, UnsupportedError) as error:
            return f"the clauses are not linear: {error}"

    def _found_at_once(self, asked: ErrorsOfTemplates, end: float) -> _Found | None:
        """Invariants of single threads among few guesses, until then; None if they do not exclude
        the errors. Counters that steps do not agree upon are found where these exclude some."""
        best: _Found | None = None
        while True:
            obligations, listed = self._listed(1, asked)
            guesses = Guesses(self._steps, obligations.steps, self._counters)
            its = relevant(obligations, listed, self._rounds).items()
            guessed = {key: guesses.of(key, variables, few=True) for key, variables in its}
            late = len(listed) > _MOST_OBLIGATIONS
            left = None if late else kept(listed, guessed, lambda: self._late(end))
            if left is None:
                return best
            facts = {key: conj(its) for key, its in left.items()}
            found = self._excluded(asked, listed, facts)
            if found is not None and (best is None or len(found.races) > len(best.races)):
                best = found
            if best is not None and best.races == asked.races:
                return best
            possible = partial(_is_possible, facts, Judge("int"))
            hints = Hints(possible, partial(_equal, facts), partial(_known, left))
            counters = counters_of(self._steps, obligations, hints)
            more = tuple(counter for counter in counters if counter not in self._counters)
            if not more:
                return best
            self._counters += more

    def _listed(self, width: int, asked: ErrorsOfTemplates) -> tuple[Obligations, list[Obligation]]:
        """The obligations for so many threads; more than `_MOST_OBLIGATIONS` if there are too many.
        Those that were asked for last are remembered."""
        key = width, self._counters, asked.races
        if self._last is None or self._last[0] != key:
            its = Obligations(self._steps, self._cuts, width, self._counters)
            every = chain(its.all(), its.races(asked.races))
            self._last = key, (its, list(islice(every, _MOST_OBLIGATIONS + 1)))
        return self._last[1]

    def _late(self, end: float) -> bool:
        return self._expired() or monotonic() > end

    def _guessed(self, asked: ErrorsOfTemplates, width: int, end: float) -> _Found | None:
        """Invariants of so many threads among the guesses that exclude all errors, if there are few
        obligations; races, of which a part may be excluded, are left to other searches."""
        _, listed = self._listed(width, asked)
        many = asked.races or len(listed) > _FEW_OBLIGATIONS
        left = None if many else self._kept(asked, width, end)
        if left is None:
            return None
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
            its = relevant(obligations, listed, self._rounds).items()
            guessed = {key: guesses.of(key, variables) for key, variables in its}
            left = kept(listed, guessed, lambda: self._late(end))
            if left is None:
                return None
            known = self._left[width] = now, left
        return known[1]

    def _found(self, asked: ErrorsOfTemplates, width: int, end: float) -> _Found | str:
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
            seconds = max(0.0, end - monotonic())
            solved = solve_apart(problem.relations, problem.clauses, seconds, None, self._expired)
            if not isinstance(solved, Invariants):
                return "there are no invariants of so few threads, or they are not found"
            pairs = zip(problem.keys, solved.labels, strict=True)
            facts = {key: conj((facts[key], label)) for key, label in pairs}
            found = _Found(self._certificate(asked, facts), asked.races)
        return found

    def _excluded(
        self, asked: ErrorsOfTemplates, listed: Sequence[Obligation], facts: Mapping[Key, Formula]
    ) -> _Found | None:
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
        return _Found(self._certificate(asked, facts), races)

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
    program: Program, groups: Groups
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
