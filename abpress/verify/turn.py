"""One turn: an engine is asked some properties of one program, within its share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.engines.table import Engine, Progress, Results
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.proof.certificate import Unchecked
from abpress.proof.protocols import Evidence
from abpress.result import Result, Soundness, Verdict, undecided
from abpress.search.limits import INTERRUPTED, STATES_EXCEEDED, Interrupt, Limits
from abpress.search.statistics import Statistics
from abpress.verify.certify import certified
from abpress.verify.load import Loaded
from abpress.verify.watchdog import LimitReached, watchdog

_GRACE = 0.6
"""Seconds past its limit after which a search that does not look at the clock is ended."""

_MEMORY_GRACE = 1.05
"""The same for memory, as a factor."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The result for a property, the engine that gave it (None: undecided by several), and its
    certificate."""

    result: Result
    engine: str | None
    certificate: str | None = None

    @property
    def decided(self) -> bool:
        """Whether there is a verdict."""
        return self.result.verdict is not Verdict.UNKNOWN


@dataclass(slots=True)
class Share:
    """What one turn may use: a part of the time, or a number of states. Mutable.

    `slice` is a number of states that is kept to exactly. `interrupt` is set when the states are
    used up, and when the user interrupts the run.
    """

    whole: Limits
    progress: Progress
    time: float | None = None
    states: int | None = None
    slice: int | None = None
    used_up: bool = False
    latest: Statistics = field(default_factory=Statistics)
    interrupt: Interrupt = field(default_factory=Interrupt)

    @property
    def limits(self) -> Limits:
        """The limits of the search."""
        if self.time is not None:
            return Limits(self.time, self.whole.memory, self.interrupt, monotonic(), self.slice)
        return replace(self.whole, interrupt=self.interrupt, states=self.slice)

    def listen(self, statistics: Statistics) -> None:
        """Takes in how far the search has got."""
        self.latest = statistics
        if self.states is not None and statistics.states >= self.states:
            self.used_up = True
        self.interrupt.requested |= self.used_up or self.whole.interrupt.requested
        self.progress(statistics)

    def has_ended(self, result: Result, limits: Limits) -> bool:
        """Whether an unknown result is due to the share: a longer one may help."""
        used_up = self.used_up and result.reason == INTERRUPTED.text
        late = self.time is not None and result.reason == limits.time_exceeded.text
        sliced = self.slice is not None and result.reason == STATES_EXCEEDED.text
        return used_up or late or sliced

    def __str__(self) -> str:
        states = self.states if self.slice is None else self.slice
        return f"{self.time:.1f} s" if self.time is not None else f"{states} states"


@dataclass(frozen=True, slots=True)
class Turn:
    """How a turn ended. `again`: properties for which a longer one may help."""

    engine: Engine
    answers: Mapping[str, Decision]
    seconds: float
    again: frozenset[str]
    error: UnsupportedError | None

    def __str__(self) -> str:
        told: dict[str, list[str]] = {}
        for name, answer in self.answers.items():
            result = answer.result
            why = "" if answer.decided else f" ({result.reason})"
            told.setdefault(f"{result.verdict.value}{why}", []).append(name)
        texts = [f"{'+'.join(names)}: {text}" for text, names in told.items()]
        said = ", ".join(told if len(told) == 1 else texts)
        return f"{self.engine.name} {self.seconds:.1f} s {said}"


def take(
    engine: Engine,
    load: Callable[[], Loaded],
    config: Config,
    share: Share,
    facts: dict[int, Facts],
) -> Turn:
    """Runs an engine within its share; the check of its proof may use all that is left.

    Results are of `config.question.properties`. `facts` keeps what is known of the program for the
    next turn.
    """
    started = monotonic()
    limits = share.limits
    again: set[str] = set()
    error = None
    try:
        with watchdog(limits, _GRACE, _MEMORY_GRACE):
            loaded = load()
            configured = engine.configured(config)
            soundness = Soundness(assumptions=dict.fromkeys(loaded.assumptions))
            facts[id(loaded.program)] = Facts.of(loaded.program)
            found = _searched(engine, loaded.program, configured, limits, share.listen, soundness)
        answers = _believed(engine, loaded.program, config, share.whole, *found)
        again = {n for n, its in answers.items() if share.has_ended(its.result, limits)}
    except LimitReached as limit:
        # Not again: the search was left in the middle of something.
        answers = _unknown(engine, config, limit.reason, share.latest)
    except MemoryError:
        answers = _unknown(engine, config, "out of memory", share.latest)
    except UnsupportedError as unsupported:
        error = unsupported
        answers = _unknown(engine, config, str(error), share.latest)
    if again and not share.whole.interrupt.requested:
        for name in again:
            answer = answers[name]
            result = replace(answer.result, reason=f"its share of {share} is over")
            answers[name] = replace(answer, result=result)
    return Turn(engine, answers, monotonic() - started, frozenset(again), error)


def _searched(
    engine: Engine,
    program: Program,
    config: Config,
    limits: Limits,
    listen: Progress,
    soundness: Soundness,
) -> tuple[Results, Evidence | None]:
    """What an engine says, and what a certificate can be made from."""
    if engine.prove is None:
        return engine.search(program, config, limits, listen, soundness), None
    return engine.prove(program, config, limits, listen, soundness)


def _believed(
    engine: Engine,
    program: Program,
    config: Config,
    limits: Limits,
    results: Results,
    evidence: Evidence | None,
) -> dict[str, Decision]:
    """A proof that has a certificate is checked before it is believed, within the limits."""
    answers = {name: Decision(result, engine.name) for name, result in results.items()}
    proved = tuple(n for n, result in results.items() if result.verdict is Verdict.TRUE)
    if evidence is None or not proved:
        return answers
    try:
        with watchdog(limits, interrupts=True):
            certificate = certified(program, config, evidence, proved)
    except LimitReached as limit:
        reason = f"{limit.reason}, while the proof was checked"
    except Unchecked as unchecked:
        reason = f"the proof could not be checked: {unchecked.reason}"
    else:
        proofs = {n: replace(answers[n], certificate=certificate) for n in proved}
        return {**answers, **proofs}
    for name in proved:
        unproved = undecided(name, reason, results[name].statistics)
        answers[name] = Decision(unproved, engine.name)
    return answers


def _unknown(
    engine: Engine, config: Config, reason: str, latest: Statistics
) -> dict[str, Decision]:
    return {
        name: Decision(undecided(name, reason, latest.as_dict()), engine.name)
        for name in config.question.properties
    }
