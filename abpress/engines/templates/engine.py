"""Invariants of threads of templates, however many there are: guessed, or solved for.
First of single threads, with counters of threads (what is most likely, then all that is guessed,
and what clauses say), then of two threads; each without and with chosen elements of arrays.

What is found is a certificate; the checker of these says whether it is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
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
from abpress.engines.templates.weights import Hints
from abpress.errors import UnsupportedError
from abpress.ir.expr import Compare, Reg
from abpress.ir.program import Program
from abpress.logic.formula import TRUE, Formula, conj, conjuncts, substitute
from abpress.modular.templates.elements import Groups, arrays_of_elements
from abpress.modular.templates.obligations import (
    Key,
    Obligation,
    Obligations,
)
from abpress.modular.templates.paths import AccessAt, At, NotFollowed, ThreadStep
from abpress.modular.templates.steps import TemplateSteps
from abpress.proof.certificate import program_digest
from abpress.proof.judge import Judge
from abpress.proof.templates.certificate import TemplateCertificate
from abpress.smt.answer import Answer, NotExact
from abpress.smt.clauses import Invariants

_MOST_OBLIGATIONS = 6000
"""More are not looked at."""

_STAGES = ((0, 0.4), (1, 0.4), (2, 1.0))
"""Of how many threads invariants are looked for (0: of one, by few guesses), and for how much of
the time that is left each search may last at most."""


@dataclass(frozen=True, slots=True)
class ErrorsOfTemplates:
    """What is to be shown: that no edge of `errors` (and faults) is taken, and that no two threads
    stand before a pair of accesses of `races`. The errors `alarms`, and the `faults`, are left
    open."""

    property: str
    errors: frozenset[Place]
    alarms: tuple[Place, ...] = ()
    faults: tuple[Place, ...] = ()
    races: tuple[tuple[AccessAt, AccessAt], ...] = ()

    def asks(self, o: Obligation) -> bool:
        """Whether an obligation is about one of these."""
        if o.goal is not None:
            return False
        return o.race is not None or (o.step is not None and o.step.error in self.errors)


def invariants(
    program: Program, asked: ErrorsOfTemplates, seconds: float, expired: Callable[[], bool]
) -> TemplateCertificate | str:
    """A certificate that the errors are not reached, not checked yet; or why there is none."""
    end = monotonic() + seconds
    reason: TemplateCertificate | str = "there is no time"
    try:
        searches = [_Search(program, asked, expired)]
    except NotFollowed as error:
        return str(error)
    with suppress(NotFollowed):
        arrays = searches[0].arrays
        apart = tuple((array,) for array in arrays)
        for groups in dict.fromkeys(its for its in ((arrays,), apart) if arrays):
            searches.append(_Search(program, asked, expired, groups))
    for width, share in _STAGES:
        left = end - monotonic()
        for n, search in enumerate(searches):
            now = monotonic()
            most = min(share * left, (end - now) / (len(searches) - n))
            reason = search.tried(width, now + most)
            if not isinstance(reason, str):
                return reason
    return reason


class _Search:
    """What the searches for invariants of one program have in common."""

    def __init__(
        self,
        program: Program,
        asked: ErrorsOfTemplates,
        expired: Callable[[], bool],
        groups: tuple[tuple[str, ...], ...] = (),
    ) -> None:
        self._program = program
        self._asked = asked
        self._expired = expired
        self._groups = groups
        self._steps, self._cuts = _settled(program, groups)
        alone = Obligations(self._steps, self._cuts, 1)
        self._counters = counters_of(self._steps, alone)
        self._last: tuple[object, tuple[Obligations, list[Obligation]]] | None = None

    @property
    def arrays(self) -> tuple[str, ...]:
        """The arrays of which elements may be chosen."""
        return arrays_of_elements(self._program, self._steps.memory)

    def tried(self, width: int, end: float) -> TemplateCertificate | str:
        """Invariants of so many threads (0: of one, among few guesses), or why there are none until
        then."""
        try:
            if width:
                return self._found(width, end)
            return self._found_at_once(end) or "few guesses are not enough"
        except NotFollowed as error:
            return str(error)
        except (NotExact, UnsupportedError) as error:
            return f"the clauses are not linear: {error}"

    def _found_at_once(self, end: float) -> TemplateCertificate | None:
        """Invariants of single threads among few guesses, until then; None if they do not exclude
        the errors. Counters that steps do not agree upon are found where these exclude some."""
        while True:
            obligations, listed = self._listed(1)
            guesses = Guesses(self._steps, obligations.steps)
            its = relevant(obligations, listed).items()
            guessed = {key: guesses.of(key, variables, few=True) for key, variables in its}
            late = len(listed) > _MOST_OBLIGATIONS
            left = None if late else kept(listed, guessed, lambda: self._late(end))
            if left is None:
                return None
            facts = {key: conj(its) for key, its in left.items()}
            if self._excluded(listed, facts):
                return self._certificate(facts)
            possible = partial(_is_possible, facts, Judge("int"))
            hints = Hints(possible, partial(_equal, facts), partial(_known, left))
            counters = counters_of(self._steps, obligations, hints)
            more = tuple(counter for counter in counters if counter not in self._counters)
            if not more:
                return None
            self._counters += more

    def _listed(self, width: int) -> tuple[Obligations, list[Obligation]]:
        """The obligations for so many threads; more than `_MOST_OBLIGATIONS` if there are too many.
        Those that were asked for last are remembered."""
        key = width, self._counters
        if self._last is None or self._last[0] != key:
            its = Obligations(self._steps, self._cuts, width, self._counters)
            every = chain(its.all(), its.races(self._asked.races))
            self._last = key, (its, list(islice(every, _MOST_OBLIGATIONS + 1)))
        return self._last[1]

    def _late(self, end: float) -> bool:
        return self._expired() or monotonic() > end

    def _found(self, width: int, end: float) -> TemplateCertificate | str:
        """Invariants of so many threads, or why there are none until then."""
        obligations, listed = self._listed(width)
        if len(listed) > _MOST_OBLIGATIONS:
            return "there are too many places at which threads may stand"
        guesses = Guesses(self._steps, obligations.steps)
        guessed = {key: guesses.of(key, its) for key, its in relevant(obligations, listed).items()}
        left = kept(listed, guessed, lambda: self._late(end))
        if left is None:
            return "its time is over"
        facts = {key: conj(its) for key, its in left.items()}
        if not self._excluded(listed, facts):
            problem = ClausesOfObligations(obligations, listed, self._asked.asks, facts)
            seconds = max(0.0, end - monotonic())
            solved = solve_apart(problem.relations, problem.clauses, seconds, None, self._expired)
            if not isinstance(solved, Invariants):
                return "there are no invariants of so few threads, or they are not found"
            pairs = zip(problem.keys, solved.labels, strict=True)
            facts = {key: conj((facts[key], label)) for key, label in pairs}
        return self._certificate(facts)

    def _excluded(self, listed: Sequence[Obligation], facts: Mapping[Key, Formula]) -> bool:
        """Whether the facts exclude all errors."""
        judge = Judge("int")
        for o in filter(self._asked.asks, listed):
            known = frozenset(substitute(facts[a.key], a.values) for a in o.known)
            if judge.impossible(known, frozenset(o.assumed)) is not Answer.YES:
                return False
        return True

    def _certificate(self, labels: Mapping[Key, Formula]) -> TemplateCertificate:
        return TemplateCertificate(
            program_digest(self._program),
            self._asked.property,
            {cell: number.value for cell, number in self._steps.constants.items()},
            self._counters,
            labels,
            self._asked.alarms,
            self._asked.faults,
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
