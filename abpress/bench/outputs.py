"""The files that a benchmark is written to, besides its JSON lines: one entry per format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from abpress.bench.csv_output import write_csv
from abpress.bench.html import write_html
from abpress.bench.record import Benchmark
from abpress.bench.results_xml import write_xml


def _html(benchmark: Benchmark, folder: Path) -> tuple[Path, ...]:
    path = folder / "index.html"
    write_html(benchmark, path)
    return (path,)


def _csv(benchmark: Benchmark, folder: Path) -> tuple[Path, ...]:
    path = folder / "results.csv"
    write_csv(benchmark, path)
    return (path,)


OUTPUTS: Mapping[str, Callable[[Benchmark, Path], tuple[Path, ...]]] = {
    "html": _html,
    "xml": write_xml,
    "csv": _csv,
}
"""Name of a format -> writes a benchmark to the output folder (which exists) in it, and returns
the files to look at. Each raises InputError if a file cannot be written."""
