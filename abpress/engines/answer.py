"""Conclusions from the outcome of a concrete search: a replayed violation, a doubt, or a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from abpress.config import Config
from abpress.engines.vacuity import Ends
from abpress.ir.program import UNDEFINED
from abpress.later import later
from abpress.properties import PASSING, PROPERTIES, Aspect, Preserved, Property
from abpress.properties.ends import End
from abpress.properties.finding import Reached
from abpress.reductions.entry import ReductionEntry
from abpress.result import Result, Soundness, Verdict, combined, proved, undecided, violated
from abpress.search.ledger import C, Exploration, Found
from abpress.search.limits import StopReason, Watch
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.names import CanonicalNames
from abpress.semantics.outcome import UNDEFINED_BEHAVIOUR, State
from abpress.witness.trace import Trace

T = TypeVar("T")

_MINIMISE = later("abpress.witness.minimise", "minimise")
_TRACE: Callable[..., Trace] = later("abpress.witness.build", "build_trace")


@dataclass(frozen=True, slots=True)
class Explored:
    """The answers by property, and what was met on the way.

    `violations` are the distinct ones in one line each, in the order in which they were found;
    `exhausted`: nothing is left to explore. `finals` are the states at the ends of complete and
    deadlocked executions, with names and values as text; None if they were not asked for.
    """

    results: Mapping[str, Result]
    violations: tuple[str, ...]
    exhausted: bool
    finals: frozenset[str] | None

    @property
    def result(self) -> Result:
        """The answer to all of them."""
        return combined(tuple(self.results.values()))

    def telling(self, more: Mapping[str, int | str]) -> Explored:
        """The same with more numbers, and words, about the search."""
        results = {
            name: replace(its, statistics={**its.statistics, **more})
            for name, its in self.results.items()
        }
        return replace(self, results=results)

    def warning(self, *texts: str) -> Explored:
        """The same with more warnings."""
        results = {
            name: replace(its, warnings=(*its.warnings, *texts))
            for name, its in self.results.items()
        }
        return replace(self, results=results)


ENDED_EARLY = "its search has ended with the violation of another property"
"""Why nothing is known of a property that is asked again."""


def concluded(
    system: Interpreter,
    outcome: Exploration[State, C],
    config: Config,
    soundness: Soundness,
    expired: Callable[[], bool],
    finals: frozenset[str] | None,
    ends: Ends,
) -> Explored:
    """What the outcome of a search says of `config.question.properties`; `ends` are those met."""
    statistics = {"threads": system.views.threads_met(), **outcome.statistics.as_dict()}
    violations = tuple(found.finding.sentence for found in outcome.found)
    if config.search.keep_going:
        statistics["violations"] = "; ".join(violations) or "none"
    reason = doubt(outcome.stopped, soundness)
    if outcome.stopped is None and not outcome.exhausted:
        reason = ENDED_EARLY
    ended = any(PROPERTIES[f.violates].ends_executions for f in outcome.found)
    if reason is None and ended:
        reason = ENDED_EARLY
    results: dict[str, Result] = {}
    for found in outcome.found:
        if found.violates not in results:
            results[found.violates] = falsified(system, found, expired, statistics, soundness)
    left = [name for name in config.question.properties if name not in results]
    # Undefined behaviour is the end of an execution: if nothing else was lost, all were followed.
    exhausted = outcome.exhausted and not ended and not soundness.complete
    exhausted &= all(its.startswith(UNDEFINED_BEHAVIOUR) for its in soundness.reasons)
    met = None
    if left and reason is not None and outcome.fault is not None:
        met = shown(system, outcome.fault, expired)
    for name in left:
        if reason is not None:
            unknown = replace(undecided(name, reason, statistics, met), exhausted=exhausted)
            result = see(results, unknown)
        else:
            result = proved(name, soundness, outcome.exhausted, statistics, ends.vacuous)
        results[name] = result
    ordered = {name: results[name] for name in config.question.properties}
    return Explored(ordered, violations, outcome.exhausted, finals)


def see(others: Mapping[str, Result], result: Result) -> Result:
    """An unknown result, with the trace of another one if it is unknown because of that: nothing is
    known of what follows undefined behaviour."""
    if result.trace is not None or not result.reason.startswith(UNDEFINED_BEHAVIOUR):
        return result
    for name, other in others.items():
        if other.verdict is Verdict.FALSE and PROPERTIES[name].faults:
            reason = f"{result.reason} (see {name})"
            return replace(result, reason=reason, trace=other.trace)
    return result


def expiry(watch: Watch[T], statistics: T, found: bool = True) -> Callable[[], bool]:
    """What tells whether the time is over to make a trace readable.

    A turn that has found what decides is extended to what the run has left; half of that is kept
    for what a verdict needs in any case.
    """
    if found:
        watch = watch.extended()
    return lambda: watch(statistics) is not None


_LOOKING = 32
"""As many cells does one count for where each step looks for pointers in all of them."""


def falsified(
    system: Interpreter,
    found: Found[State],
    expired: Callable[[], bool],
    statistics: dict[str, int | float | str],
    soundness: Soundness,
) -> Result:
    """The verdict "false", after a replay; the trace is made readable in the time that is left."""
    finding, property = found.finding, found.violates
    weight = _LOOKING if Aspect.LOSS in PROPERTIES[property].looks_at else 1

    def extent(state: State) -> int:
        return weight * system.extent(state)

    schedule = _MINIMISE(  # which replays it first
        system, found.schedule, finding, expired=expired, extent=extent
    )
    trace = _TRACE(system, schedule, property, finding, expired)
    reason = finding.sentence
    if isinstance(finding, Reached):
        reason = finding.told(trace.message).sentence
    return violated(property, soundness, reason, trace, statistics)


_SHOWING_BUDGET = 2_000
"""Steps to shorten an execution that does not decide the property."""


def shown(system: Interpreter, met: Found[State], expired: Callable[[], bool]) -> Trace:
    """The trace of an execution that does not decide the property, after a replay."""
    budget, extent = _SHOWING_BUDGET, system.extent
    schedule = _MINIMISE(system, met.schedule, met.finding, budget, expired, extent)
    return _TRACE(system, schedule, UNDEFINED, met.finding, expired)


def doubt(stopped: StopReason | None, soundness: Soundness) -> str | None:
    """Why a search without a violation is no proof; None if it is one."""
    if stopped is not None:
        return stopped.text
    if soundness.complete:
        return None
    first, *more = soundness.reasons
    return f"{first} and {len(more)} more" if more else first


def note_missed_races(
    system: Interpreter, entry: ReductionEntry[Any], property: Property, soundness: Soundness
) -> None:
    """Clears the soundness flag where a search without stored states may miss a data race."""
    if not property.looks_at.isdisjoint(PASSING) and not entry.keeps(Preserved.STATES):
        for position in system.context.facts.racing.entangled():
            soundness.lose(
                f"races of the atomic block at {position.described} may be missed without stored"
                " states"
            )


def text_of_final(system: Interpreter, state: State, end: End) -> str:
    """A state in which an execution ends, in names: equal for the same states in all processes."""
    return f"{end.value} {CanonicalNames(system.context).state(state)}"
