"""Searches that are halted at random moments, and go on from what a file keeps."""

from __future__ import annotations

import random

from abpress.ir.program import Program
from abpress.parallel.checkpoint import Search, decoded, encoded
from abpress.properties import Property
from tests.parallel.schedule import Scheduler, explored

SEARCH = Search("a program", {"--algorithm": "any"})

MOST_HALTS = 20


def resumed(
    program: Program,
    algorithm: str,
    seed: int,
    property: Property,
    halt: float = 0.02,
    death: float = 0.0,
    most: int = 4,
) -> tuple[Scheduler, int]:
    """The last of searches, each of which goes on where the one before was halted, with another
    number of workers up to `most`; and how many there were."""
    chance = random.Random(seed)
    frontier = None
    for n in range(1, MOST_HALTS + 1):
        workers, seed = chance.randint(1, most), chance.randrange(1 << 16)
        rate = halt if n < MOST_HALTS else 0.0
        run = explored(program, algorithm, workers, seed, property, death, rate, frontier)
        if run.frontier is None:
            return run, n
        frontier = decoded(encoded(run.frontier, SEARCH), SEARCH)
    raise AssertionError("a search that is not halted has not ended")
