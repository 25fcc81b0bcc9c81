"""Stateless algorithms side by side on one program, and whether they agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from abpress.config import Config
from abpress.explicit.stateless import Explored, explore
from abpress.explore.limits import Limits, interruptible
from abpress.por.stateless import ALGORITHMS
from abpress.result import Soundness
from abpress.verify.load import load


@dataclass(frozen=True, slots=True)
class Row:
    """An algorithm, what it has found, and the seconds that it took."""

    algorithm: str
    explored: Explored
    seconds: float


def compare(config: Config, algorithms: Sequence[str]) -> tuple[Row, ...]:
    """Explores the program of `config.file` with each algorithm, beyond violations.

    The limit of time is for each of them. Raises AssertionError if two that were not stopped by a
    limit disagree in the verdict, the violations, or the final states if both meet them all;
    InputError and UnsupportedError.
    """
    loaded = load(config, every_access=True)
    rows: list[Row] = []
    with interruptible() as interrupt:
        for name in algorithms:
            limits = Limits(config.time_limit, config.memory_limit, interrupt)
            soundness = Soundness(assumptions=dict.fromkeys(loaded.assumptions))
            its = replace(config, engine="stateless", por=name, keep_going=True)
            explored = explore(loaded.program, its, limits, None, soundness, with_finals=True)
            rows.append(Row(name, explored, monotonic() - limits.started))
    exhausted = [row for row in rows if row.explored.exhausted]
    _agree("verdict", exhausted, lambda found: found.result.verdict)
    _agree("violations", exhausted, lambda found: set(found.violations))
    with_finals = [row for row in exhausted if ALGORITHMS[row.algorithm].finals]
    _agree("final states", with_finals, lambda found: found.finals)
    return tuple(rows)


def _agree(what: str, rows: Sequence[Row], of: Callable[[Explored], object]) -> None:
    for row in rows[1:]:
        if of(row.explored) != of(rows[0].explored):
            raise AssertionError(
                f"internal error: {rows[0].algorithm} and {row.algorithm} disagree in {what}"
            )
