"""Results of runs: a verdict carries its own soundness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any


class Verdict(Enum):
    """The three answers."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Soundness:
    """Whether a finished search covers all executions. Mutable: the engines clear it as they go.

    `reasons` are what was cut or skipped, first found first; any of them withholds "true".
    `assumptions` are what an answer rests on (no signed overflow, …); they are part of it.
    `warnings` are what was seen that violates nothing.
    """

    reasons: dict[str, None] = field(default_factory=dict)
    assumptions: dict[str, None] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether nothing was cut or skipped."""
        return not self.reasons

    def lose(self, reason: str) -> None:
        """Clears the flag: some executions were not covered."""
        self.reasons.setdefault(reason)

    def assume(self, assumption: str) -> None:
        """Adds an assumption, under which alone a proof holds."""
        self.assumptions.setdefault(assumption)

    def warn(self, warning: str) -> None:
        """Adds what was seen in some execution."""
        self.warnings.setdefault(warning)


@dataclass(frozen=True, slots=True)
class AlarmedAccess:
    """One side of an alarm: what a thread does in a line of the program. `stack` are the calls that
    lead there, outermost first; `locks` those that are known to be held."""

    file: str
    line: int
    column: int
    stack: tuple[str, ...]
    does: str
    thread: str
    locks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Alarm:
    """What facts do not show to be harmless: a check, or two accesses; `missing` are the facts that
    would show it, in words."""

    property: str
    what: str
    accesses: tuple[AlarmedAccess, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The answer of a run to a property; built by `proved`, `violated`, `undecided` and `combined`.

    `trace` is the replayed execution, ready for JSON, of a verdict "false"; of "unknown" one to
    undefined behaviour, if some was met. `vacuous` says of a
    verdict "true" why no execution completes; it is empty if one does. `warnings` are what was seen
    in executions and violates nothing; there may be more of it. `load` is what each worker of the
    search did, and when, ready for JSON. `alarms` are what facts leave open of a property
    that is unknown. `exhausted`: it is unknown although all executions were looked at, each up to
    undefined behaviour, so that no other search has more to say.
    """

    verdict: Verdict
    property: str
    reason: str = ""
    assumptions: tuple[str, ...] = ()
    statistics: Mapping[str, int | float | str] = field(default_factory=dict)
    trace: Any = None
    vacuous: str = ""
    warnings: tuple[str, ...] = ()
    load: tuple[Any, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    exhausted: bool = False


def proved(
    property: str,
    soundness: Soundness,
    finished: bool,
    statistics: Mapping[str, int | float | str],
    vacuous: str = "",
) -> Result:
    """The verdict "true"; refuses to be built from a search that is unfinished or not sound."""
    if not finished or not soundness.complete:
        raise AssertionError("internal error: a proof without the soundness flag")
    return Result(
        Verdict.TRUE,
        property,
        assumptions=tuple(soundness.assumptions),
        statistics=statistics,
        vacuous=vacuous,
    )


def undecided(
    property: str,
    reason: str,
    statistics: Mapping[str, int | float | str] | None = None,
    trace: Any = None,
    alarms: tuple[Alarm, ...] = (),
) -> Result:
    """The verdict "unknown", with its reason; `trace` is an execution that it is about, if any, and
    `alarms` what facts leave open."""
    numbers = statistics or {}
    return Result(Verdict.UNKNOWN, property, reason, statistics=numbers, trace=trace, alarms=alarms)


def violated(
    property: str,
    soundness: Soundness,
    reason: str,
    trace: Any,
    statistics: Mapping[str, int | float | str],
) -> Result:
    """The verdict "false"; `trace` must be a replayed execution."""
    if trace is None:
        raise AssertionError("internal error: a violation without a replayed execution")
    assumptions = tuple(soundness.assumptions)
    return Result(Verdict.FALSE, property, reason, assumptions, statistics, trace)


def combined(results: Sequence[Result]) -> Result:
    """What the results for several properties say of all of them: of one, that is its own.

    "false" is of the first property that is violated, "unknown" has the reasons of all that are
    not decided, and "true" the assumptions of all.
    """
    if len(results) == 1:
        return results[0]
    warnings = tuple(dict.fromkeys(w for result in results for w in result.warnings))
    load = next((result.load for result in results if result.load), ())
    return replace(_together(results), warnings=warnings, load=load)


def _together(results: Sequence[Result]) -> Result:
    names = ",".join(result.property for result in results)
    account = {name: value for r in results for name, value in r.statistics.items()}
    for result in results:
        if result.verdict is Verdict.FALSE:
            return replace(result, statistics=account)
    unknown = [result for result in results if result.verdict is Verdict.UNKNOWN]
    if unknown:
        reasons: dict[str, list[str]] = {}
        for result in unknown:
            reasons.setdefault(result.reason, []).append(result.property)
        told = "; ".join(f"{', '.join(its)}: {reason}" for reason, its in reasons.items())
        reason = next(iter(reasons)) if len(unknown) == len(results) and len(reasons) == 1 else told
        return undecided(names, reason, account)
    assumptions = dict.fromkeys(a for result in results for a in result.assumptions)
    vacuous = next((result.vacuous for result in results if result.vacuous), "")
    return Result(Verdict.TRUE, names, "", tuple(assumptions), account, trace=None, vacuous=vacuous)
