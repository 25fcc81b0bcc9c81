"""What proofs by facts share: their time, what is known of single threads, what is left open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from abpress.config import Place
from abpress.ir.program import Program
from abpress.modular.analysis import Solution, analyse
from abpress.modular.numbers.executions import most_creations
from abpress.modular.standing import Detail
from abpress.proof.protocols import Evidence
from abpress.result import Result
from abpress.search.limits import Late, Limits
from abpress.search.statistics import FINDING_FACTS, Statistics

DETAILS = (Detail(parts=8), Detail(parts=8, occurrences=8), Detail(parts=64, occurrences=8))
"""Each is for what those before leave open. Where threads run long code, as of `printf`, many parts
take a multiple of the time of few, and to tell creations apart is often enough."""

_MOST_TOLD_APART = 16
"""Creations by one edge, where there are not more."""

TOO_LONG = "the facts take too long to find"

_SECONDS = 60.0
"""For invariants of any number of threads, where the run has no limit of time."""

Answer = tuple[Result, Evidence | None]


def _nobody(_: Statistics) -> None:
    pass


@dataclass(slots=True)
class FactsTime:
    """The time that there is for facts, and what was found in it. Mutable: `asked` is how often it
    was asked for, which is what `progress` is told; `found` is what is known of the threads of
    programs, by their identity."""

    limits: Limits
    progress: Callable[[Statistics], None] = _nobody
    asked: int = 0
    found: dict[tuple[int, Detail], tuple[Program, Solution | None]] = field(default_factory=dict)
    _late: Late = field(init=False)

    def __post_init__(self) -> None:
        self._late = Late(self.limits)

    def expired(self) -> bool:
        """Whether it is over, or the user has interrupted."""
        self.asked += 1
        if self.asked % 64 == 0:
            self.progress(Statistics(more={FINDING_FACTS: self.asked}))
        return self._late() or self.limits.interrupt.requested

    @property
    def seconds(self) -> float:
        """What is left of it, or so much where there is no limit."""
        return _SECONDS if self.limits.time is None else max(0.0, self.limits.left)


def standing_facts(
    program: Program, time: FactsTime, detail: Detail = DETAILS[0]
) -> Solution | None:
    """What is known where single threads stand, if a proof may use it. It is looked for once."""
    key = id(program), detail
    if key not in time.found:
        solution = analyse(program, detail, time.expired)
        time.found[key] = program, None if solution is None or solution.doubts else solution
    return time.found[key][1]


def details(program: Program) -> Iterator[Detail]:
    """How precisely single threads are looked at, until nothing is left open: at last all creations
    by one edge of the first thread are told apart, if they are few."""
    yield from DETAILS
    count = most_creations(program)
    if count is not None and DETAILS[-1].occurrences < count <= _MOST_TOLD_APART:
        yield replace(DETAILS[-1], occurrences=count)


def left_open(program: Program, alarms: Sequence[Place], what: str, cuts: Sequence[str]) -> str:
    """What is not proved, in words: at alarms, or as the analysis was cut short; empty if
    everything is."""
    if not alarms:
        return cuts[0] if cuts else ""
    template, location, k = alarms[0]
    where = program.templates[template].locations[location].edges[k].position.described
    more = f" and {len(alarms) - 1} more" if len(alarms) > 1 else ""
    return f"{what} is not excluded: {where}{more}"
