"""Invariants of threads of templates, however many there are: guessed, or solved for.
First of single threads, with counters of threads, what is most likely; then of two threads that,
and all that is guessed, where these have few obligations; then all that is guessed and what clauses
say, of single threads and of two; each without and with chosen elements of arrays.

What is found is a certificate; the checker of these says whether it is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from abpress.analysis.facts import Facts
from abpress.engines.templates.search import (
    ArrayGroups,
    ErrorsOfTemplates,
    FoundInvariants,
    SearchedBy,
    SearchStage,
    TemplateSearch,
)
from abpress.ir.paths import reachable
from abpress.ir.program import Join, Program, edges
from abpress.modular.templates.paths import NotFollowed
from abpress.modular.templates.steps import TemplateSteps
from abpress.proof.races import Pairs, PairsExcluded
from abpress.proof.templates.certificate import TemplateCertificate
from abpress.search.processor import processor_time

__all__ = ["ErrorsOfTemplates", "invariants", "races_excluded"]

_RACES = "no-data-race"

_LEAST = 0.5
"""Seconds that a stage has at least, as far as there are any: where they are few, the first ones
have them."""

_STAGES = (
    SearchStage(1, SearchedBy.BY_FEW_GUESSES, 0.4),
    SearchStage(2, SearchedBy.BY_FEW_GUESSES, 0.4),
    SearchStage(2, SearchedBy.BY_GUESSES, 0.4),
    SearchStage(1, SearchedBy.SOLVED_FOR, 0.4),
    SearchStage(2, SearchedBy.SOLVED_FOR, 1.0),
)


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
) -> tuple[FoundInvariants, ...] | str:
    """Certificates that all together exclude what is asked for; each of them excludes all errors
    that are no races."""
    end = processor_time() + seconds
    parts: tuple[FoundInvariants, ...] = ()
    reason = "there is no time"
    try:
        searches = [TemplateSearch(program, expired)]
    except NotFollowed as error:
        return str(error)
    for groups in _groups(program, searches[0], asked):
        with suppress(NotFollowed):
            searches.append(TemplateSearch(program, expired, groups))
    for stage in _STAGES:
        left = end - processor_time()
        for n, search in enumerate(searches):
            now = processor_time()
            if now >= end or expired():
                return reason
            most = min(stage.share * left, (end - now) / (len(searches) - n))
            most = max(most, min(_LEAST, end - now))
            found: FoundInvariants | str | None = None
            again = stage.how is SearchedBy.SOLVED_FOR
            while found is None or (again and isinstance(found, FoundInvariants)):
                found = search.tried(asked, stage, now + most)
                if isinstance(found, str):
                    reason = found
                    continue
                parts = (*parts, found)
                asked = asked.without(found.races)
                if not asked.races:
                    return parts
    return reason


def _groups(
    program: Program, search: TemplateSearch, asked: ErrorsOfTemplates
) -> Iterable[ArrayGroups]:
    """Arrays of which the same elements are chosen: of all, of all that are no allocated ones, and
    of each by itself; allocated ones only where races are looked for; of handles where errors may
    come behind joins. Then of nodes of each kind, where errors are looked for."""
    every = search.arrays(allocated=bool(asked.races))
    static = search.arrays(allocated=False)
    found: list[ArrayGroups] = []
    handles = _handles_before(program, asked)
    if handles:
        found += [((*static, *handles),), (static, *((its,) for its in handles))]
    found += [(every,), (static,), tuple((array,) for array in every)]
    if not asked.races:
        found += [(static, its) for its in search.nodes()]
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
    handles = TemplateSteps(program, Facts.of(program), groups=((),)).handles
    return tuple(name for name, its in handles.items() if its.template in behind)
