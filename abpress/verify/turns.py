"""One engine, or several in turn: each has its share, and is asked what is open then.

Properties are asked together where one search can show what all of them look at; that search ends
early with a violation without which the others can be searched with less. What is not decided for
all of them together in a part of the share is asked in smaller parts: a tree is asked for each
property alone, and other searches for those that need the same program.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import monotonic

from abpress.config import Config
from abpress.engines.answer import ENDED_EARLY
from abpress.engines.table import Engine, EngineKind, Progress
from abpress.search.limits import Limits
from abpress.search.statistics import MOST_THREADS
from abpress.semantics.outcome import FEW_THREADS, UNDEFINED_BEHAVIOUR
from abpress.verify.account import Account, Settled
from abpress.verify.choice import CROWDS, EARLY, FactsShare, ProgramFeatures, chosen
from abpress.verify.colleagues import NOBODY, Colleagues
from abpress.verify.load import Loaded
from abpress.verify.parts import WHOLE, Part
from abpress.verify.together import Asking, Level, Variants
from abpress.verify.turn import ASKED_ANEW, Decision, KnownFacts, Share, Turn, take

_ASKED_AGAIN = (ENDED_EARLY, ASKED_ANEW)

_SOLVING_SECONDS = 60.0
"""For an engine that solves clauses, where there is no limit of time."""

_HUNT_STEPS, _HUNT_SECONDS, _HUNT_SHARE = 120_000, 1.0, 0.05
"""Of the first hunt: the steps, and the seconds and the part of the time that they may take."""

_HUNT_OF_USED = 0.2
"""Of the time that was used before, what the first hunt may take if that is more: where facts take
long, an execution does, too."""

_FIRST_TURN_SHARE = 0.1
"""Of the time, for the first hunt with all that it does for crowds of threads: facts follow."""

_LONG_HUNT_SECONDS, _LONG_HUNT_SHARE, _LAST_HUNT_SHARE = 10.0, 0.1, 1.0
"""Of the hunts after the first engine and after the last one: the seconds, and the part of the time
that was used until then, that they may take."""

_CROWD_HUNT_SHARE = 0.9
"""Of the time that is left, for the last hunt where there are more threads than others look at."""

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
    settled: Settled = lambda _: None,
) -> dict[str, Decision]:
    """The first definite verdict of the engines for each property, asked in turn.

    `settled` is told what is decided while the run goes on. Raises UnsupportedError if no engine
    supports the program.
    """
    account = Account(config, limits, settled=settled)
    take_turns(Turns(programs, account, progress), engines, WHOLE)
    return account.decisions(engines)


def take_turns(run: Turns, engines: Sequence[Engine], part: Part) -> None:
    """Takes the turns of a part, until all is decided or nobody has more to say.

    The first turn is that of the engine made for such programs. With a limit of time an engine
    that others wait for has a share of it, without one a number of states; who was stopped by
    that has another turn when the others have had theirs. An engine that hunts has a short turn
    before them (where enumeration does not end at once), and a long one after the first of them.
    What proves without a search is asked before all others, or (of what is cheaper to search at
    first) after these short turns, and after others if it had too little time. What solves clauses
    has one turn, for programs that do not look finite, when the tree has had its first one.
    """
    limits = run.limits
    run.provers = [engine for engine in engines if engine.kind is EngineKind.FACTS]
    if len(engines) == 1:
        rounds, again = 0, True
        while again:
            again = run.ask(engines[0], Ration(rounds=rounds)) and run.is_worth(engines[0])
            rounds += 1
        return
    engines = [engine for engine in engines if engine.kind in part.asks]
    program = run.programs.of(run.open, lean=True).program
    features = ProgramFeatures.of(program, run.config.bounds.input_domain)
    closed, rule = features.finite, chosen(features)
    run.prove(engines, early=True, share=rule.early)
    waiting = [engine for engine in engines if not engine.hunts and not engine.proves]
    waiting.sort(key=lambda engine: engine.closed is not closed)
    solvers = [engine for engine in engines if engine.kind is EngineKind.CLAUSES and rule.clauses]
    hunters = [engine for engine in engines if engine.hunts]
    several = len(waiting)
    if hunters and waiting and part.hunts_first and not run.over:
        waiting = _hunt_first(run, hunters, waiting, features, rule.hunt)
        if run.met_crowd and not closed:
            rule, solvers = CROWDS, []
    unproved = run.prove(engines, early=False, share=rule.facts if waiting else EARLY)
    taken = 0
    if EngineKind.TREE not in part.asks or rule.clauses_first:
        _ask_solvers(run, solvers, rule.clauses)
    shares = [rule.first, *([rule.again] if rule.again else [])]
    if limits.time is None or not part.shares:
        shares = []
    while waiting and not run.over:
        engine, *waiting = waiting
        ration = Ration(rounds=taken // several)
        if limits.time is None and waiting:
            ration.states = engine.turn * _GROWTH ** (taken // several)
        elif shares:
            ration.time = shares.pop(0) * max(0.0, limits.left)
        if run.ask(engine, ration):
            waiting.insert(0 if shares else len(waiting), engine)
        else:
            shares = []
        taken += 1
        if unproved:
            unproved = run.prove(engines, early=False, share=rule.facts if waiting else EARLY)
        _ask_solvers(run, solvers, rule.clauses)
        waiting = [e for e in waiting if run.is_worth(e)]
        if taken == 1 or not waiting:
            share = _LONG_HUNT_SHARE if waiting else _LAST_HUNT_SHARE
            seconds, turn = min(_LONG_HUNT_SECONDS, share * run.used), None
            if not waiting and run.met_crowd and limits.time is not None:
                seconds = turn = _CROWD_HUNT_SHARE * max(0.0, limits.left)
            for hunter in hunters:
                run.hunt(hunter, taken, run.config.search.hunt_steps, seconds, turn=turn)
        if waiting and not run.over:
            gc.collect()  # the next engine may use the memory of this one
    if not part.searches:
        for hunter in hunters:
            run.hunt(hunter, 0, run.config.search.hunt_steps, _LONG_HUNT_SECONDS)


@dataclass(slots=True)
class Ration:
    """What an engine may use in its turns, as `Share`: that is for one of them. Mutable.

    Seconds, or states (None: as much as there is). `rounds` says how often it had some before.
    """

    time: float | None = None
    states: int | None = None
    slice: int | None = None
    rounds: int = 0


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
        begun = monotonic()
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
        self.seconds[engine.name] = max(self.seconds.get(engine.name, 0.0), monotonic() - begun)
        return bool(again & set(self.open))

    def prove(self, engines: Sequence[Engine], early: bool, share: FactsShare) -> bool:
        """Turns of the engines among these that prove without a search, of what they are asked
        early, or late; returns whether one was stopped by its ration. They begin anew: who was
        stopped has no turn that is no longer. Such proofs are of executions up to undefined
        behaviour: where a search has met some already, nobody is told that there is nothing behind
        it."""
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
                again |= self.ask(engine, Ration(seconds), its)
        return again

    def _facts_time(self, share: FactsShare) -> float | None:
        """The seconds that an engine may take that proves without a search; None: there is no
        limit."""
        most = [] if share.of_used is None else [share.of_used * self.used]
        if self.limits.time is not None:
            most.append(share.of_left * max(0.0, self.limits.left))
        return min(most, default=None)

    def hunt(
        self, engine: Engine, number: int, steps: int, *seconds: float, turn: float | None = None
    ) -> None:
        """A turn of an engine that hunts, unless the run is over: of so many steps at most, and of
        the least of these times (CPU time, and more of it for crowds of threads); the `turn` ends
        after so much wall time. Each hunt of a run has a seed of its own."""
        least = min(*seconds, self.limits.left)
        if not self.over and least > 0:
            seed = self.config.search.seed + self.part.seeds + number
            its = self.config.but(seed=seed, hunt_steps=steps, hunt_seconds=least)
            self.ask(engine, Ration(turn), its)

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
                    share = Share(self.limits, self.progress, self._facts_time(EARLY))
                    its = config.but(property=name)
                    self.colleagues.begins(prover)
                    turn = take(prover, load, its, share, self.known)
                    self.account.turns.append(turn)

    def _take(self, engine: Engine, part: Sequence[str], share: Share, config: Config) -> Turn:
        """A turn of an engine for properties that it is asked together."""
        names = tuple(part)
        leads = () if engine.hunts else Asking(self.programs, engine, config).leads(names)
        its = config.but(properties=names, leads=leads)
        if not engine.proves and share.slice is None:
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
            settled = self.colleagues.settled
            decided = any(n in settled for n in leads) or all(n in settled for n in names)
            told = merges and len(self.known.telling) > telling
            return decided or told or any(self.known.is_partly_proved(n) for n in unproved)

        return early

    def _share(
        self, ration: Ration, begun: float, turns: int, alone: bool, engine: Engine
    ) -> Share:
        """The share of the next one of so many turns; `alone`: its properties come apart next."""
        share = Share(self.limits, self.progress, slice=ration.slice)
        if ration.time is not None or (self.limits.time is not None and (turns > 1 or alone)):
            whole = self.limits.left if ration.time is None else ration.time
            left = whole - (monotonic() - begun if ration.time is not None else 0.0)
            share.time = max(0.0, left) / turns * (_TOGETHER if alone else 1.0)
        elif ration.states is not None:
            share.states = ration.states
        elif turns > 1 or alone:
            share.states = engine.turn * _GROWTH**ration.rounds
        return share


def _hunt_first(
    run: Turns,
    hunters: Sequence[Engine],
    waiting: list[Engine],
    features: ProgramFeatures,
    part: float,
) -> list[Engine]:
    """Takes the turns before the first one of those who wait; returns who waits then. The hunt has
    this part of its time.

    What an enumeration decides in `_SLICE` states is decided before a hunt has begun, also where
    inputs look like many together, of which only a few may be read.
    """
    few = features.finite or not (features.wide_inputs or features.threads is None)
    states = next((engine for engine in waiting if engine.closed), None)
    if few and states is not None and not run.ask(states, Ration(slice=_SLICE)):
        waiting = [engine for engine in waiting if engine is not states]
    for hunter in hunters:
        steps = min(_HUNT_STEPS, run.config.search.hunt_steps)
        left = run.limits.left
        most = None if run.limits.time is None else part * _FIRST_TURN_SHARE * left
        seconds = part * max(_HUNT_SECONDS, _HUNT_OF_USED * run.used)
        run.hunt(hunter, 0, steps, seconds, part * _HUNT_SHARE * left, turn=most)
    return waiting


def _ask_solvers(run: Turns, solvers: list[Engine], share: float) -> None:
    """Takes the turns of engines that solve clauses: each has one, for a share of what is left."""
    while solvers and not run.over:
        limits = run.limits
        seconds = _SOLVING_SECONDS if limits.time is None else share * max(0.0, limits.left)
        run.ask(solvers.pop(0), Ration(seconds))


def _may_be_decided_alone(turn: Turn, engine: Engine, name: str) -> bool:
    """Whether a property that was not decided with others may be alone: a turn may be too short for
    all of them, and a tree may give up because of another one."""
    reason = turn.answers[name].result.reason
    gave_up = engine.prove is not None and not reason.startswith(UNDEFINED_BEHAVIOUR)
    return name in turn.again or gave_up
