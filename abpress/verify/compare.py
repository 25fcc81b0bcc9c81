"""Algorithms side by side on one program, and whether they agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

from abpress.config import OFF, Config
from abpress.engines.answer import Explored
from abpress.engines.table import algorithms, engine_of
from abpress.properties import Preserved
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits, interruptible
from abpress.verify.load import load
from abpress.verify.watchdog import Watchdog


@dataclass(frozen=True, slots=True)
class AlgorithmRun:
    """An algorithm, what it has found, and the seconds that it took."""

    algorithm: str
    explored: Explored
    seconds: float


def compare(config: Config, names: Sequence[str], limits: Limits) -> tuple[AlgorithmRun, ...]:
    """Explores the program of `config.program.file` with each algorithm, beyond violations.

    Each has an equal part of the time that is left. Raises AssertionError if two that were not
    stopped by a limit disagree in what they decide, the violations, or the final states if both
    tell them all (those that store states do not); LimitReached, while the program is read;
    InputError and UnsupportedError.
    """
    with Watchdog(limits):
        loaded = load(config, every_access=True)
    rows: list[AlgorithmRun] = []
    with interruptible() as interrupt:
        for number, name in enumerate(names):
            left = None
            if limits.time is not None:
                left = (limits.started + limits.time - monotonic()) / (len(names) - number)
            its_limits = Limits(left, limits.memory, interrupt)
            soundness = Soundness(assumptions=dict.fromkeys(loaded.assumptions))
            entry = algorithms()[name]
            engine = engine_of(entry)
            its = config.but(engine=engine.name, por=entry.name, keep_going=True, symmetry=OFF)
            explore = engine.explore
            if engine.executions and entry.keeps(Preserved.FINAL_STATES):
                explore = engine.executions.explore
            assert explore is not None
            explored = explore(loaded.program, its, its_limits, None, soundness)
            rows.append(AlgorithmRun(name, explored, monotonic() - its_limits.started))
    exhausted = [row for row in rows if row.explored.exhausted]
    decided = [row for row in exhausted if row.explored.result.verdict is not Verdict.UNKNOWN]
    _agree("verdict", decided, lambda found: found.result.verdict)
    _agree("violations", exhausted, lambda found: set(found.violations))
    comparable = [row for row in exhausted if row.explored.finals is not None]
    _agree("final states", comparable, lambda found: found.finals)
    return tuple(rows)


def _agree(what: str, rows: Sequence[AlgorithmRun], of: Callable[[Explored], object]) -> None:
    for row in rows[1:]:
        if of(row.explored) != of(rows[0].explored):
            raise AssertionError(
                f"internal error: {rows[0].algorithm} and {row.algorithm} disagree in {what}"
            )
