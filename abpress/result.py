"""Results of runs: a verdict carries its own soundness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    """

    reasons: dict[str, None] = field(default_factory=dict)
    assumptions: dict[str, None] = field(default_factory=dict)

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


@dataclass(frozen=True, slots=True)
class Result:
    """The answer of a run; built by `proved`, `violated` and `undecided` only.

    `trace` is the replayed execution, ready for JSON, of a verdict "false"; of "unknown" one to
    undefined behaviour, if some was met. `vacuous` says of a
    verdict "true" why no execution completes; it is empty if one does.
    """

    verdict: Verdict
    property: str
    reason: str = ""
    assumptions: tuple[str, ...] = ()
    statistics: Mapping[str, int | float | str] = field(default_factory=dict)
    trace: Any = None
    vacuous: str = ""


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
) -> Result:
    """The verdict "unknown", with its reason; `trace` is an execution that it is about, if any."""
    return Result(Verdict.UNKNOWN, property, reason, statistics=statistics or {}, trace=trace)


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
