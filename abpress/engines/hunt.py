"""The hunt as an engine: it answers "false", or that it has found nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import process_time

from abpress.config import AUTO, NATIVE, Config
from abpress.engines import core as cores
from abpress.engines.answer import expiry, falsified, shown
from abpress.engines.order import asked_options, visible
from abpress.ir.program import Program
from abpress.later import later
from abpress.properties import asked
from abpress.result import Result, Soundness, undecided
from abpress.search.hunt.hunt import CROWD_SECONDS, Hunt, HuntStatistics
from abpress.search.hunt.player import MakePlayer
from abpress.search.limits import Limits, StopReason, Watch
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter

_MAKE: MakePlayer = later("abpress.core.hunt", "NativeHunt")

HAND_OVER = 1 << 16
"""Steps of a hunt by Python after which the core begins anew."""

BUILD = 1 << 20
"""The same where the core has to be built first, which takes two seconds."""

_THREADS = 1 << 20
"""Threads of one execution: the bound of the other engines is none for a search that proves
nothing."""

_TELLING = 0.1
"""Of the time of a run, the part that is kept for telling what was found: a long execution takes a
while to replay, and what is not told in time is lost."""


def search(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None = None,
    soundness: Soundness | None = None,
) -> Mapping[str, Result]:
    """Looks for violations of `config.question.properties` in random executions.

    They are the same for the same `config.search.seed`, until `config.search.hunt_steps` are taken
    or a limit ends the hunt; `config.search.hunt_seconds` are a limit of its own. An execution that
    violates the property is replayed by the interpreter before it is believed.
    """
    begun = process_time()
    soundness = Soundness() if soundness is None else soundness
    told = program, config, limits, progress, soundness, begun

    def natively() -> Mapping[str, Result] | str:
        return cores.asked(lambda: _hunted(*told, make=_MAKE), core)

    core, why, turn = config.search.core, None, None
    if core == NATIVE:
        found = natively()
        if not isinstance(found, str):
            return found
        why = found
    elif core == AUTO:
        turn = cores.HandingOver(natively, HAND_OVER, BUILD)
    return _hunted(*told, turn=turn, why=why)


def _hunted(
    program: Program,
    config: Config,
    limits: Limits,
    progress: Callable[[Statistics], None] | None,
    soundness: Soundness,
    begun: float,
    make: MakePlayer | None = None,
    turn: cores.HandingOver[Mapping[str, Result]] | None = None,
    why: str | None = None,
) -> Mapping[str, Result]:
    """The same by Python, unless somebody makes executions, or takes over in a turn; `why` the core
    has refused. Raises CoreRefused."""
    property = asked(config.question.properties)
    bounds = asked_options(config)
    options = replace(bounds, max_threads=_THREADS)
    system = Interpreter(program, options, soundness, visible(program, config))

    def listen(numbers: HuntStatistics) -> None:
        if progress is not None:
            progress(numbers.progress())

    watch: Watch[HuntStatistics] = Watch(limits, listen)
    hunt = Hunt(system, property, config.search.seed, make)
    seconds = config.search.hunt_seconds

    def poll(numbers: HuntStatistics) -> StopReason | None:
        most = None if seconds is None else seconds * (CROWD_SECONDS if hunt.crowded else 1)
        if most is not None and process_time() - begun - limits.extension.seconds > most:
            return StopReason("time", f"its time of {most:.2g} s is over")
        run = limits.of_run
        if hunt.has_found and run.time is not None and run.left < _TELLING * run.time:
            return run.time_exceeded
        stop = watch(numbers)
        return turn.polled(numbers.steps) if stop is None and turn is not None else stop

    hunted = hunt.search(config.search.hunt_steps, poll)
    if turn is not None and turn.found is not None:
        if not isinstance(turn.found, str):
            return turn.found
        why = turn.found
    numbers = hunted.statistics
    expired = expiry(watch, numbers, bool(hunted.violations))
    # Where shorter executions are looked for there are no more threads than in these.
    system.limit_threads(max(hunted.threads, bounds.max_threads))
    if hunted.stopped is not None:
        reason = hunted.stopped.text
    elif not numbers.executions:
        reason = "no thread comes to an error"
    else:
        reason = f"{numbers.executions:,} random executions do not violate it"
    account = {**numbers.as_dict(), "core": NATIVE if make is not None else cores.by_python(why)}
    found = {
        its.violates: falsified(system, its, expired, account, soundness)
        for its in hunted.violations
    }
    asked_for = config.question.properties
    met = None
    if hunted.fault is not None and len(found) < len(asked_for):
        met = shown(system, hunted.fault, expired)
    return {
        name: found[name] if name in found else undecided(name, reason, account, met)
        for name in asked_for
    }
