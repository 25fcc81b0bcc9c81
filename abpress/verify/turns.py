"""One engine, or several in turn: each has its share, and is asked what is open then."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from math import inf

from abpress.config import Config
from abpress.engines.table import Engine, EngineKind, Progress
from abpress.search.limits import Limits
from abpress.verify.account import Account, Settled
from abpress.verify.choice import CROWDS, EARLY, ProgramFeatures, Rule, chosen
from abpress.verify.parts import WHOLE, Part
from abpress.verify.rations import GROWTH, Ration, Turns
from abpress.verify.share import SearchPause
from abpress.verify.together import Variants
from abpress.verify.turn import Decision

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

_SLICE, _LONG_SLICE = 2_000, 20_000
"""States after which an engine for programs that look finite lets the hunt go first: what takes
fewer is decided before a hunt has begun, or in its pause."""

_SLICE_SECONDS = 0.5
"""The most for those in the pause: states of many threads, which Python stores, take long."""

_BEFORE_PAUSE = 0.1
"""Seconds of the first hunt before its pause: most wrong programs are refuted by then."""

_BEFORE_SECOND = 0.7
"""Seconds of facts in that pause before their own one, in which another hunt is made."""

_BESIDES, _BESIDES_SECONDS = 500, 0.7
"""What is added to the seed of that hunt, and its seconds."""


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
    before them (where enumeration does not end at once), in which it waits once for who may decide
    soon, and a long one after the first of them. What proves without a search is asked before all
    others, or (of what is cheaper to search at first) after these short turns, and after others if
    it had too little time. What solves clauses has one turn, for programs that do not look finite,
    when the tree has had its first one.
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
        waiting = _hunt_first(run, engines, waiting, features, rule)
        if run.met_crowd and not closed:
            rule, solvers = CROWDS, []
    unproved = run.prove(engines, early=False, share=rule.facts if waiting else EARLY)
    taken = 0
    if EngineKind.TREE not in part.asks or rule.clauses_first:
        _ask_solvers(run, solvers, rule.clauses)
    shares = [(rule.first, rule.short), *([(rule.again, inf)] if rule.again else [])]
    if limits.time is None or not part.shares:
        shares = []
    while waiting and not run.over:
        engine, *waiting = waiting
        ration = Ration(rounds=taken // several)
        if limits.time is None and waiting:
            ration.states = engine.turn * GROWTH ** (taken // several)
        elif shares:
            share, seconds = shares.pop(0)
            ration.time = min(seconds, share * max(0.0, run.left))
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
                seconds = turn = _CROWD_HUNT_SHARE * max(0.0, run.left)
            for hunter in hunters:
                run.hunt(hunter, taken, run.config.search.hunt_steps, seconds, turn=turn)
        if waiting and not run.over:
            gc.collect()  # the next engine may use the memory of this one
    if not part.searches:
        for hunter in hunters:
            run.hunt(hunter, 0, run.config.search.hunt_steps, _LONG_HUNT_SECONDS)


def _hunt_first(
    run: Turns,
    engines: Sequence[Engine],
    waiting: list[Engine],
    features: ProgramFeatures,
    rule: Rule,
) -> list[Engine]:
    """Takes the turns before the first one of those who wait; returns who waits then.

    What an enumeration decides in `_SLICE` states is decided before a hunt has begun, also where
    inputs look like many together, of which only a few may be read. A hunt that goes on longer than
    most of those do that find something waits, once, for who may prove it soon. Where that takes
    long, another hunt comes in between: so neither proofs nor violations wait longer than a second.
    """
    few = features.finite or not (features.wide_inputs or features.threads is None)
    hunters = [engine for engine in engines if engine.hunts]
    steps = min(_HUNT_STEPS, run.config.search.hunt_steps)

    def store(states: int, seconds: float | None = None) -> None:
        for engine in [engine for engine in waiting if engine.closed and few]:
            if not run.ask(engine, Ration(seconds, slice=states)):
                waiting.remove(engine)

    def ask_soon() -> None:
        store(_LONG_SLICE, _SLICE_SECONDS)
        if rule.soon is not None:
            is_long = rule.soon.most > 2 * _BEFORE_SECOND
            pause = SearchPause(_BEFORE_SECOND, hunt_besides) if is_long else None
            run.prove(engines, early=False, share=rule.soon, pause=pause)

    def hunt_besides() -> None:
        for hunter in hunters:
            run.hunt(hunter, _BESIDES, steps, _BESIDES_SECONDS, turn=_BESIDES_SECONDS)

    store(_SLICE)
    for hunter in hunters:
        left, part = run.left, rule.hunt
        most = None if run.limits.time is None else part * _FIRST_TURN_SHARE * left
        seconds = part * max(_HUNT_SECONDS, _HUNT_OF_USED * run.used)
        least, pause = (seconds, part * _HUNT_SHARE * left), SearchPause(_BEFORE_PAUSE, ask_soon)
        run.hunt(hunter, 0, steps, *least, turn=most, pause=pause)
    return waiting


def _ask_solvers(run: Turns, solvers: list[Engine], share: float) -> None:
    """Takes the turns of engines that solve clauses: each has one, for a share of what is left."""
    while solvers and not run.over:
        limits = run.limits
        seconds = _SOLVING_SECONDS if limits.time is None else share * max(0.0, run.left)
        run.ask(solvers.pop(0), Ration(seconds))
