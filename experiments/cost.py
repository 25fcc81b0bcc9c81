"""What asking everything costs: processor time of one run for all properties, against each alone.

The programs are those of benchmarks/svcomp (each N-th with --every), or the files that are named.
Each property is asked alone, and all of them in one run, each in a process of its own; the goal is
that the latter takes at most 1.5 times as long as the dearest of the former. Numbers are to be
compared within one run of this only, on a machine that has nothing else to do.

Exit status: 0; 1 if a definite verdict alone and one together differ.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from abpress.properties import PROPERTIES

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks" / "svcomp"
GOAL = 1.5


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and what a run may take."""
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help="default: our own")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th program")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds of a run (%(default)g)")
    parser.add_argument("--property", action="append", choices=PROPERTIES, help="default: all")
    parser.add_argument("--engine", default="auto", help="of the runs (default: %(default)s)")


@dataclass(frozen=True, slots=True)
class Asked:
    """One run: its seconds of processor time, and the verdicts by property."""

    seconds: float
    verdicts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Cost:
    """The costs of a program: alone by property, and together."""

    file: Path
    alone: dict[str, Asked]
    together: Asked

    @property
    def dearest(self) -> tuple[str, float]:
        """The property that costs the most alone, and the seconds."""
        return max(((name, its.seconds) for name, its in self.alone.items()), key=lambda p: p[1])

    @property
    def ratio(self) -> float:
        """How many times as dear all of them are together."""
        return self.together.seconds / self.dearest[1]

    @property
    def differing(self) -> list[str]:
        """The properties with two verdicts."""
        definite = {"true", "false"}
        return [
            name
            for name, its in self.alone.items()
            if {its.verdicts[name], self.together.verdicts[name]} == definite
        ]


def run(options: argparse.Namespace) -> int:
    """Measures, and prints a line for each program, and the table."""
    files = options.files or sorted(BENCHMARKS.rglob("*.c"))
    names = tuple(options.property or PROPERTIES)
    costs = []
    print(f"{'all s':>7} {'alone s':>7} {'times':>6} {'open':>7}  dearest alone, program")
    for file in files[:: options.every]:
        alone = {name: ask(file, (name,), options) for name in names}
        cost = Cost(file, alone, ask(file, names, options))
        costs.append(cost)
        print(_line(cost), flush=True)
    print(*table(costs), sep="\n")
    return 1 if any(cost.differing for cost in costs) else 0


def ask(file: Path, names: Sequence[str], options: argparse.Namespace) -> Asked:
    """One run in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        command = [sys.executable, "-m", "abpress", "verify", str(file), "--json", str(answer)]
        command += ["--quiet", "--time-limit", str(options.limit), "--engine", options.engine]
        command += [word for name in names for word in ("--property", name)]
        before = _used()
        subprocess.run(command, check=False, capture_output=True)
        seconds = _used() - before
        data = json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else {}
    results = data.get("results") or [data]
    told = {its["property"]: str(its["verdict"]) for its in results if "property" in its}
    return Asked(seconds, {name: told.get(name, "none") for name in names})


def _used() -> float:
    """The seconds of processor time of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _open(verdicts: Sequence[str]) -> int:
    return sum(verdict not in ("true", "false") for verdict in verdicts)


def _line(cost: Cost) -> str:
    name, seconds = cost.dearest
    alone = _open([its.verdicts[name] for name, its in cost.alone.items()])
    together = _open(list(cost.together.verdicts.values()))
    differing = "".join(f"  DIFFERS: {name}" for name in cost.differing)
    return (
        f"{cost.together.seconds:7.2f} {seconds:7.2f} {cost.ratio:6.2f} {together:3}/{alone:<3}"
        f"  {name} {cost.file.name}{differing}"
    )


def table(costs: Sequence[Cost]) -> Iterator[str]:
    """The lines of the table: what is typical, what is worst, and what is the dearest alone."""
    if not costs:
        return
    ratios = sorted(cost.ratio for cost in costs)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    whole = sum(c.together.seconds for c in costs) / sum(c.dearest[1] for c in costs)
    within = sum(ratio <= GOAL for ratio in ratios)
    yield ""
    yield f"programs                     {len(ratios):6}"
    yield f"at most {GOAL} times             {within:6}"
    yield f"times, geometric mean        {mean:6.2f}"
    yield f"times, median                {ratios[len(ratios) // 2]:6.2f}"
    yield f"times, worst                 {ratios[-1]:6.2f}"
    yield f"all programs together, times {whole:6.2f}"
    yield ""
    for name in dict.fromkeys(cost.dearest[0] for cost in costs):
        its = [cost.ratio for cost in costs if cost.dearest[0] == name]
        yield f"{len(its):6} programs, dearest {name}: {sum(its) / len(its):.2f} times"
