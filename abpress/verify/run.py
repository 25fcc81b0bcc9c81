"""One verification run: load, simplify, search, within the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from abpress.config import Config
from abpress.engines.table import ENGINES, Engine, Progress, able
from abpress.proof.allocation import DEFINED, NOTHING, NoTree, proved_by_text
from abpress.properties import PROPERTIES
from abpress.result import Result, Soundness, proved, undecided
from abpress.search.limits import (
    INTERRUPTED,
    WHILE_READING,
    Limits,
    interruptible,
    limits_of,
)
from abpress.verify.certify import certified
from abpress.verify.load import Loaded, load
from abpress.verify.turns import Decision, decide
from abpress.verify.watchdog import LimitReached, watchdog
from abpress.witness.sources import with_source_lines
from abpress.witness.trace import Trace


@dataclass(frozen=True, slots=True)
class Report:
    """The answer of a run, who gave it (`auto`: nobody alone), and the texts its trace refers to.

    `certificate` is the text of the checked certificate of a verdict "true", if the engine has one.
    """

    result: Result
    engine: str
    reduction: str
    sources: Mapping[str, str]
    warnings: tuple[str, ...] = ()
    certificate: str | None = None


def verify(
    config: Config,
    progress: Progress = lambda _: None,
    table: Mapping[str, Engine] = ENGINES,
    started: float | None = None,
) -> Report:
    """Decides `config.question.property` for `config.program.file` by engines of the table.

    Limits (time, memory, Ctrl-C) are results; the time is from `started` on (default: now), a
    value of `time.monotonic`. Raises InputError and UnsupportedError.
    """
    limits = limits_of(config.bounds, started)
    engines = able(config, table)
    nobody = engines[0].name if len(engines) == 1 else config.search.engine
    try:
        with watchdog(limits):
            looks = PROPERTIES[config.question.property].every_access
            every_access = looks or all(e.executions is not None for e in engines)
            loaded = load(config, every_access=every_access)
    except LimitReached as limit:
        result = undecided(config.question.property, limit.reason + WHILE_READING)
        return Report(result, nobody, config.search.por, {})
    except KeyboardInterrupt:
        result = undecided(config.question.property, INTERRUPTED.text + WHILE_READING)
        return Report(result, nobody, config.search.por, {})
    answer = _search(engines, loaded, config, limits, progress)
    result = answer.result
    if isinstance(result.trace, Trace):
        result = replace(result, trace=with_source_lines(result.trace, loaded.sources))
    engine, certificate = answer.engine or nobody, answer.certificate
    por = (table[engine].configured(config) if engine in table else config).search.por
    return Report(result, engine, por, loaded.sources, loaded.warnings, certificate)


def _search(
    engines: Sequence[Engine], loaded: Loaded, config: Config, limits: Limits, progress: Progress
) -> Decision:
    soundness = Soundness(assumptions=dict.fromkeys(loaded.assumptions))
    program, property = loaded.program, PROPERTIES[config.question.property]
    hunted = all(engine.hunts for engine in engines)
    why = None if hunted else proved_by_text(program, property.name)
    if why is not None:
        statistics = {"decided by": why}
        if why != NOTHING:
            soundness.assume(DEFINED)
        text = certified(program, config, NoTree())
        return Decision(proved(property.name, soundness, True, statistics), None, text)
    with interruptible() as interrupt:
        limits = replace(limits, interrupt=interrupt)
        return decide(engines, loaded.program, config, limits, progress, soundness)
