"""One engine, or several in turn: each has its share, and a definite verdict ends the run."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.engines.table import Engine, Evidence, Progress
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.proof.certificate import Unchecked
from abpress.result import Result, Soundness, Verdict, undecided
from abpress.search.limits import INTERRUPTED, STATES_EXCEEDED, Interrupt, Limits
from abpress.search.statistics import Statistics
from abpress.verify.certify import certified
from abpress.verify.closed import looks_finite
from abpress.verify.watchdog import LimitReached, watchdog

_SHARES = {True: 0.4, False: 0.7}
"""Of the time, for the first engine, by whether the program looks finite (what does not is proved
by the tree or not at all; a tree that gives up early leaves time for a longer enumeration)."""

_FACTS_SHARE = 0.25
"""Of the time, for an engine that proves without a search."""

_HUNT_STEPS, _HUNT_SECONDS, _HUNT_SHARE = 120_000, 1.0, 0.05
"""Of the first hunt: the steps, and the seconds and the part of the time that they may take."""

_LONG_HUNT_SECONDS, _LONG_HUNT_SHARE, _LAST_HUNT_SHARE = 10.0, 0.1, 1.0
"""Of the hunts after the first engine and after the last one: the seconds, and the part of the time
that was used until then, that they may take."""

_SLICE = 2_000
"""States after which an engine for programs that look finite lets the hunt go first: what takes
fewer is decided before a hunt has begun."""

_GROWTH = 8
"""Without a limit of time: how much longer the next turn of an engine is than its last one."""

_GRACE = 0.6
"""Seconds past its limit after which a search that does not look at the clock is ended."""

_MEMORY_GRACE = 1.05
"""The same for memory, as a factor."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A result, the engine that gave it (None: undecided by several), and its certificate."""

    result: Result
    engine: str | None
    certificate: str | None = None


@dataclass(slots=True)
class _Share:
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
        if self.time is not None:
            return Limits(self.time, self.whole.memory, self.interrupt)
        return replace(self.whole, interrupt=self.interrupt, states=self.slice)

    def listen(self, statistics: Statistics) -> None:
        self.latest = statistics
        if self.states is not None and statistics.states >= self.states:
            self.used_up = True
        self.interrupt.requested |= self.used_up or self.whole.interrupt.requested
        self.progress(statistics)


@dataclass(frozen=True, slots=True)
class _Turn:
    """How a turn ended. `again`: it was stopped by its share, a longer one may help."""

    engine: Engine
    answer: Decision
    seconds: float
    again: bool
    error: UnsupportedError | None

    def __str__(self) -> str:
        result = self.answer.result
        told = f" ({result.reason})" if result.verdict is Verdict.UNKNOWN else ""
        return f"{self.engine.name} {self.seconds:.1f} s {result.verdict.value}{told}"


