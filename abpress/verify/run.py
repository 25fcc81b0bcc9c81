"""One verification run: load, simplify, search, within the limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from abpress.config import Config
from abpress.explore.driver import Statistics
from abpress.explore.limits import Limits, interruptible
from abpress.result import Result, Soundness, undecided
from abpress.verify.certify import certified
from abpress.verify.engines import Engine, choose
from abpress.verify.load import Loaded, load
from abpress.verify.watchdog import LimitReached, watchdog
from abpress.witness.sources import with_source_lines
from abpress.witness.trace import Trace

_GRACE = 1.0
"""Seconds past its limit after which a search that does not look at the clock is ended."""

_MEMORY_GRACE = 1.25
"""The same for memory, as a factor."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run is: the phase, and the numbers of the search once it has begun."""

    phase: str  # reading, searching
    statistics: Statistics | None = None


Listener = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Report:
    """The answer of a run, who gave it, and the source texts that its trace refers to.

    `certificate` is the text of the checked certificate of a verdict "true", if it was asked for.
    """

    result: Result
    engine: str
    reduction: str
    sources: Mapping[str, str]
    warnings: tuple[str, ...] = ()
    certificate: str | None = None


def verify(config: Config, progress: Listener = lambda _: None) -> Report:
    """Decides `config.property` for `config.file`.

    Limits (time, memory, Ctrl-C) are results. Raises InputError and UnsupportedError.
    """
    limits = Limits(config.time_limit, config.memory_limit)
    engine = choose(config)
    progress(Progress("reading"))
    try:
        with watchdog(limits):
            loaded = load(config)
    except LimitReached as limit:
        result = undecided(config.property, f"{limit.reason}, while reading the program")
        return Report(result, engine.name, config.por, {})
    except KeyboardInterrupt:
        result = undecided(config.property, "interrupted, while reading the program")
        return Report(result, engine.name, config.por, {})
    result, certificate = _search(engine, loaded, config, limits, progress)
    if isinstance(result.trace, Trace):
        result = replace(result, trace=with_source_lines(result.trace, loaded.sources))
    return Report(result, engine.name, config.por, loaded.sources, loaded.warnings, certificate)


def _search(
    engine: Engine, loaded: Loaded, config: Config, limits: Limits, progress: Listener
) -> tuple[Result, str | None]:
    latest = Statistics()

    def listen(statistics: Statistics) -> None:
        nonlocal latest
        latest = statistics
        progress(Progress("searching", statistics))

    soundness = Soundness(assumptions=dict.fromkeys(loaded.assumptions))
    try:
        with interruptible() as interrupt, watchdog(limits, _GRACE, _MEMORY_GRACE):
            limits = replace(limits, interrupt=interrupt)
            if not config.certificate or engine.prove is None:
                return engine.search(loaded.program, config, limits, listen, soundness), None
            result, tree = engine.prove(loaded.program, config, limits, listen, soundness)
            return result, None if tree is None else certified(loaded.program, config, tree)
    except LimitReached as limit:
        return undecided(config.property, limit.reason, latest.as_dict()), None
    except MemoryError:
        return undecided(config.property, "out of memory", latest.as_dict()), None
