"""Speed-up of native workers that share a tree of executions: `abpress explore --core native`.

By program, algorithm and number of workers: seconds of wall time of the whole command, the speed-up
against the command with one worker in the same run of the experiment, and the processor time of all
processes together, as a multiple of that. Exit status 1 if complete or deadlocked executions
differ. The times mean something only on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from abpress.cli.options import positive
from abpress.core.executions import ALGORITHMS, REMEMBERING
from abpress.core.library import load as load_library
from experiments.bench_explore import FAMILIES, size

SIZES = (("readers", 15), ("lastzero", 11), ("filesystem", 22), ("indexer", 15))
_COUNTED = ("complete_executions", "deadlocked_executions")


@dataclass(frozen=True, slots=True)
class Exploration:
    """A run of the command: seconds of wall and of processor time, and what it has counted."""

    wall_s: float
    cpu_s: float
    counted: tuple[int, ...]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, algorithms and numbers of workers."""
    parser.add_argument("sizes", nargs="*", metavar="FAMILY=N", type=size, default=SIZES)
    parser.add_argument(
        "--algorithms",
        nargs="+",
        choices=sorted(name for name, its in ALGORITHMS.items() if its not in REMEMBERING),
        default=("source", "optimal"),
    )
    parser.add_argument("--workers", nargs="+", type=positive, default=(2, 4), metavar="N")


def explored(file: Path, n: int, algorithm: str, workers: int) -> Exploration:
    """One run of the command. Raises CalledProcessError if it has no answer "true"."""
    with TemporaryDirectory() as folder:
        told = Path(folder) / "result.json"
        command = [sys.executable, "-m", "abpress", "explore", str(file), f"-DN={n}", "--quiet"]
        command += ["--core", "native", "--algorithm", algorithm, "--workers", str(workers)]
        before, began = _processor_time(), time.monotonic()
        subprocess.run([*command, "--json", str(told)], check=True, capture_output=True)
        wall = time.monotonic() - began
        statistics = json.loads(told.read_text(encoding="utf-8"))["statistics"]
    counted = tuple(int(statistics[name]) for name in _COUNTED)
    return Exploration(wall, _processor_time() - before, counted)


def _processor_time() -> float:
    its = resource.getrusage(resource.RUSAGE_CHILDREN)
    return its.ru_utime + its.ru_stime


def run(options: argparse.Namespace) -> int:
    """Prints the table. Exit status 1 if what is counted differs."""
    load_library()
    status = 0
    print("| program | algorithm | complete | alone | workers | speed-up | work |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for family, n in options.sizes:
        for algorithm in options.algorithms:
            alone = explored(FAMILIES[family], n, algorithm, 1)
            for workers in options.workers:
                shared = explored(FAMILIES[family], n, algorithm, workers)
                if shared.counted != alone.counted:
                    status = 1
                print(
                    f"| {family}({n}) | {algorithm} | {alone.counted[0]:,} | {alone.wall_s:.1f} s"
                    f" | {workers} | {alone.wall_s / shared.wall_s:.2f}"
                    f" | {shared.cpu_s / alone.cpu_s:.2f} |",
                    flush=True,
                )
    return status
