"""One engine, or several in turn: each has its share, and a definite verdict ends the run."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic

from abpress.config import Config
from abpress.engines.table import Engine, Progress
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.proof.certificate import Unchecked
from abpress.proof.write import TreeView
from abpress.result import Result, Soundness, Verdict, undecided
from abpress.search.limits import INTERRUPTED, Interrupt, Limits
from abpress.search.statistics import Statistics
from abpress.verify.certify import certified
from abpress.verify.closed import looks_finite
from abpress.verify.watchdog import LimitReached, watchdog

_SHARES = {True: 0.4, False: 0.7}
"""Of the time, for the first engine, by whether the program looks finite (what does not is proved
by the tree or not at all; a tree that gives up early leaves time for a longer enumeration)."""

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

    `interrupt` is set when the states are used up, and when the user interrupts the run.
    """

    whole: Limits
    progress: Progress
    time: float | None = None
    states: int | None = None
    used_up: bool = False
    latest: Statistics = field(default_factory=Statistics)
    interrupt: Interrupt = field(default_factory=Interrupt)

    @property
    def limits(self) -> Limits:
        if self.time is not None:
            return Limits(self.time, self.whole.memory, self.interrupt)
        return replace(self.whole, interrupt=self.interrupt)

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
    that has another turn when the others have had theirs. Raises UnsupportedError if no engine
    supports the program.
    """
    if len(engines) == 1:
        turn = _take(engines[0], program, config, _Share(limits, progress), soundness)
        if turn.error is not None:
            raise turn.error
        return turn.answer
    closed = looks_finite(program, config.bounds.input_domain)
    waiting = sorted(engines, key=lambda engine: engine.closed is not closed)
    turns: list[_Turn] = []
    while waiting:
        engine, *waiting = waiting
        share = _Share(limits, progress)
        if limits.time is None and waiting:
            share.states = engine.turn * _GROWTH ** (len(turns) // len(engines))
        elif limits.time is not None and not turns:
            share.time = _SHARES[closed] * _left(limits)
        turn = _take(engine, program, config, share, soundness)
        turns.append(turn)
        if turn.answer.result.verdict is not Verdict.UNKNOWN:
            break
        if turn.again:
            waiting.append(engine)
        if limits.interrupt.requested:
            break
        waiting = [e for e in waiting if _is_worth(e, turns, limits)]
        if waiting:
            gc.collect()  # the next engine may use the memory of this one
    return _together(turns, limits)


def _is_worth(engine: Engine, turns: Sequence[_Turn], limits: Limits) -> bool:
    """Whether there is time for a turn, and more than the engine has had in vain."""
    had = max((turn.seconds for turn in turns if turn.engine is engine), default=0.0)
    return _left(limits) > had


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
        again = used_up or late
    except LimitReached as limit:
        # Not again: the search was left in the middle of something.
        answer = _unknown(engine, config, limit.reason, share.latest)
    except MemoryError:
        answer = _unknown(engine, config, "out of memory", share.latest)
    except UnsupportedError as unsupported:
        error = unsupported
        answer = _unknown(engine, config, str(error), share.latest)
    if again and not share.whole.interrupt.requested:
        bound = f"{share.time:.1f} s" if share.time is not None else f"{share.states} states"
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
) -> tuple[Result, TreeView | None]:
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
    tree: TreeView | None,
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
    if all(turn.error is not None for turn in turns) and turns[0].error is not None:
        raise turns[0].error
    last = turns[-1].answer
    account = {"engines": ", ".join(map(str, turns)), **last.result.statistics}
    if last.result.verdict is not Verdict.UNKNOWN:
        return replace(last, result=replace(last.result, statistics=account))
    if limits.interrupt.requested:
        reason = INTERRUPTED.text
    elif _left(limits) <= 0:
        reason = limits.time_exceeded.text
    else:
        reasons = {turn.engine.name: turn.answer.result.reason for turn in turns}
        if len(set(reasons.values())) == 1:
            reason = last.result.reason
        else:
            reason = "; ".join(f"{name}: {why}" for name, why in reasons.items())
    return Decision(undecided(last.result.property, reason, account), None)