def decide(
    engines: Sequence[Engine],
    program: Program,
    config: Config,
    limits: Limits,
    progress: Progress,
    soundness: Soundness,
) -> Decision:
    """The first definite verdict of the engines. `soundness` is what the frontend has lost.

    The first turn is that of the engine made for such programs. With a limit of time an engine
    that others wait for has a share of it, without one a number of states; who was stopped by
    that has another turn when the others have had theirs. An engine that hunts has a short turn
    before them (where enumeration does not end at once), and a long one after the first of them.
    What proves without a search is asked before all others.
    Raises UnsupportedError if no engine supports the program.
    """
    run = _Run(program, config, limits, progress, soundness)
    if len(engines) == 1:
        turn = run.take(engines[0], _Share(limits, progress))
        if turn.error is not None:
            raise turn.error
        return turn.answer
    closed = looks_finite(program, config.bounds.input_domain)
    for engine in engines:
        if engine.proves and not run.over:
            run.take(engine, _Share(limits, progress, _facts_time(limits)))
    waiting = [engine for engine in engines if not engine.hunts and not engine.proves]
    waiting.sort(key=lambda engine: engine.closed is not closed)
    hunters = [engine for engine in engines if engine.hunts]
    several = len(waiting)
    if hunters and waiting and not run.over:
        waiting = _hunt_first(run, hunters, waiting, closed)
    taken = 0
    while waiting and not run.over:
        engine, *waiting = waiting
        share = _Share(limits, progress)
        if limits.time is None and waiting:
            share.states = engine.turn * _GROWTH ** (taken // several)
        elif limits.time is not None and not taken:
            share.time = _SHARES[closed] * max(0.0, _left(limits))
        turn = run.take(engine, share)
        if turn.again:
            waiting.append(engine)
        taken += 1
        waiting = [e for e in waiting if _is_worth(e, run.turns, limits)]
        if taken == 1 or not waiting:
            part = _LONG_HUNT_SHARE if waiting else _LAST_HUNT_SHARE
            for hunter in hunters:
                run.hunt(
                    hunter, taken, config.search.hunt_steps, _LONG_HUNT_SECONDS, part * run.used
                )
        if waiting:
            gc.collect()  # the next engine may use the memory of this one
    return _together(run.turns, limits)


@dataclass(slots=True)
class _Run:
    """The turns of a run, so far. Mutable. The facts about the program are kept for all of them."""

    program: Program
    config: Config
    limits: Limits
    progress: Progress
    soundness: Soundness
    turns: list[_Turn] = field(default_factory=list)
    facts: Facts = field(init=False)

    def __post_init__(self) -> None:
        self.facts = Facts.of(self.program)

    @property
    def over(self) -> bool:
        """Whether there is a verdict, or the user has interrupted the run."""
        decided = self.turns and self.turns[-1].answer.result.verdict is not Verdict.UNKNOWN
        return bool(decided) or self.limits.interrupt.requested

    def take(self, engine: Engine, share: _Share, config: Config | None = None) -> _Turn:
        """A turn of an engine."""
        turn = _take(engine, self.program, config or self.config, share, self.soundness)
        self.turns.append(turn)
        return turn

    @property
    def used(self) -> float:
        """The seconds of all turns together."""
        return sum(turn.seconds for turn in self.turns)

    def hunt(self, engine: Engine, number: int, steps: int, *seconds: float) -> None:
        """A turn of an engine that hunts, unless the run is over: of so many steps at most, and of
        the least of these times. Each hunt of a run has a seed of its own."""
        least = min(*seconds, _left(self.limits))
        if not self.over and least > 0:
            seed = self.config.search.seed + number
            its = self.config.but(seed=seed, hunt_steps=steps, hunt_seconds=least)
            self.take(engine, _Share(self.limits, self.progress), its)


def _hunt_first(
    run: _Run, hunters: Sequence[Engine], waiting: list[Engine], closed: bool
) -> list[Engine]:
    """Takes the turns before the first one of those who wait; returns who waits then.

    What an enumeration decides in `_SLICE` states is decided before a hunt has begun.
    """
    first = waiting[0]
    if closed and first.closed:
        turn = run.take(first, _Share(run.limits, run.progress, slice=_SLICE))
        if not turn.again:
            waiting = waiting[1:]
    for hunter in hunters:
        steps = min(_HUNT_STEPS, run.config.search.hunt_steps)
        run.hunt(hunter, 0, steps, _HUNT_SECONDS, _HUNT_SHARE * _left(run.limits))
    return waiting


def _is_worth(engine: Engine, turns: Sequence[_Turn], limits: Limits) -> bool:
    """Whether there is time for a turn, and more than the engine has had in vain."""
    had = max((turn.seconds for turn in turns if turn.engine is engine), default=0.0)
    return _left(limits) > had


def _facts_time(limits: Limits) -> float | None:
    """The seconds that an engine may take that proves without a search."""
    return None if limits.time is None else _FACTS_SHARE * max(0.0, _left(limits))


def _left(limits: Limits) -> float:
    """Seconds until the limit of time."""
    return inf if limits.time is None else limits.started + limits.time - monotonic()


def _take(
    engine: Engine, program: Program, config: Config, share: _Share, soundness: Soundness
) -> _Turn:
    """Runs an engine within its share; the check of its proof may use all that is left."""
    started = monotonic()
    limits = share.limits
    again = False
    error = None
    try:
        with watchdog(limits, _GRACE, _MEMORY_GRACE):
            configured = engine.configured(config)
            found = _searched(engine, program, configured, limits, share.listen, soundness)
        answer = _believed(engine, program, config, share.whole, *found)
        used_up = share.used_up and answer.result.reason == INTERRUPTED.text
        late = share.time is not None and answer.result.reason == limits.time_exceeded.text
        sliced = share.slice is not None and answer.result.reason == STATES_EXCEEDED.text
        again = used_up or late or sliced
    except LimitReached as limit:
        # Not again: the search was left in the middle of something.
        answer = _unknown(engine, config, limit.reason, share.latest)
    except MemoryError:
        answer = _unknown(engine, config, "out of memory", share.latest)
    except UnsupportedError as unsupported:
        error = unsupported
        answer = _unknown(engine, config, str(error), share.latest)
    if again and not share.whole.interrupt.requested:
        states = share.states if share.slice is None else share.slice
        bound = f"{share.time:.1f} s" if share.time is not None else f"{states} states"
        answer = replace(
            answer, result=replace(answer.result, reason=f"its share of {bound} is over")
        )
    return _Turn(engine, answer, monotonic() - started, again, error)


def _searched(
    engine: Engine,
    program: Program,
    config: Config,
    limits: Limits,
    listen: Progress,
    soundness: Soundness,
) -> tuple[Result, Evidence | None]:
    """What an engine says, and what a certificate can be made from."""
    own = Soundness(dict(soundness.reasons), dict(soundness.assumptions))
    if engine.prove is None:
        return engine.search(program, config, limits, listen, own), None
    return engine.prove(program, config, limits, listen, own)


def _believed(
    engine: Engine,
    program: Program,
    config: Config,
    limits: Limits,
    result: Result,
    tree: Evidence | None,
) -> Decision:
    """A proof that has a certificate is checked before it is believed, within the limits."""
    if tree is None:
        return Decision(result, engine.name)
    try:
        with watchdog(limits, interrupts=True):
            return Decision(result, engine.name, certified(program, config, tree))
    except LimitReached as limit:
        reason = f"{limit.reason}, while the proof was checked"
    except Unchecked as unchecked:
        reason = f"the proof could not be checked: {unchecked.reason}"
    return Decision(undecided(config.question.property, reason, result.statistics), engine.name)


def _unknown(engine: Engine, config: Config, reason: str, latest: Statistics) -> Decision:
    return Decision(undecided(config.question.property, reason, latest.as_dict()), engine.name)


def _together(turns: Sequence[_Turn], limits: Limits) -> Decision:
    """The last answer with an account of all turns; if it is unknown, with all reasons."""
    searches = [turn for turn in turns if not turn.engine.hunts and not turn.engine.proves]
    decided = turns[-1].answer.result.verdict is not Verdict.UNKNOWN
    errors = [turn.error for turn in searches]
    if not decided and errors and None not in errors and errors[0] is not None:
        raise errors[0]
    last = (turns if decided or not searches else searches)[-1].answer
    hunts = [turn for turn in turns if turn.engine.hunts]
    account = {
        "engines": ", ".join(map(str, turns)),
        **(hunts[-1].answer.result.statistics if hunts else {}),
        **last.result.statistics,
    }
    if last.result.verdict is not Verdict.UNKNOWN:
        return replace(last, result=replace(last.result, statistics=account))
    if limits.interrupt.requested:
        reason = INTERRUPTED.text
    elif _left(limits) <= 0:
        reason = limits.time_exceeded.text
    else:
        reasons = {turn.engine.name: turn.answer.result.reason for turn in searches or turns}
        if len(set(reasons.values())) == 1:
            reason = last.result.reason
        else:
            reason = "; ".join(f"{name}: {why}" for name, why in reasons.items())
    return Decision(undecided(last.result.property, reason, account), None)
