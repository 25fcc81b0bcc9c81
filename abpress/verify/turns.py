"""One engine, or several in turn: each has its share, and is asked what is open then.

Properties are asked together where one search can show what all of them look at; that search ends
early with a violation without which the others can be searched with less. What is not decided for
all of them together in a part of the share is asked in smaller parts: a tree is asked for each
property alone, and other searches for those that need the same program.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from time import monotonic

from abpress.config import Config
from abpress.engines.answer import ENDED_EARLY
from abpress.engines.table import Engine, Progress, unanswered
from abpress.ir.program import NO_MISUSE
from abpress.properties import PROPERTIES
from abpress.result import Verdict, undecided
from abpress.search.limits import INTERRUPTED, Limits
from abpress.semantics.outcome import UNDEFINED_BEHAVIOUR
from abpress.verify.closed import looks_finite
from abpress.verify.together import Asking, Level, Variants
from abpress.verify.turn import Decision, KnownFacts, Share, Turn, take

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

_TOGETHER = 0.5
"""Of the time of a turn of a tree, for all properties together."""


def decide(
    engines: Sequence[Engine],
    programs: Variants,
    config: Config,
    limits: Limits,
    progress: Progress,
) -> dict[str, Decision]:
    """The first definite verdict of the engines for each property.

    The first turn is that of the engine made for such programs. With a limit of time an engine
    that others wait for has a share of it, without one a number of states; who was stopped by
    that has another turn when the others have had theirs. An engine that hunts has a short turn
    before them (where enumeration does not end at once), and a long one after the first of them.
    What proves without a search is asked before all others.
    Raises UnsupportedError if no engine supports the program.
    """
    run = _Run(programs, config, limits, progress)
    if len(engines) == 1:
        rounds, again = 0, True
        while again:
            again = run.ask(engines[0], _Ration(rounds=rounds)) and run.is_worth(engines[0])
            rounds += 1
        return run.decisions(engines)
    closed = looks_finite(programs.of(run.open).program, config.bounds.input_domain)
    for engine in engines:
        if engine.proves and not run.over:
            run.ask(engine, _Ration(_facts_time(limits)))
            run.provers.append(engine)
    waiting = [engine for engine in engines if not engine.hunts and not engine.proves]
    waiting.sort(key=lambda engine: engine.closed is not closed)
    hunters = [engine for engine in engines if engine.hunts]
    several = len(waiting)
    if hunters and waiting and not run.over:
        waiting = _hunt_first(run, hunters, waiting, closed)
    taken = 0
    while waiting and not run.over:
        engine, *waiting = waiting
        ration = _Ration(rounds=taken // several)
        if limits.time is None and waiting:
            ration.states = engine.turn * _GROWTH ** (taken // several)
        elif limits.time is not None and not taken:
            ration.time = _SHARES[closed] * max(0.0, _left(limits))
        if run.ask(engine, ration):
            waiting.append(engine)
        taken += 1
        waiting = [e for e in waiting if run.is_worth(e)]
        if taken == 1 or not waiting:
            part = _LONG_HUNT_SHARE if waiting else _LAST_HUNT_SHARE
            for hunter in hunters:
                run.hunt(
                    hunter, taken, config.search.hunt_steps, _LONG_HUNT_SECONDS, part * run.used
                )
        if waiting:
            gc.collect()  # the next engine may use the memory of this one
    return run.decisions(engines)


@dataclass(slots=True)
class _Ration:
    """What an engine may use in its turns, as `Share`: that is for one of them. Mutable.

    Seconds, or states (None: as much as there is). `rounds` says how often it had some before.
    """

    time: float | None = None
    states: int | None = None
    slice: int | None = None
    rounds: int = 0


@dataclass(slots=True)
class _Run:
    """The turns of a run, so far. Mutable. What is known of programs is kept for all of them.

    `open` are the properties without a verdict. `seconds` are the most that an engine has had,
    `levels` what it was asked last.
    """

    programs: Variants
    config: Config
    limits: Limits
    progress: Progress
    turns: list[Turn] = field(default_factory=list)
    known: KnownFacts = field(default_factory=KnownFacts)
    provers: list[Engine] = field(default_factory=list)
    decided: dict[str, Decision] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    levels: dict[str, Level] = field(default_factory=dict)

    @property
    def open(self) -> tuple[str, ...]:
        asked = self.config.question.properties
        return tuple(name for name in asked if name not in self.decided)

    @property
    def over(self) -> bool:
        """Whether all is decided, or the user has interrupted the run."""
        return not self.open or self.limits.interrupt.requested

    @property
    def used(self) -> float:
        """The seconds of all turns together."""
        return sum(turn.seconds for turn in self.turns)

    def is_worth(self, engine: Engine) -> bool:
        """Whether there is time for an engine, and more than it has had in vain."""
        return _left(self.limits) > self.seconds.get(engine.name, 0.0)

    # -- turns ----------------------------------------------------------------------------------

    def ask(self, engine: Engine, ration: _Ration, config: Config | None = None) -> bool:
        """Asks an engine what is open, in one turn or several; returns whether it was stopped by
        its ration, so that a longer one may help."""
        config = config or self.config
        begun = monotonic()
        again: set[str] = set()
        level = Level.ALONE if engine.proves else Level.TOGETHER
        level = self.levels.get(engine.name, level)
        asking = Asking(self.programs, engine, config)
        able = engine.answerable(config)
        parts = asking.parts([name for name in self.open if name in able], level)
        while parts and not self.over and (_left(self.limits) > 0 or not self.turns):
            part, *parts = parts
            whole = engine.hunts or engine.proves or ration.slice
            apart = [] if whole else asking.apart(part)
            if not ration.slice:
                self._find_alarms(engine, part, config)
            share = self._share(ration, begun, len(parts) + 1, bool(apart), engine)
            turn = self._take(engine, part, share, config)
            again = (again - set(part)) | turn.again
            left = [name for name in part if name in self.open]
            early = [n for n in left if turn.answers[n].result.reason == ENDED_EARLY]
            if early:
                parts = [*asking.parts(early, level), *parts]
            elif apart and any(_may_be_decided_alone(turn, name) for name in left):
                parts = [*(asking.apart(left) or [tuple(left)]), *parts]
                self.levels[engine.name] = asking.smallest
        self.seconds[engine.name] = max(self.seconds.get(engine.name, 0.0), monotonic() - begun)
        return bool(again & set(self.open))

    def hunt(self, engine: Engine, number: int, steps: int, *seconds: float) -> None:
        """A turn of an engine that hunts, unless the run is over: of so many steps at most, and of
        the least of these times. Each hunt of a run has a seed of its own."""
        least = min(*seconds, _left(self.limits))
        if not self.over and least > 0:
            seed = self.config.search.seed + number
            its = self.config.but(seed=seed, hunt_steps=steps, hunt_seconds=least)
            self.ask(engine, _Ration(), its)

    def _find_alarms(self, engine: Engine, part: Sequence[str], config: Config) -> None:
        """Finds out what facts leave open of properties in the program that an engine is asked of,
        if they left something open in the program that is made for each of them alone."""
        for prover in self.provers:
            names = [n for n in part if n in prover.proves and self.known.is_partly_proved(n)]
            for name in names if not engine.proves else ():
                program = self.programs.of(part).program
                if not self.over and not self.known.is_partly_proved(name, program):
                    share = Share(self.limits, self.progress, _facts_time(self.limits))
                    load, its = partial(self.programs.of, part), config.but(property=name)
                    self.turns.append(take(prover, load, its, share, self.known))

    def _take(self, engine: Engine, part: Sequence[str], share: Share, config: Config) -> Turn:
        """A turn of an engine for properties that it is asked together."""
        names = tuple(part)
        leads = () if engine.hunts else Asking(self.programs, engine, config).leads(names)
        its = config.but(properties=names, leads=leads)
        turn = take(engine, partial(self.programs.of, names), its, share, self.known)
        self.turns.append(turn)
        for name, answer in turn.answers.items():
            if answer.decided:
                self.decided[name] = answer
        return turn

    def _share(
        self, ration: _Ration, begun: float, turns: int, alone: bool, engine: Engine
    ) -> Share:
        """The share of the next one of so many turns; `alone`: its properties come apart next."""
        share = Share(self.limits, self.progress, slice=ration.slice)
        if ration.time is not None or (self.limits.time is not None and (turns > 1 or alone)):
            whole = _left(self.limits) if ration.time is None else ration.time
            left = whole - (monotonic() - begun if ration.time is not None else 0.0)
            share.time = max(0.0, left) / turns * (_TOGETHER if alone else 1.0)
        elif ration.states is not None:
            share.states = ration.states
        elif turns > 1 or alone:
            share.states = engine.turn * _GROWTH**ration.rounds
        return share

    # -- results --------------------------------------------------------------------------------

    def decisions(self, engines: Sequence[Engine]) -> dict[str, Decision]:
        """The answer for each property, with an account of all turns.

        Raises UnsupportedError if that is all that the engines have to say.
        """
        asked = self.config.question.properties
        found = {name: self._decision(name, engines) for name in asked}
        assumed = [
            PROPERTIES[name].others_assume
            for name, answer in found.items()
            if answer.result.verdict is Verdict.FALSE and PROPERTIES[name].others_assume
        ]
        for name, answer in found.items():
            if answer.result.verdict is Verdict.TRUE and assumed:
                assumptions = dict.fromkeys((*answer.result.assumptions, *assumed))
                result = replace(answer.result, assumptions=tuple(assumptions))
                found[name] = replace(answer, result=result)
        if NO_MISUSE in found:
            warnings = tuple(dict.fromkeys(text for turn in self.turns for text in turn.warnings))
            answer = found[NO_MISUSE]
            found[NO_MISUSE] = replace(answer, result=replace(answer.result, warnings=warnings))
        errors = [turn.error for turn in self._searches(self.turns)]
        if not self.decided and errors and None not in errors and errors[0] is not None:
            raise errors[0]
        return found

    def _decision(self, name: str, engines: Sequence[Engine]) -> Decision:
        """The answer for a property; if it is unknown, with all reasons."""
        turns = [turn for turn in self.turns if name in turn.answers]
        if not turns:
            why = self._why_not_asked(name, engines)
            return Decision(undecided(name, why), None)
        searches = self._searches(turns)
        decided = name in self.decided
        last = self.decided[name] if decided else (searches or turns)[-1].answers[name]
        hunts = [turn for turn in turns if turn.engine.hunts]
        account: dict[str, int | float | str] = {}
        if len(engines) > 1 or len(self.turns) > 1:
            account["engines"] = ", ".join(map(str, self.turns))
        if hunts and len(engines) > 1:
            account.update(hunts[-1].answers[name].result.statistics)
        account.update(last.result.statistics)
        if decided or len(engines) == 1:
            return replace(last, result=replace(last.result, statistics=account))
        if self.limits.interrupt.requested:
            reason = INTERRUPTED.text
        elif _left(self.limits) <= 0:
            reason = self.limits.time_exceeded.text
        else:
            reasons = {
                turn.engine.name: turn.answers[name].result.reason for turn in searches or turns
            }
            if len(set(reasons.values())) == 1:
                reason = last.result.reason
            else:
                reason = "; ".join(f"{engine}: {why}" for engine, why in reasons.items())
        traces = (turn.answers[name].result.trace for turn in turns)
        trace = next((trace for trace in traces if trace is not None), None)
        return Decision(undecided(name, reason, account, trace), None)

    def _searches(self, turns: Sequence[Turn]) -> list[Turn]:
        return [turn for turn in turns if not turn.engine.hunts and not turn.engine.proves]

    def _why_not_asked(self, name: str, engines: Sequence[Engine]) -> str:
        if self.limits.interrupt.requested:
            return INTERRUPTED.text
        if any(name in engine.answerable(self.config) for engine in engines):
            return self.limits.time_exceeded.text
        return f"unsupported: {unanswered(self.config.but(property=name)).message}"


def _hunt_first(
    run: _Run, hunters: Sequence[Engine], waiting: list[Engine], closed: bool
) -> list[Engine]:
    """Takes the turns before the first one of those who wait; returns who waits then.

    What an enumeration decides in `_SLICE` states is decided before a hunt has begun.
    """
    first = waiting[0]
    if closed and first.closed and not run.ask(first, _Ration(slice=_SLICE)):
        waiting = waiting[1:]
    for hunter in hunters:
        steps = min(_HUNT_STEPS, run.config.search.hunt_steps)
        run.hunt(hunter, 0, steps, _HUNT_SECONDS, _HUNT_SHARE * _left(run.limits))
    return waiting


def _may_be_decided_alone(turn: Turn, name: str) -> bool:
    """Whether a property that was not decided with others may be alone: a turn may be too short for
    all of them, and a tree may give up because of another one."""
    reason = turn.answers[name].result.reason
    gave_up = turn.engine.prove is not None and not reason.startswith(UNDEFINED_BEHAVIOUR)
    return name in turn.again or gave_up


def _facts_time(limits: Limits) -> float | None:
    """The seconds that an engine may take that proves without a search."""
    return None if limits.time is None else _FACTS_SHARE * max(0.0, _left(limits))


def _left(limits: Limits) -> float:
    """Seconds until the limit of time."""
    return inf if limits.time is None else limits.started + limits.time - monotonic()
