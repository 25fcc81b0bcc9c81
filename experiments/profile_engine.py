"""Profiles a run of the engine abpress: where it spends its processor time.

Exit status: 0, or 3 if the program cannot be read.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter
from types import FrameType
from typing import Any
from unittest import mock

from abpress.art import tree
from abpress.art.node import Node
from abpress.config import Config
from abpress.verify.run import verify
from experiments.sampling import PERIOD, REST, Samples, sampling

FUNCTIONS = {
    ("abpress.smt.prover", "entails"): "cache look-ups",
    ("abpress.smt.prover", "satisfiable"): "cache look-ups",
    ("abpress.art.labels.transfer", "possible"): "cache look-ups",
    ("abpress.art.labels.transfer", "implied"): "cache look-ups",
}
"""(module, function) -> part; before `MODULES`."""

MODULES = {
    "z3": "z3",
    "abpress.smt": "translation for z3",
    "abpress.symbolic": "symbolic steps",
    "abpress.semantics": "interpreter and replay",
    "abpress.witness": "interpreter and replay",
    "abpress.itp": "interpolation",
    "abpress.art": "tree and labels",
    "abpress.engines.abpress": "tree and labels",
    "abpress.reductions.tree": "tree and labels",
    "abpress.proof": "check of the proof",
    "abpress.verify.load": "reading the program",
}
"""Module or package -> part. What has no name counts for its caller."""


def part(frame: FrameType) -> str | None:
    """The part of the engine that a frame belongs to; None: to that of its caller."""
    module: str = frame.f_globals.get("__name__", "")
    found = FUNCTIONS.get((module, frame.f_code.co_name))
    while found is None and module:
        found = MODULES.get(module)
        module = module.rpartition(".")[0]
    return found


@contextmanager
def stamping() -> Iterator[list[float]]:
    """The times at which nodes are created, while in force."""
    stamps: list[float] = []

    def stamped(*arguments: Any) -> Node:
        stamps.append(perf_counter())
        return Node(*arguments)

    with mock.patch.object(tree, "Node", stamped):
        yield stamps


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is run."""
    parser.add_argument("file", type=Path, help="the program")
    parser.add_argument("--por", default="auto", help="partial-order reduction")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds (60)")


def run(options: argparse.Namespace) -> int:
    """Prints the parts of the time. Raises AbPressError if the program cannot be read."""
    config = Config.of(
        options.file, engine="abpress", por=options.por, time_limit=options.time_limit
    )
    with sampling(part) as samples, stamping() as stamps:
        result = verify(config).result
    print(f"{options.file.name}: {result.verdict.value} {result.reason}".rstrip())
    _print_parts(samples)
    _print_nodes(stamps)
    return 0


def _print_parts(samples: Samples) -> None:
    total = sum(samples.seconds.values())
    for name in dict.fromkeys((*FUNCTIONS.values(), *MODULES.values(), REST)):
        seconds = samples.seconds[name]
        print(f"  {name:<24}{seconds:>8.2f} s {100 * seconds / (total or 1):>5.1f} %")
    print(f"  {'all (processor time)':<24}{total:>8.2f} s")


def _print_nodes(stamps: list[float]) -> None:
    print(f"  {'nodes':<24}{len(stamps):>8}")
    if len(stamps) < 2:
        return
    rate = (len(stamps) - 1) / ((stamps[-1] - stamps[0]) or PERIOD)
    middle = median(b - a for a, b in pairwise(stamps))
    print(f"  {'nodes per second':<24}{rate:>8.0f}")
    print(f"  {'median time of a node':<24}{1e6 * middle:>8.1f} µs")
