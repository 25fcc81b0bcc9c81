"""The data of a benchmark: what is to be run, what came out, and what that is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Task:
    """A program, a question, and the expected answer.

    `name` is the path of the task relative to the common root of all tasks, without suffix; the
    pair of name and property is unique. `expected` is "true", "false", "false(sub-property)", or
    None where the answer is not known. `options` are for `abpress verify`, besides the data model.
    """

    name: str
    file: Path
    property: str
    expected: str | None
    data_model: str = "ILP32"
    options: tuple[str, ...] = ()


class Category(Enum):
    """What a run is, seen from its task. UNJUDGED: a definite verdict, and no expectation."""

    CORRECT = "correct"
    WRONG = "wrong"
    UNKNOWN = "unknown"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out of memory"
    ERROR = "error"
    UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True)
class RunLimits:
    """The limits of a run: seconds of CPU time (all its processes), of wall time; MiB; or None."""

    cpu_s: float | None = None
    wall_s: float | None = None
    memory_mb: float | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A task under a configuration, and what came out.

    `config` is the name of the configuration, `options` all options that `abpress verify` had for
    the search (the task's, then the configuration's). `verdict` is "true", "false",
    "false(sub-property)" or "unknown". `status` is the exit status: negative for a signal, None if
    the runner killed it. `cpu_s`, `wall_s` and `memory_mb` (MiB, peak) are measured from outside,
    over all its processes. `statistics` is what the run says of itself. `trace` and `certificate`
    are file names relative to the output folder.
    """

    task: str
    property: str
    config: str
    options: tuple[str, ...]
    expected: str | None
    verdict: str
    reason: str
    status: int | None
    category: Category
    score: int
    cpu_s: float
    wall_s: float
    memory_mb: float
    engine: str
    reduction: str
    statistics: Mapping[str, Any]
    trace: str | None = None
    certificate: str | None = None

    def nodes(self) -> int | None:
        """How many nodes (of all trees) or states (of the concrete search) there were, if told."""
        for name in ("nodes_of_all_trees", "nodes", "states"):
            value = self.statistics.get(name)
            if isinstance(value, int):
                return value
        return None

    def definite(self) -> bool:
        """Whether there is a verdict."""
        return self.verdict != "unknown"

    def to_json(self) -> dict[str, Any]:
        """The run as data; `from_json` reads it back."""
        return {
            **asdict(self),
            "options": list(self.options),
            "category": self.category.value,
            "statistics": dict(self.statistics),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Run:
        """The run that `to_json` wrote. Raises KeyError, TypeError or ValueError for other data.

        Keys that are not of a run are passed over.
        """
        known = {name: data[name] for name in cls.__slots__}
        known["options"] = tuple(str(option) for option in data["options"])
        known["category"] = Category(data["category"])
        if not isinstance(known["statistics"], dict):
            raise TypeError("statistics is not an object")
        return cls(**known)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """All runs, in the order of the tasks and then of the configurations.

    `configs` maps the name of a configuration to its options; `started` is a date and time in ISO
    format; `version` is AbPress's.
    """

    runs: tuple[Run, ...]
    configs: Mapping[str, tuple[str, ...]]
    limits: RunLimits
    started: str
    version: str
