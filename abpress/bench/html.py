"""The results of a benchmark as one HTML page that needs nothing else, not even a network."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any
from urllib.parse import quote

from abpress.bench.compare import contradictions
from abpress.bench.files import write_whole
from abpress.bench.plots import (
    METRICS,
    Point,
    axis,
    quantile_by_count,
    quantile_by_score,
    solved,
)
from abpress.bench.record import Benchmark, Category, Run
from abpress.page.frame import composed

_SCRIPTS = ("shapes.js", "elements.js", "table.js", "plots.js", "main.js")
_ELSEWHERE = "in results.jsonl beside it"


def write_html(benchmark: Benchmark, path: Path) -> None:
    """Writes the page; links to traces and certificates are relative to its folder.

    The same benchmark gives the same bytes. Raises InputError.
    """
    title = f"AbPress {benchmark.version}: results"
    write_whole(path, composed("results.html", title, _ELSEWHERE, page_data(benchmark), _SCRIPTS))


def page_data(benchmark: Benchmark) -> dict[str, Any]:
    """What the scripts of the page see, as data for JSON.

    A row is a task with a property; its `runs` are in the order of the configurations, null where
    there is none. A point of a quantile plot is `[x, y, row]`. Raises ValueError if a task has two
    runs under the same configuration and property.
    """
    configs = tuple(benchmark.configs)
    rows: dict[tuple[str, str], dict[str, Run]] = {}
    for run in benchmark.runs:
        row = rows.setdefault((run.task, run.property), {})
        if run.config in row:
            raise ValueError(f"two runs of {run.task} ({run.property}) under {run.config}")
        row[run.config] = run
    limits = benchmark.limits
    return {
        "version": benchmark.version,
        "started": benchmark.started,
        "limits": {"cpu": limits.cpu_s, "wall": limits.wall_s, "memory": limits.memory_mb},
        "configs": [
            {"name": name, "options": shlex.join(options)}
            for name, options in benchmark.configs.items()
        ],
        "properties": sorted({run.property for run in benchmark.runs}),
        "categories": [category.value for category in Category],
        "metrics": {
            key: {
                "label": label,
                **_log_axis([v for run in benchmark.runs if (v := value(run)) is not None]),
            }
            for key, (label, value) in METRICS.items()
        },
        "rows": [_row(task, name, runs, configs) for (task, name), runs in rows.items()],
        "summary": [_summary(config, benchmark.runs) for config in configs],
        "quantile": {
            "score": [_curve(rows, config, quantile_by_score) for config in configs],
            "count": [_curve(rows, config, quantile_by_count) for config in configs],
        },
    }


def _log_axis(values: Sequence[float]) -> dict[str, float]:
    ends = axis(values)
    return {"low": ends.low, "high": ends.high}


def _row(
    task: str, property: str, runs: Mapping[str, Run], configs: Sequence[str]
) -> dict[str, Any]:
    return {
        "task": task,
        "property": property,
        "expected": next((run.expected for run in runs.values() if run.expected), None),
        "contradiction": bool(contradictions(runs.values())),
        "runs": [_cell(runs[name]) if name in runs else None for name in configs],
    }


def _cell(run: Run) -> dict[str, Any]:
    return {
        "verdict": run.verdict,
        "category": run.category.value,
        "solved": solved(run),
        "score": run.score,
        "reason": run.reason,
        "engine": run.engine,
        "reduction": run.reduction,
        "trace": None if run.trace is None else quote(run.trace),
        "certificate": None if run.certificate is None else quote(run.certificate),
        **{key: value(run) for key, (_, value) in METRICS.items()},
    }


def _summary(config: str, every: Sequence[Run]) -> dict[str, Any]:
    runs = [run for run in every if run.config == config]
    counts = Counter(run.category.value for run in runs)
    correct = [run for run in runs if run.category is Category.CORRECT]
    return {
        "runs": len(runs),
        "score": sum(run.score for run in runs),
        "best": sum(2 if run.expected == "true" else 1 for run in runs if run.expected),
        "counts": {category.value: counts[category.value] for category in Category},
        "true": sum(run.verdict == "true" for run in correct),
        "cpu": sum(run.cpu_s for run in runs),
        "cpu_correct": sum(run.cpu_s for run in correct),
    }


def _curve(
    rows: Mapping[tuple[str, str], Mapping[str, Run]], config: str, quantile: Any
) -> list[list[float]]:
    """The points of a configuration, with the row in the place of the run."""
    here = [(row, runs[config]) for row, runs in enumerate(rows.values()) if config in runs]
    points: tuple[Point, ...] = quantile([run for _, run in here])
    return [[x, y, here[index][0]] for x, y, index in map(astuple, points)]
