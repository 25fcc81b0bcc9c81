"""The output of `abpress bench`: a table that lives on a terminal, and the summary at the end."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from abpress.bench.compare import Comparison, Contradiction, Ratio, VerdictChange
from abpress.bench.record import Benchmark, Category, Run
from abpress.cli.output import plain, styled

if TYPE_CHECKING:
    from rich.table import Table

_REFRESH_S = 0.25


class Live:
    """The table of what is going on, on standard error if that is a terminal. Use as a context."""

    def __init__(self, configs: Sequence[str], total: int, runs: Iterable[Run]) -> None:
        from rich.console import Console
        from rich.live import Live as RichLive

        self._counts: dict[str, Counter[Category]] = {config: Counter() for config in configs}
        self._total = total
        self._running = 0
        self._ended = 0
        self._started = time.monotonic()
        self._next = 0.0
        for run in runs:
            self._counts[run.config][run.category] += 1
        self._console = Console(file=styled(sys.stderr))
        # Refreshed by hand: a thread for it would be in the way of starting processes.
        self._live = RichLive(console=self._console, auto_refresh=False, transient=True)

    def __enter__(self) -> Live:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.stop()

    def add(self, run: Run) -> None:
        """Takes in a run that has ended; tells a wrong one at once."""
        self._counts[run.config][run.category] += 1
        self._ended += 1
        if self._live.is_started and run.category is Category.WRONG:
            self._console.print(plain(_wrong(run)), style="bold red", markup=False, highlight=False)

    def tick(self, running: int) -> None:
        """Shows the state of affairs, every now and then."""
        self._running = running
        now = time.monotonic()
        if self._live.is_started and now >= self._next:
            self._next = now + _REFRESH_S
            self._live.update(self._table(), refresh=True)

    def _table(self) -> Table:
        from rich.table import Table

        done = sum(counts.total() for counts in self._counts.values())
        title = f"{done} of {self._total} done, {self._running} running, {self._remaining(done)}"
        table = Table(title=title, title_justify="left")
        for name in ("configuration", "done", *(category.value for category in Category)):
            table.add_column(name, justify="left" if name == "configuration" else "right")
        for config, counts in self._counts.items():
            cells = [str(counts[category]) for category in Category]
            style = "bold red" if counts[Category.WRONG] else None
            table.add_row(config, str(counts.total()), *cells, style=style)
        return table

    def _remaining(self, done: int) -> str:
        if self._ended == 0:
            return "ETA unknown"
        seconds = (time.monotonic() - self._started) / self._ended * (self._total - done)
        return f"ETA {int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"


@dataclass(frozen=True, slots=True)
class Summary:
    """What is told at the end. `total` is how many runs there should be."""

    benchmark: Benchmark
    total: int
    skipped: Mapping[str, int]
    contradictions: Sequence[Contradiction]
    comparison: Comparison | None
    written: Sequence[Path]


def print_summary(summary: Summary, out: TextIO) -> None:
    """Prints the summary, what is wrong first, in red on a terminal."""
    from rich.console import Console

    console = Console(file=styled(out), highlight=False, markup=False, soft_wrap=True)

    def tell(text: str, style: str | None = None) -> None:
        console.print(plain(text), style=style)

    runs = summary.benchmark.runs
    for line in _alarms(summary):
        tell(line, style="bold red")
    for run in runs:
        if run.category is Category.ERROR:
            tell(f"error {_name(run)}: {run.reason}", style="yellow")
    for line in _news(summary.comparison):
        tell(line)
    header = ["configuration", "runs", "correct", "true", "false"]
    header += [category.value for category in Category if category is not Category.CORRECT]
    rows = [[*header, "score", "CPU s"]]
    for config in summary.benchmark.configs:
        rows.append(_row(config, [run for run in runs if run.config == config]))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *numbers = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        tell("  ".join([first.strip().ljust(widths[0]), *numbers]))
    if len(runs) < summary.total:
        tell(f"{summary.total - len(runs)} of {summary.total} runs are missing")
    for what, count in summary.skipped.items():
        tell(f"skipped, {count}: {what}")
    for path in summary.written:
        tell(f"written: {path}")


def _row(config: str, runs: Sequence[Run]) -> list[str]:
    counts = Counter(run.category for run in runs)
    right = Counter(run.verdict for run in runs if run.category is Category.CORRECT)
    correct = right.total()
    cells: list[object] = [config, len(runs), correct, right["true"], correct - right["true"]]
    cells += [counts[category] for category in Category if category is not Category.CORRECT]
    cells += [sum(run.score for run in runs), f"{sum(run.cpu_s for run in runs):.1f}"]
    return [str(cell) for cell in cells]


def _alarms(summary: Summary) -> Iterable[str]:
    for run in summary.benchmark.runs:
        if run.category is Category.WRONG:
            yield _wrong(run)
    for c in summary.contradictions:
        yield (
            f"CONTRADICTION {c.task} ({c.property}): true by {', '.join(c.true)};"
            f" false by {', '.join(c.false)}"
        )
    if summary.comparison is not None:
        yield from (f"REGRESSION {_change(c)}" for c in summary.comparison.changes if c.worse)
        yield from (f"REGRESSION {_ratio(r)}" for r in summary.comparison.ratios if r.worse)


def _news(comparison: Comparison | None) -> Iterable[str]:
    if comparison is None:
        return
    yield from (f"changed: {_change(c)}" for c in comparison.changes if not c.worse)
    yield from (f"compared: {_ratio(r)}" for r in comparison.ratios if not r.worse)
    missing = f", {comparison.missing} of the baseline were not run" if comparison.missing else ""
    yield f"compared with the baseline: {comparison.compared} runs{missing}"


def _wrong(run: Run) -> str:
    return f"WRONG {_name(run)}: {run.verdict}, and {run.expected} is right"


def _change(change: VerdictChange) -> str:
    old, new = change.old, change.new
    return f"{_name(new)}: was {_outcome(old)}, is {_outcome(new)}"


def _outcome(run: Run) -> str:
    if run.definite():
        return f"{run.verdict} ({run.category.value})"
    reason = f": {run.reason}" if run.reason else ""
    return f"{run.category.value}{reason}"


def _ratio(ratio: Ratio) -> str:
    return (
        f"{ratio.quantity} by {ratio.config}: {ratio.median:.2f} times the baseline's"
        f" (median of {ratio.runs} runs)"
    )


def _name(run: Run) -> str:
    return f"{run.task} ({run.property}) by {run.config}"
