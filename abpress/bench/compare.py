"""Comparison of runs: configurations that contradict, and changes since an older run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from abpress.bench.record import Category, Run

SLOWER = 2.0
"""A median ratio of time or nodes above this is a regression."""
_LEAST_S = 0.1
"""Times are compared as if none were shorter: below, they are mostly noise."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Configurations that say true, and configurations that say false, of one task."""

    task: str
    property: str
    true: tuple[str, ...]
    false: tuple[str, ...]


def contradictions(runs: Iterable[Run]) -> list[Contradiction]:
    """The tasks on whose definite verdicts the configurations do not agree."""
    said: dict[tuple[str, str], dict[bool, list[str]]] = {}
    for run in runs:
        if run.definite():
            verdicts = said.setdefault((run.task, run.property), {True: [], False: []})
            verdicts[run.verdict == "true"].append(run.config)
    return [
        Contradiction(task, property, tuple(by[True]), tuple(by[False]))
        for (task, property), by in said.items()
        if by[True] and by[False]
    ]


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A task under a configuration whose verdict or category is another one than it was."""

    old: Run
    new: Run

    @property
    def worse(self) -> bool:
        """Whether it is a regression: a definite verdict that is lost or contradicted, a wrong one
        that was not there, or an error."""
        old, new = self.old, self.new
        if new.category is Category.WRONG and old.category is not Category.WRONG:
            return True
        if old.category is Category.WRONG:
            return False
        if old.definite():
            return new.verdict != old.verdict
        return new.category is Category.ERROR and old.category is not Category.ERROR


@dataclass(frozen=True, slots=True)
class Ratio:
    """How a quantity has changed: the median of new / old over `runs` runs of a configuration."""

    config: str
    quantity: str
    median: float
    runs: int

    @property
    def worse(self) -> bool:
        """Whether it is a regression."""
        return self.median > SLOWER


@dataclass(frozen=True, slots=True)
class Comparison:
    """What has changed; regressions first. `missing` counts runs of the old one without a new."""

    changes: tuple[VerdictChange, ...]
    ratios: tuple[Ratio, ...]
    compared: int
    missing: int

    @property
    def worse(self) -> bool:
        """Whether anything has become worse."""
        return any(c.worse for c in self.changes) or any(r.worse for r in self.ratios)


def compare(old: Sequence[Run], new: Sequence[Run]) -> Comparison:
    """Compares the runs of the same task, property and configuration.

    Time (CPU) and nodes are compared over the runs with the same definite verdict in both.
    """
    before = {(run.task, run.property, run.config): run for run in old}
    keys = {(run.task, run.property, run.config) for run in new}
    pairs = [
        (before[key], run) for run in new if (key := (run.task, run.property, run.config)) in before
    ]
    changes = [
        VerdictChange(o, n) for o, n in pairs if (o.verdict, o.category) != (n.verdict, n.category)
    ]
    ratios = []
    for config in dict.fromkeys(n.config for _, n in pairs):
        same = [
            (o, n)
            for o, n in pairs
            if n.config == config and o.definite() and o.verdict == n.verdict
        ]
        quantities: Mapping[str, list[float]] = {
            "time": [max(n.cpu_s, _LEAST_S) / max(o.cpu_s, _LEAST_S) for o, n in same],
            "nodes": [b / a for o, n in same if (a := o.nodes()) and (b := n.nodes()) is not None],
        }
        ratios += [
            Ratio(config, quantity, median(values), len(values))
            for quantity, values in quantities.items()
            if values
        ]
    return Comparison(
        tuple(sorted(changes, key=lambda change: not change.worse)),
        tuple(sorted(ratios, key=lambda ratio: not ratio.worse)),
        len(pairs),
        len(before.keys() - keys),
    )
