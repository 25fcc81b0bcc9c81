"""What engines are given in their turns, and what has come of these so far.

Properties are asked together where one search can show what all of them look at; that search ends
early with a violation without which the others can be searched with less. What is not decided for
all of them together in a part of the share is asked in smaller parts: a tree is asked for each
property alone, and other searches for those that need the same program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from time import monotonic

from abpress.config import Config
from abpress.engines.answer import ENDED_EARLY
from abpress.engines.table import Engine, EngineKind, Progress
from abpress.search.limits import Limits
from abpress.search.processor import processor_time
from abpress.search.statistics import MOST_THREADS
from abpress.semantics.outcome import FEW_THREADS, UNDEFINED_BEHAVIOUR
from abpress.verify.account import Account
from abpress.verify.choice import EARLY, FactsShare
from abpress.verify.colleagues import NOBODY, Colleagues
from abpress.verify.load import Loaded
from abpress.verify.parts import WHOLE, Part
from abpress.verify.share import SearchPause, Share
from abpress.verify.together import Asking, Level, Variants
from abpress.verify.turn import ASKED_ANEW, KnownFacts, Turn, take

_ASKED_AGAIN = (ENDED_EARLY, ASKED_ANEW)

GROWTH = 8
"""Without a limit of time: how much longer the next turn of an engine is than its last one."""

_TOGETHER = 0.5
"""Of the time of a turn of a tree, for all properties together."""


@dataclass(slots=True)
class Ration:
    """What an engine may use in its turns, as `Share`: that is for one of them. Mutable.

    Seconds, or states (None: as much as there is). `rounds` says how often it had some before. In
    its `pause` others are asked.
    """

    time: float | None = None
    states: int | None = None
    slice: int | None = None
    rounds: int = 0
    pause: SearchPause | None = None


@dataclass(slots=True)
class Turns:
    """The turns of one worker, so far. Mutable. What is known of programs is kept for all of them.

    `provers` prove without a search, and `rations` are the seconds that they had for some
    properties. `seconds` are the most that an engine has had, `levels` what it was asked last. What
    `colleagues` have decided is open no more. Lean programs are for proofs, NOTE(private-objects):
    when an execution was `seen` in one, whole ones are asked.
    """

    programs: Variants
    account: Account
    progress: Progress
    colleagues: Colleagues = NOBODY
    part: Part = WHOLE
    known: KnownFacts = field(default_factory=KnownFacts)
    provers: Sequence[Engine] = ()
    rations: dict[tuple[str, ...], float] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    levels: dict[str, Level] = field(default_factory=dict)
    seen: bool = False

    @property
    def config(self) -> Config:
        return self.account.config

    @property
    def limits(self) -> Limits:
        return self.account.limits

    @property
    def alone(self) -> bool:
        """Whether one process does the work: then what turns may use is processor time."""
        return self.config.search.workers == 1

    @property
    def left(self) -> float:
        """Seconds that turns leave to others of the limit of time: a busy machine shares out the
        same, as far as it comes."""
        if self.limits.time is None or not self.alone:
            return self.limits.left
        return self.limits.time - self.used

    @property
    def open(self) -> tuple[str, ...]:
        settled = self.colleagues.settled
        return tuple(name for name in self.account.open if name not in settled)

    @property
    def over(self) -> bool:
        """Whether all is decided, or the user has interrupted the run."""
        return not self.open or self.limits.interrupt.requested

    @property
    def used(self) -> float:
        """The seconds of all turns together."""
        return self.account.used

    def _now(self) -> float:
        return processor_time() if self.alone else monotonic()

    @property
    def met_crowd(self) -> bool:
        """Whether a hunt had an execution with more threads than the tree looks at."""
        most = self.config.bounds.max_threads or FEW_THREADS
        answers = (answer for turn in self.account.turns for answer in turn.answers.values())
        return any(
            isinstance(n := answer.result.statistics.get(MOST_THREADS), int) and n > most
            for answer in answers
        )

    def is_worth(self, engine: Engine) -> bool:
        """Whether there is time for an engine, and more than it has had in vain."""
        return self.limits.left > self.seconds.get(engine.name, 0.0)

    # -- turns ----------------------------------------------------------------------------------

    def ask(self, engine: Engine, ration: Ration, config: Config | None = None) -> bool:
        """Asks an engine what is open, in one turn or several; returns whether it was stopped by
        its ration, so that a longer one may help."""
        config = config or self.config
        begun = self._now()
        again: set[str] = set()
        level = Level.ALONE if engine.proves else Level.TOGETHER
        level = self.levels.get(engine.name, level)
        asking = Asking(self.programs, engine, config)
        able = engine.answerable(config)
        parts = asking.parts([name for name in self.open if name in able], level)
        while parts and not self.over and (self.limits.left > 0 or not self.account.turns):
            part = tuple(name for name in parts.pop(0) if name in self.open)
            if not part:
                continue
            whole = engine.hunts or engine.proves or ration.slice
            apart = [] if whole else asking.apart(part)
            if not ration.slice:
                self._find_alarms(engine, part, config)
            share = self._share(ration, begun, len(parts) + 1, bool(apart), engine)
            turn = self._take(engine, part, share, config)
            again = (again - set(part)) | turn.again
            left = [name for name in part if name in self.open]
            early = [n for n in left if turn.answers[n].result.reason in _ASKED_AGAIN]
            if early:
                parts = [*asking.parts(early, level), *parts]
            elif apart and any(_may_be_decided_alone(turn, engine, name) for name in left):
                parts = [*(asking.apart(left) or [tuple(left)]), *parts]
                self.levels[engine.name] = asking.smallest
        self.seconds[engine.name] = max(self.seconds.get(engine.name, 0.0), self._now() - begun)
        return bool(again & set(self.open))

    def prove(
        self,
        engines: Sequence[Engine],
        early: bool,
        share: FactsShare,
        pause: SearchPause | None = None,
    ) -> bool:
        """Turns of the engines among these that prove without a search, of what they are asked
        early, or late, with a `pause` in which others are asked; returns whether one was stopped
        by its ration. They begin anew: who was stopped has no turn that is no longer. Such proofs
        are of executions up to undefined behaviour: where a search has met some already, nobody is
        told that there is nothing behind it."""
        again = False
        for engine in engines:
            names = [
                name
                for name in self.open
                if (name in engine.late) is not early and not self.account.met_fault(name)
            ]
            if engine.kind is EngineKind.FACTS and names and not self.over:
                seconds = self._facts_time(share)
                before = self.rations.get(tuple(names), 0.0)
                if seconds is not None and seconds <= before:
                    again = True
                    continue
                self.rations[tuple(names)] = seconds or 0.0
                its = self.config.but(properties=tuple(names))
                again |= self.ask(engine, Ration(seconds, pause=pause), its)
        return again

    def _facts_time(self, share: FactsShare) -> float | None:
        """The seconds that an engine may take that proves without a search; None: there is no
        limit."""
        most = [share.most] if share.most < inf else []
        if share.of_used is not None:
            most.append(max(share.least, share.of_used * self.used))
        if self.limits.time is not None:
            most.append(share.of_left * max(0.0, self.left))
        return min(most, default=None)

    def hunt(
        self,
        engine: Engine,
        number: int,
        steps: int,
        *seconds: float,
        turn: float | None = None,
        pause: SearchPause | None = None,
    ) -> None:
        """A turn of an engine that hunts, unless the run is over: of so many steps at most, and of
        the least of these times (CPU time, and more of it for crowds of threads); the `turn` ends
        after so much time, and others are asked in its `pause`. Each hunt of a run has a seed of
        its own."""
        least = min(*seconds, self.left)
        if not self.over and min(least, self.limits.left) > 0:
            seed = self.config.search.seed + self.part.seeds + number
            its = self.config.but(seed=seed, hunt_steps=steps, hunt_seconds=least)
            self.ask(engine, Ration(turn, pause=pause), its)

    def _find_alarms(self, engine: Engine, part: Sequence[str], config: Config) -> None:
        """Finds out what facts leave open of properties in the program that an engine is asked of,
        if they left something open in the program that is made for each of them alone, and of
        undefined behaviour that the engine had to exclude itself; and what needs no interleaving
        there, if they tell it of another one."""
        for prover in self.provers:
            takes = (n for n in part if n in prover.proves and engine.takes_alarms(n))
            names = [n for n in takes if self.known.is_partly_proved(n)]
            if engine.merges(config.but(properties=tuple(part))):
                names += [n for n in self.known.telling if n in prover.proves and n not in names]
            names += [n for n in engine.rests_on if n in prover.proves and n not in names]
            for name in names if engine is not prover else ():
                load = self._loading(engine, part)
                program = load().program
                if not self.over and not self.known.was_asked(name, program):
                    seconds = self._facts_time(EARLY)
                    share = Share(self.limits, self.progress, seconds, processor=self.alone)
                    its = config.but(property=name)
                    self.colleagues.begins(prover)
                    turn = take(prover, load, its, share, self.known)
                    self.account.turns.append(turn)

    def _take(self, engine: Engine, part: Sequence[str], share: Share, config: Config) -> Turn:
        """A turn of an engine for properties that it is asked together."""
        names = tuple(part)
        leads = () if engine.hunts else Asking(self.programs, engine, config).leads(names)
        its = config.but(properties=names, leads=leads)
        if share.slice is None and (share.pause is not None or not engine.proves):
            share.early = self._news(engine, names, leads)
        self.colleagues.begins(engine)
        turn = take(engine, self._loading(engine, names), its, share, self.known)
        if turn.lean and turn.shows:
            self.seen = True
            self.account.turns.append(turn.unsaid())
            return self._take(engine, part, share.again(), config)
        self.account.take(turn)
        self.colleagues.ended(turn)
        return turn

    def _loading(self, engine: Engine, names: Sequence[str]) -> Callable[[], Loaded]:
        """What loads the program in which an engine looks for properties."""
        return partial(self.programs.of, names, lean=engine.lean and not self.seen)

    def _news(
        self, engine: Engine, names: Sequence[str], leads: Sequence[str]
    ) -> Callable[[], bool]:
        """What tells whether colleagues have found, since now, what leaves less to do for another
        turn of an engine."""
        takes = [n for n in names if engine.takes_alarms(n) and not engine.hunts]
        unproved = [n for n in takes if not self.known.is_partly_proved(n)]
        merges = engine.merges(self.config.but(properties=tuple(names)))
        telling = len(self.known.telling)

        def early() -> bool:
            open = self.open
            decided = any(n not in open for n in leads) or not any(n in open for n in names)
            told = merges and len(self.known.telling) > telling
            return decided or told or any(self.known.is_partly_proved(n) for n in unproved)

        return early

    def _share(
        self, ration: Ration, begun: float, turns: int, alone: bool, engine: Engine
    ) -> Share:
        """The share of the next one of so many turns; `alone`: its properties come apart next."""
        share = Share(self.limits, self.progress, slice=ration.slice, processor=self.alone)
        share.pause = ration.pause
        if ration.time is not None or (self.limits.time is not None and (turns > 1 or alone)):
            whole = self.left if ration.time is None else ration.time
            left = whole - (self._now() - begun if ration.time is not None else 0.0)
            share.time = max(0.0, left) / turns * (_TOGETHER if alone else 1.0)
        elif ration.states is not None:
            share.states = ration.states
        elif turns > 1 or alone:
            share.states = engine.turn * GROWTH**ration.rounds
        return share


def _may_be_decided_alone(turn: Turn, engine: Engine, name: str) -> bool:
    """Whether a property that was not decided with others may be alone: a turn may be too short for
    all of them, and a tree may give up because of another one."""
    reason = turn.answers[name].result.reason
    gave_up = engine.prove is not None and not reason.startswith(UNDEFINED_BEHAVIOUR)
    return name in turn.again or gave_up
