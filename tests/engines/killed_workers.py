"""Random programs, explored by processes that are killed (kill -9) in the middle: others explore
what they had, and all is what one search explores."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import strategies as st

from abpress.config import NATIVE, PYTHON
from abpress.engines import stateless as engine
from abpress.ir.program import Program
from abpress.parallel import processes
from abpress.parallel.office import Said
from abpress.search import stateless
from tests.engines import cluster_tasks, lost_machines
from tests.parallel.deaths import Compared, compared
from tests.parallel.test_native_parts import alone
from tests.parallel.test_workers_random import PLAIN
from tests.strategies.questions import ANY_ERROR

DRAWN = st.tuples(lost_machines.DRAWN, st.integers(2, 4))

SEARCHES = (
    *((algorithm, NATIVE) for algorithm in lost_machines.SHARED),
    ("source", PYTHON),
    ("optimal", PYTHON),
)

_MOST = 8
"""Deaths of a search, which is given up after more of them."""


@contextmanager
def workers_are_killed(seed: int) -> Iterator[list[int]]:
    """Now and then, when one has said something; yields who was replaced."""
    chance, replaced = random.Random(seed), list[int]()
    take, replace = processes._Processes._take, processes._Processes._replace

    def mortal(self: processes._Processes, worker: int, came: Said) -> None:
        take(self, worker, came)
        searches = worker not in self._reports and not self._hub.over
        if searches and len(replaced) < _MOST and chance.random() < 0.3:
            os.kill(self._processes[worker], signal.SIGKILL)

    def noted(self: processes._Processes, worker: int) -> bool:
        replaced.append(worker)
        return replace(self, worker)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes._Processes, "_take", mortal)
        patch.setattr(processes._Processes, "_replace", noted)
        patch.setattr(engine, "processors", lambda: 64)
        patch.setattr(stateless, "POLL_EVENTS", 1)
        cluster_tasks.pauses(16, 0.002)
        try:
            yield replaced
        finally:
            cluster_tasks.hurries()


def check(drawn: tuple[Program, int], workers: int) -> Compared:
    """All searches for which the program is neither too large nor hardly anything."""
    program, seed = drawn
    deaths: dict[tuple[str, str], int] = {}
    for algorithm, core in SEARCHES:
        most = alone(program, PLAIN.get(algorithm, algorithm), ANY_ERROR)
        if most is None or most.statistics.executions < lost_machines.LEAST:
            continue
        case = f"seed {seed}, {workers} workers"
        with workers_are_killed(seed) as replaced:
            lost_machines.agree(program, algorithm, most.statistics, case, core, workers=workers)
        deaths[algorithm, core] = len(replaced)
    return compared(deaths, len(SEARCHES), deaths.values())
