"""Random programs on a cluster of four processes that stand in for machines, one of which is lost
in the middle: native workers explore what one search explores."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

import pytest
from distributed import LocalCluster
from distributed.batched import BatchedSend
from hypothesis import strategies as st

from abpress.config import NATIVE, PYTHON, Config
from abpress.core.executions import ALGORITHMS, REMEMBERING
from abpress.engines.stateless import explore
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.parallel import cluster as of_clusters
from abpress.parallel import planner
from abpress.parallel.cluster import connected
from abpress.parallel.dealer import PartSaid
from abpress.parallel.office import Said
from abpress.parallel.planner import LeavesSaid
from abpress.search.limits import Limits
from abpress.search.statistics import ExecutionStatistics
from tests.clusters import cluster_of
from tests.engines import cluster_tasks
from tests.parallel.test_native_parts import alone
from tests.parallel.test_workers_random import ANYTHING, CERTAIN, PLAIN, WRITING
from tests.strategies.ir_programs import programs
from tests.strategies.questions import ANY_ERROR

SHARED = ["source", "optimal", "observers", "optimal-cs-observers"]

DRAWN = st.tuples(programs(CERTAIN) | programs(ANYTHING) | WRITING, st.integers(0, 1 << 16))

_MACHINES = 4

LOST_AT_ONCE = 1
"""A seed with which the connection is cut to who says something first."""

LEAST = 4
"""Executions, so that there is something to do for others."""

_KILLED = 8
"""One in so many machines that are lost is killed; of the others the connection is cut."""


@cache
def machines() -> LocalCluster:
    """Four of them, whose workers say something every few steps."""
    its = cluster_of(_MACHINES)
    with connected(its.scheduler_address) as client:
        client.register_worker_callbacks(partial(cluster_tasks.pauses, 16, 0.01))
    return its


@contextmanager
def a_machine_is_lost(cluster: LocalCluster, seed: int) -> Iterator[list[int]]:
    """With what it says at some time, and all that comes after; yields whose it was."""
    chance = random.Random(seed)
    last, killed = chance.choice((0, 0, 1, 2, 4)), chance.randrange(_KILLED) == 0
    take, lost, heard = of_clusters._Cluster._take, dict[int, int](), list[int]()
    welcome, come = of_clusters._Cluster._welcome, dict[int, BatchedSend]()

    def together(self: of_clusters._Cluster, worker: int, line: BatchedSend) -> None:
        """Nobody begins before all have come."""
        waiting = len(come) < _MACHINES
        come[worker] = line
        if waiting and len(come) == _MACHINES:
            for its in come.items():
                welcome(self, *its)
        elif not waiting:
            welcome(self, worker, line)

    def mortal(self: of_clusters._Cluster, worker: int, came: Said) -> None:
        if lost.get(worker) == came.epoch:
            return
        if not lost and isinstance(came.what, PartSaid | LeavesSaid):
            heard.append(worker)
            if len(heard) > last:
                lost[worker] = came.epoch
                if killed:
                    kill(self, worker)
                self._client.loop.add_callback(self._lines[worker].abort)
                return
        take(self, worker, came)

    def kill(self: of_clusters._Cluster, worker: int) -> None:
        pids = {nanny.worker_address: nanny.pid for nanny in cluster.workers.values()}
        for machine, keys in self._client.processing().items():
            if self._tasks[worker].key in keys:
                os.kill(pids[machine], signal.SIGKILL)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_clusters._Cluster, "_take", mortal)
        patch.setattr(of_clusters._Cluster, "_welcome", together)
        patch.setattr(planner, "_MANY", 1)
        yield (its := [])
    its.extend(lost)


NUMBERS = ("complete", "deadlocked", "violating")


def check(program: Program, seed: int) -> str | bool:
    """All algorithms; False if one search explores too much, or hardly anything."""
    lost = 0
    for algorithm in SHARED:
        most = alone(program, PLAIN.get(algorithm, algorithm), ANY_ERROR)
        if most is None or most.statistics.executions < LEAST:
            return False
        lost += compare(machines(), program, algorithm, most.statistics, seed)
    return f"{lost} lost"


def compare(
    cluster: LocalCluster, program: Program, algorithm: str, most: ExecutionStatistics, seed: int
) -> int:
    """One search, and the machines of the cluster, of which so many are lost."""
    with a_machine_is_lost(cluster, seed) as lost:
        agree(program, algorithm, most, f"seed {seed}", cluster=cluster.scheduler_address)
    return len(lost)


def agree(
    program: Program,
    algorithm: str,
    most: ExecutionStatistics,
    case: str,
    core: str = NATIVE,
    **shared: int | str,
) -> None:
    """One search, and workers, explore the same. Without states that are remembered there is as
    much as `most`."""
    given = {"engine": "stateless", "por": algorithm, "core": core, "keep_going": True}
    config = Config.of(Path("program.c"), **given)
    one = explore(program, config, Limits())
    found = explore(program, config.but(**shared), Limits())
    shown = f"{algorithm}, {core}, {case}\n{format_program(program)}"
    told, alone = found.result.statistics, one.result.statistics
    assert found.exhausted, f"{found.result.reason}: {shown}"
    assert found.violations == one.violations, shown
    for name in NUMBERS:
        done, least = (int(its[f"{name}_executions"]) for its in (told, alone))
        if ALGORITHMS[algorithm] in REMEMBERING:
            assert done <= getattr(most, name) and (done > 0) == (least > 0), shown
        elif told.get("core", PYTHON) == core:  # in Python a class may be explored again
            assert done == least, shown
